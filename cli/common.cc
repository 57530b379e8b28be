#include "common.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <system_error>

namespace twinset::cli {
namespace {

std::atomic<bool> interrupt_flag = false;

void on_interrupt(int signal) {
  if (interrupt_flag.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
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

/// Each on a line of its own, however many: a missing shard is worth a line.
void print_lost(const std::vector<LostInput>& lost) {
  for (const LostInput& input : lost) {
    std::string place;
    if (input.records_read > 0 || input.bytes_read > 0) {
      place = fmt::format(" (byte {}, {} record{} read)", with_separators(input.bytes_read),
                          with_separators(input.records_read), input.records_read == 1 ? "" : "s");
    }
    say("twinset: lost: " + input.file + ": " + input.cause + place + "\n");
  }
}

}  // namespace

Result<std::uint64_t> parse_size(const std::string& text) {
  const Error wrong = usage_error("'" + text + "' is not a size: write 1500000, 64MiB or 2G");
  std::size_t at = 0;
  std::uint64_t value = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    const auto digit = static_cast<std::uint64_t>(text[at] - '0');
    if (value > (UINT64_MAX - digit) / 10) return wrong;
    value = value * 10 + digit;
    ++at;
  }
  if (at == 0) return wrong;
  std::string unit = text.substr(at);
  if (unit.ends_with("iB")) {
    unit.resize(unit.size() - 2);
  } else if (unit.ends_with("B")) {
    unit.pop_back();
  }
  if (unit.empty()) return value;
  const std::size_t power = std::string("KMGT").find(unit == "k" ? 'K' : unit[0]);
  if (unit.size() != 1 || power == std::string::npos) return wrong;
  const unsigned shift = 10 * (static_cast<unsigned>(power) + 1);
  if (value > UINT64_MAX >> shift) return wrong;
  return value << shift;
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
  app.add_flag("--allow-lost-inputs", settings.allow_lost,
               "leave out inputs that cannot be read, and exit 0 even if one is damaged")
      ->group("Input");
}

void add_resource_options(CLI::App& app, Resources& resources) {
  add_size(app, "--memory", resources.memory_bytes,
           "peak memory of the run [half of the machine's]")
      ->group("Resources");
  add_count(app, "--threads,-j", resources.threads, "workers [one a processor]")
      ->group("Resources");
  app.add_option("--tmp", resources.tmp, "folder for spilled rows [beside the output]")
      ->group("Resources");
  add_size(app, "--checkpoint", resources.checkpoint_bytes,
           "text read between two checkpoints of a run [2GiB]")
      ->group("Resources");
}

const std::atomic<bool>& interrupted() { return interrupt_flag; }

void watch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);
}

void say(const std::string& text) {
  // Not fmt::print(): it throws when `head` has seen enough.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int fail(const Error& error) {
  say("twinset: " + error.message + "\n");
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
  print_lost(facts.lost_inputs);
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

int exit_code_of(const RunFacts& facts, const InputSettings& input) {
  if (facts.lost_inputs.empty() || input.allow_lost) return 0;
  const std::size_t lost = facts.lost_inputs.size();
  say(fmt::format("twinset: {} input{} lost in whole or part: exit 5 (--allow-lost-inputs: 0)\n",
                  with_separators(lost), lost == 1 ? " was" : "s were"));
  return static_cast<int>(ErrorCode::lost_input);
}

void say_already_done(const std::string& output, const RunFacts& facts) {
  say(output + " is finished: made before by this very command, nothing to do\n");
  print_lost(facts.lost_inputs);
}

bool color_wanted() { return ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

}  // namespace twinset::cli
