#include "common.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "pipes.h"

namespace twinset::cli {
namespace {

std::atomic<bool> interrupt_flag = false;
std::atomic<std::int64_t> asked_to_end_ms = 0;  ///< by the first Ctrl-C or TERM; 0: none
std::atomic<int> interrupt_signal = 0;

/// Milliseconds of a clock that a signal's handler may read.
std::int64_t now_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// The second Ctrl-C or TERM ends the process at once. One hangup may send HUP twice: from the
/// shell and from the terminal; and `timeout` sends its signal twice, to the process and to its
/// group, so a second one right after the first says nothing new.
void on_interrupt(int signal) {
  constexpr std::int64_t one_press_ms = 300;
  // A hangup may come with a termination, before or after it; then the termination is reported.
  const int told = interrupt_signal;
  if (told == 0 || (told == SIGHUP && signal != SIGHUP)) interrupt_signal = signal;
  interrupt_flag = true;
  if (signal == SIGHUP) return;
  std::int64_t first = 0;
  const std::int64_t now = now_ms();
  if (asked_to_end_ms.compare_exchange_strong(first, now) || now - first < one_press_ms) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// Names options as they are typed, escapes each line and keeps the line ends.
std::string visible_lines(std::string_view message) {
  const std::string text = render_message(Door::command_line, message);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    append_visible(out, std::string_view(text).substr(at, end - at), Lines::spell);
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

void write_error(std::string_view text) {
  // Not fmt::print(): it throws when the other end of a pipe is closed.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// A folder of links may skip thousands; summary.json lists them all.
void print_skipped(const std::vector<std::string>& skipped) {
  constexpr std::size_t most_shown = 5;
  struct Reason {
    std::string_view why;
    std::string_view first;  ///< path and why
    std::size_t paths = 0;
  };
  std::vector<Reason> reasons;
  for (const std::string_view line : skipped) {
    const std::string_view why = line.substr(std::min(line.find(": "), line.size()));
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const Reason& reason) { return reason.why == why; });
    if (known != reasons.end()) {
      ++known->paths;
    } else {
      reasons.push_back({why, line, 1});
    }
  }
  std::size_t shown = 0;
  for (std::size_t i = 0; i < std::min(reasons.size(), most_shown); ++i) {
    const Reason& reason = reasons[i];
    std::string line = "twinset: skipped " + std::string(reason.first);
    if (reason.paths > 1) {
      line.insert(line.size() - reason.why.size(),
                  " and " + with_separators(reason.paths - 1) + " more");
    }
    say(line);
    shown += reason.paths;
  }
  if (skipped.size() > shown) {
    say("twinset: skipped " + with_separators(skipped.size() - shown) +
        " more, listed in summary.json");
  }
}

void print_guessed(const std::vector<GuessedInputs>& guessed) {
  for (const GuessedInputs& inputs : guessed) {
    say("twinset: read as " + inputs.format + " by content: " + inputs.first +
        (inputs.files > 1 ? " and " + with_separators(inputs.files - 1) + " more" : ""));
  }
}

void print_left_out(const RunFacts& facts) {
  const LeftOutContent& left = facts.left_out_content;
  std::string line;
  const auto add = [&](std::uint64_t count, std::string_view noun) {
    if (count > 0) line += (line.empty() ? "" : ", ") + counted(count, noun);
  };
  add(left.scripts, "script");
  add(left.style_sheets, "style sheet");
  add(left.empty_pages, "empty page");
  if (line.empty()) return;
  const bool offered = facts.verb == "dedup" || facts.verb == "cluster";
  say("twinset: left out " + line + (offered ? "; --content scripts reads them" : ""));
}

}  // namespace

bool is_capable_terminal(int descriptor) {
  if (::isatty(descriptor) != 1) return false;
  const char* const kind = std::getenv("TERM");
  return kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
}

bool color_wanted(Color choice) { return color_wanted(choice, STDOUT_FILENO); }

bool color_wanted(Color choice, int descriptor) {
  if (choice != Color::automatic) return choice == Color::always;
  return is_capable_terminal(descriptor) && !is_set("NO_COLOR");
}

std::size_t terminal_columns(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

const std::atomic<bool>& interrupted() { return interrupt_flag; }

void watch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  // nohup ignores it: leave it so.
  if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  // Then writing fails with an error that can be reported.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

RunControl run_control(ProgressSink* progress, RecordSink* kept) {
  return {&interrupt_flag, progress, &interruptible_disk(), kept};
}

void say(std::string_view line) {
  write_error(visible_text(render_message(Door::command_line, line), Lines::spell) + "\n");
}

void say_lines(std::string_view text) { write_error(visible_lines(text)); }

void say_escaped(std::string_view text) { write_error(render_message(Door::command_line, text)); }

void warn(const Talk& talk, std::string_view line) {
  if (!talk.quiet) say("twinset: warning: " + std::string(line));
}

int fail(const Error& error) {
  say_lines("twinset: " + error.message + "\n");
  // As shells do: 130 after Ctrl-C, 143 after TERM, 129 after HUP.
  if (error.code == ErrorCode::interrupted && interrupt_signal != 0) return 128 + interrupt_signal;
  return static_cast<int>(error.code);
}

void print(std::string_view text) { print_bytes(visible_lines(text)); }

void print_escaped(std::string_view text) { print_bytes(render_message(Door::command_line, text)); }

void print_bytes(std::string_view bytes) { fmt::print("{}", bytes); }

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=@%+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string command_text(int argc, const char* const* argv) {
  std::string text = "twinset";
  for (int i = 1; i < argc; ++i) text += " " + shell_word(argv[i]);
  return text;
}

std::string with_separators(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return with_separators(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

void print_lost(const std::vector<LostInput>& lost) {
  for (const LostInput& input : lost) {
    std::string place;
    if (input.records_read > 0 || input.bytes_read > 0) {
      place = " (byte " + with_separators(input.bytes_read) + ", " +
              counted(input.records_read, "record") + " read)";
    }
    say("twinset: lost: " + input.file + ": " + input.cause + place);
  }
}

void print_facts(const RunFacts& facts, const Talk& talk) {
  if (!talk.quiet) {
    print_skipped(facts.skipped);
    print_guessed(facts.guessed);
    print_left_out(facts);
  }
  print_lost(facts.lost_inputs);
  if (talk.quiet) return;
  for (const std::string& warning : facts.warnings) warn(talk, warning);
  if (facts.resumed) say("twinset: continued an interrupted run");
}

int exit_code_of(const RunFacts& facts, const InputSettings& input) {
  if (facts.lost_inputs.empty() || input.allow_lost_inputs) return 0;
  const std::size_t lost = facts.lost_inputs.size();
  say("twinset: " + counted(lost, "input") + (lost == 1 ? " was" : " were") +
      " lost in whole or part, so the exit code is 5 (0 with --allow-lost-inputs)");
  return static_cast<int>(ErrorCode::lost_input);
}

}  // namespace twinset::cli
