#include "bench/consumer_process.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "bench/patience.hpp"
#include "support/deadline.hpp"

namespace peer::bench {

result<consumer_process> consumer_process::start(
    const consumer_task &task, channel &through, control &answers) {
  const pid_t producer = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    consume(task, through, answers, producer);
  }
  if (child < 0) {
    return system_failure("fork");
  }
  through.become_producer();
  return consumer_process(child);
}

consumer_process::~consumer_process() {
  if (id_ > 0) {
    ::kill(id_, SIGKILL);
    while (::waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
}

bool consumer_process::ended() noexcept {
  if (id_ > 0 && ::waitpid(id_, &status_, WNOHANG) == id_) {
    id_ = -1;
  }
  return id_ < 0;
}

result<void> consumer_process::end(const control &answers) {
  const auto patience = deadline::after(answer_patience);
  while (!ended()) {
    if (patience.over()) {
      return too_slow();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return status_ == 0 ? result<void>() : reason(answers);
}

shmkv::error consumer_process::reason(const control &answers) const {
  const std::string words = answers.reason.data();
  if (!words.empty()) {
    return failure(consumer_gone().message() + ": " + words);
  }
  if (WIFSIGNALED(status_)) {
    return failure(
        consumer_gone().message() + ": killed by signal " + std::to_string(WTERMSIG(status_)));
  }
  return consumer_gone();
}

result<bool> consumer_process::asleep() {
  const std::string path = "/proc/" + std::to_string(id_) + "/stat";
  if (!stat_) {
    stat_ = unique_fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }
  std::array<char, 128> buffer{};
  const ssize_t n = ::pread(stat_.get(), buffer.data(), buffer.size(), 0);
  if (n < 0) {
    return system_failure(path);
  }
  // The second field, the name, is in parentheses and may hold anything; the state is
  // the third (proc_pid_stat(5)).
  const std::string_view text(buffer.data(), static_cast<std::size_t>(n));
  const auto name_end = text.rfind(')');
  return name_end != std::string_view::npos && text.substr(name_end).starts_with(") S");
}

} // namespace peer::bench
