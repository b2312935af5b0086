#include "bench/left_queues.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "args/number.hpp"
#include "bench/message_queue.hpp"

namespace peer::bench {
namespace {

namespace fs = std::filesystem;

// Turns the octal escapes of a mount point, such as \040, back.
std::string unescaped(const std::string &text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); i++) {
    const auto code =
        text[i] == '\\' ? parse_mode(text.substr(i + 1, 3)) : result<unsigned>(failure(""));
    if (code && i + 3 < text.size()) {
      out += static_cast<char>(*code);
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Where queues are mounted, usually /dev/mqueue. proc_pid_mountinfo(5): the mount
// point is the fifth field, the type of the file system stands behind a lone dash.
std::vector<fs::path> queue_folders() {
  std::vector<fs::path> folders;
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string field;
    std::string point;
    for (int i = 1; fields >> field && field != "-"; i++) {
      point = i == 5 ? field : point;
    }
    if (fields >> field && field == "mqueue") {
      folders.emplace_back(unescaped(point));
    }
  }
  return folders;
}

// The process whose queue has this name.
std::optional<pid_t> owner(const std::string &name) {
  if (!name.starts_with(queue_prefix)) {
    return std::nullopt;
  }
  const auto id = parse_count(std::string_view(name).substr(queue_prefix.size()));
  if (!id || *id == 0 || *id > 0x7fffffff || queue_name(static_cast<pid_t>(*id)) != name) {
    return std::nullopt;
  }
  return static_cast<pid_t>(*id);
}

bool is_dead(pid_t process) noexcept {
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

} // namespace

void remove_left_queues() {
  for (const auto &folder : queue_folders()) {
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end;
         at.increment(ignored)) {
      const std::string name = at->path().filename();
      if (const auto process = owner(name); process && is_dead(*process)) {
        unlink_queue(("/" + name).c_str());
      }
    }
  }
}

} // namespace peer::bench
