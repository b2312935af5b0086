#include "watch/monitor.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "shmkv/shkv2.hpp"
#include "support/poll.hpp"

namespace peer {
namespace {

// Interrupts system calls and has no other meaning: by default it is ignored.
constexpr int interrupting_signal = SIGURG;

extern "C" void do_nothing(int) {
}

} // namespace

result<std::unique_ptr<monitor>> monitor::start(stop_signals signals, const lines &out) {
  unique_fd end(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!end) {
    return system_failure("eventfd");
  }
  return std::unique_ptr<monitor>(new monitor(std::move(signals), std::move(end), out));
}

monitor::monitor(stop_signals signals, unique_fd end, const lines &out)
    : signals_(std::move(signals)), end_(std::move(end)),
      changes_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      output_(out.has_reader() ? out.fd() : -1), sleeper_(::pthread_self()) {
  struct sigaction interrupt {};
  interrupt.sa_handler = do_nothing; // and no SA_RESTART
  ::sigaction(interrupting_signal, &interrupt, &before_);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  sigaddset(&unblocked, interrupting_signal);
  ::pthread_sigmask(SIG_UNBLOCK, &unblocked, nullptr);
  thread_ = std::jthread([this] {
    run();
  });
}

monitor::~monitor() {
  const std::uint64_t one = 1;
  (void)!::write(end_.get(), &one, sizeof one); // an eventfd takes it
  thread_.join();
  ::sigaction(interrupting_signal, &before_, nullptr);
}

void monitor::watch_file(int fd) {
  // A descriptor of its own: the file outlives its reader here. The name may lead to
  // another file by now, the link of the descriptor does not. Stores through a
  // mapping are no IN_MODIFY; truncate(2) is.
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  file_ = unique_fd(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (file_ && changes_ && ::inotify_add_watch(changes_.get(), link.c_str(), IN_MODIFY) >= 0) {
    file_known_.store(true);
  }
}

void monitor::run() {
  const cause found = wait_for_cause();
  if (found != cause::none) {
    cause_.store(found);
    interrupt_until_end();
  }
}

cause monitor::wait_for_cause() {
  std::array<pollfd, 4> fds{polled(end_.get(), POLLIN), polled(signals_.fd(), POLLIN),
      polled(output_, 0), polled(changes_.get(), POLLIN)};
  for (;;) {
    const auto told = poll(fds, std::chrono::hours(1));
    if (!told || fds[0].revents != 0) {
      return cause::none;
    }
    if (!*told) {
      continue;
    }
    if (signals_.taken()) {
      return cause::stopped;
    }
    if ((fds[2].revents & (POLLERR | POLLHUP)) != 0) {
      return cause::reader_left;
    }
    if (fds[3].revents != 0 && file_is_short()) {
      return cause::truncated;
    }
  }
}

bool monitor::file_is_short() {
  alignas(inotify_event) std::array<char, 4096> events{};
  (void)!::read(changes_.get(), events.data(), events.size()); // how often does not matter
  struct stat st {};
  return file_known_.load() && ::fstat(file_.get(), &st) == 0 &&
         st.st_size < static_cast<off_t>(shkv2::size);
}

void monitor::interrupt_until_end() {
  using namespace std::chrono_literals;
  pollfd end = polled(end_.get(), POLLIN);
  while (end.revents == 0) {
    ::pthread_kill(sleeper_, interrupting_signal);
    (void)poll({&end, 1}, 20ms);
  }
}

} // namespace peer
