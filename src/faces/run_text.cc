#include "faces/run_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/message.h"
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

std::string engine_text(const RunFacts& facts) {
  const double megabytes = static_cast<double>(facts.text_bytes) / 1e6;
  return fmt::format(
      "{:.2f} s, {:.2f} s of CPU, {:.0f} MB of text at {:.0f} MB/s, {:.0f} MB of memory\n",
      facts.seconds, facts.cpu_seconds, megabytes, megabytes / std::max(facts.seconds, 1e-3),
      static_cast<double>(facts.peak_memory_bytes) / 1e6);
}

}  // namespace twinset
