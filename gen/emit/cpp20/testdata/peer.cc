// A small peer for tests: what a user of the C++ header writes.
//   peer serve FILE COUNT INTERVAL_MS   publish k<id> = value-<id>
//   peer watch FILE COUNT TIMEOUT_MS    print COUNT updates
#include <cstdio>
#include <string>
#include <thread>
#include "shmkv/shkv2.hpp"

static int report(const shmkv::error &error) {
  std::fprintf(stderr, "peer: %s\n", error.message().c_str());
  return 1;
}

static int serve(const char *path, int count, std::chrono::milliseconds interval) {
  auto writer = shkv2::writer::create(path);
  if (!writer) {
    return report(writer.error());
  }
  for (int i = 0; i < count; i++) {
    std::this_thread::sleep_for(interval);
    auto id = std::to_string(writer->view().counter() + 1);
    if (auto published = writer->publish("k" + id, "value-" + id); !published) {
      return report(published.error());
    }
  }
  return 0;
}

static int watch(const char *path, int count, std::chrono::milliseconds timeout) {
  auto page = shkv2::reader::open(path);
  if (!page) {
    return report(page.error());
  }
  std::puts("watching");
  std::fflush(stdout);
  std::uint64_t last = 0;
  for (int seen = 0; seen < count;) {
    auto batch = page->wait(last, timeout);
    if (!batch) {
      return report(batch.error());
    }
    for (const auto &u : *batch) {
      auto line = std::to_string(u.id) + " " + std::to_string(u.missed) + " " +
                  std::string(u.slot.key()) + "=" + std::string(u.slot.value());
      std::puts(line.c_str());
      std::fflush(stdout);
      seen++;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    return 2;
  }
  int count = std::stoi(argv[3]);
  std::chrono::milliseconds time(std::stoi(argv[4]));
  return std::string(argv[1]) == "serve" ? serve(argv[2], count, time)
                                         : watch(argv[2], count, time);
}
