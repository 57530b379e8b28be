// A trial for eyes and for machines. Shares are cut, never rounded, to four
// decimals: 1.0000 means all of them.
//
// This file's interface is trial_table() and trial_json(), declared in trial.h; the
// rest is private.
#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>

#include "evaluate/trial.h"
#include "io/json.h"

namespace twinset {
namespace {

constexpr std::size_t name_width = 15;
constexpr std::size_t page_width = 100;

std::string cut_share(const Share& share) {
  constexpr std::uint64_t decimals_4 = 10'000;
  const auto parts = static_cast<std::uint64_t>(static_cast<unsigned __int128>(share.count) *
                                                decimals_4 / share.of);
  return fmt::format("{}.{:04}", parts / decimals_4, parts % decimals_4);
}

/// ".954-1.00": the ends cut towards the outside.
std::string interval_text(const Interval& interval) {
  const auto end = [](double value, double slack) {
    const auto parts = static_cast<int>(value * 1000 + slack);
    return parts >= 1000 ? std::string("1.00") : fmt::format(".{:03}", parts);
  };
  return end(interval.low, 0) + "-" + end(interval.high, 0.999);
}

std::string fitted(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  return std::string(text.substr(0, width - 1)) + "~";
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

/// Words broken into lines of the page's width.
void append_paragraph(std::string& out, std::string_view text) {
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (column > 0 && column + 1 + length > page_width) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += text.substr(at, length);
    column += length;
    at = end + 1;
  }
  out += '\n';
}

/// "0.9983 .992-1.00"; a dash where nothing was due.
std::string share_columns(const Share& share, const Interval& interval) {
  if (!share.known()) return fmt::format("{:>6} {:>9}", "-", "");
  return fmt::format("{:>6} {:>9}", cut_share(share), interval_text(interval));
}

std::string share_columns(const ClusteredShare& share) {
  return share_columns(share.share, share.interval);
}

// ---- Tables ----

void append_threshold(std::string& out, const TrialReport& report, std::size_t threshold) {
  std::uint64_t due = 0;
  for (const SchemeTrial& trial : report.schemes) {
    due = std::max(due, trial.at[threshold].recall.share.of);
  }
  out += fmt::format("\nat {:g}{}: {} pairs due\n", report.thresholds[threshold].value(),
                     threshold == report.chosen ? ", your threshold" : "", due);
  append_line(out, fmt::format("{:<{}} {:>9} | {:>6} {:>9}  {:>6} {:>9} | {:>6} {:>9}  {:>6}",
                               "scheme", name_width, "found", "recall", "95 %", "right", "95 %",
                               "recall", "95 %", "right"));
  for (const SchemeTrial& trial : report.schemes) {
    const ThresholdTrial& at = trial.at[threshold];
    const std::string name = fitted(trial.name, name_width);
    if (!at.made()) {
      append_line(out,
                  fmt::format("{:<{}} {:>9} |  no plan for this threshold", name, name_width, "-"));
      continue;
    }
    const Share& right = at.passed_precision.share;
    append_line(
        out, fmt::format("{:<{}} {:>9} | {}  {} | {}  {:>6}", name, name_width, at.found,
                         share_columns(at.recall), share_columns(at.precision),
                         share_columns(at.passed_recall), right.known() ? cut_share(right) : "-"));
  }
}

void append_costs(std::string& out, const TrialReport& report) {
  out += fmt::format(
      "\nWhat a document costs at your threshold; its text to tokens takes {:.1f} us, a "
      "verification {:.1f} us\n",
      report.analysis_microseconds, report.verification_microseconds);
  append_line(out, fmt::format("{:<{}} {:>8} {:>6} {:>8} {:>9} {:>7} {:>8} {:>10} {:>10}", "scheme",
                               name_width, "stored B", "keys", "B in all", "sketch us", "MB/s",
                               "join us", "to verify", "us in all"));
  for (const SchemeTrial& trial : report.schemes) {
    if (!trial.at[report.chosen].made()) continue;
    const SchemeCost& cost = trial.cost;
    append_line(out, fmt::format("{:<{}} {:>8.1f} {:>6.1f} {:>8.1f} {:>9.1f} {:>7.0f} {:>8.1f} "
                                 "{:>10.2f} {:>10.1f}",
                                 fitted(trial.name, name_width), name_width, cost.stored_bytes,
                                 cost.keys, cost.bytes, cost.microseconds, cost.megabytes_a_second,
                                 cost.join_microseconds, cost.candidates, cost.work_microseconds));
  }
}

/// A part of the true pairs, and each scheme's recall of it.
struct PartRow {
  std::string label;
  std::string facts;  ///< columns between the label and the schemes
  std::vector<Share> recall;
};

/// As many schemes beside one another as fit the page, then the next.
void append_parts(std::string& out, const TrialReport& report, std::string_view title,
                  std::string_view facts_title, const std::vector<PartRow>& rows) {
  constexpr std::size_t column_width = 18;
  std::vector<const SchemeTrial*> shown;
  for (const SchemeTrial& trial : report.schemes) {
    if (trial.at[report.chosen].made()) shown.push_back(&trial);
  }
  const std::size_t left = name_width + 1 + facts_title.size();
  const std::size_t most = (page_width - left) / column_width;
  for (std::size_t first = 0; first < shown.size(); first += most) {
    const std::size_t last = std::min(shown.size(), first + most);
    std::string head = fmt::format("{:<{}} {}", title, name_width, facts_title);
    for (std::size_t i = first; i < last; ++i) {
      head += fmt::format("{:>{}}", fitted(shown[i]->name, column_width - 2), column_width);
    }
    out += '\n';
    append_line(out, head);
    for (const PartRow& row : rows) {
      std::string line = fmt::format("{:<{}} {}", row.label, name_width, row.facts);
      for (std::size_t i = first; i < last; ++i) {
        line += "  " + share_columns(row.recall[i], row.recall[i].interval());
      }
      append_line(out, line);
    }
  }
}

template <class Part>
PartRow part_row(const TrialReport& report, std::string label, const Part& part) {
  PartRow row;
  row.label = std::move(label);
  for (const SchemeTrial& trial : report.schemes) {
    if (trial.at[report.chosen].made()) row.recall.push_back(part(trial));
  }
  row.facts = fmt::format("{:>8}", row.recall.empty() ? 0 : row.recall.front().of);
  return row;
}

void append_breakdown(std::string& out, const TrialReport& report) {
  out += fmt::format("\nRecall at {:g} of parts of the pairs, with Wilson's intervals\n",
                     report.thresholds[report.chosen].value());
  constexpr std::string_view due_title = "     due";
  constexpr std::array<std::string_view, pair_kinds> kinds = {"natural", "planted", "other"};
  std::vector<PartRow> rows;
  for (std::size_t i = 0; i < pair_kinds; ++i) {
    rows.push_back(part_row(report, std::string(kinds[i]),
                            [&](const SchemeTrial& trial) { return trial.by_kind[i]; }));
  }
  rows.push_back(
      part_row(report, "only contained", [](const SchemeTrial& trial) { return trial.contained; }));
  append_parts(out, report, "pairs", due_title, rows);
  rows.clear();
  for (std::size_t i = 0; i < edits().size(); ++i) {
    const EditTruth& truth = report.by_edit[i];
    if (truth.planted == 0) continue;
    rows.push_back(part_row(report, std::string(edits()[i].name),
                            [&](const SchemeTrial& trial) { return trial.by_edit[i]; }));
    rows.back().facts = fmt::format("{:>7} {:>6.3f} {:>6.3f}", truth.planted,
                                    truth.mean_resemblance, truth.mean_containment) +
                        rows.back().facts;
  }
  append_parts(out, report, "edit", "planted mean r mean c     due", rows);
  rows.clear();
  for (std::size_t i = 0; i < length_classes; ++i) {
    rows.push_back(part_row(report,
                            std::string(length_class_name(static_cast<LengthClass>(i))) + " tokens",
                            [&](const SchemeTrial& trial) { return trial.by_length[i]; }));
  }
  append_parts(out, report, "shorter text", due_title, rows);
  rows.clear();
  for (std::size_t i = 0; i < cluster_classes; ++i) {
    rows.push_back(part_row(report, std::string(cluster_class_name(i)) + " documents",
                            [&](const SchemeTrial& trial) { return trial.by_cluster[i]; }));
  }
  append_parts(out, report, "natural cluster", due_title, rows);
}

void append_labels(std::string& out, const TrialReport& report) {
  if (report.labels.empty()) return;
  out += '\n';
  append_paragraph(out, "Against labels at your threshold: " + report.labels_of);
  append_line(out,
              fmt::format("{:<{}} {:<8} {:<10} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>10}",
                          "clusters of", name_width, "accepted", "as", "pair P", "pair R", "Rand",
                          "B3 P", "B3 R", "B3 F1", "removed", "lost text"));
  for (const LabelTrial& trial : report.labels) {
    const LabelMeasures& measures = trial.measures;
    const auto share = [](const Share& of) {
      return of.known() ? fmt::format("{:.4f}", of.value()) : std::string("-");
    };
    const double lost = measures.bytes == 0 ? 0
                                            : 100 * static_cast<double>(measures.lost_bytes) /
                                                  static_cast<double>(measures.bytes);
    append_line(
        out,
        fmt::format("{:<{}} {:<8} {:<10} {:>6} {:>6} {:>6.4f} {:>6.4f} {:>6.4f} {:>6.4f} {:>7} "
                    "{:>10}",
                    fitted(trial.name, name_width), name_width,
                    trial.name == "every pair" ? "exact"
                    : trial.verified           ? "verified"
                                               : "estimate",
                    trial.stars ? "stars" : "components", share(measures.pair_precision),
                    share(measures.pair_recall), measures.adjusted_rand, measures.bcubed_precision,
                    measures.bcubed_recall, measures.bcubed_f1, measures.removed_documents,
                    fmt::format("{:.3f} %", lost)));
  }
  out +=
      "\nRand is adjusted; B3 is B-cubed. Lost text is that of removed documents (all but the "
      "first of each\ncluster) whose label no kept document has.\n";
}

// ---- JSON ----

std::string share_json(const Share& share, const Interval& interval) {
  std::string out;
  JsonObject object(out);
  object.number("count", share.count).number("of", share.of);
  if (share.known()) {
    object.real("value", share.value()).real("low", interval.low).real("high", interval.high);
  }
  object.end();
  return out;
}

std::string share_json(const Share& share) { return share_json(share, share.interval()); }

std::string share_json(const ClusteredShare& share) {
  return share_json(share.share, share.interval);
}

/// "[" items "]" of each one's JSON.
template <class Items, class Write>
std::string array_json(const Items& items, const Write& write) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ", ";
    out += write(item);
  }
  return out + "]";
}

