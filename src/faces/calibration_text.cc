// A calibration as text tables.
//
// This file's interface is to_text(), declared in twinset/calibrate.h; the rest is private.
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "faces/share_text.h"
#include "twinset/calibrate.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t tokens_width = 8;
constexpr std::size_t value_width = 7;

/// "<50", "50-99", "1000+", "all".
std::string range_text(const TokenRange& range) {
  if (range.below == 0) return range.least == 0 ? "all" : fmt::format("{}+", range.least);
  return range.least == 0 ? fmt::format("<{}", range.below)
                          : fmt::format("{}-{}", range.least, range.below - 1);
}

std::string value_title(const Calibration& calibration) {
  if (calibration.option == "distance") return "bits";
  return calibration.option == "scheme" ? "p x K" : "r";
}

void append_classes(std::string& out, const Calibration& calibration) {
  out += fmt::format("\n{:<{}} {:>{}} {:>8} | {:<34} | {}\n", "", tokens_width, "", value_width, "",
                     "the half that chooses", "the half that checks");
  append_line(out,
              fmt::format("{:<{}} {:>{}} {:>8} | {:>6} {:>9}  {:>6} {:>9} | {:>6} {:>9}  "
                          "{:>6} {:>9}",
                          "tokens", tokens_width, value_title(calibration), value_width, "found",
                          "recall", "95 %", "right", "95 %", "recall", "95 %", "right", "95 %"));
  for (const CalibrationClass& of : calibration.classes) {
    for (std::size_t i = 0; i < of.rows.size(); ++i) {
      const CalibrationRow& row = of.rows[i];
      const bool chosen = of.chosen == i;
      append_line(
          out,
          fmt::format("{:<{}} {:>{}} {:>8} | {}  {} | {}  {}", i == 0 ? range_text(of.tokens) : "",
                      tokens_width, (chosen ? "*" : "") + row.value, value_width, row.found,
                      share_columns(row.choosing.recall), share_columns(row.choosing.precision),
                      share_columns(row.held_out.recall), share_columns(row.held_out.precision)));
    }
  }
}

/// ".990", "1.00", or a dash.
std::string short_share(const Share& share) {
  if (!share.known()) return "-";
  const std::string cut = cut_share(share);
  return cut.starts_with('1') ? cut.substr(0, 4) : cut.substr(1, 4);
}

/// As many columns side by side as fit the page, then the next ones.
void append_planted(std::string& out, const Calibration& calibration) {
  if (calibration.planted.empty()) return;
  out += "\nPlanted copies found, by the share of distinct words replaced\n";
  const std::string head =
      fmt::format("{:<{}} {:>8} {:>7} |", "tokens", tokens_width, "replaced", "copies");
  std::size_t width = 5;
  for (const std::string& value : calibration.values) width = std::max(width, value.size() + 1);
  const std::size_t most = (page_width - head.size()) / width;
  for (std::size_t first = 0; first < calibration.values.size(); first += most) {
    const std::size_t last = std::min(first + most, calibration.values.size());
    std::string titles = head;
    for (std::size_t i = first; i < last; ++i) {
      titles += fmt::format("{:>{}}", calibration.values[i], width);
    }
    append_line(out, (first == 0 ? "" : "\n") + titles);
    for (const PlantedRecall& row : calibration.planted) {
      std::string line = fmt::format("{:<{}} {:>6g} % {:>7} |", range_text(row.tokens),
                                     tokens_width, row.replaced * 100, row.found[0].of);
      for (std::size_t i = first; i < last; ++i) {
        line += fmt::format("{:>{}}", short_share(row.found[i]), width);
      }
      append_line(out, line);
    }
  }
}

/// The pairs that the shares are of.
std::string basis_text(const Calibration& calibration) {
  const std::string pairs = format_count(calibration.pairs, "pair", "pairs");
  if (calibration.found > 0) {
    return fmt::format(
        "A run finds {} at the loosest value. At each length and value pairs were drawn from all "
        "that it finds, each with the same chance: one half of the pairs chooses, the other "
        "checks; {} have a known truth, those of recall too. A length needs {}.",
        format_count(calibration.found, "pair", "pairs"), pairs,
        format_count(calibration.needed, "found pair", "found pairs"));
  }
  return fmt::format(
      "{} with a known truth, and {} of documents that are the same: one half of the groups "
      "chooses, the other checks. A length needs {} with found pairs.",
      pairs, format_count(calibration.groups, "group", "groups"),
      format_count(calibration.needed, "group", "groups"));
}

std::string choice_text(const Calibration& calibration) {
  bool all = true;
  bool any = false;
  for (const CalibrationClass& of : calibration.classes) {
    all = all && (!of.chosen || of.reached);
    any = any || (of.chosen && of.reached);
  }
  const std::string chosen =
      fmt::format("Chosen (*): {} {}, ", calibration.option, calibration.chosen);
  if (!any) {
    return fmt::format(
        "{}the strictest: no precision reaches {:g} by the lower end of its interval.", chosen,
        calibration.precision);
  }
  return fmt::format(
      "{}the {} whose precision is at least {:g} by the lower end of its interval{}.", chosen,
      calibration.option == "scheme" ? "one of most recall" : "loosest", calibration.precision,
      all ? "" : ", or the strictest where none is");
}

}  // namespace

std::string to_text(const Calibration& calibration) {
  std::string out;
  append_paragraph(out, calibration.scheme);
  append_paragraph(out, "Truth: " + calibration.truth + ".");
  append_paragraph(out, basis_text(calibration));
  append_classes(out, calibration);
  append_planted(out, calibration);
  out += '\n';
  append_paragraph(out, choice_text(calibration));
  return out;
}

}  // namespace twinset
