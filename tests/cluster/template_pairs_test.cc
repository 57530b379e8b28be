// Pairs that are alike for the templates of their sites, marked by the run itself (row I-23): a
// made site, whose pages have one menu, against a run that drops templates.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cluster/pair_lines.h"
#include "support/stop_at.h"
#include "support_runs/cluster_testing.h"
#include "twinset/cluster.h"
#include "twinset/look.h"

namespace twinset {
namespace {

using namespace twinset::testing;

constexpr int site_pages = 60;
constexpr int near_copies = 20;

std::string words(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::string out;
  for (int i = 0; i < count; ++i) out += "w" + std::to_string(random() % 100'000) + " ";
  return out;
}

/// Words of the built-in lexicon.
std::string link_words(std::uint64_t seed) {
  constexpr std::array<const char*, 16> lexicon = {
      "archive",  "chapter",   "catalog", "history", "journal", "kitchen", "library", "machine",
      "mountain", "orchestra", "picture", "railway", "science", "teacher", "village", "weather"};
  std::mt19937_64 random(seed);
  std::string out;
  for (int i = 0; i < 6; ++i) out += std::string(lexicon[random() % lexicon.size()]) + " ";
  return out;
}

/// A page of 60 words of its own; every other one under the first half of the menu alone.
std::string page(int number) {
  std::string out = "<title>" + words(1000 + number, 3) + "</title><ul>";
  for (int i = 0; i < (number % 2 == 0 ? 40 : 20); ++i) {
    out += "<li><a href='x'>" + link_words(i) + "</a>";
  }
  return out + "</ul><p>" + words(2000 + number, 60);
}

/// "p0" to "p59", then near copies of the first twenty, which have another word at their end.
std::string site() {
  std::string lines;
  const auto add = [&](const std::string& id, const std::string& text) {
    lines += R"({"id":")" + id + R"(","text":")" + text + "\"}\n";
  };
  for (int i = 0; i < site_pages; ++i) add("p" + std::to_string(i), page(i));
  for (int i = 0; i < near_copies; ++i) add("copy" + std::to_string(i), page(i) + "more");
  return lines;
}

struct Pair {
  Overlap keys;
  std::optional<Overlap> rest;
};

/// Of a folder, by the numbers of its records.
std::map<std::pair<std::uint64_t, std::uint64_t>, Pair> read_pairs(const std::string& folder) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, Pair> pairs;
  const Status read =
      for_each_pair_line(disk(), folder + "/pairs.jsonl.zst", [&](const PairLine& line) -> Status {
        for (std::size_t i = 0; i < line.pairs.size(); ++i) {
          Pair& pair = pairs[{line.record, line.pairs[i].document.record()}];
          pair.keys = line.pairs[i].keys;
          if (!line.rests.empty()) pair.rest = line.rests[i];
        }
        return {};
      });
  EXPECT_TRUE(read.ok());
  return pairs;
}

/// The bytes of each file of a folder, by its path there. The summary tells times and stops.
std::map<std::string, std::string> files_but_summary(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "summary.json") continue;
    files[entry.path().lexically_relative(folder)] = get_file(entry.path());
  }
  EXPECT_TRUE(files.contains("pairs.jsonl.zst"));
  EXPECT_TRUE(files.contains("clusters.jsonl.zst"));
  EXPECT_TRUE(files.contains("templates.table"));
  return files;
}

class TemplatePairs : public ::testing::Test {
 protected:
  /// The options of a run over the site, whose pairs share half of their shingles.
  ClusterOptions options(const std::string& name, bool marks = true) {
    ClusterOptions options;
    options.inputs = {site_};
    options.input.format = "html";
    options.scheme = "mod(modulus=1)";
    options.max_group = 0;
    options.resources.threads = 1;
    options.output = folder_ / name;
    options.mark_templates = marks;
    return options;
  }
  static ClusterSummary run(const ClusterOptions& options) {
    Result<ClusterSummary> done = cluster(options, quiet_control());
    EXPECT_TRUE(done.ok()) << done.error().message;
    return std::move(done).value();
  }

  ScratchFolder folder_;
  std::string site_ = folder_.write("site.jsonl", site());
};

