// The answers about a finished folder, and of compare, for a terminal.
//
// This file's interface is to_text() of twinset/look.h and twinset/pair.h; the rest is private.
#include <fmt/core.h>

#include <span>
#include <string>

#include "faces/share_text.h"
#include "faces/text.h"
#include "join/link.h"
#include "twinset/look.h"
#include "twinset/visible.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

void append_words(std::string& out, const ShownRecord& record) {
  if (!record.words.has_value()) return;
  const std::string words = visible_text(*record.words);
  out += "         " + (words.empty() ? "(no text)" : words) + "\n";
}

void append_cluster(std::string& out, const ShownCluster& cluster) {
  const ShownRecord& first = cluster.records.front();
  out += fmt::format("\n{:>7}  {}\n", format_count(cluster.documents), name_text(first.name));
  append_words(out, first);
  for (const ShownRecord& member : std::span(cluster.records).subspan(1)) {
    out += fmt::format("{:>7}  {}\n",
                       member.resemblance.has_value() ? format_share(*member.resemblance) : "",
                       name_text(member.name));
    append_words(out, member);
  }
  if (cluster.documents > cluster.records.size()) {
    out +=
        "         ... " + format_count(cluster.documents - cluster.records.size()) + " more ...\n";
  }
}

std::string headline(const Shown& shown) {
  const std::string documents = format_count(shown.documents, "document", "documents");
  std::string out;
  switch (shown.kind) {
    case Shown::Kind::one_cluster:
      return "cluster of " + documents + "\n";
    case Shown::Kind::largest_clusters:
      out = format_count(shown.found, "cluster", "clusters") + " of " + documents;
      if (shown.found > shown.clusters.size()) {
        out += "; the largest " + format_count(shown.clusters.size());
      }
      return out + "\n";
    case Shown::Kind::removed:
      out = format_count(shown.found, "removed record", "removed records");
      break;
    case Shown::Kind::pairs:
      out = format_count(shown.found, "pair", "pairs");
      break;
    case Shown::Kind::detected:
      return "";
    case Shown::Kind::reused_texts:
      out = format_count(shown.found, "text has", "texts have") +
            " passages that stand at an earlier place";
      if (shown.found > shown.reused.size()) {
        out += "; the " + format_count(shown.reused.size()) + " with most bytes of them";
      }
      if (!shown.reused.empty()) out += "\n\n  reused bytes      spans";
      return out + "\n";
  }
  if (shown.found > shown.links.size()) {
    out += "; the " + format_count(shown.links.size()) + " least alike";
  }
  return out + "\n";
}

bool has_interval(const AlikeRecord& alike) { return alike.interval.has_value(); }

/// Such as ", estimated from the keys they share"; empty if exact.
std::string words_for(const ClusterPlace& cluster) {
  switch (link_kind(cluster.pairs_count).value_or(LinkKind::shingles)) {
    case LinkKind::shingles:
      return "";
    case LinkKind::keys:
      return ", estimated from the keys they share, with the 95 % interval of Clopper and Pearson";
    case LinkKind::estimate:
      return std::string(", estimated from sketches") +
             (std::ranges::any_of(cluster.nearest, &has_interval) ? ", with Wilson's 95 % intervals"
                                                                  : "");
    case LinkKind::distance:
      return ", by the bits in which their fingerprints differ";
    case LinkKind::signature:
      return ", which share a signature";
    case LinkKind::nothing:
      return ", which share a key; nothing more is known";
  }
  return "";
}

