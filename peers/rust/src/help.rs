//! What `--help` says below the flags. Sizes are the layout's.

use shkv2::{SLOTS_COUNT, Slot};

pub const PROGRAM: &str = "\
Try it: in one terminal \"shmkv serve kv.shm\", in another \"shmkv watch kv.shm\".

Exit codes: 0 done, 1 failed with one line on standard error, 2 wrong usage.";

pub fn serve() -> String {
    let Slot { key, value } = Slot::default();
    let (key, value) = (key.len(), value.len());
    format!(
        "\
Update number ID is k<ID>=value-<ID>. An existing page goes on with the next ID;
what a killed writer left half done is repaired first. A page has one writer:
a second one is refused.

With --stdin, a line whose key ({key} bytes) or value ({value} bytes) is too long, that
has no \"=\", no key, or a NUL inside, is reported with its number and skipped;
the exit code is then 1.

SIGINT or SIGTERM stop it: exit code 0, or 1 when that is before update N of
--updates N."
    )
}

pub fn watch() -> String {
    format!(
        "\
It starts with what the page still holds, the last {SLOTS_COUNT} updates at most, and then
sleeps until the next one comes. Each line is written at once, also into a pipe.
When it was too slow, or came too late, standard error says how many updates
were lost.

Fewer than N updates of --events N when the time is up, or at SIGINT or SIGTERM,
are a failure (exit code 1). Without --events those are the ways to end it:
exit code 0.

--json prints {{\"id\":1,\"lost\":0,\"key\":\"k1\",\"value\":\"value-1\"}}: lost is the number
of updates lost before this one; key_hex and value_hex are added where the text
is not UTF-8."
    )
}

pub const BENCH: &str = "\
A second process blocks on one kernel object. Each round publishes one update
into the page, wakes that process, and measures in microseconds how long it
takes until it has read the update; the next round starts when it has answered.

In most rounds of \"futex\" the other process sees the update before it has fallen
asleep: that is the channel's fast path. The row \"futex-parked\" wakes it only
when it is known to sleep. --json also says in how many rounds it slept.";
