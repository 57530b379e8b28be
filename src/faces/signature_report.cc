#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "faces/facts.h"
#include "faces/reports.h"
#include "faces/run_report.h"
#include "twinset/result.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

Histogram histogram(const ByteCounts& counts, const std::string& title) {
  Histogram out{.title = title,
                .across = "first byte of the signature",
                .up = "signatures",
                .series = {"signatures"},
                .bars = {}};
  for (std::size_t byte = 0; byte < counts.size(); ++byte) {
    const std::string name = fmt::format("{:02x}", byte);
    out.bars.push_back({name, name, {counts[byte]}});
  }
  return out;
}

/// "1,186.6"
std::string statistic_text(double statistic) {
  const auto tenths = static_cast<std::uint64_t>(std::llround(statistic * 10));
  return format_count(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string verdict(const ByteCounts& counts) {
  if (sum_of(counts) < least_signatures) return "too few signatures to say";
  return chi_square(counts) <= chi_square_limit ? "as even as random" : "not as even as random";
}

Section section_of(const SketchSummary& summary, std::size_t scheme, const SignatureBins& bins) {
  const std::string& spec = summary.schemes[scheme];
  // Names of sections are letters alone: digits 0 to 9 become a to j.
  std::string letters = "scheme";
  for (const char digit : std::to_string(scheme)) letters += static_cast<char>('a' + (digit - '0'));
  Section section{.name = std::move(letters), .title = spec.substr(0, spec.find('('))};
  section.lead = visible_name(spec) + ". ";
  section.numbers = {
      {"Documents", Value::count(summary.documents)},
      {"Without a signature", Value::count(summary.without[scheme].total())},
  };
  if (bins.coordinates().empty()) {
    section.lead += summary.without[scheme].total() == summary.documents
                        ? "No document has a signature."
                        : "Its sketches are samples, which have no hash value to count.";
    return section;
  }
  section.lead += fmt::format(
      "Signatures counted by their first byte, in 256 bins. For independent random signatures "
      "chi-square is 255 on average (255 degrees of freedom), and above {} once in a thousand "
      "times; it says nothing about fewer than {} signatures. Documents that resemble each other "
      "have equal or near signatures, so copies raise it.",
      chi_square_limit, format_count(least_signatures));
  Table table{{"signature", "documents", "chi-square", "first bytes are"}, {}};
  for (std::size_t i = 0; i < bins.coordinates().size(); ++i) {
    const ByteCounts& counts = bins.coordinates()[i];
    const std::string name = bins.coordinates().size() == 1
                                 ? "Signatures by first byte"
                                 : "Coordinate " + format_count(i) + " by first byte";
    const std::string statistic = statistic_text(chi_square(counts));
    table.rows.push_back({Value::text(format_count(i)), Value::count(sum_of(counts)),
                          Value::text(statistic), Value::text(verdict(counts))});
    // Of too few it says nothing, and stands in the table alone, beside these words.
    section.histograms.push_back(histogram(
        counts, sum_of(counts) < least_signatures ? name : name + ": chi-square " + statistic));
  }
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

Result<ReportFiles> signature_report(const SketchFindings& found) {
  ReportFacts facts;
  facts.title = "Signatures";
  fill_head(facts, found.options.output, found.options.command, found.summary);
  for (std::size_t i = 0; i < found.bins.size(); ++i) {
    facts.sections.push_back(section_of(found.summary, i, found.bins[i]));
  }
  return drawn_report(std::move(facts));
}

}  // namespace twinset
