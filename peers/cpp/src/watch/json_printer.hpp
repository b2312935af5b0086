// Updates as JSON: one object per line and nothing else.
#pragma once

#include "watch/printer.hpp"

namespace peer {

class json_printer final : public printer {
public:
  explicit json_printer(printing to) : to_(std::move(to)) {
  }

  [[nodiscard]] result<void> start() override {
    return {};
  }

  [[nodiscard]] result<void> print(const shkv2::update &update) override;

  [[nodiscard]] result<void> complete() override {
    return {};
  }

private:
  printing to_;
};

} // namespace peer
