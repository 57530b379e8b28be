// The counts of a dedup run for a terminal. This file's interface is to_text() of twinset/dedup.h.
#include <fmt/core.h>

#include "base/message.h"
#include "faces/run_text.h"
#include "twinset/dedup.h"
#include "words/numbers.h"

namespace twinset {
namespace {

/// "removed (16.0 %): 4,000 identical, 4,012 near".
std::string removed_words(const Counts& total) {
  std::string words =
      "removed (" + (total.read == 0 ? "0.0 %" : format_percent(total.removed(), total.read)) + ")";
  const std::pair<const char*, std::uint64_t> kinds[] = {{"identical", total.identical},
                                                         {"lexical", total.lexical},
                                                         {"near", total.near},
                                                         {"contained", total.contained}};
  const char* separator = ": ";
  for (const auto& [name, count] : kinds) {
    if (count == 0) continue;
    words += fmt::format("{}{} {}", separator, format_count(count), name);
    separator = ", ";
  }
  return words;
}

/// How the pairs were found.
std::string matching_text(const DedupSummary& summary) {
  std::string text = "\n" + summary.scheme + "\n";
  if (!summary.plan.empty()) text += summary.plan + "\n";
  text += format_count(summary.candidate_pairs, "pair", "pairs") +
          " looked alike by a shared key, " + format_count(summary.checked_pairs) +
          " by their sketches; " + format_count(summary.verified_pairs) +
          (summary.verified_pairs == 1 ? " was" : " were") + " compared in full\n";
  if (summary.repair_rounds > 0) {
    text += format_count(summary.repair_pairs, "pair", "pairs") + " more came from " +
            format_count(summary.repair_rounds, "repair round", "repair rounds") + "\n";
  }
  return text + engine_text(summary);
}

}  // namespace

std::string to_text(const DedupSummary& summary, bool verbose) {
  if (!summary.shard.empty()) return shard_text(summary.shard, summary);
  const Counts& total = summary.total;
  std::string text;
  if (summary.templates) text += to_text(*summary.templates) + "\n";
  std::string read = "records read";
  if (summary.files.size() > 1) read += " in " + format_count(summary.files.size()) + " files";
  text += count_line(total.read, read);
  text += count_line(total.kept, "kept");
  text += count_line(total.removed(), removed_words(total));
  text += count_line_of_some(summary.copies_of_words.other_signs,
                             "... differ from their survivor in signs only (C++ and C); " +
                                 option("analyzer", "code") + " compares signs");
  text += count_line_of_some(summary.copies_of_words.few_words, "... have fewer than five words");
  text += count_line_of_some(total.carried, "carried: no documents, written as they are");
  text += count_line_of_some(total.filtered, "shorter than " + option("min_tokens") + ", left out");
  text += count_line_of_some(summary.exact_only,
                             "shorter than " + option("exact_below") + ", compared byte for byte");
  text += count_line_of_some(total.quarantined, summary.outputs.empty()
                                                    ? "could not be read"
                                                    : "could not be read: see quarantine.jsonl");
  if (summary.without_signature) text += without_signature_line(*summary.without_signature);
  text += count_line_of_some(summary.clusters,
                             std::string(summary.clusters == 1 ? "cluster" : "clusters") +
                                 "; the largest has " +
                                 format_count(summary.largest_cluster, "record", "records"));
  if (summary.added.has_value()) {
    text += count_line(*summary.added, "went into " + summary.index);
  }
  return verbose ? text + matching_text(summary) : text;
}

}  // namespace twinset
