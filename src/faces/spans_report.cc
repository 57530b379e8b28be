#include <algorithm>
#include <bit>

#include "faces/facts.h"
#include "faces/reports.h"
#include "faces/run_report.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::size_t most_side_by_side = 12;
constexpr std::size_t most_listed_sources = 40;

/// Bars of 2^i to 2^(i+1) - 1.
Histogram doubling(std::string title, std::string across, std::string up,
                   const std::vector<std::uint64_t>& counts, std::size_t first) {
  Histogram chart{std::move(title), std::move(across), up, {up}, {}, true};
  for (std::size_t i = first; i < counts.size() && i < 63; ++i) {
    const std::uint64_t least = std::uint64_t{1} << i;
    const std::uint64_t most = 2 * least - 1;
    std::string range = format_count(least);
    if (most > least) range += " to " + format_count(most);
    std::string label = least < 1024 ? std::to_string(least) : std::to_string(least >> 10) + "k";
    if (most > least) label += "+";
    chart.bars.push_back({std::move(label), range, {counts[i]}});
  }
  return chart;
}

Histogram by_share(const std::vector<std::uint64_t>& counts) {
  Histogram chart{"Documents by their share of reused words",
                  "share of words that stand at an earlier place",
                  "documents",
                  {"documents"},
                  {},
                  true};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool all = i + 1 == counts.size();
    const std::string low = std::to_string(10 * i) + " %";
    chart.bars.push_back(
        {low,
         all ? "all of them" : low + " to below " + std::to_string(10 * (i + 1)) + " %",
         {counts[i]}});
  }
  return chart;
}

class SpansReport {
 public:
  explicit SpansReport(const SpansFindings& found)
      : job_(found.job),
        records_(found.records),
        documents_(found.documents),
        facts_(found.facts),
        options_(found.options),
        summary_(found.summary),
        report_(found.job, found.records, found.documents,
                {.thresholds = found.job.thresholds,
                 .earlier = "earlier",
                 .later = "later",
                 .run_tokens = static_cast<unsigned>(found.summary.least_tokens)}) {
    report_.facts.title = "Shared passages";
  }

  Result<ReportFiles> make() {
    add(totals());
    add(histograms());
    if (!facts_.most_reused().empty()) add(texts());
    if (!facts_.sources().empty()) add(sources());
    if (facts_.most_shared().size() > 1) {
      TWINSET_ASSIGN(Section drawn, graph());
      add(std::move(drawn));
    }
    for (std::size_t i = 0; i < std::min(most_side_by_side, facts_.most_shared().size()); ++i) {
      const SharedPassages& pair = facts_.most_shared()[i];
      SeenPair shown;
      shown.earlier = documents_.index(pair.earlier);
      shown.later = documents_.index(pair.later);
      shown.fate = Fate::contained;
      report_.show(shown, format_count(pair.tokens, "shared word", "shared words"));
    }
    return report_.finish(
        summary_, {{"words of a span", Value::count(summary_.least_tokens), "at least"},
                   {"places", Value::text(options_.all_pairs ? "every two of a passage"
                                                             : "the first and the nearest one")}});
  }

 private:
  void add(Section section) { report_.facts.sections.push_back(std::move(section)); }

  Section totals() const {
    Section section{.name = "totals"};
    section.numbers = {
        {"Documents", Value::count(summary_.documents),
         format_count(summary_.tokens, "word", "words") + " of inputs"},
        {"Spans", Value::count(summary_.spans),
         "of " + format_count(summary_.least_tokens) + " words or more"},
        {"Reused words", Value::count(summary_.reused_tokens),
         format_percent(summary_.reused_tokens, summary_.tokens) + " stand at an earlier place"},
        {"Documents with such words", Value::count(summary_.reused_documents),
         format_percent(summary_.reused_documents, summary_.documents)}};
    return section;
  }

