// The report of cluster, from a run: its parts, its determinism, and texts that have changed since
// they were read.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "faces/facts.h"
#include "faces/page_check.h"
#include "faces/reports.h"
#include "support_runs/cluster_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// Twelve versions of a page, each six words further than the one before; a copy of one; and single
/// documents.
MadeCollection versions(const std::string& name = "in.jsonl") {
  MadeCollection collection{{{name, {}, false}}};
  auto& records = collection.files[0].records;
  for (int version = 0; version < 12; ++version) {
    std::string text;
    for (int word = 0; word < 60; ++word) {
      text += "word" + std::to_string(version * 6 + word) + ' ';
    }
    records.push_back({"v" + std::to_string(version), text, ""});
  }
  records.push_back({"copy", records[3].text, ""});
  for (int i = 0; i < 5; ++i) {
    records.push_back({"alone" + std::to_string(i),
                       "nothing like " + std::to_string(i * 1000) + " is said of " +
                           std::to_string(i * i + 77) + " anywhere else " + std::to_string(i),
                       ""});
  }
  return collection;
}

/// The page of a run without its head and the last section, which contain times.
std::string page_of(const ClusterOptions& options, const RunControl& control = quiet_control()) {
  const Result<ClusterSummary> done = cluster(options, control);
  EXPECT_TRUE(done.ok()) << done.error().message;
  std::ifstream in(options.report, std::ios::binary);
  const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const PageCheck check(page);
  EXPECT_TRUE(check.errors.empty()) << check.errors.front();
  const std::size_t begin = page.find("</header>") + 9;
  return page.substr(begin, page.find("<section id=\"run\"") - begin);
}

TEST(ClusterReport, ShowsTheChainAndItsWeakestPair) {
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(versions().write(folder));
  options.report = folder / "page.html";
  const std::string content = PageCheck(page_of(options), false).content;
  for (const char* piece : {"18 records in 1 file", "documents 13", "different 12", "identical 1",
                            "All 12 different documents and", "least alike of its cluster",
                            "word10", "and 1 copy", "word0 word1 word2"}) {
    EXPECT_NE(content.find(piece), std::string::npos) << piece;
  }
}

TEST(ClusterReport, HasTheTextsOfCompressedInputs) {
  for (const char* name : {"in.jsonl.zst", "in.jsonl.gz"}) {
    const ScratchFolder folder;
    ClusterOptions options = cluster_options(versions(name).write(folder));
    options.report = folder / "page.html";
    EXPECT_NE(page_of(options).find("<mark>word"), std::string::npos) << name;
  }
}

TEST(ClusterReport, IsTheSameForAnyThreadsAndMemory) {
  const ScratchFolder folder;
  DedupOptions reading = versions("in.jsonl.zst").write(folder);
  std::string first;
  for (const unsigned threads : {1U, 2U, 5U}) {
    for (const std::uint64_t more : {std::uint64_t{1} << 16, std::uint64_t{400} << 20}) {
      set_small_memory(reading, threads, more);
      ClusterOptions options = cluster_options(reading);
      options.report = folder / "same.html";
      const std::string page = page_of(options);
      std::filesystem::remove_all(options.output);
      std::filesystem::remove(options.report);
      std::filesystem::remove(folder / "same.json");
      if (first.empty()) first = page;
      ASSERT_TRUE(page == first) << threads;
    }
  }
}

/// Changes an input just before the clusters are written.
class ChangesInput : public ProgressSink {
 public:
  explicit ChangesInput(std::string path) : path_(std::move(path)) {}
  void report(const Progress& progress) override {
    if (progress.stage != "write" || changed_) return;
    changed_ = true;
    std::ofstream(path_, std::ios::app) << "{\"id\": \"late\", \"text\": \"one more\"}\n";
  }

 private:
  std::string path_;
  bool changed_ = false;
};

TEST(ClusterReport, AnInputThatChangedIsSaidAndNoFailure) {
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(versions().write(folder));
  options.report = folder / "page.html";
  ChangesInput changes(options.inputs[0]);
  const std::string page = page_of(options, RunControl{nullptr, &changes, nullptr});
  EXPECT_NE(page.find("in.jsonl has changed since it was read"), std::string::npos);
  EXPECT_EQ(page.find("<mark>word"), std::string::npos);
}

TEST(ClusterReport, DistancesHaveTheirTableAndNoShares) {
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(versions().write(folder));
  options.report = folder / "page.html";
  options.scheme = "simhash";
  options.distance = "5";
  const std::string page = page_of(options);
  const ClusterSummary summary = cluster(options, quiet_control()).value();  // Already done.
  EXPECT_TRUE(summary.already_done);
  const std::string content = PageCheck(page, false).content;
  for (const char* piece :
       {"connected by pairs of a distance of 5 or less", "Signatures alone were",
        "Mean size of a cluster, rounded", "without self", "Largest clusters",
        "largest distance of a pair", "word18 word19 word20", "least alike of its cluster"}) {
    EXPECT_NE(content.find(piece), std::string::npos) << piece;
  }
  // The texts side by side have the only shares.
  const std::string lists = content.substr(0, content.find("Shared text is in a shingle"));
  for (const char* piece : {"esemblance", "Shares", "candidates", "Shapes", "suspicious"}) {
    EXPECT_EQ(lists.find(piece), std::string::npos) << piece;
  }
  // A row for each distance, as the run's own table has them.
  const std::string json = get_file(folder / "page.json");
  const Result<ReportFacts> facts = read_report_facts(json, "page.json");
  ASSERT_TRUE(facts.ok()) << facts.error().message;
  const auto section = std::ranges::find(facts.value().sections, "distances", &Section::name);
  ASSERT_NE(section, facts.value().sections.end());
  const auto& rows = section->tables.at(0).rows;
  ASSERT_EQ(rows.size(), 6U);
  const Result<JsonNode> made = read_json(summary.json, "summary.json");
  const std::vector<JsonNode> distances = made.value()["distances"].elements();
  ASSERT_EQ(distances.size(), 6U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].at(1).number, distances[i]["pairs"].integer());
    EXPECT_EQ(rows[i].at(2).number, distances[i]["clusters"].integer());
    EXPECT_EQ(section->histograms.at(1).bars.at(i).counts.at(0), distances[i]["pairs"].integer());
  }
}

