// A line key=value, taken apart as it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shmkv/shkv2.hpp"

namespace peer {

/// A key or a value. No more of it is kept than the layout has room for: a line
/// of any length needs no more memory than another.
class part {
public:
  part(std::string name, std::size_t limit) : name_(std::move(name)), limit_(limit) {
  }

  void feed(std::string_view piece);

  [[nodiscard]] bool empty() const noexcept {
    return size_ == 0;
  }

  [[nodiscard]] const std::string &kept() const noexcept {
    return kept_;
  }

  /// Why it does not fit, if it does not.
  [[nodiscard]] std::optional<std::string> fault() const;

private:
  std::string name_;
  std::size_t limit_; // in bytes
  std::uint64_t size_ = 0; // in bytes, all of it
  std::string kept_;
  bool nul_ = false;
};

/// A line, split at its first '='.
class pair {
public:
  void feed(std::string_view piece);

  /// Why the line can not be published, if it can not.
  [[nodiscard]] std::optional<std::string> fault() const;

  [[nodiscard]] const std::string &key() const noexcept {
    return key_.kept();
  }

  [[nodiscard]] const std::string &value() const noexcept {
    return value_.kept();
  }

private:
  part key_{"key", sizeof shkv2::slot::key_raw};
  part value_{"value", sizeof shkv2::slot::value_raw};
  bool split_ = false;
};

} // namespace peer