  Section histograms() const {
    Section section{.name = "histograms", .title = "Passages"};
    section.histograms = {
        doubling("Spans by length", "words", "spans", summary_.by_tokens,
                 summary_.least_tokens == 0
                     ? 0
                     : static_cast<std::size_t>(std::bit_width(summary_.least_tokens)) - 1),
        doubling("Passages of " + format_count(summary_.least_tokens) +
                     " words that stand twice or more",
                 "documents that have it", "passages", summary_.by_documents, 0),
        by_share(summary_.by_share)};
    return section;
  }

  Section texts() const {
    Section section{.name = "reused", .title = "Most reused words"};
    section.lead = "The documents with the most words that stand at an earlier place.";
    for (const ReusedShare& text : facts_.most_reused()) {
      section.list.push_back({.documents = {{.index = text.index}},
                              .facts = {{"reused words", Value::count(text.reused)},
                                        {"of its words", Value::percent(text.reused, text.tokens)}},
                              .links = {}});
    }
    return section;
  }

  Section sources() const {
    Section section{.name = "sources", .title = "Who shares with whom"};
    std::vector<std::pair<SpanFacts::SourcePair, std::pair<std::uint64_t, std::uint64_t>>> pairs;
    for (const auto& [pair, sums] : facts_.sources()) pairs.emplace_back(sums, pair);
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& x, const auto& y) { return x.first.tokens > y.first.tokens; });
    section.lead = "Words of spans, by the input of the earlier place and that of the later one.";
    if (pairs.size() > most_listed_sources) {
      section.lead += " The first " + format_count(most_listed_sources) + " of " +
                      format_count(pairs.size()) + ".";
      pairs.resize(most_listed_sources);
    }
    if (facts_.too_many_sources()) {
      section.lead += " Only the first " + format_count(SpanFacts::most_counted_sources) +
                      " pairs of inputs are counted.";
    }
    Table table{{"earlier", "later", "pairs of texts", "spans", "words"}, {}};
    for (const auto& [sums, pair] : pairs) {
      table.rows.push_back({Value::text(report_.file_name(job_.source(pair.first).shown)),
                            Value::text(report_.file_name(job_.source(pair.second).shown)),
                            Value::count(sums.text_pairs), Value::count(sums.spans),
                            Value::count(sums.tokens)});
    }
    section.tables.push_back(std::move(table));
    return section;
  }

  /// The texts of the pairs that share most.
  Result<Section> graph() const {
    Section section{.name = "network", .title = "The texts that share most"};
    section.lead = "A line joins two texts, with the share of the shorter one that both have.";
    Graph graph{.name = {"the first of them side by side", "pairs", 1},
                .note = {},
                .threshold = 0,
                .nodes = {},
                .edges = {}};
    std::map<DocumentId, std::uint64_t> nodes;
    const auto node = [&](DocumentId document) {
      const auto [at, is_new] = nodes.try_emplace(document, graph.nodes.size());
      if (is_new) graph.nodes.push_back({{.index = documents_.index(document)}, 0});
      return at->second;
    };
    for (const SharedPassages& pair : facts_.most_shared()) {
      TWINSET_ASSIGN(const RecordRow earlier, records_.row(documents_.index(pair.earlier)));
      TWINSET_ASSIGN(const RecordRow later, records_.row(documents_.index(pair.later)));
      const std::uint64_t shorter = std::max(1U, std::min(earlier.size, later.size));
      const double share =
          std::min(1.0, static_cast<double>(pair.tokens) / static_cast<double>(shorter));
      const std::uint64_t a = node(pair.earlier);
      graph.edges.push_back({a, node(pair.later), share});
    }
    graph.note = format_count(graph.edges.size(), "pair", "pairs") + " of " +
                 format_count(graph.nodes.size(), "text", "texts");
    section.graphs.push_back(std::move(graph));
    return section;
  }

  const Job& job_;
  const RecordFiles& records_;
  const DocumentTable& documents_;
  const SpanFacts& facts_;
  const SpansOptions& options_;
  const SpansSummary& summary_;
  RunReport report_;
};

}  // namespace

Result<ReportFiles> spans_report(const SpansFindings& found) { return SpansReport(found).make(); }

}  // namespace twinset
