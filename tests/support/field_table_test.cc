// The tables of docs/formats are those of the declared fields. With TWINSET_UPDATE_DOCS=1 the test
// writes them.
#include "support/field_table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cluster/cluster_fields.h"
#include "cluster/neighbors.h"
#include "cluster/pair_lines.h"
#include "dedup/dedup_fields.h"
#include "detect/detect_fields.h"
#include "detect/detect_lines.h"
#include "filter/filter_lines.h"
#include "index/manifest.h"
#include "io/toy_result.h"
#include "reuse/label_line.h"
#include "run/quarantine.h"
#include "run/run_fields.h"
#include "run/summary.h"
#include "search/query_line.h"
#include "sketch/signature_line.h"
#include "spans/span_lines.h"
#include "stats/term_fields.h"
#include "twinset/dedup.h"
#include "twinset/field.h"
#include "twinset/filter.h"
#include "twinset/hits.h"
#include "twinset/index.h"
#include "twinset/look.h"
#include "twinset/pair.h"
#include "twinset/phish.h"
#include "twinset/sketch.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using testing::field_table;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// The text between the two marks of a table of that name; both marks must be there.
class Marked {
 public:
  Marked(std::string& page, const std::string& name) : page_(page) {
    const std::string mark = "<!-- fields: " + name + " -->\n";
    begin_ = page.find(mark);
    end_ = page.find("<!-- end -->\n", begin_ == page.npos ? 0 : begin_);
    EXPECT_NE(begin_, page.npos) << mark;
    EXPECT_NE(end_, page.npos) << mark;
    begin_ += mark.size();
  }
  std::string text() const { return page_.substr(begin_, end_ - begin_); }
  void replace(const std::string& text) { page_.replace(begin_, end_ - begin_, text); }

