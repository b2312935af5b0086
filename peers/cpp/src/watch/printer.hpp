// How updates are told.
#pragma once

#include "shmkv/shkv2.hpp"
#include "support/failure.hpp"
#include "support/lines.hpp"

namespace peer {

/// Tells the reader of the program what happens. Each call may wait for that reader,
/// until the run is over: then errc::cancelled.
class printer {
public:
  virtual ~printer() = default;

  /// Comes once, when the page is open.
  [[nodiscard]] virtual result<void> start() = 0;

  /// Comes for each update; update.missed before it are lost.
  [[nodiscard]] virtual result<void> print(const shkv2::update &update) = 0;

  /// Comes when all events asked for were told.
  [[nodiscard]] virtual result<void> complete() = 0;
};

/// Where lines go, and until when.
struct printing {
  lines out;
  lines notes; // gaps
  interruption over;
};

/// Says on standard error how many updates were lost before one. Notes that nobody
/// takes are no failure.
void tell_gap(const printing &to, const shkv2::update &update);

} // namespace peer