std::string threshold_json(const ThresholdTrial& at, const Ratio& threshold) {
  std::string out;
  JsonObject object(out);
  object.real("resemblance", threshold.value());
  if (!at.made()) {
    object.string("refused", at.refusal).end();
    return out;
  }
  object.string("spec", at.spec)
      .number("found", at.found)
      .number("passed", at.passed)
      .number("common_keys", at.common_keys)
      .raw("recall", share_json(at.recall))
      .raw("precision", share_json(at.precision))
      .raw("passed_recall", share_json(at.passed_recall))
      .raw("passed_precision", share_json(at.passed_precision))
      .end();
  return out;
}

/// Recall by part, an object a part.
template <class Name>
std::string parts_json(std::span<const Share> parts, const Name& name) {
  std::string out;
  JsonObject object(out);
  for (std::size_t i = 0; i < parts.size(); ++i) object.raw(name(i), share_json(parts[i]));
  object.end();
  return out;
}

std::string scheme_json(const TrialReport& report, const SchemeTrial& trial) {
  constexpr std::array<std::string_view, pair_kinds> kinds = {"natural", "planted", "other"};
  std::string thresholds = "[";
  for (std::size_t t = 0; t < trial.at.size(); ++t) {
    if (t > 0) thresholds += ", ";
    thresholds += threshold_json(trial.at[t], report.thresholds[t]);
  }
  thresholds += "]";
  std::string out;
  JsonObject object(out);
  object.string("name", trial.name).string("given", trial.given).raw("thresholds", thresholds);
  if (trial.at[report.chosen].made()) {
    object.raw("by_kind", parts_json(trial.by_kind, [&](std::size_t i) { return kinds[i]; }))
        .raw("by_edit", parts_json(trial.by_edit, [](std::size_t i) { return edits()[i].name; }))
        .raw("by_length", parts_json(trial.by_length,
                                     [](std::size_t i) {
                                       return length_class_name(static_cast<LengthClass>(i));
                                     }))
        .raw("by_cluster", parts_json(trial.by_cluster, cluster_class_name))
        .raw("contained", share_json(trial.contained));
    const SchemeCost& cost = trial.cost;
    object.real("stored_bytes", cost.stored_bytes)
        .real("keys", cost.keys)
        .real("bytes", cost.bytes)
        .real("candidates", cost.candidates);
    std::string measured;
    JsonObject times(measured);
    times.real("microseconds", cost.microseconds)
        .real("megabytes_a_second", cost.megabytes_a_second)
        .real("join_microseconds", cost.join_microseconds)
        .real("work_microseconds", cost.work_microseconds)
        .end();
    object.raw("measured", measured);
  }
  object.end();
  return out;
}

