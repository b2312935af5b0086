// Errors of the program itself, in the form of those of the page.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "shmkv/segment.hpp"

namespace peer {

template <class T>
using result = shmkv::result<T>;

/// A failure in words.
[[nodiscard]] inline shmkv::error failure(std::string message) {
  return {shmkv::errc::system, 0, std::move(message)};
}

/// What errno says about what was being done.
[[nodiscard]] inline shmkv::error system_failure(std::string_view doing, int number = errno) {
  return {shmkv::errc::system, number,
      std::string(doing) + ": " + std::generic_category().message(number)};
}

/// A wait that its caller ended. Why, the caller knows.
[[nodiscard]] inline shmkv::error cancelled() {
  return {shmkv::errc::cancelled, 0, "cancelled"};
}

/// The page's file was cut short. The words are those of the generated code.
[[nodiscard]] inline shmkv::error truncated(const std::string &path) {
  return {shmkv::errc::truncated, 0, path + ": " + shmkv_code_text(SHMKV_TRUNCATED)};
}

/// Whoever read the output has left: an end, but not one to tell anybody.
[[nodiscard]] inline bool is_closed_pipe(const shmkv::error &error) noexcept {
  return error.number() == EPIPE;
}

} // namespace peer
