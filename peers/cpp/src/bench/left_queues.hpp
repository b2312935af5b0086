// Queues of benches that were killed.
#pragma once

namespace peer::bench {

/// Unlinks the queues of dead processes: a queue lives until it is unlinked. Queues can
/// only be listed where their file system is mounted; elsewhere nothing is done.
void remove_left_queues();

} // namespace peer::bench