// I-23: what was made as a near copy is none, what has the menu alone in common is one; and the
// numbers are those of a run that drops templates and keeps every pair.
TEST_F(TemplatePairs, AreToldFromNearCopies) {
  const ClusterSummary marked = run(options("marked"));
  const ClusterSummary plain = run(options("plain", false));
  ClusterOptions dropping = options("dropped", false);
  dropping.templates = Templates::drop;
  dropping.verify = Check::exact;
  dropping.floor = Ratio(0, 1);
  run(dropping);
  EXPECT_EQ(get_file(folder_ / "marked/clusters.jsonl.zst"),
            get_file(folder_ / "plain/clusters.jsonl.zst"));
  EXPECT_EQ(marked.edges, plain.edges);
  EXPECT_FALSE(plain.template_pairs.has_value());
  const auto pairs = read_pairs(folder_ / "marked");
  const auto without = read_pairs(folder_ / "plain");
  const auto rests = read_pairs(folder_ / "dropped");
  ASSERT_EQ(pairs.size(), without.size());
  std::uint64_t copies = 0;
  std::uint64_t of_template = 0;
  for (const auto& [documents, pair] : pairs) {
    EXPECT_EQ(pair.keys.shared, without.at(documents).keys.shared);
    ASSERT_TRUE(pair.rest.has_value());
    const auto rest = rests.find(documents);
    if (rest == rests.end()) {
      EXPECT_EQ(pair.rest->shared, 0U);
      EXPECT_GT(std::min(pair.rest->later, pair.rest->earlier), 40U);
    } else {
      EXPECT_EQ(pair.rest->shared, rest->second.keys.shared);
      EXPECT_EQ(pair.rest->later, rest->second.keys.later);
      EXPECT_EQ(pair.rest->earlier, rest->second.keys.earlier);
    }
    const bool near_copy = documents.first == documents.second + site_pages;
    EXPECT_EQ(Ratio(1, 2).reached_by(pair.rest->shared, pair.rest->all()), near_copy);
    (near_copy ? copies : of_template) += 1;
  }
  EXPECT_EQ(copies, near_copies);
  EXPECT_GT(of_template, 500U);
  EXPECT_EQ(marked.template_pairs, of_template);
  ASSERT_TRUE(marked.templates.has_value());
  EXPECT_EQ(marked.templates->sites, 1U);
}

// Pages are read again where no file keeps their words; and whoever counts, the bytes are the same.
TEST_F(TemplatePairs, AreTheSameForAnyThreadsAndMemory) {
  ClusterOptions first = options("1");
  first.report = folder_ / "1.html";
  run(first);
  ClusterOptions second = options("2");
  second.report = folder_ / "2.html";
  second.resources.threads = 3;
  second.resources.memory = std::uint64_t{160} << 20;
  run(second);
  for (const char* const file : {"pairs.jsonl.zst", "clusters.jsonl.zst", "templates.table"}) {
    EXPECT_EQ(get_file(folder_ / "1/" + file), get_file(folder_ / "2/" + file)) << file;
  }
  std::vector<std::string> texts;
  for (int i = 0; i < site_pages; ++i) texts.push_back(page(i));
  for (int i = 0; i < near_copies; ++i) texts.push_back(page(i) + "more");
  ClusterOptions columns = options("");
  columns.output.clear();
  columns.inputs.clear();
  columns.input.format.clear();
  columns.columns = {TextColumn(texts)};
  columns.columns[0].html = true;
  EXPECT_EQ(run(columns).template_pairs, run(options("3")).template_pairs);
}

// Stopped anywhere, the run continues to the same bytes, though it has no words of pages any more.
TEST_F(TemplatePairs, AreTheSameAfterAStop) {
  run(options("uncut"));
  int stops = 0;
  for (int reports = 1;; ++reports) {
    ClusterOptions again = options("out" + std::to_string(reports));
    again.resources.checkpoint = 1000;
    StopAt stop(reports);
    const Result<ClusterSummary> first = cluster(again, {&stop.cancel, &stop});
    if (first.ok()) break;
    ++stops;
    run(again);
    EXPECT_EQ(files_but_summary(again.output), files_but_summary(folder_ / "uncut")) << reports;
  }
  EXPECT_GT(stops, 3);
}

// I-23: pairs of equal signatures, whose texts no scheme has compared.
TEST_F(TemplatePairs, OfSignaturesToo) {
  ClusterOptions signs = options("signs");
  signs.scheme = "imatch(signatures=0, least=1, share=0)";
  signs.resemblance = Ratio(4, 5);
  const ClusterSummary marked = run(signs);
  EXPECT_EQ(marked.check, Check::sketch);
  EXPECT_GT(marked.edges, static_cast<std::uint64_t>(near_copies));
  for (const auto& [documents, pair] : read_pairs(folder_ / "signs")) {
    EXPECT_EQ(Ratio(4, 5).reached_by(pair.rest->shared, pair.rest->all()),
              documents.first == documents.second + site_pages);
  }
  // I-23: another threshold counts others of the same pairs, as a run with it does.
  std::set<std::uint64_t> counts;
  for (const std::uint32_t hundredths : {15U, 80U, 99U}) {
    RecutOptions again;
    again.from = folder_ / "signs";
    again.resemblance = Ratio(hundredths, 100);
    again.resources.threads = 1;
    again.output = folder_ / ("cut" + std::to_string(hundredths));
    const Result<ClusterSummary> cut = recut(again, quiet_control());
    ASSERT_TRUE(cut.ok()) << cut.error().message;
    signs.output = folder_ / ("full" + std::to_string(hundredths));
    signs.resemblance = Ratio(hundredths, 100);
    EXPECT_EQ(cut.value().template_pairs, run(signs).template_pairs) << hundredths;
    EXPECT_TRUE(cut.value().warnings.empty()) << cut.value().warnings[0];
    EXPECT_EQ(get_file(again.output + "/clusters.jsonl.zst"),
              get_file(signs.output + "/clusters.jsonl.zst"));
    counts.insert(*cut.value().template_pairs);
  }
  EXPECT_EQ(counts.size(), 2U);
  RecutOptions contained;
  contained.from = folder_ / "signs";
  contained.containment = Ratio(1, 100);
  const Result<ClusterSummary> cut = recut(contained, quiet_control());
  ASSERT_TRUE(cut.ok()) << cut.error().message;
  EXPECT_LE(*cut.value().template_pairs, *marked.template_pairs);
  signs.output = folder_ / "unmarked";
  signs.mark_templates = false;
  EXPECT_FALSE(cluster(signs, quiet_control()).ok());
  signs.resemblance = ClusterOptions().resemblance;
  run(signs);
  contained.from = signs.output;
  const Result<ClusterSummary> refused = recut(contained, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("tell template pairs"), std::string::npos);
}

