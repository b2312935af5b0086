// bench: how long it takes to wake another process, channel by channel.
//
// A row has two processes. The consumer, a fork, blocks on the row's channel. The
// producer publishes round i into the page, and signals, only after the consumer
// has answered round i-1: so the wake-up is measured, and not the depth of a queue.
// The latency of a round runs from the stamp inside the published slot to the
// moment when the consumer holds a consistent copy of that slot.
//
// With one round in flight, a futex consumer often sees the word change before it
// ever sleeps. Each row therefore counts the rounds in which its consumer slept,
// and the row futex-parked publishes only when the consumer is known to be asleep.
#include "command.h"
#include "leftover.h"
#include "output.h"
#include "page.h"
#include "producer.h"
#include "stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

// Runs a row whose channel is open, and leaves nothing of its consumer.
static bool run_row(row *r, shkv2_writer *writer, result *figures, failure *f) {
  process child;
  r->after = shkv2_get_counter(writer->segment.page);
  if (!process_start(&child, r, writer, f)) {
    return false;
  }
  if (r->ends.theirs >= 0 && r->ends.theirs != r->ends.ours) {
    (void)close(r->ends.theirs); // so that its death is an error for a write
    r->ends.theirs = -1;
  }
  producer p = {.row = r, .writer = writer, .child = &child, .id = r->after, .f = f};
  bool good = producer_run(&p, figures);
  if (good) {
    good = process_finish(&child, r, f);
  } else if (stop_why() == STOP_NONE && page_whole(&writer->segment, f)) {
    (void)process_explain(&child, r, f); // better than what it led to here
  }
  process_kill(&child);
  // Whoever else watches the page missed the wakes of a channel that has its own.
  (void)shkv2_wake(writer);
  return good;
}

static bool measure(row *r, shkv2_writer *writer, result *figures, failure *f) {
  r->control = control_make(f);
  if (r->control == NULL) {
    return false;
  }
  bool good = r->channel->open(&r->ends, f);
  if (good) {
    good = run_row(r, writer, figures, f);
    r->channel->close(&r->ends);
  }
  control_free(r->control);
  return good;
}

// The line of a row for people, and for programs. Microseconds are rounded down.
static int text_row(char *line, size_t room, const row *r, const result *figures) {
  return snprintf(line, room,
      "bench: channel=%s rounds=%" PRIu64 " p50_us=%" PRId64 " p99_us=%" PRId64 "\n",
      r->channel->name, r->rounds, result_percentile(figures, 50) / 1000,
      result_percentile(figures, 99) / 1000);
}

static int json_row(char *line, size_t room, const row *r, const result *figures) {
  int64_t p50 = result_percentile(figures, 50), p99 = result_percentile(figures, 99);
  return snprintf(line, room,
      "{\"channel\":\"%s\",\"rounds\":%" PRIu64 ",\"p50_us\":%" PRId64 ",\"p99_us\":%" PRId64
      ",\"p50_ns\":%" PRId64 ",\"p90_ns\":%" PRId64 ",\"p99_ns\":%" PRId64 ",\"max_ns\":%" PRId64
      ",\"slept\":%" PRIu64 ",\"unobserved\":%" PRIu64 "}\n",
      r->channel->name, r->rounds, p50 / 1000, p99 / 1000, p50, result_percentile(figures, 90), p99,
      result_percentile(figures, 100), figures->slept, figures->unobserved);
}

static bool print_row(const row *r, const result *figures, bool json, failure *f) {
  const output out = {STDOUT_FILENO, "/dev/stdout", STOP_NEVER};
  char line[512];
  int size = (json ? json_row : text_row)(line, sizeof line, r, figures);
  shmkv_code code = output_line(&out, line, (size_t)size, f);
  if (code == SHMKV_CANCELLED) {
    return stop_why() == STOP_SIGNAL ? fail(f, "%s", stop_text()) : fail_quietly(f);
  }
  if (code == SHMKV_OK && !json && isatty(STDERR_FILENO)) {
    (void)fprintf(stderr, "       slept in %" PRIu64 " rounds, %" PRIu64 " unobserved\n",
        figures->slept, figures->unobserved);
  }
  return code == SHMKV_OK;
}

// What became of a row.
typedef enum row_end {
  ROW_GOOD,
  ROW_FAILED, // the others go on
  ROW_LAST, // nothing goes on
} row_end;

static row_end run_channel(
    const bench_args *args, const channel *ch, shkv2_writer *writer, failure *f) {
  row r = {.file = args->file, .channel = ch, .rounds = args->rounds, .ends = {-1, -1, -1}};
  result figures = {.latencies = NULL};
  failure why = {""};
  row_end end = ROW_GOOD;
  if (measure(&r, writer, &figures, &why)) {
    end = print_row(&r, &figures, args->json, f) ? ROW_GOOD : ROW_LAST;
  } else {
    if (stop_why() != STOP_READER) { // else nobody is told
      (void)fail(f, "bench: %s: %.950s", ch->name, why.text);
    }
    end = stop_why() == STOP_NONE ? ROW_FAILED : ROW_LAST;
  }
  result_free(&figures);
  return end;
}

// Measures each channel in turn. One that can not be measured does not keep the
// others from it. Returns the exit code.
static int run(const bench_args *args, shkv2_writer *writer) {
  failure failures[CHANNELS];
  size_t failed = 0;
  row_end end = ROW_GOOD;
  for (size_t i = 0; i < args->channel_count && end != ROW_LAST; i++) {
    (void)fail_quietly(&failures[failed]);
    end = run_channel(args, args->channels[i], writer, &failures[failed]);
    failed += end != ROW_GOOD;
  }
  for (size_t i = 0; i < failed && stop_why() != STOP_READER; i++) {
    failure_tell(&failures[i]);
  }
  return failed == 0 ? EXIT_DONE : EXIT_FAILED;
}

int command_bench(const bench_args *args) {
  failure f = {""};
  shkv2_writer writer;
  if (!stop_begin(STDOUT_FILENO, &f)) {
    failure_tell(&f);
    return EXIT_FAILED;
  }
  leftover_remove();
  shmkv_code code = shkv2_create(&writer, args->file, 0);
  if (code != SHMKV_OK) {
    (void)page_fail(&f, &writer.segment, code);
    failure_tell(&f);
    return EXIT_FAILED;
  }
  page_guard(&writer.segment);
  int exit_code = run(args, &writer);
  shkv2_close_writer(&writer);
  return exit_code;
}
