#include "args/command_line.hpp"

#include <algorithm>
#include <span>
#include <sstream>

#include <CLI/CLI.hpp>

#include "args/channel_names.hpp"
#include "args/duration.hpp"
#include "args/number.hpp"
#include "args/texts.hpp"

namespace peer {
namespace {

constexpr int usage_exit_code = 2;

no_command wrong_usage(std::string why) {
  std::ranges::replace(why, '\n', ' ');
  return {usage_exit_code, "",
      "shmkv: " + why + "\nRun \"shmkv --help\" for the commands and their flags.\n"};
}

// The first flag whose value is empty, or "". CLI11 would take what comes next for the
// value; but no flag takes an empty one.
std::string flag_without_value(std::span<const char *const> arguments) {
  for (const std::string_view argument : arguments) {
    if (argument == "--") {
      break;
    }
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      return std::string(argument.substr(0, argument.size() - 1));
    }
  }
  return "";
}

// One command of the grammar. Values stay text here: CLI11's own conversions also
// take hexadecimal, signs and more.
class grammar_command {
public:
  grammar_command(
      CLI::App &app, const char *name, const char *what, std::string more, const char *file) {
    app_ = app.add_subcommand(name, what);
    app_->footer(std::move(more));
    app_->set_version_flag("--version", texts::version(), "Print the version.");
    file_ = app_->add_option("FILE", text_, file)->required()->type_name("");
  }

  void value(const char *name, const char *type, const char *what) {
    app_->add_option(name, text_, what)
        ->type_name(type)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  void flag(const char *name, const std::string &what) {
    app_->add_flag(name, what)->disable_flag_override(); // else --json=no is a flag given
  }

  [[nodiscard]] bool chosen() const {
    return app_->parsed();
  }

  [[nodiscard]] std::string file() const {
    return file_->results().front();
  }

  [[nodiscard]] bool given(const char *name) const {
    return app_->get_option(name)->count() != 0;
  }

  // Refuses a repeated flag: of two values, nobody can tell which was meant.
  [[nodiscard]] std::string repeated() const {
    for (const CLI::Option *option : app_->get_options()) {
      if (option->count() > 1) {
        return option->get_name() + " is given twice";
      }
    }
    return "";
  }

  // Reads the value of a flag that is given. On failure it says so and is false.
  template <class T, class Parse>
  bool read(const char *name, Parse parse, T &into, std::string &why) const {
    if (!given(name)) {
      return true;
    }
    auto value = parse(app_->get_option(name)->results().front());
    if (!value) {
      why = std::string(name) + ": " + value.error().message();
      return false;
    }
    into = std::move(*value);
    return true;
  }

private:
  CLI::App *app_;
  CLI::Option *file_;
  std::string text_; // CLI11 wants a place for what results() tell
};

struct grammar {
  CLI::App app{texts::description, "shmkv-cpp"};
  grammar_command serve{app, "serve", texts::serve, texts::serve_more(), texts::serve_file};
  grammar_command watch{app, "watch", texts::watch, texts::watch_more(), texts::watch_file};
  grammar_command bench{app, "bench", texts::bench, texts::bench_more, texts::bench_file};

  grammar() {
    app.require_subcommand(1);
    app.footer(texts::description_more);
    app.set_version_flag("--version", texts::version(), "Print the version.");
    serve.value("--updates", "N", "Stop after N updates (default: 0, never).");
    serve.value("--interval-ms", "M", "Milliseconds before each update (default: 1000).");
    serve.flag("--stdin", "Publish lines key=value of standard input instead, as they come.");
    serve.value("--mode", "OCTAL", "Permissions of a file that is made (default: 600).");
    watch.value("--events", "N", "Stop after N updates (default: 0, never).");
    watch.value("--timeout", "D", texts::watch_timeout);
    watch.flag("--json", "Print one JSON object per update and nothing else.");
    watch.flag("--wait", "Wait for FILE to appear.");
    bench.value("--rounds", "N", "Rounds per channel (default: 2000).");
    bench.value("--channel", "NAME", texts::bench_channel);
    bench.flag("--json", "Print one JSON object per channel and nothing else.");
  }
};

command serve_command(const grammar_command &given) {
  serve_options o;
  std::string why;
  o.file = given.file();
  o.from_input = given.given("--stdin");
  if (!given.read("--updates", parse_count, o.updates, why) ||
      !given.read("--interval-ms", parse_millis, o.interval, why) ||
      !given.read("--mode", parse_mode, o.mode, why)) {
    return wrong_usage(why);
  }
  if (o.from_input && (given.given("--updates") || given.given("--interval-ms"))) {
    return wrong_usage(
        "--stdin goes without --updates and --interval-ms: its lines set number and pace");
  }
  return o;
}

command watch_command(const grammar_command &given) {
  constexpr std::chrono::seconds events_timeout{30}; // holds while --events is given
  watch_options o;
  std::string why;
  std::chrono::nanoseconds timeout{0};
  o.file = given.file();
  o.json = given.given("--json");
  o.wait = given.given("--wait");
  if (!given.read("--events", parse_count, o.events, why) ||
      !given.read("--timeout", parse_duration, timeout, why)) {
    return wrong_usage(why);
  }
  if (!given.given("--timeout") && o.events != 0) {
    timeout = events_timeout;
  }
  if (timeout != timeout.zero()) {
    o.timeout = timeout;
  }
  return o;
}

command bench_command(const grammar_command &given) {
  bench_options o;
  std::string why;
  o.file = given.file();
  o.json = given.given("--json");
  if (!given.read("--rounds", parse_count, o.rounds, why) ||
      !given.read("--channel", parse_channels, o.channels, why)) {
    return wrong_usage(why);
  }
  if (o.rounds == 0) {
    return wrong_usage("--rounds: want at least 1");
  }
  return o;
}

} // namespace

command parse_command_line(int argc, const char *const *argv) {
  grammar g;
  const std::span given_arguments(argv, static_cast<std::size_t>(argc));
  if (std::string flag = flag_without_value(given_arguments); !flag.empty()) {
    return wrong_usage(std::move(flag) + ": the value is empty");
  }
  try {
    g.app.parse(argc, argv);
  } catch (const CLI::Success &help) {
    std::ostringstream out;
    std::ostringstream err;
    (void)g.app.exit(help, out, err);
    return no_command{0, out.str(), err.str()};
  } catch (const CLI::ParseError &wrong) {
    if (g.app.get_subcommands().empty()) {
      return wrong_usage("expected one of serve, watch, bench");
    }
    return wrong_usage(wrong.what());
  }
  for (const grammar_command *given : {&g.serve, &g.watch, &g.bench}) {
    if (std::string why = given->repeated(); !why.empty()) {
      return wrong_usage(std::move(why));
    }
  }
  return g.serve.chosen()   ? serve_command(g.serve)
         : g.watch.chosen() ? watch_command(g.watch)
                            : bench_command(g.bench);
}

} // namespace peer
