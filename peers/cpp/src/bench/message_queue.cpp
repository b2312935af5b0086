#include "bench/message_queue.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <ctime>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace peer::bench {
namespace {

using message_bytes = std::array<char, sizeof(std::uint64_t)>;

// How long one send or receive may block: an absolute time of the wall clock.
timespec in_a_second() noexcept {
  using namespace std::chrono;
  const auto at = system_clock::now().time_since_epoch() + 1s;
  const auto whole = floor<seconds>(at);
  timespec time{};
  time.tv_sec = static_cast<time_t>(whole.count());
  time.tv_nsec = static_cast<decltype(time.tv_nsec)>(nanoseconds(at - whole).count());
  return time;
}

mqd_t open_queue(const std::string &slashed_name) noexcept {
  mq_attr wanted{};
  wanted.mq_maxmsg = 8;
  wanted.mq_msgsize = sizeof(message_bytes);
  return ::mq_open(slashed_name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600, &wanted);
}

// The errno of mq_open alone would send its reader looking for open files.
shmkv::error open_failure(const std::string &slashed_name) {
  const int number = errno;
  auto plain = system_failure("mq_open " + slashed_name.substr(1), number);
  rlimit bytes{};
  if (number != EMFILE || ::getrlimit(RLIMIT_MSGQUEUE, &bytes) != 0) {
    return plain;
  }
  return {shmkv::errc::system, number,
      plain.message() + ": RLIMIT_MSGQUEUE (ulimit -q): " + std::to_string(bytes.rlim_cur) +
          " bytes for all queues of the user"};
}

} // namespace

void unlink_queue(const char *slashed_name) noexcept {
  (void)::mq_unlink(slashed_name); // it may be another user's
}

result<message_queue> message_queue::create() {
  std::string name = "/";
  name += queue_name(::getpid());
  mqd_t queue = open_queue(name);
  if (queue < 0 && errno == EEXIST) {
    unlink_queue(name.c_str());
    queue = open_queue(name);
  }
  if (queue < 0) {
    return open_failure(name);
  }
  return message_queue(queue, name);
}

message_queue::~message_queue() {
  if (queue_ >= 0) {
    unlink_queue(name_.c_str()); // before the close: the name is what must not stay
    (void)::mq_close(queue_);
  }
}

result<void> message_queue::send(std::uint64_t message) const {
  const auto bytes = std::bit_cast<message_bytes>(message);
  const timespec until = in_a_second();
  while (::mq_timedsend(queue_, bytes.data(), bytes.size(), 0, &until) != 0) {
    if (errno != EINTR) {
      return system_failure("mq_timedsend " + name_.substr(1));
    }
  }
  return {};
}

result<std::uint64_t> message_queue::receive() const {
  message_bytes bytes{};
  for (;;) {
    unsigned priority = 0;
    const timespec until = in_a_second();
    const ssize_t n = ::mq_timedreceive(queue_, bytes.data(), bytes.size(), &priority, &until);
    if (n == static_cast<ssize_t>(bytes.size())) {
      return std::bit_cast<std::uint64_t>(bytes);
    }
    if (n >= 0) {
      return failure("mq_timedreceive " + name_.substr(1) + ": a message of another size");
    }
    // A producer that is gone ends this process; one that is stopped does not.
    if (errno != EINTR && errno != ETIMEDOUT) {
      return system_failure("mq_timedreceive " + name_.substr(1));
    }
  }
}

} // namespace peer::bench
