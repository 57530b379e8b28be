// The counts of a run of cluster or recut for a terminal. This file's interface is to_text() of
// twinset/cluster.h; the rest is private.
#include <fmt/core.h>

#include "base/message.h"
#include "faces/run_text.h"
#include "twinset/cluster.h"
#include "words/numbers.h"

namespace twinset {
namespace {

std::string clusters_text(const ClusterSummary& summary) {
  const std::uint64_t mixed = summary.all.clusters - summary.identical_only.clusters;
  return count_line(
             summary.all.clusters,
             fmt::format("{} of {} documents; the largest has {}",
                         summary.all.clusters == 1 ? "cluster" : "clusters",
                         format_count(summary.all.documents), format_count(summary.largest))) +
         count_line(
             summary.identical_only.clusters,
             fmt::format("of identical documents only ({}), {} of others ({})",
                         format_count(summary.identical_only.documents), format_count(mixed),
                         format_count(summary.all.documents - summary.identical_only.documents)));
}

/// The clusters at each distance; empty if distances did not decide.
std::string distances_text(const ClusterSummary& summary) {
  if (summary.distances.empty()) return {};
  std::string text = fmt::format("\n{:>8}  {:>14}  {:>10}  {:>10}  {:>22}\n", "distance", "pairs",
                                 "clusters", "documents", "near a document (self)");
  for (const DistanceCounts& at : summary.distances) {
    text += fmt::format("{:>8}  {:>14}  {:>10}  {:>10}  {:>13.2f} ({:>6.2f})\n",
                        fmt::format("<= {}", at.distance), format_count(at.pairs),
                        format_count(at.clusters), format_count(at.documents),
                        at.mean_size_without_self, at.mean_size);
  }
  return text;
}

std::string documents_text(const ClusterSummary& summary) {
  std::string text;
  if (summary.templates) text += to_text(*summary.templates) + "\n";
  text += count_line(summary.read, "records read");
  text += count_line_of_some(summary.quarantined, "could not be read: see quarantine.jsonl");
  text += count_line_of_some(summary.carried, "carried: no documents");
  text +=
      count_line_of_some(summary.filtered, "shorter than " + option("min_tokens") + ", left out");
  text += count_line_of_some(summary.exact_only,
                             "shorter than " + option("exact_below") + ", compared byte for byte");
  text +=
      count_line(summary.identical + summary.lexical,
                 fmt::format("exact copies: {} identical, {} differing only in case or punctuation",
                             format_count(summary.identical), format_count(summary.lexical)));
  text += count_line_of_some(summary.shingles, "copies by their set of shingles alone");
  text += count_line_of_some(summary.mostly_common, "of common shingles for the most part");
  text += count_line_of_some(summary.without_keys, "not comparable (no key)");
  if (summary.without_signature) text += without_signature_line(*summary.without_signature);
  return text;
}

/// "8.2 % (5.9 to 11.2)".
std::string percent_text(const Interval& share) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", share.value * 100, share.low * 100,
                     share.high * 100);
}

/// "1,853  template pairs of 2,492: ..."; empty if the run does not mark them.
std::string template_pairs_text(const ClusterSummary& summary) {
  if (!summary.template_pairs.has_value()) return {};
  return count_line(*summary.template_pairs, "template pairs of " + format_count(summary.edges) +
                                                 ": without templates they do not reach " +
                                                 summary.resemblance.text());
}

/// The pairs that this run does not see or may get wrong.
std::string limits_text(const ClusterSummary& summary) {
  std::string text;
  if (summary.too_few_keys > 0) {
    text += fmt::format("{} more pairs look alike by fewer than {} shared keys and are left out\n",
                        format_count(summary.too_few_keys), summary.least_keys);
  }
  if (const auto& edges = summary.checked_edges; edges.has_value()) {
    // Of signatures: the texts resemble less than documents of a cluster should.
    const std::string how = summary.tells == Tells::resemblance
                                ? "wrong"
                                : "of a resemblance below " + summary.resemblance.text();
    const std::string wrong = format_count(edges->wrong);
    text += edges->checked == summary.edges
                ? "of the " + format_count(summary.edges, "edge", "edges") + " " + wrong + " are " +
                      how + " by their texts\n"
                : fmt::format("of the edges {} are {}: {} of {} random ones are, by their texts\n",
                              percent_text(edges->share), how, wrong, format_count(edges->checked));
  }
  if (const auto& unseen = summary.unseen_pairs; unseen.has_value()) {
    text += fmt::format("of the pairs at {}, {} share no key and are not seen\n",
                        summary.resemblance.text(), percent_text(*unseen));
  }
  return text;
}

std::string pairs_text(const ClusterSummary& summary) {
  std::string text = format_count(
      summary.counts_keys ? summary.counted_pairs : summary.candidate_pairs, "pair", "pairs");
  text += summary.counts_keys                ? " counted, "
          : summary.tells == Tells::distance ? " near by their signatures, "
                                             : " looked alike by a shared key, ";
  if (summary.check == Check::exact) {
    text += format_count(summary.verified_pairs) + " checked against " +
            format_count(summary.verified_texts, "text", "texts") + ", ";
  }
  return text + format_count(summary.kept_pairs) + " kept, " + format_count(summary.edges) +
         " at the threshold\n";
}

/// How the pairs were found.
std::string counting_text(const ClusterSummary& summary) {
  std::string text = "\n" + summary.scheme + "\n";
  if (!summary.plan.empty()) text += summary.plan + "\n";
  if (summary.counts_keys) {
    text += fmt::format("{} keys, {} of them shared, {} too common to count\n",
                        format_count(summary.keys), format_count(summary.groups),
                        format_count(summary.common_keys));
  }
  return text + pairs_text(summary) + engine_text(summary);
}

}  // namespace

std::string to_text(const ClusterSummary& summary, bool verbose) {
  if (!summary.shard.empty()) return shard_text(summary.shard, summary);
  const std::string clusters =
      clusters_text(summary) + template_pairs_text(summary) + distances_text(summary);
  if (summary.verb == "recut") {
    return clusters + format_count(summary.edges) + " of " +
           format_count(summary.kept_pairs, "pair", "pairs") +
           " that cluster kept reach the threshold\n";
  }
  const std::string text = documents_text(summary) + clusters + limits_text(summary);
  return verbose ? text + counting_text(summary) : text;
}

}  // namespace twinset
