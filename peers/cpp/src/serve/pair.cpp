#include "serve/pair.hpp"

#include <algorithm>

namespace peer {

void part::feed(std::string_view piece) {
  kept_ += piece.substr(0, limit_ - kept_.size());
  size_ += piece.size();
  nul_ = nul_ || piece.find('\0') != std::string_view::npos;
}

std::optional<std::string> part::fault() const {
  if (size_ > limit_) {
    return "the " + name_ + " has " + std::to_string(size_) + " bytes, want at most " +
           std::to_string(limit_);
  }
  if (nul_) {
    return "the " + name_ + " contains a NUL";
  }
  return std::nullopt;
}

void pair::feed(std::string_view piece) {
  if (!split_) {
    const auto equals = piece.find('=');
    key_.feed(piece.substr(0, equals));
    split_ = equals != std::string_view::npos;
    piece.remove_prefix(split_ ? equals + 1 : piece.size());
  }
  value_.feed(piece);
}

std::optional<std::string> pair::fault() const {
  if (!split_) {
    return "no '=' in it, want key=value";
  }
  if (key_.empty()) {
    return "the key is empty";
  }
  const auto wrong = key_.fault();
  return wrong ? wrong : value_.fault();
}

} // namespace peer
