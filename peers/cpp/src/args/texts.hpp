// What --help and --version say.
#pragma once

#include <string>

#include "shmkv/shkv2.hpp"

namespace peer::texts {

inline constexpr const char *description =
    "One page in a file that every process maps: one writer, many readers.";

inline constexpr const char *description_more =
    R"(Try it: in one terminal "shmkv-cpp serve kv.shm", in another "shmkv-cpp watch kv.shm".

Exit codes: 0 done, 1 failed with one line on standard error, 2 wrong usage.)";

inline constexpr const char *serve = "Publish updates into the page in FILE.";

inline constexpr const char *serve_file =
    "The page. A file that does not exist is made; one that does is continued.";

inline std::string serve_more() {
  return R"(Update number ID is k<ID>=value-<ID>. An existing page goes on with the next ID; what a
killed writer left half done is repaired first. A page has one writer: a second one is refused.

With --stdin, a line whose key ()" +
         std::to_string(sizeof shkv2::slot::key_raw) + R"( bytes) or value ()" +
         std::to_string(sizeof shkv2::slot::value_raw) + R"( bytes) is too long, that has no "=",
no key, or a NUL inside, is reported with its number and skipped; the exit code is then 1.

SIGINT or SIGTERM stop it: exit code 0, or 1 when that is before update N of --updates N.)";
}

inline constexpr const char *watch = "Print every update of the page in FILE.";

inline constexpr const char *watch_file = "The page.";

inline constexpr const char *watch_timeout =
    "Stop after this time, such as 500ms or 1m; 0: never (default: 30s with --events).";

inline std::string watch_more() {
  return R"(It starts with what the page still holds, the last )" +
         std::to_string(shkv2::slots_count) + R"( updates at most, and then sleeps until
the next one comes. Each line is written at once, also into a pipe. When it was too slow, or
came too late, standard error says how many updates were lost.

Fewer than N updates of --events N when the time is up, or at SIGINT or SIGTERM, are a failure
(exit code 1). Without --events those are the ways to end it: exit code 0.

--json prints {"id":1,"lost":0,"key":"k1","value":"value-1"}: lost is the number of updates
lost before this one; key_hex and value_hex are added where the text is not UTF-8.)";
}

inline constexpr const char *bench =
    "Measure how long it takes to wake a process, channel by channel.";

inline constexpr const char *bench_file =
    "The page to publish into: the file is made, or continued, and stays.";

inline constexpr const char *bench_channel =
    "futex, futex-parked, pipe, eventfd, mq, unix, poll, several with commas, or all "
    "(default: futex).";

inline constexpr const char *bench_more =
    R"(A second process blocks on one kernel object. Each round publishes one update into the page,
wakes that process, and measures in microseconds how long it takes until it has read the update;
the next round starts when it has answered.

In most rounds of "futex" the other process sees the update before it has fallen asleep: that is
the channel's fast path. The row "futex-parked" wakes it only when it is known to sleep. --json
also says in how many rounds it slept.)";

/// The compiler it was built with stands for a version.
[[nodiscard]] inline std::string version() {
  return "shmkv (C++20) " __VERSION__;
}

} // namespace peer::texts
