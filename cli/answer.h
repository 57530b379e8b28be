// The result of a verb, computed and printed: all that the verbs have in common.
//
//   return answer(talk, options.input, Records::none,
//                 [&](const RunControl& control) { return plan(options, control); },
//                 [&](const Plan& plan) {
//                   return Answer{.json = to_json(plan), .text = to_text(plan)};
//                 });
//
// Threads: one at a time.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common.h"
#include "record_output.h"
#include "twinset/collection.h"
#include "twinset/run.h"

namespace twinset {
struct ClusterOptions;
struct ClusterSummary;
struct DedupOptions;
struct DedupSummary;
}  // namespace twinset

namespace twinset::cli {

/// The command that a run suggests; empty if there is none.
std::string next_after(const DedupSummary& summary, const DedupOptions& options);
std::string next_after(const ClusterSummary& summary, const ClusterOptions& options);
std::string next_after_shard(const std::string& shard);

/// What is printed of a result.
struct Answer {
  std::string json{};       ///< for --json; empty: the text is printed in any case
  bool json_lines = false;  ///< there may be none of them, and then nothing is printed
  std::string text{};
  bool escaped = false;             ///< the text is safe for a terminal
  bool even_if_quiet = false;       ///< the text is what the verb was called for
  std::vector<std::string> said{};  ///< lines for standard error, unless quiet
  /// "output in clean": the things that were made, and their paths; empty paths are left out.
  std::vector<std::pair<std::string, std::string>> places{};
  std::string next{};  ///< a sentence at the end, such as the next command
};

/// Prints it, and says on standard error how the run went. Returns the exit code.
/// The first place is that of a run which may have been finished before.
int print_answer(const Talk& talk, const InputSettings& input, const RunFacts& facts,
                 const Answer& answer);

enum class Records : std::uint8_t {
  none,
  in_output  ///< standard output has the run's records; all else goes to standard error
};

/// Of verbs that write lines: they go to standard output unless they have a file.
inline Records records_of(const std::string& output) {
  return output.empty() ? Records::in_output : Records::none;
}

/// Calls `run(control)`, with a bar of progress, and prints `show(summary)`.
template <class Run, class Show>
int answer(const Talk& talk, const InputSettings& input, Records records, Run&& run, Show&& show) {
  std::optional<RecordOutput> output;
  if (records == Records::in_output) output.emplace();
  std::unique_ptr<ProgressSink> progress = make_progress(talk);
  auto done = run(run_control(progress.get(), output.has_value() ? &*output : nullptr));
  progress.reset();  // the bar goes before anything else is printed
  if (output.has_value()) {
    const Status closed = output->close();
    if (done.ok() && !closed.ok()) done = closed.error();
    if (!done.ok() && output->reader_left()) return static_cast<int>(done.error().code);
  }
  if (!done.ok()) return fail(done.error());
  return print_answer(talk, input, done.value(), show(done.value()));
}

}  // namespace twinset::cli
