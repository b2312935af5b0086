// An object in memory that a process shares with those it forks.
#pragma once

#include <cstddef>
#include <memory>
#include <sys/mman.h>
#include <type_traits>

#include "support/failure.hpp"

namespace peer::bench {

template <class T>
class shared_object {
public:
  static_assert(std::is_trivially_destructible_v<T>); // whichever process ends first

  [[nodiscard]] static result<shared_object> make() {
    void *at =
        ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
      return system_failure("mmap");
    }
    return shared_object(std::construct_at(static_cast<T *>(at)));
  }

  [[nodiscard]] T &operator*() const noexcept {
    return *object_;
  }

  [[nodiscard]] T *operator->() const noexcept {
    return object_.get();
  }

private:
  struct unmapper {
    void operator()(T *object) const noexcept {
      ::munmap(object, sizeof(T));
    }
  };

  explicit shared_object(T *object) noexcept : object_(object) {
  }

  std::unique_ptr<T, unmapper> object_;
};

} // namespace peer::bench