void append_pairs(std::string& out, const ClusterPlace& cluster) {
  if (cluster.copy_kind.has_value()) {
    out +=
        fmt::format("\na copy ({}) of {}; its pairs are that one's\n", name_of(*cluster.copy_kind),
                    cluster.original.has_value() ? name_text(*cluster.original) : "another");
  }
  if (cluster.pairs == 0) return;
  out += "\n" + format_count(cluster.pairs, "pair", "pairs") + " at the threshold" +
         words_for(cluster);
  if (cluster.template_pairs > 0) {
    out += "; " + format_count(cluster.template_pairs, "is a template pair", "are template pairs");
  }
  out += '\n';
  for (const AlikeRecord& other : cluster.nearest) {
    const std::string alike = other.resemblance.has_value() ? format_share(*other.resemblance)
                              : other.distance.has_value()
                                  ? format_count(*other.distance, "bit", "bits")
                                  : "-";
    const std::string interval =
        other.interval ? "  " + interval_text(other.interval->low, other.interval->high) : "";
    out += fmt::format("  {}{}  {}\n", alike, interval, name_text(other.name));
    if (!other.rest_resemblance.has_value() && !other.is_template) continue;
    out += fmt::format("    {}{}\n",
                       other.rest_resemblance.has_value()
                           ? format_share(*other.rest_resemblance) + " without templates"
                           : "nothing is left without templates",
                       other.is_template ? ": a template pair" : "");
  }
  if (cluster.pairs > cluster.nearest.size()) {
    out += "  ... " + format_count(cluster.pairs - cluster.nearest.size()) + " more ...\n";
  }
}

/// An explanation with a cluster.
std::string explain_cluster_text(const Explanation& explanation) {
  const ClusterPlace& cluster = *explanation.cluster;
  const RecordName& first = cluster.representative;
  std::string out =
      visible_name(explanation.document.id) + "\n" + place_text(explanation.document) + "\n\n";
  if (!explanation.reason.empty()) {
    out += "quarantined: " + visible_name(explanation.reason) + "\n";
  } else if (cluster.documents == 0) {
    out += "in no cluster: no document reaches the threshold with it\n";
  } else {
    const bool is_first =
        first.file == explanation.document.file && first.record == explanation.document.record;
    out += "in a cluster of " + format_count(cluster.documents, "document", "documents");
    out += is_first ? "; it is the representative, the first of them\n"
                    : "; its representative is\n  " + visible_name(first.id) + "\n  " +
                          place_text(first) + "\n";
  }
  append_pairs(out, cluster);
  if (!explanation.notes.empty()) out += "\n";
  for (const std::string& note : explanation.notes) out += "Note: " + visible_text(note) + ".\n";
  return out;
}

}  // namespace

std::string to_text(const ComparedTexts& compared, const AnswerOptions& answer) {
  return compare_text(compared, {.color = answer.color, .passages = !answer.numbers});
}

std::string to_text(const Explanation& explanation, const AnswerOptions& answer) {
  if (explanation.cluster.has_value()) return explain_cluster_text(explanation);
  return explain_text(explanation, {.color = answer.color, .passages = !answer.numbers});
}

std::string to_text(const Shown& shown) {
  const char* const beside = shown.kind == Shown::Kind::removed ? "kept" : "and";
  std::string out = headline(shown);
  if (shown.detected) out += to_text(*shown.detected, shown.detected->badness);
  for (const ShownReuse& text : shown.reused) {
    out += fmt::format("{:>14}{:>11}  {}\n", format_count(text.bytes), format_count(text.spans),
                       name_text(text.name));
  }
  for (const ShownCluster& cluster : shown.clusters) append_cluster(out, cluster);
  for (const ShownLink& link : shown.links) {
    const std::string alike = link.distance.has_value()
                                  ? format_count(*link.distance, "bit", "bits")
                                  : format_share(link.resemblance);
    out += fmt::format("\n{:>7}  {}{}  {}\n", alike, name_of(link.kind),
                       link.is_template ? ", a template pair" : "", name_text(link.record.name));
    append_words(out, link.record);
    out += fmt::format("{:>7}  {}\n", beside, name_text(link.other.name));
    append_words(out, link.other);
  }
  if (!shown.clusters.empty() || !shown.links.empty()) out += '\n';
  for (const std::string& note : shown.notes) out += "Note: " + visible_text(note) + ".\n";
  return out;
}

std::string to_text(const FileFacts& facts) {
  std::string out;
  for (const auto& [name, value] : facts) out += fmt::format("{:<14}{}\n", name, value);
  return out;
}

}  // namespace twinset
