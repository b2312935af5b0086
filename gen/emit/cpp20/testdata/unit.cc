// Checks of the C++ API that one process can make.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>
#include "shmkv/everything.hpp"
#include "shmkv/history.hpp"
#include "shmkv/quiet.hpp"
#include "shmkv/robot.hpp"
#include "shmkv/shkv2.hpp"

using namespace std::chrono_literals;

#define CHECK(what)                                                                                \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      std::fprintf(stderr, "unit.cc:%d: %s\n", __LINE__, #what);                                   \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

static std::string fresh(const std::string &folder, const char *name) {
  std::string path = folder + "/" + name;
  std::remove(path.c_str());
  return path;
}

static_assert(!std::is_copy_constructible_v<shkv2::reader>);
static_assert(std::is_nothrow_move_constructible_v<shkv2::reader>);
static_assert(!std::is_copy_constructible_v<shkv2::writer>);
static_assert(std::is_same_v<decltype(std::declval<shkv2::writer>().view().seq()),
    std::atomic_ref<std::uint32_t>>);

static void kv(const std::string &folder) {
  auto path = fresh(folder, "kv");
  auto missing = shkv2::reader::open(path);
  CHECK(!missing && missing.error() == shmkv::errc::not_found);
  CHECK(missing.error().number() == ENOENT && missing.error().message().starts_with(path + ": "));

  auto w = shkv2::writer::create(path);
  CHECK(w && w->recovery() == shmkv::recovery::clean);
  auto second = shkv2::writer::create(path);
  CHECK(!second && second.error() == shmkv::errc::locked);
  CHECK(second.error().message() == path + ": another writer holds the lock");
  auto r = shkv2::reader::open(path);
  CHECK(r && r->alive());

  auto id = w->publish("k1", "value-1");
  CHECK(id && *id == 1);
  shkv2::slot slot;
  CHECK(slot.set_key("k2") == shmkv::errc::ok && slot.set_value("value-2") == shmkv::errc::ok);
  CHECK(w->publish(slot) == 2);
  auto refused = w->publish("0123456789012345678901234", "x");
  CHECK(!refused && refused.error() == shmkv::errc::too_long);
  CHECK(w->publish("", std::string_view("a\0b", 3)).error() == shmkv::errc::invalid);

  std::uint64_t last = 0;
  auto batch = r->wait(last, 1s);
  CHECK(batch && batch->size() == 2 && last == 2);
  for (const auto &u : *batch) {
    CHECK(u.missed == 0 && u.slot.key() == "k" + std::to_string(u.id));
  }
  CHECK((*batch)[1].slot == slot);
  auto late = r->wait(last, 10ms);
  CHECK(!late && late.error() == shmkv::errc::timed_out);
  CHECK(late.error().message() == path + ": timed out");

  auto s = r->snapshot();
  CHECK(s && s->counter == 2 && s->slots[0].value() == "value-1" && *s == w->snapshot());
  CHECK(r->read_slot(1)->key() == "k2");
  CHECK(r->read_slot(8).error() == shmkv::errc::invalid);
  CHECK(r->view().seq() == 4 && r->view().wake().load() == 2 && r->view().counter() == 2);
  CHECK(r->view().magic() == shkv2::magic);
  CHECK(w->view().seq().load(std::memory_order_relaxed) == 4);

  std::jthread waker([writer = std::move(*w)]() mutable {
    std::this_thread::sleep_for(50ms);
    (void)writer.publish("k3", "value-3");
  });
  batch = r->wait(last, 5s);
  CHECK(batch && batch->size() == 1 && last == 3);
  waker.join();

  shkv2::reader moved = std::move(*r);
  moved = std::move(shkv2::reader::open(path)).value();
  CHECK(moved.snapshot()->counter == 3 && shkv2::writer::create(path).has_value());
}

