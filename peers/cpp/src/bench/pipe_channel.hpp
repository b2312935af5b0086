// A pipe.
#pragma once

#include "bench/stream.hpp"

namespace peer::bench {

class pipe_channel final : public stream_channel {
public:
  [[nodiscard]] result<void> open() override;
};

} // namespace peer::bench