// Texts of one form, of which nothing is left: only the form joins them.
TEST_F(TemplatePairs, NothingLeftIsATemplatePair) {
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    const std::string own = i < 2 ? "" : words(3000 + i, 4);
    lines += R"({"id":)" + std::to_string(i) + R"(,"text":")" + words(1, 60) + own +
             (i == 1 ? words(1, 10) : "") + "\"}\n";
  }
  ClusterOptions forms = options("forms");
  forms.inputs = {folder_.write("forms.jsonl", lines)};
  forms.input.format.clear();
  const ClusterSummary marked = run(forms);
  ASSERT_TRUE(marked.templates.has_value());
  EXPECT_TRUE(marked.templates->texts);
  EXPECT_EQ(marked.template_pairs, marked.edges);
  EXPECT_GT(marked.edges, 700U);
  // 0 of 0 is no resemblance, and 0 of some words is one.
  std::uint64_t nothing = 0;
  for (const auto& [documents, pair] : read_pairs(forms.output)) {
    nothing += pair.rest->all() == 0 ? 1 : 0;
  }
  EXPECT_GT(nothing, 0U);
  const Explanation told = explain({.folder = forms.output, .id = "0"}, quiet_control()).value();
  bool some = false;
  for (const AlikeRecord& other : told.cluster.value().nearest) {
    some = some || !other.rest_resemblance.has_value();
    EXPECT_TRUE(other.is_template);
  }
  EXPECT_TRUE(some);
  EXPECT_NE(to_text(told).find("\n    nothing is left without templates: a template pair\n"),
            std::string::npos)
      << to_text(told);
}

// Other thresholds count others of the same pairs, and explain shows why.
TEST_F(TemplatePairs, AreCountedByRecutAndShownByExplain) {
  ClusterOptions low = options("low");
  low.floor = Ratio(1, 10);
  const ClusterSummary made = run(low);
  const auto pairs = read_pairs(low.output);
  for (const std::uint32_t hundredths : {15U, 50U, 60U, 99U}) {
    RecutOptions again;
    again.from = low.output;
    again.resemblance = Ratio(hundredths, 100);
    again.resources.threads = 1;
    const Result<ClusterSummary> done = recut(again, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    std::uint64_t expected = 0;
    for (const auto& [documents, pair] : pairs) {
      const bool alike = again.resemblance->reached_by(pair.keys.shared, pair.keys.all());
      const bool same = again.resemblance->reached_by(pair.rest->shared, pair.rest->all());
      expected += alike && !same ? 1 : 0;
    }
    EXPECT_EQ(done.value().template_pairs, expected) << hundredths;
    if (hundredths == 50) {
      EXPECT_EQ(expected, made.template_pairs);
    }
  }
  ExplainOptions asked;
  asked.folder = low.output;
  asked.id = "copy4";
  const Result<Explanation> told = explain(asked, quiet_control());
  ASSERT_TRUE(told.ok()) << told.error().message;
  const ClusterPlace& place = told.value().cluster.value();
  EXPECT_EQ(place.template_pairs + 1, place.pairs);
  ASSERT_FALSE(place.nearest.empty());
  EXPECT_EQ(place.nearest[0].name.id, "p4");
  EXPECT_FALSE(place.nearest[0].is_template);
  EXPECT_GT(place.nearest[0].rest_resemblance.value(), .9);
  EXPECT_TRUE(place.nearest[1].is_template);
  EXPECT_LT(place.nearest[1].rest_resemblance.value(), .1);
}

TEST_F(TemplatePairs, AreNoneOfARunThatDropsThem) {
  ClusterOptions both = options("both");
  both.templates = Templates::drop;
  const Result<ClusterSummary> done = cluster(both, quiet_control());
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace twinset
