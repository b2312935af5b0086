// A second unit with the same headers, of C too: they must link together.
#include "shmkv/shkv2.h"
#include "shmkv/shkv2.hpp"

std::uint64_t other_unit(const std::string &path);

std::uint64_t other_unit(const std::string &path) {
  auto writer = shkv2::writer::create(path);
  shkv2_reader reader;
  shkv2_snapshot snapshot;
  if (!writer || !writer->publish("k", "v") || shkv2_open(&reader, path.c_str()) != SHMKV_OK) {
    return 0;
  }
  shmkv_code code = shkv2_read_snapshot(&reader, &snapshot);
  shkv2_close_reader(&reader);
  return code == SHMKV_OK ? snapshot.counter : 0;
}
