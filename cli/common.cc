#include "common.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <system_error>
#include <thread>

namespace twinset::cli {
namespace {

std::atomic<bool> interrupt_flag = false;
std::atomic<int> interrupt_signal = 0;

/// The second Ctrl-C or TERM ends the process at once. HUP may come twice by itself: from
/// the shell and from the terminal.
void on_interrupt(int signal) {
  int none = 0;
  interrupt_signal.compare_exchange_strong(none, signal);
  if (!interrupt_flag.exchange(true) || signal == SIGHUP) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// CLI11's own errors say which option; the reason is ours.
[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw CLI::ValidationError(option, why);
}

/// `Value` is an unsigned integer, or an optional one.
template <class Number, class Value>
CLI::Option* add_number(CLI::App& app, const std::string& names, Value& value,
                        const std::string& help) {
  return app
      .add_option_function<std::string>(
          names,
          [&value, names](const std::string& text) {
            const Result<std::uint64_t> count = parse_count(text);
            if (!count.ok()) refuse(names, count.error().message);
            if (count.value() > std::numeric_limits<Number>::max()) {
              refuse(names, "'" + text + "' is too large a number");
            }
            value = static_cast<Number>(count.value());
          },
          help)
      ->type_name("N");
}

/// A size of the machine's resources: 0 would mean nothing.
void add_size_above_zero(CLI::App& app, const std::string& name, std::uint64_t& value,
                         const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [&value, name](const std::string& text) {
           const Result<std::uint64_t> size = parse_size(text);
           if (!size.ok()) refuse(name, size.error().message);
           if (size.value() == 0) refuse(name, "0 is too little; leave it out for the usual");
           value = size.value();
         },
         help)
      ->type_name("SIZE")
      ->group("Resources");
}

/// More workers than processors only cost memory and time.
unsigned no_more_than_processors(std::uint64_t threads) {
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  if (threads <= processors) return static_cast<unsigned>(threads);
  say("twinset: --threads " + std::to_string(threads) + " is more than the " +
      std::to_string(processors) + " processors here; " + std::to_string(processors) +
      " are used\n");
  return processors;
}

/// A folder of links may skip thousands; summary.json lists them all.
void print_skipped(const std::vector<std::string>& skipped) {
  constexpr std::size_t most_shown = 5;
  for (std::size_t i = 0; i < std::min(skipped.size(), most_shown); ++i) {
    say("twinset: skipped " + skipped[i] + "\n");
  }
  if (skipped.size() > most_shown) {
    say("twinset: skipped " + with_separators(skipped.size() - most_shown) +
        " more, listed in summary.json\n");
  }
}

}  // namespace

Result<std::uint64_t> parse_size(const std::string& text) {
  const Error wrong = usage_error("'" + text + "' is not a size: write 1500000, 64MiB or 1.5G");
  std::size_t at = 0;
  const auto digits = [&](std::uint64_t& value, std::uint64_t& scale) {
    const std::size_t begin = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      const auto digit = static_cast<std::uint64_t>(text[at] - '0');
      if (value > (UINT64_MAX - digit) / 10 || scale > UINT64_MAX / 10) return false;
      value = value * 10 + digit;
      scale *= 10;
    }
    return at > begin;
  };
  std::uint64_t value = 0;
  std::uint64_t part = 0;
  std::uint64_t part_scale = 1;
  std::uint64_t whole_scale = 1;
  if (!digits(value, whole_scale)) return wrong;
  const bool has_part = at < text.size() && text[at] == '.';
  if (has_part) {
    ++at;
    if (!digits(part, part_scale) || at - text.find('.') > 7) return wrong;
  }
  std::string unit = text.substr(at);
  if (unit.ends_with("iB")) {
    unit.resize(unit.size() - 2);
  } else if (unit.ends_with("B")) {
    unit.pop_back();
  }
  // There is no part of a byte.
  if (unit.empty()) return has_part ? Result<std::uint64_t>(wrong) : value;
  const std::size_t power = std::string("KMGT").find(unit == "k" ? 'K' : unit[0]);
  if (unit.size() != 1 || power == std::string::npos) return wrong;
  const unsigned shift = 10 * (static_cast<unsigned>(power) + 1);
  if (value >= UINT64_MAX >> shift) return wrong;
  // Six digits behind the point: at most 2^20 of the 2^64 are used by them.
  return (value << shift) + (part << shift) / part_scale;
}

Result<std::uint64_t> parse_count(const std::string& text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, value);
  if (failed == std::errc::result_out_of_range) {
    return usage_error("'" + text + "' is too large a number");
  }
  if (failed != std::errc() || at != end) {
    return usage_error("'" + text + "' is not a number: write digits alone, such as 1000");
  }
  return value;
}

CLI::Option* add_count(CLI::App& app, const std::string& names, std::uint64_t& value,
                       const std::string& help) {
  return add_number<std::uint64_t>(app, names, value, help);
}

CLI::Option* add_count(CLI::App& app, const std::string& names, unsigned& value,
                       const std::string& help) {
  return add_number<unsigned>(app, names, value, help);
}

CLI::Option* add_count(CLI::App& app, const std::string& names, std::optional<std::uint64_t>& value,
                       const std::string& help) {
  return add_number<std::uint64_t>(app, names, value, help);
}