std::string label_json(const LabelTrial& trial) {
  const LabelMeasures& measures = trial.measures;
  std::string out;
  JsonObject object(out);
  object.string("name", trial.name)
      .string("as", trial.stars ? "stars" : "components")
      .boolean("verified", trial.verified)
      .number("documents", measures.documents)
      .number("labels", measures.labels)
      .number("clusters", measures.clusters)
      .raw("pair_precision", share_json(measures.pair_precision))
      .raw("pair_recall", share_json(measures.pair_recall))
      .real("adjusted_rand", measures.adjusted_rand)
      .real("bcubed_precision", measures.bcubed_precision)
      .real("bcubed_recall", measures.bcubed_recall)
      .real("bcubed_f1", measures.bcubed_f1)
      .number("bytes", measures.bytes)
      .number("removed_documents", measures.removed_documents)
      .number("removed_bytes", measures.removed_bytes)
      .number("lost_documents", measures.lost_documents)
      .number("lost_bytes", measures.lost_bytes)
      .end();
  return out;
}

}  // namespace

std::string trial_table(const TrialReport& report) {
  std::string out;
  append_paragraph(
      out,
      fmt::format("{} of {} documents sampled{}, {} copies planted, {:.1f} MB of text; {} pairs of "
                  "resemblance {:g} or more, or contained to {:g}, found exactly.",
                  report.originals, report.seen,
                  report.sampled_so.empty() ? "" : " (" + report.sampled_so + ")", report.copies,
                  static_cast<double>(report.text_bytes) / 1e6, report.pairs,
                  report.thresholds.front().value(), report.containment.value()));
  out +=
      "Found: pairs a scheme brings up by itself. Right: of those, the share that is due. After "
      "the\nsecond bar the same with the scheme's own estimate. Intervals of 95 % take a cluster "
      "of pairs as one\nobservation: the wider of Wilson's and of a bootstrap over clusters.\n\n";
  for (const SchemeTrial& trial : report.schemes) {
    const ThresholdTrial& at = trial.at[report.chosen];
    append_paragraph(out, fmt::format("{}: {}", trial.name, at.made() ? at.spec : at.refusal));
  }
  for (std::size_t t = 0; t < report.thresholds.size(); ++t) append_threshold(out, report, t);
  append_costs(out, report);
  append_breakdown(out, report);
  append_labels(out, report);
  out += '\n';
  append_paragraph(out, report.verdict);
  return out;
}