TEST(ClusterReport, ClustersOfASharedKeyOrSignatureAreShownToo) {
  struct Way {
    const char* scheme;
    std::optional<Check> verify;
    const char* joined;
  };
  for (const Way& way : {Way{"super_shingle", Check::none, "connected by pairs with a shared key"},
                         Way{"imatch", {}, "connected by pairs with an equal signature"}}) {
    const ScratchFolder folder;
    MadeCollection collection = versions();
    // The words in another order: equal by imatch.
    collection.files[0].records.push_back({"turned", "", ""});
    for (int word = 59; word >= 0; --word) {
      collection.files[0].records.back().text += "word" + std::to_string(word) + ' ';
    }
    ClusterOptions options = cluster_options(collection.write(folder));
    options.report = folder / "page.html";
    options.scheme = way.scheme;
    options.verify = way.verify;
    const std::string content = PageCheck(page_of(options), false).content;
    for (const char* piece : {way.joined, "Largest clusters", "documents ", "Side by side"}) {
      EXPECT_NE(content.find(piece), std::string::npos) << way.scheme << ": " << piece;
    }
    const std::string lists = content.substr(0, content.find("Shared text is in a shingle"));
    EXPECT_EQ(lists.find("esemblance"), std::string::npos) << way.scheme;
  }
}

TEST(ClusterReport, NothingAlikeIsAPageToo) {
  const ScratchFolder folder;
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  collection.files[0].records.push_back({"one", "a document that is alone in here", ""});
  ClusterOptions options = cluster_options(collection.write(folder));
  options.report = folder / "page.html";
  const std::string page = page_of(options);
  EXPECT_NE(page.find("Nothing to show."), std::string::npos);
  EXPECT_EQ(page.find("Side by side"), std::string::npos);
}

TEST(ClusterReport, LongAndHostileIdsStayInTheirPlace) {
  const ScratchFolder folder;
  MadeCollection collection = versions();
  for (MadeRecord& record : collection.files[0].records) {
    record.id = "</script><img src=x>\xe2\x80\xae" + std::string(10'000, 'x') + record.id;
  }
  ClusterOptions options = cluster_options(collection.write(folder));
  options.report = folder / "page.html";
  const std::string page = page_of(options);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("\xe2\x80\xae"), std::string::npos);
  EXPECT_LT(page.size(), 150'000U);
  // The rest of the whole id is counted once.
  EXPECT_NE(page.find("kB more"), std::string::npos);
  EXPECT_EQ(page.find(" B more"), std::string::npos);
}

TEST(ClusterReport, AClusterOfCopiesAloneLeadsToACopy) {
  const ScratchFolder folder;
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  auto& records = collection.files[0].records;
  records.push_back({"first", "These are the words of the first", ""});
  records.push_back({"again", "These are the words of the first", ""});
  records.push_back({"loud", "THESE are the words of the first", ""});
  ClusterOptions options = cluster_options(collection.write(folder));
  options.report = folder / "page.html";
  const std::string page = page_of(options);
  EXPECT_NE(page.find("<h3>least alike of its cluster</h3>"), std::string::npos);
  EXPECT_NE(page.find("THESE are the words"), std::string::npos);
  EXPECT_NE(page.find("<a href=\"#pairs-1\">side by side</a>"), std::string::npos);
}

TEST(ClusterReport, SuspiciousIsRankedByWhatIsOdd) {
  const ScratchFolder folder;
  MadeCollection collection{{{"a.jsonl", {}, false}, {"b.jsonl", {}, false}}};
  const auto words = [](int from, int until) {
    std::string text;
    for (int i = from; i < until; ++i) text += "w" + std::to_string(i) + ' ';
    return text;
  };
  // Two versions, the later a little longer; and two that overlap, of different length and in
  // different files.
  collection.files[0].records.push_back({"plain1", words(0, 100), ""});
  collection.files[0].records.push_back({"plain2", words(0, 104), ""});
  collection.files[0].records.push_back({"odd1", words(1000, 1100), ""});
  collection.files[1].records.push_back({"odd2", words(1010, 1170), ""});
  ClusterOptions options = cluster_options(collection.write(folder));
  options.report = folder / "page.html";
  const std::string page = page_of(options);
  const std::string list = page.substr(page.find("id=\"suspicious-1\""));
  EXPECT_LT(list.find("odd1"), list.find("plain1"));
  EXPECT_NE(
      PageCheck(list.substr(0, list.find("</li>")), false).content.find("shingles 156 and 96"),
      std::string::npos);
}

}  // namespace
}  // namespace twinset
