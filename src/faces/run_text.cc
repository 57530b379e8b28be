#include "faces/run_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/message.h"
#include "run/stage_clock.h"
#include "words/numbers.h"

namespace twinset {

std::string count_line(std::uint64_t count, std::string_view what) {
  return fmt::format("{:>14}  {}\n", format_count(count), what);
}

std::string count_line_of_some(std::uint64_t count, std::string_view what) {
  return count == 0 ? "" : count_line(count, what);
}

std::string without_signature_line(const WithoutSignature& without) {
  const std::array<std::pair<std::uint64_t, std::string_view>, 4> reasons{
      {{without.no_words, "no words"},
       {without.few_terms, "few lexicon terms"},
       {without.small_share, "a small share of lexicon terms"},
       {without.no_features, "no features"}}};
  std::string what = "without a signature";
  const char* separator = ": ";
  for (const auto& [count, reason] : reasons) {
    if (count == 0) continue;
    what += fmt::format("{}{} of {}", separator, format_count(count), reason);
    separator = ", ";
  }
  return count_line_of_some(without.total(), what);
}

std::string shard_text(const std::string& shard, const RunFacts& facts) {
  std::string text = count_line(facts.read, "records read in " +
                                                format_count(facts.inputs.size(), "file", "files") +
                                                ", the inputs of shard " + shard);
  text += count_line(facts.documents, "documents that the merge compares");
  text += count_line_of_some(facts.carried, "carried: no documents");
  text += count_line_of_some(facts.filtered, "shorter than " + option("min_tokens") + ", left out");
  text += count_line_of_some(facts.quarantined, "could not be read: see quarantine.jsonl");
  return text;
}

namespace {

/// Where the CPU time went, and what more threads would make of it.
std::string stages_text(const std::vector<StageTime>& stages) {
  double all = 0;
  double alone = 0;
  std::string text;
  for (const StageTime& stage : stages) {
    all += stage.cpu_seconds;
    alone += stage.alone_seconds.value_or(0);
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", stage.stage, stage.cpu_seconds);
  }
  if (all <= 0) return {};
  return fmt::format(
      "seconds of CPU by stage: {}\n"
      "{:.1f} % of them by one thread alone: 2 threads can use {:.2f} of 2 cores, "
      "4 {:.2f} of 4, 8 {:.2f} of 8\n",
      text, 100 * alone / all, expected_efficiency(stages, 2), expected_efficiency(stages, 4),
      expected_efficiency(stages, 8));
}

}  // namespace

std::string engine_text(const RunFacts& facts) {
  const double megabytes = static_cast<double>(facts.text_bytes) / 1e6;
  std::string text = fmt::format(
      "{:.2f} s, {:.2f} s of CPU, {:.0f} MB of text at {:.0f} MB/s, {:.0f} MB of memory\n",
      facts.seconds, facts.cpu_seconds, megabytes, megabytes / std::max(facts.seconds, 1e-3),
      static_cast<double>(facts.peak_memory_bytes) / 1e6);
  return text + stages_text(facts.stages);
}

}  // namespace twinset
