#include "serve/input.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <unistd.h>

#include "serve/pair.hpp"
#include "support/lines.hpp"
#include "support/poll.hpp"

namespace peer {
namespace {

// Reads lines of any length in pieces and publishes each when it is whole.
class input {
public:
  input(publisher &page, stop_signals &signals) : page_(page), signals_(signals) {
  }

  result<void> run() {
    for (;;) {
      const auto piece = read();
      if (!piece) {
        return piece.error();
      }
      if (piece->empty()) {
        break;
      }
      if (auto fed = feed(*piece); !fed) {
        return fed;
      }
    }
    if (begun_ && !signals_.taken()) { // the last line needs no newline
      if (auto done = settle(); !done) {
        return done;
      }
    }
    return outcome();
  }

private:
  // The next piece; an empty one at the end.
  result<std::string_view> read() {
    std::array<pollfd, 2> fds{polled(signals_.fd(), POLLIN), polled(STDIN_FILENO, POLLIN)};
    for (;;) {
      const auto ready = poll(fds, std::chrono::hours(1));
      if (!ready) {
        return ready.error();
      }
      if (signals_.taken()) {
        return std::string_view();
      }
      if (!*ready || fds[1].revents == 0) {
        continue;
      }
      const ssize_t n = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
      if (n >= 0) {
        return std::string_view(buffer_.data(), static_cast<std::size_t>(n));
      }
      if (errno != EINTR && errno != EAGAIN) {
        return system_failure("read /dev/stdin");
      }
    }
  }

  result<void> feed(std::string_view piece) {
    while (!piece.empty()) {
      const auto newline = piece.find('\n');
      line_.feed(piece.substr(0, newline));
      begun_ = newline == std::string_view::npos;
      if (begun_) {
        return {};
      }
      if (auto done = settle(); !done) {
        return done;
      }
      piece.remove_prefix(newline + 1);
    }
    return {};
  }

  // Publishes the line that is whole now, or says why not.
  result<void> settle() {
    total_++;
    const pair line = std::exchange(line_, pair());
    if (const auto wrong = line.fault()) {
      refused_++;
      // The exit code tells too: a note that nobody takes is no failure.
      (void)notes_.write(
          "shmkv: line " + std::to_string(total_) + ": refused: " + *wrong + '\n', [this] {
            return signals_.taken().has_value();
          });
      return {};
    }
    const auto published = page_.publish(line.key(), line.value());
    return published ? result<void>() : published.error();
  }

  [[nodiscard]] result<void> outcome() const {
    if (refused_ != 0) {
      return failure(std::to_string(refused_) + " of " + std::to_string(total_) + " lines refused");
    }
    return {};
  }

  publisher &page_;
  stop_signals &signals_;
  lines notes_{STDERR_FILENO, "/dev/stderr"};
  std::array<char, 4096> buffer_{};
  pair line_;
  bool begun_ = false; // there is a line without its newline yet
  std::uint64_t total_ = 0;
  std::uint64_t refused_ = 0;
};

} // namespace

result<void> serve_input(publisher &page, stop_signals &signals) {
  return input(page, signals).run();
}

} // namespace peer