std::string trial_json(const TrialReport& report, std::string_view lost_inputs) {
  std::string truths;
  JsonObject by_edit(truths);
  for (std::size_t i = 0; i < edits().size(); ++i) {
    const EditTruth& truth = report.by_edit[i];
    std::string line;
    JsonObject object(line);
    object.number("planted", truth.planted)
        .real("mean_resemblance", truth.mean_resemblance)
        .real("mean_containment", truth.mean_containment)
        .end();
    by_edit.raw(edits()[i].name, line);
  }
  by_edit.end();
  std::string measured;
  JsonObject times(measured);
  times.real("analysis_microseconds", report.analysis_microseconds)
      .real("verification_microseconds", report.verification_microseconds)
      .string("verdict", report.verdict)
      .end();
  std::string out;
  JsonObject object(out);
  object.number("documents", report.seen)
      .string("sampled_so", report.sampled_so)
      .number("originals", report.originals)
      .number("copies", report.copies)
      .number("text_bytes", report.text_bytes)
      .number("pairs", report.pairs)
      .real("resemblance", report.thresholds[report.chosen].value())
      .real("containment", report.containment.value())
      .real("least_recall", report.least_recall)
      .raw("by_edit", truths)
      .raw("schemes", array_json(report.schemes, [&](const SchemeTrial& trial) {
             return scheme_json(report, trial);
           }));
  if (!report.labels.empty()) {
    object.string("labels_of", report.labels_of)
        .raw("labels", array_json(report.labels, label_json));
  }
  object.raw("lost_inputs", lost_inputs).raw("measured", measured).end();
  return out;
}

}  // namespace twinset
