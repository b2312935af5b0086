#include "bench/consumer.hpp"

#include <csignal>
#include <exception>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/consumer_page.hpp"

namespace peer::bench {
namespace {

// The kernel sends it when the producer has ended. The stop signals stay blocked here:
// those of the terminal are the producer's to handle.
constexpr int producer_died = SIGUSR1;

// Set before the signal can come.
constinit channel *abandoned = nullptr;

extern "C" void on_producer_died(int) {
  abandoned->abandon();
  ::_exit(1);
}

// A killed producer cleans up nothing, and this process may block in a call that
// nothing else ends.
void end_with_producer(channel &through, pid_t producer) noexcept {
  abandoned = &through;
  struct sigaction action {};
  action.sa_handler = on_producer_died;
  ::sigaction(producer_died, &action, nullptr);
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, producer_died);
  ::sigprocmask(SIG_UNBLOCK, &wanted, nullptr);
  ::prctl(PR_SET_PDEATHSIG, producer_died);
  if (::getppid() != producer) { // it had ended before the line above
    on_producer_died(producer_died);
  }
}

// How often this process, which has one thread, gave up its processor.
long voluntary_switches() noexcept {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw;
}

result<void> answer_rounds(const consumer_task &task, channel &through, control &answers) {
  auto mapping = shmkv::mapping::open(task.path, shkv2::layout_);
  if (!mapping) {
    return mapping.error();
  }
  consumer_page page(task.path, std::move(*mapping));
  long switches = voluntary_switches();
  answers.answer(0);
  for (std::uint64_t round = 1; round <= task.rounds; round++) {
    awaited update{round, task.after + round};
    if (auto told = through.wait(page, answers, update); !told) {
      return told;
    }
    const auto latency = page.observe(update.id);
    if (!latency) {
      return latency.error();
    }
    const long switches_now = voluntary_switches();
    answers.latency = latency->count();
    answers.slept = switches_now != switches;
    answers.woken = update.woken;
    switches = switches_now;
    answers.answer(round);
  }
  return {};
}

} // namespace

void consume(const consumer_task &task, channel &through, control &answers, pid_t producer) {
  int code = 1;
  end_with_producer(through, producer);
  through.become_consumer();
  try {
    const auto done = answer_rounds(task, through, answers);
    if (done) {
      code = 0;
    } else {
      answers.set_reason(done.error().message());
    }
  } catch (const std::exception &lack) {
    answers.set_reason(lack.what());
  }
  // Not by exit: the writer and the channel are the producer's to destroy. The writer's
  // descriptor, inherited, keeps its lock no longer than this process lives.
  ::_exit(code);
}

} // namespace peer::bench