static void pose(const std::string &folder) {
  auto path = fresh(folder, "pose");
  auto w = robot::writer::create(path, 0644);
  auto r = robot::reader::open(path);
  CHECK(w && r);
  robot::snapshot s;
  s.x = 1.25;
  s.theta = -3.0F;
  CHECK(s.set_name("arm") == shmkv::errc::ok && w->update(s) == 1);
  std::uint64_t last = 0;
  auto got = r->wait(last, 1s);
  s.counter = 1;
  CHECK(got && last == 1 && *got == s && *r->snapshot() == s);
  robot::cell_snapshot cell;
  cell.volts = 3.3;
  CHECK(w->update_cells(1, cell) && *r->read_cells(1) == cell);
  CHECK(!w->update_cells(3, cell) && r->read_cells(3).error() == shmkv::errc::invalid);
  w->view().set_battery(0.5F);
  w->view().set_armed(true);
  CHECK(w->view().set_title("eight ch") == shmkv::errc::ok);
  CHECK(w->view().set_title("nine char") == shmkv::errc::too_long);
  CHECK(r->view().battery() == 0.5F && r->view().armed() && r->view().title() == "eight ch");
  CHECK(r->view().version() == 7 && r->view().print() == robot::fingerprint);
  CHECK(r->view().cells_seq(1) == 2);

  // A fingerprint of another layout is told with both values.
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(robot::print_offset).write("\x11\x11\0\0\0\0\0\0", 8).flush();
  auto other = robot::reader::open(path);
  CHECK(!other && other.error() == shmkv::errc::wrong_fingerprint);
  CHECK(other.error().message().find("0x0000000000001111") != std::string::npos);
}

static void rest(const std::string &folder) {
  auto path = fresh(folder, "quiet");
  auto w = quiet::writer::create(path);
  auto r = quiet::reader::open(path);
  CHECK(w && r && w->publish({}) == 1 && w->wake() == 0);
  std::uint64_t last = 0;
  CHECK(r->wait(last, 1s)->size() == 1);
  CHECK(r->wait(last, 10ms).error() == shmkv::errc::timed_out && r->view().sleepers() == 0);

  // A ring whose batch lies on the heap, and records that are no multiple of 8.
  auto long_path = fresh(folder, "history");
  auto h = history::writer::create(long_path);
  auto reader = history::reader::open(long_path);
  CHECK(h && reader);
  for (std::uint32_t i = 1; i <= 3500; i++) {
    history::event event;
    event.what = i;
    CHECK(h->publish(event) == i);
  }
  last = 100;
  auto all = reader->wait(last, 1s);
  CHECK(all && all->size() == 3000 && (*all)[0].id == 501 && (*all)[0].missed == 400);
  CHECK((*all)[2999].slot.what == 3500 && last == 3500);

  using everything::caps;
  caps c = caps::read | caps::top;
  c |= caps(4); // a bit without a name
  CHECK((c & ~caps::read) == (caps::top | caps(4)));
  auto path2 = fresh(folder, "everything");
  auto e = everything::writer::create(path2);
  CHECK(e && e->view().state() == everything::mode::idle);
  e->view().set_state(everything::mode(1234));
  e->view().set_can(c);
  std::array<std::array<std::uint16_t, 4>, 3> grid{{{1, 2, 3, 4}, {5}, {6}}};
  e->view().set_grid(grid);
  auto opened = everything::reader::open(path2);
  CHECK(opened && opened->view().state() == everything::mode(1234) && opened->view().can() == c);
  CHECK(opened->view().grid() == grid && opened->view().first() == everything::mode::running);
  everything::event event;
  event.set_ok(true);
  event.ok_raw = 2; // whatever another language stored: any other than 0 is true
  CHECK(event.ok() && event.set_tag("thirteen char") == shmkv::errc::ok);

  alignas(8) std::array<std::byte, shkv2::size> memory{};
  CHECK(shkv2::reader::attach(memory).error() == shmkv::errc::bad_magic);
  std::memcpy(memory.data(), "SHKV2", 5);
  CHECK(shkv2::reader::attach(memory)->snapshot()->counter == 0);
  CHECK(shkv2::reader::attach(std::span(memory).subspan(4)).error() == shmkv::errc::invalid);
}

std::uint64_t other_unit(const std::string &path); // other.cc

int main(int argc, char **argv) {
  CHECK(argc == 2);
  kv(argv[1]);
  pose(argv[1]);
  rest(argv[1]);
  CHECK(other_unit(fresh(argv[1], "other")) == 1);
  std::puts("ok");
}
