// Updates as lines for people.
#pragma once

#include <cstdint>
#include <string>

#include "watch/printer.hpp"

namespace peer {

class text_printer final : public printer {
public:
  text_printer(printing to, std::string path, std::uint64_t events)
      : to_(std::move(to)), path_(std::move(path)), events_(std::to_string(events)) {
  }

  [[nodiscard]] result<void> start() override;
  [[nodiscard]] result<void> print(const shkv2::update &update) override;
  [[nodiscard]] result<void> complete() override;

private:
  printing to_;
  std::string path_;
  std::string events_;
};

} // namespace peer
