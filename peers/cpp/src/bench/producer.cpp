#include "bench/producer.hpp"

#include <array>
#include <charconv>
#include <thread>

#include "bench/consumer_page.hpp"
#include "bench/patience.hpp"

namespace peer::bench {
namespace {

// Tells the consumer, while it lives, that an answer needs a wake.
class sleeping_sign {
public:
  explicit sleeping_sign(control &answers) noexcept : answers_(answers) {
    answers_.sleeping.store(1); // pairs with the load in answer
  }

  sleeping_sign(const sleeping_sign &) = delete;
  sleeping_sign &operator=(const sleeping_sign &) = delete;

  ~sleeping_sign() {
    answers_.sleeping.store(0);
  }

private:
  control &answers_;
};

} // namespace

producer::producer(const bench_page &page, channel &through, control &answers,
    consumer_process &consumer, std::uint64_t after)
    : page_(page), through_(through), answers_(answers), consumer_(consumer), id_(after) {
}

result<void> producer::await_ready() {
  return await([this] {
    return answers_.answered(0);
  });
}

result<void> producer::play(std::uint64_t round) {
  if (auto living = alive_now_and_then(); !living) {
    return living;
  }
  if (through_.is_parked()) {
    if (auto parked = await_parked(round); !parked) {
      return parked;
    }
  }
  id_++;
  if (auto stamped = stamp(); !stamped) {
    return stamped;
  }
  auto published = through_.publish(page_.writer, record_);
  if (page_.guard.hit()) {
    return truncated(page_.path);
  }
  if (!published) {
    return consumer_.ended() ? consumer_.reason(answers_) : published;
  }
  return await([this, round] {
    return answers_.answered(round);
  });
}

// Makes the record of the next update: its value is the time.
result<void> producer::stamp() {
  std::array<char, 24> text{'k'};
  char *end = text.data() + text.size();
  char *key_end = std::to_chars(text.data() + 1, end, id_).ptr;
  const shmkv::errc key = record_.set_key(std::string_view(text.data(), key_end));
  char *value_end = std::to_chars(text.data(), end, now().count()).ptr;
  const shmkv::errc value = record_.set_value(std::string_view(text.data(), value_end));
  if (key != shmkv::errc::ok || value != shmkv::errc::ok) {
    return failure(page_.path + ": a stamp is too long for a slot");
  }
  return {};
}

// Waits for the consumer: first spinning, then asleep on ack.
template <class Done>
result<void> producer::await(const Done &done) {
  for (const auto start = now(); now() - start < spin_for;) {
    for (int i = 0; i < 64; i++) {
      if (done()) {
        return {};
      }
    }
    std::this_thread::yield(); // on a single processor, the consumer needs it
  }
  const sleeping_sign sign(answers_);
  for (int i = 0; i < most_slices; i++) {
    const std::uint32_t ack = answers_.ack.load();
    if (done()) {
      return {};
    }
    if (auto living = alive(); !living) {
      return living;
    }
    answers_.sleep(ack, slice); // whatever ends it, look again
  }
  return too_slow();
}

// Waits until the consumer sleeps in the FUTEX_WAIT of this round.
result<void> producer::await_parked(std::uint64_t round) {
  const auto armed = [this, round] {
    return answers_.armed.load() == static_cast<std::uint32_t>(round);
  };
  if (auto announced = await(armed); !announced) {
    return announced;
  }
  for (const auto start = now();; std::this_thread::yield()) {
    const auto asleep = consumer_.asleep();
    if (!asleep) {
      return asleep.error();
    }
    if (*asleep) {
      break;
    }
    if (auto living = alive_now_and_then(); !living) {
      return living;
    }
    if (now() - start > answer_patience) {
      return too_slow();
    }
  }
  for (const auto start = now(); now() - start < settle_for;) {
  }
  return {};
}

// An error when there is nobody to wait for, or no time.
result<void> producer::alive() {
  looked_ = now();
  if (page_.signals.taken()) {
    interrupted_ = true;
    return failure(page_.signals.words());
  }
  if (page_.out.has_reader() && page_.out.reader_left()) {
    interrupted_ = true;
    return page_.out.closed();
  }
  if (consumer_.ended()) {
    return consumer_.reason(answers_);
  }
  return {};
}

// Between rounds, where system calls would give the consumer time to fall asleep.
result<void> producer::alive_now_and_then() {
  return now() - looked_ < slice ? result<void>() : alive();
}

} // namespace peer::bench