CLI::Option* add_count(CLI::App& app, const std::string& names, std::optional<unsigned>& value,
                       const std::string& help) {
  return add_number<unsigned>(app, names, value, help);
}

CLI::Option* add_size(CLI::App& app, const std::string& names, std::uint64_t& value,
                      const std::string& help) {
  return app
      .add_option_function<std::string>(
          names,
          [&value, names](const std::string& text) {
            Result<std::uint64_t> size = parse_size(text);
            if (!size.ok()) refuse(names, size.error().message);
            value = size.value();
          },
          help)
      ->type_name("SIZE");
}

CLI::Option* add_ratio(CLI::App& app, const std::string& names, Ratio& value,
                       const std::string& help) {
  return app
      .add_option_function<std::string>(
          names,
          [&value, names](const std::string& text) {
            Result<Ratio> ratio = Ratio::parse(text);
            if (!ratio.ok()) refuse(names, ratio.error().message);
            value = ratio.value();
          },
          help)
      ->type_name("SHARE");
}

CLI::Option* add_ratio(CLI::App& app, const std::string& names, std::optional<Ratio>& value,
                       const std::string& help) {
  return app
      .add_option_function<std::string>(
          names,
          [&value, names](const std::string& text) {
            Result<Ratio> ratio = Ratio::parse(text);
            if (!ratio.ok()) refuse(names, ratio.error().message);
            value = ratio.value();
          },
          help)
      ->type_name("SHARE");
}

void add_input_options(CLI::App& app, InputSettings& settings) {
  app.add_option("--format", settings.format,
                 "read all inputs as jsonl, text or html (default: by extension); with html, JSON "
                 "Lines hold a page each")
      ->group("Input");
  app.add_option("--text", settings.text_field, "field of the text, nested by dots")
      ->capture_default_str()
      ->group("Input");
  app.add_option("--id", settings.id_field, "field of the id, nested by dots")
      ->capture_default_str()
      ->group("Input");
  add_size(app, "--max-record", settings.max_record_bytes,
           "longer records are skipped and quarantined [64MiB]")
      ->group("Input");
  add_count(app, "--limit", settings.limit, "read at most so many records (0: all)")
      ->group("Input");
}

void add_resource_options(CLI::App& app, Resources& resources) {
  add_size_above_zero(app, "--memory", resources.memory_bytes,
                      "peak memory of the run, 96MiB or more [half of the machine's]");
  app.add_option_function<std::string>(
         "--threads,-j",
         [&resources](const std::string& text) {
           const Result<std::uint64_t> count = parse_count(text);
           if (!count.ok()) refuse("--threads,-j", count.error().message);
           resources.threads = no_more_than_processors(count.value());
         },
         "workers, at most one a processor [as many as --memory has room for]")
      ->type_name("N")
      ->group("Resources");
  app.add_option("--tmp", resources.tmp, "folder for spilled rows [beside the output]")
      ->group("Resources");
  add_size_above_zero(app, "--checkpoint", resources.checkpoint_bytes,
                      "text read between two checkpoints of a run [2GiB]");
}

const std::atomic<bool>& interrupted() { return interrupt_flag; }

void watch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  // nohup has had it ignored: so it stays.
  if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  // Writing then fails with an error that can be told.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void say(const std::string& text) {
  // Not fmt::print(): it throws when `head` has seen enough.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int fail(const Error& error) {
  say("twinset: " + error.message + "\n");
  // As the shell has it: 130 after Ctrl-C, 143 after TERM, 129 after HUP.
  if (error.code == ErrorCode::interrupted && interrupt_signal != 0) return 128 + interrupt_signal;
  return static_cast<int>(error.code);
}

std::string command_text(int argc, const char* const* argv) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=@%+";
  std::string text = "twinset";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    text += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

std::string with_separators(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

void print_facts(const RunFacts& facts) {
  print_skipped(facts.skipped);
  for (const std::string& warning : facts.warnings) {
    say("twinset: warning: " + warning + "\n");
  }
  if (facts.resumed) say("twinset: continued an interrupted run\n");
}

void print_predictions(const RunFacts& facts) {
  if (facts.predictions.empty()) return;
  fmt::print("\nforetold when all was read{}\n",
             facts.predicted_from == 1
                 ? std::string()
                 : fmt::format(", from 1 key in {:.0f}", 1 / facts.predicted_from));
  const auto number = [](const Prediction& prediction, double value) {
    if (prediction.what.ends_with("_bytes")) return fmt::format("{:.0f} MB", value / 1e6);
    if (prediction.what.starts_with("seconds")) return fmt::format("{:.2f} s", value);
    return with_separators(static_cast<std::uint64_t>(std::max(0.0, value) + 0.5));
  };
  for (const Prediction& prediction : facts.predictions) {
    std::string what = prediction.what.substr(0, prediction.what.find("_bytes"));
    std::replace(what.begin(), what.end(), '_', ' ');
    fmt::print("{:>14}  {}, {} came\n", number(prediction, prediction.predicted.value), what,
               number(prediction, prediction.actual));
  }
}

int say_already_done(const std::string& output) {
  say(output + " is already complete for this command; nothing to do\n");
  return 0;
}

bool color_wanted() { return ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

}  // namespace twinset::cli
