#include "watch/printer.hpp"

namespace peer {

void tell_gap(const printing &to, const shkv2::update &update) {
  if (update.missed == 0) {
    return;
  }
  const std::string noun = update.missed == 1 ? " update" : " updates";
  (void)to.notes.write("shmkv: " + std::to_string(update.missed) + noun + " lost (the ring keeps " +
                           std::to_string(shkv2::slots_count) + ")\n",
      to.over);
}

} // namespace peer
