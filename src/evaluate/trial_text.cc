// A trial as text tables and as JSON. Shares are cut, never rounded, to four decimals: 1.0000 means
// all.
//
// This file's interface is trial_table() and trial_json(), declared in trial.h; the
// rest is private.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "evaluate/trial.h"
#include "io/json.h"

namespace twinset {
namespace {

constexpr std::size_t name_width = 15;
constexpr std::size_t label_name_width = 11;
constexpr std::size_t page_width = 100;

std::string cut_share(const Tally& share) {
  constexpr std::uint64_t decimals_4 = 10'000;
  const auto parts = static_cast<std::uint64_t>(static_cast<unsigned __int128>(share.count) *
                                                decimals_4 / share.of);
  return fmt::format("{}.{:04}", parts / decimals_4, parts % decimals_4);
}

/// ".954-1.00": each end is cut outward.
std::string interval_text(const Interval& interval) {
  const auto end = [](double rounded) {
    const int parts = static_cast<int>(rounded);
    if (parts >= 1000) return std::string("1.00");
    if (parts < 0) return fmt::format("-.{:02}", std::min(99, (9 - parts) / 10));
    return fmt::format(".{:03}", parts);
  };
  constexpr double rounding = 1e-6;  // of products that should be whole
  return end(std::floor(interval.low * 1000 + rounding)) + "-" +
         end(std::ceil(interval.high * 1000 - rounding));
}

std::string fitted(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  return std::string(text.substr(0, width - 1)) + "~";
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

/// Appends words, broken into lines of the page's width.
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

/// "0.9983 .992-1.00"; a dash if nothing was due.
std::string share_columns(const ClusteredShare& share) {
  if (!share.known()) return fmt::format("{:>6} {:>9}", "-", "");
  return fmt::format("{:>6} {:>9}", cut_share(share.share), interval_text(share.interval));
}

// ---- Tables ----

void append_threshold(std::string& out, const TrialReport& report, std::size_t threshold) {
  std::uint64_t due = 0;
  bool estimates = false;
  for (const MethodTrial& trial : report.methods) {
    due = std::max(due, trial.at[threshold].recall.share.of);
    estimates = estimates || trial.at[threshold].passed_precision.known();
  }
  out += fmt::format("\nat {:g}{}: {} pairs due\n", report.thresholds[threshold].value(),
                     threshold == report.chosen ? ", your threshold" : "", due);
  std::string head = fmt::format("{:<{}} {:>9} | {:>6} {:>9}  {:>6} {:>9}", "method", name_width,
                                 "found", "recall", "95 %", "right", "95 %");
  if (estimates) head += fmt::format(" | {:>6} {:>9}  {:>6}", "recall", "95 %", "right");
  append_line(out, head);
  for (const MethodTrial& trial : report.methods) {
    const ThresholdTrial& at = trial.at[threshold];
    if (trial.run && !at.made()) continue;
    const std::string name = fitted(trial.name, name_width);
    if (!at.made()) {
      append_line(out,
                  fmt::format("{:<{}} {:>9} |  no plan for this threshold", name, name_width, "-"));
      continue;
    }
    std::string line = fmt::format("{:<{}} {:>9} | {}  {}", name, name_width, at.found,
                                   share_columns(at.recall), share_columns(at.precision));
    if (estimates) {
      const Tally& right = at.passed_precision.share;
      line += fmt::format(" | {}  {:>6}", share_columns(at.passed_recall),
                          right.known() ? cut_share(right) : "-");
    }
    append_line(out, line);
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
  for (const MethodTrial& trial : report.methods) {
    if (!trial.cost) continue;
    const SchemeCost& cost = *trial.cost;
    append_line(out, fmt::format("{:<{}} {:>8.1f} {:>6.1f} {:>8.1f} {:>9.1f} {:>7.0f} {:>8.1f} "
                                 "{:>10.2f} {:>10.1f}",
                                 fitted(trial.name, name_width), name_width, cost.stored_bytes,
                                 cost.keys, cost.bytes, cost.microseconds, cost.megabytes_a_second,
                                 cost.join_microseconds, cost.candidates, cost.work_microseconds));
  }
}

/// A column of the tables of parts: a method's recall, or a run's precision.
struct PartColumn {
  std::string name;
  const std::vector<ClusteredShare>* shares;  ///< by part
  bool right;
};

/// As many columns side by side as fit the page, then the next ones. Leaves out parts without a
/// pair in any column, and columns without a pair in any part.
void append_family(std::string& out, const TrialReport& report, std::size_t index,
                   const std::vector<PartColumn>& all_columns) {
  constexpr std::size_t column_width = 18;
  const PartFamily& family = report.families[index];
  const bool edits = index == TrialParts::edit_family;
  std::vector<PartColumn> columns;
  std::vector<std::uint64_t> due(family.labels.size());
  for (const PartColumn& column : all_columns) {
    bool known = false;
    for (std::size_t i = 0; i < due.size(); ++i) {
      const Tally& share = (*column.shares)[family.first + i].share;
      known = known || share.known();
      if (!column.right) due[i] = std::max(due[i], share.of);
    }
    if (known) columns.push_back(column);
  }
  const std::string facts_title = edits ? "planted mean r mean c     due" : "     due";
  const std::size_t left = name_width + 1 + facts_title.size();
  const std::size_t most = (page_width - left) / column_width;
  for (std::size_t first = 0; first < columns.size(); first += most) {
    const std::size_t last = std::min(columns.size(), first + most);
    std::string head = fmt::format("{:<{}} {}", family.title, name_width, facts_title);
    for (std::size_t c = first; c < last; ++c) {
      head += fmt::format("{:>{}}", fitted(columns[c].name, column_width - 2), column_width);
    }
    out += '\n';
    append_line(out, head);
    for (std::size_t i = 0; i < due.size(); ++i) {
      std::string line = fmt::format("{:<{}} ", family.labels[i], name_width);
      bool known = edits && report.by_edit[i].planted > 0;
      if (edits) {
        const EditTruth& truth = report.by_edit[i];
        line += fmt::format("{:>7} {:>6.3f} {:>6.3f}", truth.planted, truth.mean_resemblance,
                            truth.mean_containment);
      }
      line += fmt::format("{:>8}", due[i]);
      for (std::size_t c = first; c < last; ++c) {
        const ClusteredShare& share = (*columns[c].shares)[family.first + i];
        known = known || share.known();
        line += "  " + share_columns(share);
      }
      if (known) append_line(out, line);
    }
  }
}

void append_parts(std::string& out, const TrialReport& report) {
  std::vector<PartColumn> columns;
  for (const MethodTrial& trial : report.methods) {
    if (!trial.recall.empty()) columns.push_back({trial.name, &trial.recall, false});
    if (trial.run) columns.push_back({trial.name + ", right", &trial.run->right, true});
  }
  out += fmt::format("\nRecall at {:g} of parts of the pairs\n",
                     report.thresholds[report.chosen].value());
  for (std::size_t i = 0; i < report.families.size(); ++i) append_family(out, report, i, columns);
}

void append_pairs(std::string& out, const char* title, const std::vector<WrongPair>& pairs) {
  constexpr std::size_t most_shown = 5;
  if (pairs.empty()) return;
  out += fmt::format("\n{}\n", title);
  for (std::size_t i = 0; i < std::min(most_shown, pairs.size()); ++i) {
    append_line(out, fmt::format("{:.4f} {} and {}", pairs[i].resemblance.value(),
                                 fitted(pairs[i].document, 44), fitted(pairs[i].other, 44)));
  }
  if (pairs.size() > most_shown) out += "... (--json lists up to 100)\n";
}

std::string measure_columns(const Measure& measure) {
  return fmt::format("{:>6.4f} {:>9}", measure.value, interval_text(measure.interval));
}

/// Two tables, because a measure with its interval is wide.
void append_labels(std::string& out, const TrialReport& report) {
  if (report.labels.empty()) return;
  out += '\n';
  append_paragraph(out, "Against labels at your threshold: " + report.labels_of);
  const auto row = [](const LabelTrial& trial) {
    return fmt::format("{:<{}} {:<8} {:<10}", fitted(trial.name, label_name_width),
                       label_name_width, trial.accepted, trial.stars ? "stars" : "components");
  };
  const std::string head =
      fmt::format("{:<{}} {:<8} {:<10}", "clusters of", label_name_width, "accepted", "as");
  append_line(out, head + fmt::format(" {:>6} {:>9} {:>6} {:>9} {:>8} {:>8} {:>11}", "pair P",
                                      "95 %", "pair R", "95 %", "removed", "lost", "95 %"));
  for (const LabelTrial& trial : report.labels) {
    const LabelMeasures& measures = trial.measures;
    const Measure& lost = measures.lost_share;
    append_line(out, row(trial) + fmt::format(" {} {} {:>8} {:>6.3f} % {:>11}",
                                              share_columns(measures.pair_precision),
                                              share_columns(measures.pair_recall),
                                              measures.removed_documents, 100 * lost.value,
                                              fmt::format("{:.2f}-{:.2f}", 100 * lost.interval.low,
                                                          100 * lost.interval.high)));
  }
  out += '\n';
  append_line(out, head + fmt::format(" {:>5} {:>9} {:>5} {:>9} {:>5} {:>9} {:>5} {:>9}", "Rand",
                                      "95 %", "B3 P", "95 %", "B3 R", "95 %", "B3 F1", "95 %"));
  for (const LabelTrial& trial : report.labels) {
    const LabelMeasures& measures = trial.measures;
    std::string line = row(trial);
    for (const Measure* measure : {&measures.adjusted_rand, &measures.bcubed_precision,
                                   &measures.bcubed_recall, &measures.bcubed_f1}) {
      line += " " + measure_columns(*measure);
    }
    append_line(out, line);
  }
  out += '\n';
  append_paragraph(
      out,
      "P is precision, R recall; Rand is adjusted; B3 is B-cubed. Lost is the share of text in "
      "removed documents (all but the first of each cluster) whose label no kept document has. "
      "Intervals take a label as one observation.");
}

// ---- JSON ----

std::string share_json(const ClusteredShare& share) {
  std::string out;
  JsonObject object(out);
  object.number("count", share.share.count).number("of", share.share.of);
  if (share.known()) {
    object.real("value", share.value())
        .real("low", share.interval.low)
        .real("high", share.interval.high);
  }
  object.end();
  return out;
}

std::string measure_json(const Measure& measure) {
  std::string out;
  JsonObject object(out);
  object.real("value", measure.value)
      .real("low", measure.interval.low)
      .real("high", measure.interval.high)
      .end();
  return out;
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

std::string threshold_json(const ThresholdTrial& at, const Ratio& threshold, bool run) {
  std::string out;
  JsonObject object(out);
  object.real("resemblance", threshold.value());
  if (!at.made()) {
    object.string("refused", at.refusal).end();
    return out;
  }
  object.string("spec", at.spec).number("found", at.found);
  if (!run) object.number("passed", at.passed).number("common_keys", at.common_keys);
  object.raw("recall", share_json(at.recall)).raw("precision", share_json(at.precision));
  if (!run) {
    object.raw("passed_recall", share_json(at.passed_recall))
        .raw("passed_precision", share_json(at.passed_precision));
  }
  object.end();
  return out;
}

/// {"kind": {"natural": share, ...}, ...}
std::string parts_json(const TrialReport& report, const std::vector<ClusteredShare>& shares) {
  std::string out;
  JsonObject families(out);
  for (const PartFamily& family : report.families) {
    std::string parts;
    JsonObject object(parts);
    for (std::size_t i = 0; i < family.labels.size(); ++i) {
      const ClusteredShare& share = shares[family.first + i];
      if (share.known()) object.raw(family.labels[i], share_json(share));
    }
    object.end();
    families.raw(family.name, parts);
  }
  families.end();
  return out;
}

std::string pairs_json(const std::vector<WrongPair>& pairs) {
  return array_json(pairs, [](const WrongPair& pair) {
    std::string out;
    JsonObject object(out);
    object.raw("document", pair.document).raw("other", pair.other);
    object.real("resemblance", pair.resemblance.value()).end();
    return out;
  });
}

std::string cost_json(const SchemeCost& cost) {
  std::string measured;
  JsonObject times(measured);
  times.real("microseconds", cost.microseconds)
      .real("megabytes_a_second", cost.megabytes_a_second)
      .real("join_microseconds", cost.join_microseconds)
      .real("work_microseconds", cost.work_microseconds)
      .end();
  std::string out;
  JsonObject object(out);
  object.real("stored_bytes", cost.stored_bytes)
      .real("keys", cost.keys)
      .real("bytes", cost.bytes)
      .real("candidates", cost.candidates)
      .raw("measured", measured)
      .end();
  return out;
}

std::string method_json(const TrialReport& report, const MethodTrial& trial) {
  std::string thresholds = "[";
  for (std::size_t t = 0; t < trial.at.size(); ++t) {
    if (trial.run && !trial.at[t].made()) continue;
    if (thresholds.size() > 1) thresholds += ", ";
    thresholds += threshold_json(trial.at[t], report.thresholds[t], trial.run.has_value());
  }
  std::string out;
  JsonObject object(out);
  object.string("name", trial.name).string("given", trial.given);
  object.raw("thresholds", thresholds + "]");
  if (!trial.recall.empty()) object.raw("recall", parts_json(report, trial.recall));
  if (trial.run) {
    object.raw("right", parts_json(report, trial.run->right))
        .raw("wrong", pairs_json(trial.run->wrong))
        .raw("missed", pairs_json(trial.run->missed));
  }
  if (trial.cost) object.raw("cost", cost_json(*trial.cost));
  object.end();
  return out;
}

std::string label_json(const LabelTrial& trial) {
  const LabelMeasures& measures = trial.measures;
  std::string out;
  JsonObject object(out);
  object.string("name", trial.name)
      .string("accepted", trial.accepted)
      .string("as", trial.stars ? "stars" : "components")
      .number("documents", measures.documents)
      .number("labels", measures.labels)
      .number("clusters", measures.clusters)
      .raw("pair_precision", share_json(measures.pair_precision))
      .raw("pair_recall", share_json(measures.pair_recall))
      .raw("adjusted_rand", measure_json(measures.adjusted_rand))
      .raw("bcubed_precision", measure_json(measures.bcubed_precision))
      .raw("bcubed_recall", measure_json(measures.bcubed_recall))
      .raw("bcubed_f1", measure_json(measures.bcubed_f1))
      .number("bytes", measures.bytes)
      .number("removed_documents", measures.removed_documents)
      .number("removed_bytes", measures.removed_bytes)
      .number("lost_documents", measures.lost_documents)
      .number("lost_bytes", measures.lost_bytes)
      .raw("lost_share", measure_json(measures.lost_share))
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
  append_paragraph(
      out, fmt::format("{} of the sampled documents {} mostly text common to many: half or more of "
                       "their shingles are in {} others.",
                       report.common_documents, report.common_documents == 1 ? "is" : "are",
                       report.common_least));
  out += '\n';
  const bool schemes = report.methods.size() > 1;
  append_paragraph(
      out,
      "A pair is due if its exact resemblance reaches the threshold. Recall is the share of due "
      "pairs that were found; dedup finds a pair if it does not keep both documents. Right is the "
      "share of found pairs that are due; dedup's are removed documents with their survivors." +
          std::string(schemes ? " A scheme finds pairs without verification; after the second bar, "
                                "only those that its own estimate accepts."
                              : "") +
          " Intervals of 95 % take a cluster of pairs as one observation: the wider of Wilson's "
          "and of a bootstrap over clusters.");
  out += '\n';
  for (const MethodTrial& trial : report.methods) {
    const ThresholdTrial& at = trial.at[report.chosen];
    std::string line = fmt::format("{}: {}", trial.name, at.made() ? at.spec : at.refusal);
    if (trial.run && !trial.run->plan.empty()) line += "; its keys alone: " + trial.run->plan;
    append_paragraph(out, line);
  }
  for (std::size_t t = 0; t < report.thresholds.size(); ++t) append_threshold(out, report, t);
  if (schemes) append_costs(out, report);
  append_parts(out, report);
  for (const MethodTrial& trial : report.methods) {
    if (!trial.run) continue;
    append_pairs(out, "Removed below the threshold: resemblance, document, survivor",
                 trial.run->wrong);
    append_pairs(out, "Missed: resemblance, and two documents that are both kept",
                 trial.run->missed);
  }
  append_labels(out, report);
  out += '\n';
  const std::string_view verdict = report.verdict;
  const std::size_t end = std::min(verdict.find('\n'), verdict.size());
  append_paragraph(out, verdict.substr(0, end));
  if (end < verdict.size()) append_paragraph(out, verdict.substr(end + 1));
  return out;
}

std::string trial_json(const TrialReport& report, std::string_view lost_inputs) {
  std::string truths;
  JsonObject planted(truths);
  for (std::size_t i = 0; i < edits().size(); ++i) {
    const EditTruth& truth = report.by_edit[i];
    std::string line;
    JsonObject object(line);
    object.number("planted", truth.planted)
        .real("mean_resemblance", truth.mean_resemblance)
        .real("mean_containment", truth.mean_containment)
        .end();
    planted.raw(edits()[i].name, line);
  }
  planted.end();
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
      .number("common_documents", report.common_documents)
      .number("common_least", report.common_least)
      .number("pairs", report.pairs)
      .real("resemblance", report.thresholds[report.chosen].value())
      .real("containment", report.containment.value())
      .real("least_recall", report.least_recall)
      .raw("edits", truths)
      .raw("methods", array_json(report.methods, [&](const MethodTrial& trial) {
             return method_json(report, trial);
           }));
  if (!report.labels.empty()) {
    object.string("labels_of", report.labels_of)
        .raw("labels", array_json(report.labels, label_json));
  }
  object.raw("lost_inputs", lost_inputs).raw("measured", measured).end();
  return out;
}

}  // namespace twinset
