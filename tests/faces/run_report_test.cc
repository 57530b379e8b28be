// The parts of a report that every verb has, tested with runs of dedup and cluster.
#include "faces/run_report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "faces/page.h"
#include "faces/page_check.h"
#include "support_runs/cluster_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The facts of a stored report. The page beside them must be the one drawn from them.
ReportFacts stored(const std::string& page_path) {
  const std::string json_path = facts_path(page_path);
  Result<ReportFacts> facts = read_report_facts(get_file(json_path), json_path);
  EXPECT_TRUE(facts.ok()) << facts.error().message;
  const std::string page = report_page(facts.value());
  EXPECT_TRUE(page == get_file(page_path));
  const PageCheck check(page);
  EXPECT_TRUE(check.errors.empty()) << check.errors.front();
  return facts.value();
}

const Section& section(const ReportFacts& facts, const std::string& name) {
  for (const Section& section : facts.sections) {
    if (section.name == name) return section;
  }
  ADD_FAILURE() << "no section " << name;
  return facts.sections.front();
}

MadeCollection two_folders() {
  MadeCollection collection = planted_collection({.seed = 5, .documents = 200, .files = 2});
  collection.files[0].name = "crawl/a/pages.jsonl";
  collection.files[1].name = "crawl/b/pages.jsonl.zst";
  return collection;
}

TEST(RunReport, ThePageIsDrawnFromTheStoredFactsAlone) {
  const ScratchFolder folder;
  DedupOptions options = two_folders().write(folder);
  options.report = folder / "dedup.html";
  ASSERT_TRUE(dedup(options, quiet_control()).ok());
  EXPECT_EQ(stored(options.report).title, "Near-duplicates");

  std::filesystem::remove_all(options.output);
  ClusterOptions clusters = cluster_options(options);
  clusters.report = folder / "cluster.html";
  ASSERT_TRUE(cluster(clusters, quiet_control()).ok());
  EXPECT_EQ(stored(clusters.report).title, "Clusters");
}

TEST(RunReport, WarningsNameOptionsPlainly) {
  const ScratchFolder folder;
  DedupOptions options = two_folders().write(folder);
  options.report = folder / "page.html";
  options.verify = Check::sketch;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const auto all = [](const std::vector<std::string>& warnings, Door door) {
    std::string text;
    for (const std::string& warning : warnings) text += render_message(door, warning) + "\n";
    return text;
  };
  const std::string typed = all(done.value().warnings, Door::command_line);
  EXPECT_NE(typed.find("(--verify sketch)"), std::string::npos) << typed;
  std::string kept;
  for (const std::string& warning : stored(options.report).warnings) kept += warning + "\n";
  EXPECT_EQ(kept, all(done.value().warnings, Door::plain));
  EXPECT_NE(done.value().json.find("(verify=sketch)"), std::string::npos) << done.value().json;
}

TEST(RunReport, TheHeadSaysCommandDateAndTheCommonFolderOnce) {
  const ScratchFolder folder;
  DedupOptions options = two_folders().write(folder);
  options.report = folder / "page.html";
  options.command = "twinset dedup <crawl>";
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const ReportFacts facts = stored(options.report);
  EXPECT_EQ(facts.command, options.command);
  EXPECT_EQ(facts.started, done.value().started);
  EXPECT_TRUE(facts.folder.ends_with("/crawl/")) << facts.folder;
  for (const ListItem& item : section(facts, "largest").list) {
    for (const ReportDocument& document : item.documents) {
      EXPECT_TRUE(document.file == "a/pages.jsonl" || document.file == "b/pages.jsonl.zst")
          << document.file;
    }
  }
}

TEST(RunReport, ListsHaveFirstWordsAndLeadToPairsSideBySide) {
  const ScratchFolder folder;
  DedupOptions options = two_folders().write(folder);
  options.report = folder / "page.html";
  ASSERT_TRUE(dedup(options, quiet_control()).ok());
  const ReportFacts facts = stored(options.report);
  std::set<std::uint64_t> led_to;
  for (const char* name : {"largest", "suspicious"}) {
    ASSERT_FALSE(section(facts, name).list.empty());
    for (const ListItem& item : section(facts, name).list) {
      for (const ReportDocument& document : item.documents) EXPECT_FALSE(document.words.empty());
      for (const ListMember& member : item.members) {
        EXPECT_FALSE(member.document.words.empty());
      }
      ASSERT_EQ(item.links.size(), 1U);
      EXPECT_EQ(item.links[0].section, "pairs");
      led_to.insert(item.links[0].number);
      const ShownPair& pair = section(facts, "pairs").pairs.at(item.links[0].number - 1);
      EXPECT_EQ(pair.a.id, item.documents.back().id);
    }
  }
  EXPECT_GT(led_to.size(), 5U);
  std::set<std::pair<std::string, std::string>> pairs;
  for (const ShownPair& pair : section(facts, "pairs").pairs) {
    EXPECT_TRUE(pairs.emplace(pair.a.id, pair.b.id).second) << "a pair is shown twice";
    EXPECT_TRUE(!pair.rows.empty() || pair.more == "The texts are identical.") << pair.more;
  }
}

TEST(RunReport, ADocumentWithoutAnIdIsNamedByItsPlace) {
  const ScratchFolder folder;
  DedupOptions options;
  options.inputs = {folder.write("a.jsonl",
                                 "{\"text\":\"the very same words are here\"}\n"
                                 "{\"text\":\"the very same words are here\"}\n")};
  options.output = folder / "out";
  options.report = folder / "page.html";
  set_small_memory(options, 1, 1 << 20);
  ASSERT_TRUE(dedup(options, quiet_control()).ok());
  const ReportFacts facts = stored(options.report);
  const ReportDocument& survivor = section(facts, "largest").list.at(0).documents.at(0);
  EXPECT_EQ(survivor.id, "");
  EXPECT_EQ(survivor.file, "a.jsonl");
  EXPECT_EQ(survivor.record, 1U);
  EXPECT_EQ(survivor.words, "the very same words are here");
}

TEST(RunReport, LongTextsAreComparedByTheirBeginningsAndNamesAreCut) {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += "word" + std::to_string(i) + ' ';
  const auto line = [&](const std::string& id, const std::string& end) {
    return "{\"id\":\"" + id + std::string(5000, 'x') + "\",\"text\":\"" + text + end + "\"}\n";
  };
  DedupOptions options;
  options.inputs = {folder.write("long.jsonl", line("a", "one end") + line("b", "other end"))};
  options.output = folder / "out";
  options.report = folder / "page.html";
  set_small_memory(options, 1, 1 << 20);
  ASSERT_TRUE(dedup(options, quiet_control()).ok());
  const ReportFacts facts = stored(options.report);
  const ShownPair& pair = section(facts, "pairs").pairs.at(0);
  EXPECT_EQ(pair.more, "The beginnings are identical.");
  EXPECT_NE(pair.facts.at(0).note.find("only their beginnings"), std::string::npos);
  EXPECT_LT(pair.a.id.size(), 500U);
  EXPECT_LT(get_file(options.report).size(), report_page({}).size() + 60'000U);
}

}  // namespace
}  // namespace twinset
