// The parts that all verbs share and that need no option parser: exit codes, printing, interrupts,
// progress on standard error.
//
// Everything printed for a person passes through visible_text(): a file name or an id
// cannot steer a terminal.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/collection.h"
#include "twinset/result.h"
#include "twinset/run.h"
#include "twinset/visible.h"

namespace twinset::cli {

inline constexpr int usage_exit = static_cast<int>(ErrorCode::usage);

/// How much a run says, and where.
struct Talk {
  bool json = false;         ///< the result as JSON on standard output
  bool verbose = false;      ///< the engine's numbers too
  bool quiet = false;        ///< errors only
  bool no_progress = false;  ///< no bar, no lines of progress
};

enum class Color : std::uint8_t { automatic, always, never };

/// True if standard output should have color. `automatic`: it is a terminal that knows color (TERM
/// is set and not "dumb"), and NO_COLOR is unset or empty.
bool color_wanted(Color choice);
/// The same of another descriptor.
bool color_wanted(Color choice, int descriptor);

/// True if the descriptor is a terminal that understands escape sequences.
bool is_capable_terminal(int descriptor);

/// Columns of the terminal at the descriptor; 80 if unknown.
std::size_t terminal_columns(int descriptor);

/// Set by Ctrl-C, TERM and HUP; a second Ctrl-C or TERM ends the process at once.
const std::atomic<bool>& interrupted();
void watch_interrupts();

/// What every verb runs with: an interrupt cancels it, also while it waits for a pipe (pipes.h).
RunControl run_control(ProgressSink* progress = nullptr, RecordSink* kept = nullptr);

/// A bar on a terminal, a line every ten seconds elsewhere; neither with no_progress. With quiet no
/// warnings either.
std::unique_ptr<ProgressSink> make_progress(const Talk& talk);

/// One line to standard error, without its line end. This and the functions below that take text
/// name options as they are typed (render_message()). Errors of writing are ignored:
/// there is nowhere to report them.
void say(std::string_view line);
/// Text of several lines to standard error.
void say_lines(std::string_view text);

/// The same of text that holds color and was escaped before.
void say_escaped(std::string_view text);

/// "twinset: warning: ...", unless `talk` is quiet.
void warn(const Talk& talk, std::string_view line);

/// Prints "twinset: message" and returns the exit code: the error's, or 128 plus the number
/// of the signal that interrupted.
int fail(const Error& error);

/// Text of several lines to standard output.
void print(std::string_view text);
/// The same of text that holds color and was escaped before.
void print_escaped(std::string_view text);
/// Unchanged bytes: JSON.
void print_bytes(std::string_view bytes);

/// The command line, quoted for a shell where necessary.
std::string command_text(int argc, const char* const* argv);
/// One word of it.
std::string shell_word(std::string_view word);

/// "1,234,567".
std::string with_separators(std::uint64_t value);
/// "1 pair", "2 pairs".
std::string counted(std::uint64_t count, std::string_view noun);

/// Prints all of them, one a line: a missing shard is worth a line.
void print_lost(const std::vector<LostInput>& lost);

/// Prints to standard error what a run skipped, lost, warns of and continued. With quiet, only the
/// lost inputs.
void print_facts(const RunFacts& facts, const Talk& talk);

/// The exit code of a finished run: 5 if an input was lost in whole or part, unless that was
/// allowed; says so on standard error.
int exit_code_of(const RunFacts& facts, const InputSettings& input);

}  // namespace twinset::cli
