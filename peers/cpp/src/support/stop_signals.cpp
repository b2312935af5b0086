#include "support/stop_signals.hpp"

#include <csignal>
#include <pthread.h>
#include <sys/signalfd.h>

namespace peer {

result<stop_signals> stop_signals::block() {
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int number : {SIGINT, SIGTERM, SIGQUIT}) {
    sigaddset(&wanted, number);
  }
  struct sigaction hang_up {};
  if (::sigaction(SIGHUP, nullptr, &hang_up) != 0 || hang_up.sa_handler != SIG_IGN) {
    sigaddset(&wanted, SIGHUP);
  }
  std::signal(SIGPIPE, SIG_IGN);
  if (const int number = ::pthread_sigmask(SIG_BLOCK, &wanted, nullptr); number != 0) {
    return system_failure("block signals", number);
  }
  stop_signals made;
  made.fd_ = unique_fd(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!made.fd_) {
    return system_failure("signalfd");
  }
  return made;
}

std::optional<int> stop_signals::taken() noexcept {
  signalfd_siginfo info{};
  if (!taken_ && ::read(fd_.get(), &info, sizeof info) == ssize_t{sizeof info}) {
    taken_ = static_cast<int>(info.ssi_signo);
  }
  return taken_;
}

std::string stop_signals::words() const {
  switch (taken_.value_or(0)) {
  case SIGINT:
    return "stopped by SIGINT";
  case SIGQUIT:
    return "stopped by SIGQUIT";
  case SIGHUP:
    return "stopped by SIGHUP";
  default:
    return "stopped by SIGTERM";
  }
}

} // namespace peer