 private:
  std::string& page_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

TEST(FieldTable, HasARowForEachFieldAndItsParts) {
  testing::ToyResult toy;
  const std::string table = field_table(fields_of(toy), {"kept"});
  EXPECT_TRUE(
      table.starts_with("| Field | Type | Meaning |\n|---|---|---|\n"
                        "| `read` | integer | Records |\n"
                        "| `removed` | integer | ... that go |\n"))
      << table;
  for (const char* row :
       {"| `share` | number, share |  |\n", "| `floor` | string, or left out |  |\n",
        "| `counts` | array of integers |  |\n", "| `part` | object |  |\n",
        "| `part.seconds` | number, seconds | That it took |\n",
        "| `parts[].sizes` | array of integers |  |\n",
        "| `stages.NAME.seconds` | number, seconds | That it took |\n",
        "| `range` | array |  |\n| `range.begin` | integer |  |\n",
        "| `ranges` | array of arrays |  |\n",
        "| `steps` | array of arrays |  |\n| `steps[].from` | integer | Where it begins |\n",
        "| `given` | integer, may be missing |  |\n", "| `kept_share` | number, share |  |\n",
        "\n- read = kept + removed\n"}) {
    EXPECT_NE(table.find(row), std::string::npos) << row;
  }
}

/// Holds the tables of a page of docs/formats, each with its name, against these, or writes them.
void expect_tables(const std::string& page_name,
                   const std::vector<std::pair<std::string, std::string>>& tables) {
  const std::string path = std::string(TWINSET_SOURCE) + "/docs/formats/" + page_name;
  std::string page = read(path);
  const bool update = std::getenv("TWINSET_UPDATE_DOCS") != nullptr;
  for (const auto& [name, table] : tables) {
    Marked marked(page, name);
    if (update) {
      marked.replace(table);
    } else {
      EXPECT_EQ(marked.text(), table)
          << name << ": run TWINSET_UPDATE_DOCS=1 support_test --gtest_filter='FieldTable.*'";
    }
  }
  if (update) std::ofstream(path, std::ios::binary) << page;
}

TEST(FieldTable, ThoseOfLexiconsAreInTheDocumentation) {
  TermTable table;
  expect_tables("lexicon.md", {{"lexicon show", field_table(fields_of(table))}});
  expect_tables("df.md", {{"df", field_table(stored_fields(table))}});
}

TEST(FieldTable, ThoseOfSummariesAreInTheDocumentation) {
  RunFacts facts;
  DedupSummary dedup;
  ClusterSummary cluster;
  SpansSummary spans;
  DetectSummary detect;
  const std::vector<std::string_view> common{"analyzer",
                                             "templates",
                                             "without_signature",
                                             "coordinates",
                                             "by_edits",
                                             "warnings",
                                             "skipped",
                                             "lost_inputs",
                                             "invalid_utf8",
                                             "guessed",
                                             "raw_html",
                                             "text_per_line",
                                             "exact_only",
                                             "short_documents",
                                             "without_document",
                                             "mended_lengths",
                                             "left_out_content",
                                             "decoded",
                                             "loose_xhtml",
                                             "files",
                                             "run"};
  std::vector<std::string_view> of_dedup = common;
  std::erase(of_dedup, "files");
  std::erase(of_dedup, "templates");
  const std::vector<std::pair<std::string, std::string>> tables{
      {"every verb", field_table(with_options(fields_of(facts), {}), {"text_bytes"})},
      {"dedup", field_table(fields_of(dedup), of_dedup)},
      {"cluster", field_table(fields_of(cluster), common)},
      {"spans", field_table(fields_of(spans), common)},
      {"detect", field_table(fields_of(detect), common)}};
  expect_tables("summary.md", tables);
  dedup.shard = "1/2";
  std::vector<std::string_view> of_shard = common;
  of_shard.emplace_back("options");
  expect_tables("shard.md", {{"shard", field_table(fields_of(dedup), of_shard)}});
  TrackSummary track;
  std::vector<std::string_view> of_track = common;
  of_track.emplace_back("counts");
  expect_tables("track.md", {{"track", field_table(fields_of(track), of_track)}});
  PhishSummary phish;
  std::vector<std::string_view> of_phish = common;
  of_phish.emplace_back("found");
  expect_tables("phish.md", {{"phish run", field_table(fields_of(phish), of_phish)}});
}

TEST(FieldTable, ThatOfCompareIsInTheDocumentation) {
  ComparedTexts compared;
  compared.passages.a.resize(1);
  compared.passages.b.resize(1);
  expect_tables("compare.md", {{"compare", field_table(fields_of(compared))}});
}

/// Of the lines of a bulk file.
template <class T>
std::string line_table(std::vector<Field> (*fields)(T&) = [](T& value) {
  return fields_of(value);
}) {
  T value;
  return field_table(fields(value));
}

TEST(FieldTable, ThoseOfLinesAreInTheDocumentation) {
  expect_tables("removed.md", {{"removed", line_table<Removal>()}});
  expect_tables("kept.md", {{"kept", line_table(place_fields)}});
  expect_tables("decisions.md", {{"decisions", line_table<RecordDecision>()}});
  expect_tables("clusters.md", {{"name", line_table<NamedDocument>()}});
  expect_tables("quarantine.md", {{"quarantine", line_table<BadRecord>()}});
  expect_tables("detect.md", {{"pages", line_table(page_line_fields)},
                              {"matches", line_table<MatchLine>()},
                              {"neighborhoods", line_table(neighborhood_line_fields)},
                              {"recursion", line_table<RecursionError>()}});
  expect_tables("labels.md", {{"labels header", line_table<LabelHeader>()},
                              {"labels", line_table<LabelLine>()}});
  PhishPage page;
  page.parts.emplace_back();
  expect_tables("phish.md", {{"phish", field_table(fields_of(page))}});
  expect_tables("neighbors.md", {{"neighbors", line_table<NeighborLine>()}});
  expect_tables("pairs.md", {{"pairs", line_table<PairLine>()}});
  expect_tables("signatures.md",
                {{"signatures", line_table<SignatureLine>()}, {"join", line_table<JoinLine>()}});
  expect_tables("spans.md", {{"spans", line_table<SpanLine>()}});
  expect_tables("track.md",
                {{"changes", line_table<TrackedPage>()}, {"hosts", line_table<TrackedHost>()}});
  QueryLine query;
  query.answer.hits.emplace_back();
  query.answer.hits[0].document.fields = "{}";
  PageLocation location;
  location.evidence.emplace_back();
  GroupedHits grouped;
  grouped.groups.emplace_back().members.emplace_back();
  expect_tables("groups.md", {{"groups", field_table(fields_of(grouped))}});
  VerdictLine filter;
  filter.answer.why = WhyUnknown::few_tokens;
  filter.answer.prototype.emplace().document.fields = "{}";
  FilterStats filtered;
  filtered.most_matched.emplace_back();
  expect_tables("filter.md", {{"verdicts", field_table(fields_of(filter))},
                              {"filter stats", field_table(fields_of(filtered))}});
  IndexLookup lookup;
  lookup.clusters.emplace_back();
  Manifest manifest;
  IndexStats stats;
  expect_tables("index_folder.md", {{"query", field_table(fields_of(query))},
                                    {"locate", field_table(fields_of(location))},
                                    {"lookup", field_table(fields_of(lookup))},
                                    {"manifest", field_table(fields_of(manifest))},
                                    {"index stats", field_table(fields_of(stats))}});
}

}  // namespace
}  // namespace twinset
