#include "sketch/signature_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "report/facts.h"
#include "run/run_report.h"
#include "scheme/little_endian.h"
#include "twinset/result.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t word_bytes = 8;

std::uint64_t sum_of(const ByteCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::size_t first_byte(std::span<const std::uint8_t> word) {
  return static_cast<std::size_t>(load_little_endian<std::uint64_t>(word.data()) >> 56);
}

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
    section.histograms.push_back(histogram(counts, name + ": chi-square " + statistic));
  }
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

double chi_square(const ByteCounts& counts) {
  const std::uint64_t sum = sum_of(counts);
  if (sum == 0) return 0;
  const double expected = static_cast<double>(sum) / static_cast<double>(counts.size());
  double statistic = 0;
  for (const std::uint64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    statistic += difference * difference / expected;
  }
  return statistic;
}

void SignatureBins::add(std::span<const std::uint8_t> stored) {
  if (stored.empty() || !has_any(tells_)) return;
  // A distance's form begins with a byte of its own (signature_text.cc); one word is enough of it.
  if (tells_ == Tells::distance) stored = stored.subspan(1, word_bytes);
  coordinates_.resize(std::max(coordinates_.size(), stored.size() / word_bytes));
  for (std::size_t i = 0; i < stored.size() / word_bytes; ++i) {
    const auto word = stored.subspan(i * word_bytes, word_bytes);
    const bool none =
        tells_ == Tells::coordinate && load_little_endian<std::uint64_t>(word.data()) == 0;
    if (!none) ++coordinates_[i][first_byte(word)];
  }
}

void SignatureBins::add(const SignatureBins& other) {
  coordinates_.resize(std::max(coordinates_.size(), other.coordinates_.size()));
  for (std::size_t i = 0; i < other.coordinates_.size(); ++i) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      coordinates_[i][byte] += other.coordinates_[i][byte];
    }
  }
}

Result<ReportFiles> signature_report(const SketchOptions& options, const SketchSummary& summary,
                                     std::span<const SignatureBins> bins) {
  ReportFacts facts;
  facts.title = "Signatures";
  facts.output = visible_name(options.output);
  facts.command = visible_name(options.command);
  facts.started = summary.started;
  facts.version = version();
  for (const std::string& warning : summary.warnings) {
    facts.warnings.push_back(visible_name(render_message(Door::plain, warning)));
  }
  for (std::size_t i = 0; i < bins.size(); ++i) {
    facts.sections.push_back(section_of(summary, i, bins[i]));
  }
  return drawn_report(std::move(facts));
}

}  // namespace twinset
