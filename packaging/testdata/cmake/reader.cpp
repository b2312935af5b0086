#include <chrono>
#include <iostream>
#include <shmkv/shkv2.hpp>

int main(int argc, char **argv) {
  auto page = shkv2::reader::open(argc == 2 ? argv[1] : "");
  if (!page) {
    std::cerr << page.error().message() << '\n';
    return 1;
  }
  std::uint64_t last = 0;
  auto batch = page->wait(last, std::chrono::seconds(2));
  if (!batch) {
    std::cerr << batch.error().message() << '\n';
    return 1;
  }
  for (const auto &update : *batch) {
    std::cout << update.id << ' ' << update.slot.key() << ' ' << update.slot.value() << '\n';
  }
  return 0;
}
