// An evaluation for eyes and for machines. Shares are cut, never rounded, to
// four decimals: 1.0000 means all of them.
//
// This file's interface is evaluation_table() and evaluation_json(), declared in
// evaluation.h; the rest is private.
#include <fmt/format.h>

#include <string>

#include "evaluate/evaluation.h"
#include "io/json.h"

namespace twinset {
namespace {

constexpr std::uint64_t decimals_4 = 10'000;

std::string cut_share(const Share& share) {
  const auto parts = static_cast<std::uint64_t>(static_cast<unsigned __int128>(share.count) *
                                                decimals_4 / share.of);
  return fmt::format("{}.{:04}", parts / decimals_4, parts % decimals_4);
}

/// "0.9983 0.992-1.000     575/576", 31 wide; blanks and a dash when unknown.
std::string share_columns(const Share& share) {
  if (!share.known()) return fmt::format("{:>6} {:>11} {:>12}", "-", "", "");
  const Interval interval = share.interval();
  return fmt::format("{:>6} {:>11} {:>12}", cut_share(share),
                     fmt::format("{:.3f}-{:.3f}", interval.low, interval.high),
                     fmt::format("{}/{}", share.count, share.of));
}

void append_row(std::string& out, const EvaluationRow& row) {
  const std::string mean = row.planted == 0 ? "-" : fmt::format("{:.3f}", row.mean_resemblance);
  out += fmt::format("{:<14} {:>7} {:>6}  {}  {}", row.label, row.planted, mean,
                     share_columns(row.recall), share_columns(row.precision));
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

void append_table(std::string& out, std::string_view title,
                  const std::vector<EvaluationRow>& rows) {
  fmt::format_to(std::back_inserter(out),
                 "\n{:<14} {:>7} {:>6}  {:>6} {:>11} {:>12}  {:>6} {:>11} "
                 "{:>12}\n",
                 title, "planted", "mean r", "recall", "95 %", "found/due", "right", "95 %",
                 "of removed");
  for (const EvaluationRow& row : rows) {
    if (row.planted > 0 || row.precision.known()) append_row(out, row);
  }
}

std::string share_json(const Share& share) {
  std::string out;
  JsonObject object(out);
  object.number("count", share.count).number("of", share.of);
  if (share.known()) {
    const Interval interval = share.interval();
    object.real("value", share.value()).real("low", interval.low).real("high", interval.high);
  }
  object.end();
  return out;
}

std::string row_json(const EvaluationRow& row) {
  std::string out;
  JsonObject object(out);
  object.string("label", row.label).number("planted", row.planted);
  if (row.planted > 0) object.real("mean_resemblance", row.mean_resemblance);
  object.raw("recall", share_json(row.recall)).raw("precision", share_json(row.precision));
  object.end();
  return out;
}

std::string rows_json(const std::vector<EvaluationRow>& rows) {
  std::string out = "[";
  for (const EvaluationRow& row : rows) {
    if (out.size() > 1) out += ", ";
    out += row_json(row);
  }
  return out + "]";
}

}  // namespace

std::string evaluation_table(const EvaluationReport& report) {
  std::string out;
  std::size_t originals = 0;
  for (const std::size_t count : report.originals) originals += count;
  out += fmt::format("{} copies planted of {} sampled originals (", report.all.planted, originals);
  for (std::size_t i = 0; i < length_classes; ++i) {
    out += fmt::format("{}{} of {}", i == 0 ? "" : ", ", report.originals[i],
                       length_class_name(static_cast<LengthClass>(i)));
  }
  out += fmt::format(" tokens)\nA pair is due at resemblance >= {:g}", report.resemblance.value());
  if (report.containment)
    out += fmt::format(" or containment >= {:g}", report.containment->value());
  out +=
      "; it is found when not both are kept. A removal is right when\nits exact resemblance to "
      "its survivor is that high. Mean r is the pairs' exact resemblance.\n";
  append_table(out, "", {report.all});
  append_table(out, "edit", report.by_edit);
  append_table(out, "resemblance", report.by_resemblance);
  append_table(out, "length", report.by_length);
  append_table(out, "cluster", report.by_copies);
  if (!report.wrong.empty()) {
    out += fmt::format(
        "\nremoved below the threshold: {}{}\n", report.wrong.size(),
        report.all.precision.of - report.all.precision.count > report.wrong.size() ? "+" : "");
  }
  return out;
}

std::string evaluation_json(const EvaluationReport& report, std::string_view lost_inputs) {
  std::string out;
  JsonObject object(out);
  object.real("resemblance", report.resemblance.value());
  if (report.containment) object.real("containment", report.containment->value());
  std::string originals;
  JsonObject counts(originals);
  for (std::size_t i = 0; i < length_classes; ++i) {
    counts.number(length_class_name(static_cast<LengthClass>(i)), report.originals[i]);
  }
  counts.end();
  object.raw("originals", originals)
      .raw("all", row_json(report.all))
      .raw("by_edit", rows_json(report.by_edit))
      .raw("by_resemblance", rows_json(report.by_resemblance))
      .raw("by_length", rows_json(report.by_length))
      .raw("by_copies", rows_json(report.by_copies))
      .number("removed_below_threshold", report.all.precision.of - report.all.precision.count)
      .raw("lost_inputs", lost_inputs)
      .end();
  return out;
}

}  // namespace twinset
