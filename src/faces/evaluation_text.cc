// An evaluation as text tables. Shares are cut, never rounded, to four decimals: 1.0000
// means all.
//
// This file's interface is to_text(), declared in twinset/evaluate.h; the rest is private.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/message.h"
#include "evaluate/verdict.h"
#include "faces/share_text.h"

namespace twinset {
namespace {

constexpr std::size_t name_width = 15;
constexpr std::size_t label_name_width = 11;

std::string fitted(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  return std::string(text.substr(0, width - 1)) + "~";
}

void append_threshold(std::string& out, const Evaluation& evaluation, std::size_t threshold) {
  std::uint64_t due = 0;
  bool estimates = false;
  for (const MethodEvaluation& method : evaluation.methods) {
    due = std::max(due, method.at[threshold].recall.of);
    estimates = estimates || method.at[threshold].passed_precision.known();
  }
  out += fmt::format("\nat {:g}{}: {} pairs due\n", evaluation.thresholds[threshold].value(),
                     threshold == evaluation.chosen ? ", your threshold" : "", due);
  std::string head = fmt::format("{:<{}} {:>9} | {:>6} {:>9}  {:>6} {:>9}", "method", name_width,
                                 "found", "recall", "95 %", "right", "95 %");
  if (estimates) head += fmt::format(" | {:>6} {:>9}  {:>6}", "recall", "95 %", "right");
  append_line(out, head);
  for (const MethodEvaluation& method : evaluation.methods) {
    const ThresholdEvaluation& at = method.at[threshold];
    if (method.run && !at.made()) continue;
    const std::string name = fitted(method.name, name_width);
    if (!at.made()) {
      append_line(out,
                  fmt::format("{:<{}} {:>9} |  no plan for this threshold", name, name_width, "-"));
      continue;
    }
    std::string line = fmt::format("{:<{}} {:>9} | {}  {}", name, name_width, at.found,
                                   share_columns(at.recall), share_columns(at.precision));
    if (estimates) {
      const Share& right = at.passed_precision;
      line += fmt::format(" | {}  {:>6}", share_columns(at.passed_recall),
                          right.known() ? cut_share(right) : "-");
    }
    append_line(out, line);
  }
}

void append_costs(std::string& out, const Evaluation& evaluation) {
  out += fmt::format(
      "\nWhat a document costs at your threshold; its text to tokens takes {:.1f} us, a "
      "verification {:.1f} us\n",
      evaluation.analysis_microseconds, evaluation.verification_microseconds);
  append_line(out, fmt::format("{:<{}} {:>8} {:>6} {:>8} {:>9} {:>7} {:>8} {:>10} {:>10}", "scheme",
                               name_width, "stored B", "keys", "B in all", "sketch us", "MB/s",
                               "join us", "to verify", "us in all"));
  for (const MethodEvaluation& method : evaluation.methods) {
    if (!method.cost) continue;
    const SchemeCost& cost = *method.cost;
    append_line(out, fmt::format("{:<{}} {:>8.1f} {:>6.1f} {:>8.1f} {:>9.1f} {:>7.0f} {:>8.1f} "
                                 "{:>10.2f} {:>10.1f}",
                                 fitted(method.name, name_width), name_width, cost.stored_bytes,
                                 cost.keys, cost.bytes, cost.microseconds, cost.megabytes_a_second,
                                 cost.join_microseconds, cost.candidates, cost.work_microseconds));
  }
}

/// A column of the tables of parts: a method's recall, or a run's precision.
struct PartColumn {
  std::string name;
  const std::vector<Share>* shares;  ///< by part
  bool right;
};

/// As many columns side by side as fit the page, then the next ones. Leaves out parts without a
/// pair in any column, and columns without a pair in any part.
void append_family(std::string& out, const Evaluation& evaluation, std::size_t index,
                   const std::vector<PartColumn>& all_columns) {
  constexpr std::size_t column_width = 18;
  const PartFamily& family = evaluation.families[index];
  const bool edits = family.name == "edit";
  std::vector<PartColumn> columns;
  std::vector<std::uint64_t> due(family.labels.size());
  for (const PartColumn& column : all_columns) {
    bool known = false;
    for (std::size_t i = 0; i < due.size(); ++i) {
      const Share& share = (*column.shares)[family.first + i];
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
      bool known = edits && evaluation.edits[i].planted > 0;
      if (edits) {
        const PlantedEdit& edit = evaluation.edits[i];
        line += fmt::format("{:>7} {:>6.3f} {:>6.3f}", edit.planted, edit.mean_resemblance,
                            edit.mean_containment);
      }
      line += fmt::format("{:>8}", due[i]);
      for (std::size_t c = first; c < last; ++c) {
        const Share& share = (*columns[c].shares)[family.first + i];
        known = known || share.known();
        line += "  " + share_columns(share);
      }
      if (known) append_line(out, line);
    }
  }
}

void append_parts(std::string& out, const Evaluation& evaluation) {
  std::vector<PartColumn> columns;
  for (const MethodEvaluation& method : evaluation.methods) {
    if (!method.recall.empty()) columns.push_back({method.name, &method.recall, false});
    if (method.run) columns.push_back({method.name + ", right", &method.run->right, true});
  }
  out += fmt::format("\nRecall at {:g} of parts of the pairs\n",
                     evaluation.thresholds[evaluation.chosen].value());
  for (std::size_t i = 0; i < evaluation.families.size(); ++i)
    append_family(out, evaluation, i, columns);
}

void append_pairs(std::string& out, const char* title, const std::vector<WrongPair>& pairs) {
  constexpr std::size_t most_shown = 5;
  if (pairs.empty()) return;
  out += fmt::format("\n{}\n", title);
  for (std::size_t i = 0; i < std::min(most_shown, pairs.size()); ++i) {
    append_line(out, fmt::format("{:.4f} {} and {}", pairs[i].resemblance,
                                 fitted(pairs[i].document, 44), fitted(pairs[i].other, 44)));
  }
  if (pairs.size() > most_shown) out += "... (" + switch_on("json") + " lists up to 100)\n";
}

std::string measure_columns(const Interval& measure) {
  return fmt::format("{:>6.4f} {:>9}", measure.value, interval_text(measure.low, measure.high));
}

/// Two tables, because a measure with its interval is wide.
void append_labels(std::string& out, const Evaluation& evaluation) {
  if (evaluation.labels.empty()) return;
  out += '\n';
  append_paragraph(out, "Against labels at your threshold: " + evaluation.labels_of);
  const auto row = [](const LabelEvaluation& labels) {
    return fmt::format("{:<{}} {:<8} {:<10}", fitted(labels.name, label_name_width),
                       label_name_width, labels.accepted, labels.stars ? "stars" : "components");
  };
  const std::string head =
      fmt::format("{:<{}} {:<8} {:<10}", "clusters of", label_name_width, "accepted", "as");
  append_line(out, head + fmt::format(" {:>6} {:>9} {:>6} {:>9} {:>8} {:>8} {:>11}", "pair P",
                                      "95 %", "pair R", "95 %", "removed", "lost", "95 %"));
  for (const LabelEvaluation& labels : evaluation.labels) {
    const LabelMeasures& measures = labels.measures;
    const Interval& lost = measures.lost_share;
    append_line(out, row(labels) + fmt::format(" {} {} {:>8} {:>6.3f} % {:>11}",
                                               share_columns(measures.pair_precision),
                                               share_columns(measures.pair_recall),
                                               measures.removed_documents, 100 * lost.value,
                                               fmt::format("{:.2f}-{:.2f}", 100 * lost.low,
                                                           100 * lost.high)));
  }
  out += '\n';
  append_line(out, head + fmt::format(" {:>5} {:>9} {:>5} {:>9} {:>5} {:>9} {:>5} {:>9}", "Rand",
                                      "95 %", "B3 P", "95 %", "B3 R", "95 %", "B3 F1", "95 %"));
  for (const LabelEvaluation& labels : evaluation.labels) {
    const LabelMeasures& measures = labels.measures;
    std::string line = row(labels);
    for (const Interval* measure : {&measures.adjusted_rand, &measures.bcubed_precision,
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

/// "0.9998": a mean of shares, cut to four decimals; a dash if it is of nothing.
std::string mean_columns(const Interval& mean, std::uint64_t of) {
  constexpr double decimals_4 = 10'000;
  constexpr double rounding = 1e-9;
  if (of == 0) return fmt::format("{:>6} {:>9}", "-", "");
  return fmt::format("{:>6.4f} {:>9}", std::floor(mean.value * decimals_4 + rounding) / decimals_4,
                     interval_text(mean.low, mean.high));
}

std::string share_text(const Share& share) {
  if (!share.known()) return "none";
  return fmt::format("{} ({} of {}; {})", cut_share(share), share.count, share.of,
                     interval_text(share.low, share.high));
}

void append_templates(std::string& out, const TemplateEvaluation& templates) {
  append_paragraph(
      out, fmt::format("Templates of sites are left out: {} of {} words of the sampled documents, "
                       "at least half of {} of these. Copies are planted in the words left, and "
                       "pairs are due by them. With whole texts dedup finds {} of the due pairs, "
                       "and {} of its removals are right.",
                       templates.words_left_out, templates.words, templates.mostly_left_out,
                       share_text(templates.whole_recall), share_text(templates.whole_right)));
}

std::string bare_share(const Share& share) { return share.known() ? cut_share(share) : "-"; }

void append_utility(std::string& out, const QueryEvaluation& queries) {
  out += '\n';
  append_line(out, fmt::format("{:<{}} {:<8} {:>10} {:>10} {:>12} {:>20}", "scheme", name_width,
                               "finds by", "wanted", "others", "utility", "95 %"));
  for (const QueryMeasures& row : queries.rows) {
    append_line(
        out,
        fmt::format("{:<{}} {:<8} {:>10} {:>10} {:>12.2f} {:>20}", fitted(row.name, name_width),
                    name_width, row.accepted, row.wanted, row.unwanted, row.utility.value,
                    fmt::format("{:.2f} to {:.2f}", row.utility.low, row.utility.high)));
  }
}

void append_queries(std::string& out, const Evaluation& evaluation) {
  if (!evaluation.queries) return;
  const QueryEvaluation& queries = *evaluation.queries;
  out += '\n';
  append_paragraph(
      out, fmt::format("Means over queries: each of {} documents{} asks for its partners among all "
                       "{}; {} have a due one.",
                       queries.queries, queries.label.empty() ? "" : " labeled " + queries.label,
                       queries.documents, queries.with_partner));
  append_line(out, fmt::format("{:<{}} {:<8} {:>6} {:>9} {:>7} {:>6} {:>9} {:>8} {:>8} {:>6} {:>6}",
                               "scheme", name_width, "finds by", "recall", "95 %", "rise", "right",
                               "95 %", "answered", "clusters", "pure", "label"));
  for (const QueryMeasures& row : queries.rows) {
    append_line(out, fmt::format("{:<{}} {:<8} {} {:>7} {} {:>8} {:>8} {:>6} {:>6}",
                                 fitted(row.name, name_width), name_width, row.accepted,
                                 mean_columns(row.recall, queries.with_partner),
                                 row.increase ? fmt::format("{:+.0f} %", 100 * *row.increase) : "-",
                                 mean_columns(row.precision, row.answered), row.answered,
                                 row.pure.of, bare_share(row.pure), bare_share(row.one_label)));
  }
  if (!queries.label.empty()) append_utility(out, queries);
  out += '\n';
  append_paragraph(
      out,
      "Recall is the mean over queries with a due partner, right (precision) over those answered "
      "with one document or more; rise is of recall, over the first row. Clusters of found pairs "
      "are pure if each pair is due; label is the share of those with one label." +
          (queries.label.empty()
               ? std::string()
               : fmt::format(" Utility is the mean of wanted documents minus {} times the others.",
                             queries.cost)));
}

/// "resemblance 0.8 or more", or the truth asked for.
std::string due_text(const Evaluation& evaluation) {
  return evaluation.due.empty() ? fmt::format("resemblance {:g} or more, or contained to {:g}",
                                              std::min(0.5, evaluation.thresholds.front().value()),
                                              evaluation.containment.value())
                                : evaluation.due;
}

}  // namespace

std::string to_text(const Evaluation& evaluation) {
  std::string out;
  append_paragraph(
      out,
      fmt::format("{} of {} documents sampled{}, {} copies planted, {:.1f} MB of text; {} pairs of "
                  "{}, found exactly.",
                  evaluation.originals, evaluation.documents,
                  evaluation.sampled_so.empty() ? "" : " (" + evaluation.sampled_so + ")",
                  evaluation.copies, static_cast<double>(evaluation.sample_bytes) / 1e6,
                  evaluation.pairs, due_text(evaluation)));
  if (evaluation.originals < evaluation.documents) {
    append_paragraph(out,
                     "Documents that share text are sampled together, so that there are pairs: of "
                     "those found here, more are right than in the whole collection.");
  }
  append_paragraph(
      out, fmt::format("{} of the sampled documents {} mostly text common to many: half or more of "
                       "their shingles are in {} others.",
                       evaluation.common_documents, evaluation.common_documents == 1 ? "is" : "are",
                       evaluation.common_least));
  if (evaluation.templates) append_templates(out, *evaluation.templates);
  out += '\n';
  const bool schemes = evaluation.methods.size() > 1;
  append_paragraph(
      out,
      (evaluation.due.empty()
           ? std::string("A pair is due if its exact resemblance reaches the threshold.")
           : "Due are all pairs of " + evaluation.due + ".") +
          " Recall is the share of due "
          "pairs that were found; dedup finds a pair if it does not keep both documents. Right is "
          "the "
          "share of found pairs that are due; dedup's are removed documents with their survivors." +
          std::string(schemes ? " A scheme finds pairs without verification; after the second bar, "
                                "only those that its own estimate accepts."
                              : "") +
          " Intervals of 95 % take a cluster of pairs as one observation: the wider of Wilson's "
          "and of a bootstrap over clusters.");
  out += '\n';
  for (const MethodEvaluation& method : evaluation.methods) {
    const ThresholdEvaluation& at = method.at[evaluation.chosen];
    std::string line = fmt::format("{}: {}", method.name, at.made() ? at.spec : at.refusal);
    if (method.run && !method.run->plan.empty()) line += "; its keys alone: " + method.run->plan;
    append_paragraph(out, line);
  }
  for (std::size_t t = 0; t < evaluation.thresholds.size(); ++t)
    append_threshold(out, evaluation, t);
  if (schemes) append_costs(out, evaluation);
  append_parts(out, evaluation);
  for (const MethodEvaluation& method : evaluation.methods) {
    if (!method.run) continue;
    append_pairs(out, "Removed below the threshold: resemblance, document, survivor",
                 method.run->wrong);
    append_pairs(out, "Missed: resemblance, and two documents that are both kept",
                 method.run->missed);
  }
  append_labels(out, evaluation);
  append_queries(out, evaluation);
  out += '\n';
  const std::string verdict = verdict_on(evaluation);
  const std::size_t end = std::min(verdict.find('\n'), verdict.size());
  append_paragraph(out, std::string_view(verdict).substr(0, end));
  if (end < verdict.size()) append_paragraph(out, std::string_view(verdict).substr(end + 1));
  return out;
}

}  // namespace twinset
