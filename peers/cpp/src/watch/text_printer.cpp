#include "watch/text_printer.hpp"

namespace peer {

result<void> text_printer::start() {
  return to_.out.write("watch: file=" + path_ + " events=" + events_ + '\n', to_.over);
}

result<void> text_printer::print(const shkv2::update &update) {
  tell_gap(to_, update);
  // Text of the page is passed on byte by byte.
  std::string line = "observed update " + std::to_string(update.id) + ": ";
  line += update.slot.key();
  line += '=';
  line += update.slot.value();
  line += '\n';
  return to_.out.write(line, to_.over);
}

result<void> text_printer::complete() {
  return to_.out.write("watch: complete events=" + events_ + '\n', to_.over);
}

} // namespace peer
