// A folder of each verb, asked as a screen asks.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "browse/browse_testing.h"
#include "detect/detect_testing.h"
#include "io/field_json.h"
#include "support_runs/cluster_testing.h"
#include "support_runs/small_run.h"
#include "twinset/browse.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

using namespace twinset::testing;

Result<RunBrowser> opened(const std::string& folder) {
  return RunBrowser::open({.folder = folder}, quiet_control());
}

class BrowseDedup : public ::testing::Test {
 protected:
  void SetUp() override {
    small_.run();
    Result<RunBrowser> run = opened(small_.options.output);
    ASSERT_TRUE(run.ok()) << run.error().text();
    run_ = std::make_unique<RunBrowser>(std::move(run).value());
  }
  std::string out() const { return small_.options.output; }
  SmallRun small_;
  std::unique_ptr<RunBrowser> run_;
};

TEST_F(BrowseDedup, ClustersWithFirstWords) {
  const auto page = run_->clusters({});
  ASSERT_TRUE(page.ok()) << page.error().text();
  EXPECT_EQ(page.value().total, 1U);
  EXPECT_EQ(page.value().documents, 4U);
  const BrowsedCluster& cluster = page.value().clusters.at(0);
  EXPECT_EQ(cluster.first.id, "n1");
  EXPECT_EQ(cluster.words.value_or("").rfind("The library will be closed", 0), 0U);
  EXPECT_EQ(cluster.kinds.identical, 1U);
  EXPECT_EQ(cluster.kinds.lexical, 1U);
  EXPECT_EQ(cluster.kinds.near, 1U);
  EXPECT_NEAR(cluster.resemblance.value(), 0.94, 0.1);
  EXPECT_FALSE(run_->clusters({.words = false}).value().clusters.at(0).words.has_value());
  EXPECT_EQ(run_->title(), "Near-duplicates");
  EXPECT_EQ(run_->decisions_file(), out() + ".decisions.jsonl");
}

TEST_F(BrowseDedup, MembersWithTheirSurvivor) {
  const auto found = run_->members({.cluster = 1});
  ASSERT_TRUE(found.ok() && found.value().has_value());
  const ClusterMembers& members = *found.value();
  ASSERT_EQ(members.members.size(), 4U);
  EXPECT_EQ(members.members[0].fate, "kept");
  EXPECT_FALSE(members.members[0].survivor.has_value());
  EXPECT_EQ(members.members[3].name.id, "n4");
  EXPECT_EQ(members.members[3].fate, "removed");
  EXPECT_EQ(members.members[3].kind, RemovalKind::near);
  EXPECT_EQ(members.members[3].survivor->id, "n1");
  EXPECT_GT(members.members[3].containment.value_or(0), 0.5);
  ASSERT_EQ(members.edges.size(), 3U);
  EXPECT_EQ(members.edges[2].a, 3U);
  EXPECT_EQ(members.edges[2].b, 0U);
  const auto part = run_->members({.cluster = 1, .offset = 2, .limit = 1}).value();
  ASSERT_EQ(part->members.size(), 1U);
  EXPECT_EQ(part->members[0].name.id, "n3");
  EXPECT_TRUE(part->edges.empty());
  EXPECT_FALSE(run_->members({.cluster = 0}).value().has_value());
  EXPECT_FALSE(run_->members({.cluster = 2}).value().has_value());
}

TEST_F(BrowseDedup, PairsAndRecords) {
  const auto pair = run_->pair({"n1", "n4"});
  ASSERT_TRUE(pair.ok()) << pair.error().text();
  EXPECT_EQ(pair.value().find("{\"tag\": \"near\", \"color\": \"near\", \"a\": {\"id\": \"n1\""),
            0U);
  EXPECT_NE(pair.value().find("\"mark\": \"only\", \"text\": \"week\""), std::string::npos);
  const auto other = run_->pair({"n4", small_.input + ":6"});
  ASSERT_TRUE(other.ok()) << other.error().text();
  EXPECT_EQ(other.value().find("{\"tag\": \"pair\""), 0U);
  EXPECT_EQ(run_->pair({"n1", "nobody"}).error().code, ErrorCode::usage);
  const auto record = run_->record("n4");
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record.value().explanation.fate, Explanation::Fate::removed);
  EXPECT_NE(record.value().text.value_or("").find("due that week"), std::string::npos);
  const auto kept = run_->record(small_.input + ":6");
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept.value().explanation.document.id, "n5");
  EXPECT_EQ(run_->record("nobody").error().code, ErrorCode::usage);
  small_.folder.write("notices.jsonl", "{}\n");
  const auto changed = run_->record("n4");
  ASSERT_TRUE(changed.ok());
  EXPECT_FALSE(changed.value().text.has_value());
  EXPECT_NE(changed.value().missing.find("has changed since the run"), std::string::npos);
}

TEST_F(BrowseDedup, DecisionsAreKeptAndRestored) {
  const auto decide = [&](const std::string& name, Decided decided) {
    RecordDecision one;
    one.record = name;
    one.decision = decided;
    return run_->decide({one});
  };
  ASSERT_TRUE(decide("n4", Decided::restore).ok());
  ASSERT_TRUE(decide(small_.input + ":2", Decided::restore).ok());
  ASSERT_TRUE(decide("n1", Decided::remove).ok());
  ASSERT_TRUE(decide("n2", Decided::none).ok());
  const ClusterMembers members = *run_->members({.cluster = 1}).value();
  EXPECT_EQ(members.members[0].decision, "remove");
  EXPECT_FALSE(members.members[1].decision.has_value());
  EXPECT_EQ(members.members[3].decision, "restore");
  // What another program adds is seen, too.
  {
    std::ofstream file(run_->decisions_file(), std::ios::app);
    file << "{\"record\": \"n3\", \"file\": \"" + small_.input +
                "\", \"number\": 3, \"decision\": \"restore\"}\n"
         << "{\"record\": \"n3\", \"file\": \"" + small_.input +
                "\", \"number\": 3, \"decision\": \"remove\"}\n";
  }
  EXPECT_EQ(run_->members({.cluster = 1}).value()->members[2].decision, "remove");
  ASSERT_TRUE(decide("n3", Decided::none).ok());
  EXPECT_FALSE(run_->members({.cluster = 1}).value()->members[2].decision.has_value());
  // Nothing of these is written.
  const std::string before = small_.folder.read("out.decisions.jsonl");
  EXPECT_EQ(decide("nobody", Decided::restore).error().code, ErrorCode::usage);
  EXPECT_EQ(decide("n1", Decided::restore).error().text(),
            "'n1' was not removed, so it cannot be restored");
  EXPECT_EQ(small_.folder.read("out.decisions.jsonl"), before);
  EXPECT_EQ(run_->decisions().value().decisions.size(), 2U);
  RestoreOptions restoring;
  restoring.folder = out();
  restoring.decisions = run_->decisions_file();
  restoring.output = small_.folder / "back";
  const auto done = restore(restoring, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().text();
  EXPECT_EQ(done.value().records, 1U);
  EXPECT_NE(small_.folder.read("back/notices.jsonl").find("\"id\":\"n4\""), std::string::npos);
}

TEST_F(BrowseDedup, RestoreNamesDecisionsThatItCannotCarryOut) {
  RestoreOptions restoring;
  restoring.folder = out();
  restoring.output = small_.folder / "back";
  const auto error_of = [&](const std::string& lines) {
    restoring.decisions = small_.folder.write("d.jsonl", lines);
    const auto done = restore(restoring, quiet_control());
    return done.ok() ? "restored " + std::to_string(done.value().records) : done.error().text();
  };
  EXPECT_NE(error_of("{\"record\": \"n1\", \"file\": \"" + small_.input +
                     "\", \"number\": 1, \"decision\": \"restore\"}\n")
                .find("restores what is no removed record"),
            std::string::npos);
  EXPECT_NE(error_of("{\"record\": \"nobody\", \"decision\": \"restore\"}\n")
                .find("'nobody' is not a removed record"),
            std::string::npos);
  EXPECT_NE(error_of("{\"record\": \"n4\", \"decision\": \"remove\"}\nodd\n")
                .find("is to be restored; 1 line of "),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(restoring.output));
  EXPECT_EQ(error_of("{\"record\": \"n4\", \"decision\": \"restore\"}\n"), "restored 1");
  restoring.output += "2";
  restoring.decisions = small_.folder / "none";
  EXPECT_NE(
      restore(restoring, quiet_control()).error().text().find("there is no file of decisions"),
      std::string::npos);
}

TEST_F(BrowseDedup, AReplacedFolderIsNotAnsweredAbout) {
  std::filesystem::rename(out(), out() + "-old");
  EXPECT_EQ(run_->clusters({}).error().text(), out() + " is gone; open it again");
  small_.options.min_tokens = 1;
  small_.run();
  for (const Error& error :
       {run_->clusters({}).error(), run_->members({.cluster = 1}).error(), run_->overview().error(),
        run_->tiles({}).error(), run_->pair({"n1", "n4"}).error(), run_->record("n4").error(),
        run_->rows({.list = "removed"}).error(), run_->versions("x").error(),
        run_->decisions().error(), run_->decide({}).error()}) {
    EXPECT_EQ(error.code, ErrorCode::io);
    EXPECT_NE(error.text().find("is another folder than the one that was opened"),
              std::string::npos);
  }
}

TEST_F(BrowseDedup, ManyMayAskAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      ClustersOptions asked;
      asked.search = i % 2 == 0 ? "n" : "";
      for (int again = 0; again < 20; ++again) {
        EXPECT_EQ(run_->clusters(asked).value().total, 1U);
        EXPECT_EQ(run_->members({.cluster = 1}).value()->members.size(), 4U);
        EXPECT_TRUE(run_->rows({.list = "removed", .sort = "id"}).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(RunBrowser, DeepPagesAreThoseOfTheWholeList) {
  MadeFolder made;
  made.draw(41, 700);
  made.write();
  const RunBrowser run = made.browse();
  for (const bool reverse : {false, true}) {
    ClustersOptions asked{.limit = 1000, .sort = ClusterSort::resemblance, .reverse = reverse};
    const ClusterPage whole = run.clusters(asked).value();
    ASSERT_EQ(whole.clusters.size(), 700U);
    asked.limit = 13;
    for (asked.offset = 0; asked.offset < 720; asked.offset += 97) {
      const ClusterPage page = run.clusters(asked).value();
      EXPECT_EQ(page.total, 700U);
      for (std::size_t i = 0; i < page.clusters.size(); ++i) {
        EXPECT_EQ(page.clusters[i].cluster, whole.clusters[asked.offset + i].cluster);
        const MadeCluster& cluster = made.clusters[page.clusters[i].cluster - 1];
        EXPECT_EQ(page.clusters[i].first.id, cluster[0].id);
        EXPECT_EQ(page.clusters[i].documents, cluster.size());
      }
    }
  }
}

TEST(RunBrowser, TilesAddUp) {
  MadeFolder made;
  made.draw(42, 300);
  made.write();
  const RunBrowser run = made.browse();
  std::uint64_t documents = 0;
  std::vector<std::uint64_t> by_file(made.files.size());
  for (const MadeCluster& cluster : made.clusters) {
    documents += cluster.size();
    for (const MadeMember& member : cluster) ++by_file[member.file];
  }
  const ClusterTiles tiles = run.tiles({.limit = 10}).value();
  ASSERT_EQ(tiles.tiles.size(), 10U);
  EXPECT_EQ(tiles.rest_clusters, 290U);
  std::uint64_t sum = tiles.rest_documents;
  for (std::size_t i = 0; i < tiles.tiles.size(); ++i) {
    sum += tiles.tiles[i].documents;
    if (i > 0) {
      EXPECT_LE(tiles.tiles[i].documents, tiles.tiles[i - 1].documents);
    }
    EXPECT_EQ(tiles.tiles[i].name, made.clusters[*tiles.tiles[i].cluster - 1][0].id);
  }
  EXPECT_EQ(sum, documents);
  const ClusterTiles sources = run.tiles({.limit = 2, .by = TileBy::source}).value();
  ASSERT_EQ(sources.tiles.size(), 2U);
  for (const ClusterTile& tile : sources.tiles) {
    const auto file = std::find(made.files.begin(), made.files.end(), tile.name);
    EXPECT_EQ(tile.documents, by_file[static_cast<std::size_t>(file - made.files.begin())]);
  }
  EXPECT_EQ(sources.tiles[0].documents + sources.tiles[1].documents + sources.rest_documents,
            documents);
  EXPECT_EQ(sources.rest_clusters, 1U);
}

/// The bytes that a refusal says are needed.
std::uint64_t needed_in(const std::string& message) {
  const std::size_t at = message.find(" need ");
  EXPECT_NE(at, std::string::npos) << message;
  return at == std::string::npos ? 0 : std::stoull(message.substr(at + 6));
}

TEST(RunBrowser, RefusesTooLittleMemory) {
  MadeFolder made;
  made.draw(43, 3000);
  made.write();
  std::uint64_t documents = 0;
  for (const MadeCluster& cluster : made.clusters) documents += cluster.size();
  BrowseOptions options;
  options.folder = made.out;
  options.memory = (std::uint64_t{4} << 20) + 1000;
  const auto refused = RunBrowser::open(options, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  // The clusters, and then what the lists need beside them.
  const std::uint64_t clusters = needed_in(refused.error().text());
  const std::uint64_t least = documents * 32 + 3000 * 16 + (std::uint64_t{4} << 20);
  EXPECT_GE(clusters, least);
  EXPECT_LE(clusters, least + least / 1000);
  options.memory = clusters - 1;
  EXPECT_EQ(needed_in(RunBrowser::open(options, quiet_control()).error().text()), clusters);
  options.memory = clusters;
  const auto lists = RunBrowser::open(options, quiet_control());
  ASSERT_FALSE(lists.ok());
  const std::uint64_t all = needed_in(lists.error().text());
  EXPECT_GT(all, clusters);
  EXPECT_LE(all, clusters + documents);  // 16 bytes for each 64 rows, and for each 32 KiB
  options.memory = all;
  EXPECT_TRUE(RunBrowser::open(options, quiet_control()).ok());
  options.memory = 1;
  EXPECT_EQ(RunBrowser::open(options, quiet_control()).error().code, ErrorCode::usage);
}

TEST(RunBrowser, RecordsAreExplainedAsByReadingAllLists) {
  MadeFolder made;
  made.draw(44, 40);
  made.write();
  const RunBrowser run = made.browse();
  ExplainOptions options;
  options.folder = made.out;
  options.numbers = true;
  for (const MadeCluster& cluster : made.clusters) {
    for (std::size_t j = 0; j < cluster.size(); j += j < 3 ? 1 : 40) {
      options.id = made.files[cluster[j].file] + ":" + std::to_string(cluster[j].record);
      const Result<Explanation> expected = explain(options, quiet_control());
      ASSERT_TRUE(expected.ok()) << expected.error().text();
      for (const std::string& name : {options.id, cluster[j].id}) {
        const Result<BrowsedRecord> record = run.record(name);
        ASSERT_TRUE(record.ok()) << record.error().text();
        EXPECT_EQ(to_json(record.value().explanation), to_json(expected.value())) << name;
      }
    }
  }
}

TEST(RunBrowser, AQuestionEndsWhenItIsToldToAndIsAskedAgain) {
  MadeFolder made;
  made.draw(44, 40);
  made.write();
  const RunBrowser run = made.browse();
  const std::atomic<bool> cancel = true;
  const ListRowsOptions sorted{.list = "removed", .sort = "id"};
  EXPECT_EQ(run.rows(sorted, &cancel).error().code, ErrorCode::interrupted);
  EXPECT_TRUE(run.rows(sorted).value().has_value());
  const ClustersOptions searched{.search = "1"};
  EXPECT_EQ(run.clusters(searched, &cancel).error().code, ErrorCode::interrupted);
  EXPECT_TRUE(run.clusters(searched).ok());
  // What is known by heart is answered.
  EXPECT_TRUE(run.clusters({.words = false}, &cancel).ok());
  EXPECT_TRUE(run.tiles({}, &cancel).ok());
  EXPECT_TRUE(run.members({.cluster = 1, .words = false}, &cancel).value().has_value());
  // What reads texts, or counts all members anew, ends.
  EXPECT_EQ(run.clusters({}, &cancel).error().code, ErrorCode::interrupted);
  EXPECT_EQ(run.tiles({.by = TileBy::source}, &cancel).error().code, ErrorCode::interrupted);
  EXPECT_EQ(run.overview(&cancel).error().code, ErrorCode::interrupted);
  // A name that no cluster has is looked for in the inputs.
  EXPECT_EQ(run.record("nobody", &cancel).error().code, ErrorCode::interrupted);
  EXPECT_EQ(run.record("nobody").error().code, ErrorCode::usage);
}

TEST(RunBrowser, AnIdOfSeveralRecordsIsToldFromTheirPlaces) {
  MadeFolder made;
  made.clusters = {{{"x", 0, 1}, {"x", 0, 2}, {"y", 1, 3}}};
  made.write();
  const RunBrowser run = made.browse();
  for (const Error& error :
       {run.record("x").error(), run.pair({"x", "y"}).error(), run.pair({"y", "x"}).error()}) {
    EXPECT_EQ(error.code, ErrorCode::usage);
    EXPECT_EQ(error.text().find("'x' is the id of 2 records: "), 0U) << error.text();
  }
  EXPECT_EQ(run.record(made.files[0] + ":2").value().explanation.survivor.record, 1U);
}

TEST(RunBrowser, OfARunThatFoundNothing) {
  MadeFolder made;
  made.write();
  const RunBrowser run = made.browse();
  EXPECT_EQ(run.clusters({}).value().total, 0U);
  EXPECT_EQ(run.clusters({.sort = ClusterSort::sources, .search = "x"}).value().total, 0U);
  EXPECT_FALSE(run.members({.cluster = 1}).value().has_value());
  EXPECT_EQ(run.tiles({}).value().rest_documents, 0U);
  ASSERT_EQ(run.lists().size(), 2U);
  for (const BrowsedList& list : run.lists()) {
    EXPECT_EQ(list.rows, 0U);
    for (const std::string& search : {std::string(), std::string("x")}) {
      const auto rows = run.rows({.list = list.name, .sort = "record", .search = search});
      EXPECT_EQ(rows.value()->total, 0U);
      EXPECT_TRUE(rows.value()->rows.empty());
    }
  }
}

TEST(RunBrowser, ClusterAndRecutFolders) {
  const ScratchFolder folder;
  const MadeCollection collection = planted_collection({.seed = 9, .documents = 300});
  ClusterOptions options = cluster_options(collection.write(folder));
  options.floor = Ratio(1, 10);
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const Clusters expected = read_clusters(options.output);
  const RunBrowser run = opened(options.output).value();
  const ClusterPage page = run.clusters({.limit = 1000}).value();
  ASSERT_EQ(page.clusters.size(), expected.size());
  for (const BrowsedCluster& cluster : page.clusters) {
    const auto found = expected.find("\"" + cluster.first.id + "\"");
    ASSERT_NE(found, expected.end()) << cluster.first.id;
    const ClusterMembers members =
        *run.members({.cluster = cluster.cluster, .limit = 1000}).value();
    ASSERT_EQ(members.members.size(), found->second.size() + 1);
    for (std::size_t i = 1; i < members.members.size(); ++i) {
      EXPECT_EQ("\"" + members.members[i].name.id + "\"", found->second[i - 1]);
      EXPECT_EQ(members.members[i].fate, "clustered");
    }
    // The pairs connect all of it: a document without an edge would be in no cluster.
    std::vector<bool> met(members.members.size());
    for (const MemberEdge& edge : members.edges) met[edge.a] = met[edge.b] = true;
    EXPECT_EQ(std::count(met.begin(), met.end(), false), 0) << cluster.first.id;
  }
  const auto explained_equally = [&](const RunBrowser& of, const std::string& out) {
    ExplainOptions asked{.folder = out};
    asked.numbers = true;
    const ClusterPage some = of.clusters({.limit = 8}).value();
    EXPECT_FALSE(some.clusters.empty());
    for (const BrowsedCluster& one : some.clusters) {
      const auto part = of.members({.cluster = one.cluster, .limit = 5}).value();
      for (const BrowsedMember& member : part->members) {
        asked.id = member.name.id;
        const Result<Explanation> whole = explain(asked, quiet_control());
        ASSERT_TRUE(whole.ok()) << whole.error().text();
        EXPECT_EQ(to_json(of.record(asked.id).value().explanation), to_json(whole.value()));
      }
    }
  };
  explained_equally(run, options.output);
  const auto rows = run.rows({.list = "pairs", .limit = 1000}).value();
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->total, run.lists()[1].rows);
  std::vector<std::string> told;
  ASSERT_TRUE(read_list(
                  options.output, ResultList::pairs, quiet_control(),
                  [](std::string_view, std::vector<Field>) {},
                  [&] {
                    told.emplace_back();
                    return Status();
                  })
                  .ok());
  EXPECT_EQ(rows->total, told.size());
  RecutOptions recutting;
  recutting.from = options.output;
  recutting.resemblance = Ratio(4, 5);
  recutting.output = folder / "cut";
  ASSERT_TRUE(recut(recutting, quiet_control()).ok());
  const RunBrowser cut = opened(recutting.output).value();
  explained_equally(cut, recutting.output);
  EXPECT_EQ(cut.clusters({}).value().total, read_clusters(recutting.output).size());
  EXPECT_FALSE(cut.rows({.list = "pairs"}).value().has_value());
  EXPECT_FALSE(cut.clusters({}).value().clusters.at(0).resemblance.has_value());
}

TEST(RunBrowser, SpansAndDetectFolders) {
  const ScratchFolder folder;
  SpansOptions options;
  options.inputs = {folder.write("a.jsonl",
                                 "{\"id\":1,\"text\":\"one two three four five six\"}\n"
                                 "{\"id\":2,\"text\":\"so one two three four five six\"}\n")};
  options.min_tokens = 5;
  options.output = folder / "spans";
  ASSERT_TRUE(spans(options, quiet_control()).ok());
  const RunBrowser found = opened(options.output).value();
  EXPECT_EQ(found.lists().at(0).columns.at(0).name, "a_id");
  const auto rows = found.rows({.list = "spans"}).value();
  ASSERT_EQ(rows->rows.size(), 1U);
  EXPECT_EQ(rows->rows[0], "[1, \"" + options.inputs[0] + "\", 1, 0, 27, 2, \"" +
                               options.inputs[0] + "\", 2, 3, 30, 6, \"both\"]");
  EXPECT_EQ(found.clusters({}).error().code, ErrorCode::usage);
  EXPECT_NE(found.overview().value().find("\"title\": \"Shared passages\""), std::string::npos);
  const ScratchFolder detected;
  const DetectOptions detecting = made_crawl(3, 200).options(detected);
  ASSERT_TRUE(detect(detecting, quiet_control()).ok());
  const RunBrowser reuse = opened(detecting.output).value();
  const FoundLists expected = testing::read_lists(detecting.output);
  ASSERT_EQ(reuse.lists().size(), 5U);
  const auto sites = reuse.rows({.list = "reuse", .limit = 1000}).value();
  std::uint64_t matches = 0;
  for (const std::string& row : sites->rows) {
    matches += read_json(row, "row").value().elements().at(4).integer().value();
  }
  EXPECT_EQ(matches, reuse.lists().at(1).rows) << "each match is one of a site";
  EXPECT_EQ(reuse.lists()[0].rows, expected.pages.size());
  EXPECT_GT(expected.pages.size(), 5U);
  const auto worst = reuse.rows({.list = "pages", .sort = "contains", .reverse = true}).value();
  EXPECT_EQ(worst->total, expected.pages.size());
  EXPECT_FALSE(reuse.versions("x").value().has_value());
  EXPECT_EQ(reuse.versions(VersionsOptions{}).error().code, ErrorCode::usage);
}

TEST(RunBrowser, VersionsOfPages) {
  const ScratchFolder folder;
  TrackOptions options;
  options.inputs = {folder.write(
      "a.jsonl",
      "{\"id\":1,\"url\":\"http://a.org/x\",\"date\":\"2026-01-01\",\"text\":\"one two three\"}\n"
      "{\"id\":2,\"url\":\"http://a.org/x\",\"date\":\"2026-02-01\",\"text\":\"one two four\"}\n"
      "{\"id\":3,\"url\":\"http://b.org/y\",\"date\":\"2026-01-01\",\"text\":\"five six\"}\n")};
  options.url = "url";
  options.date = "date";
  options.output = folder / "out";
  const auto done = track(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().text();
  const RunBrowser run = opened(options.output).value();
  const auto page = run.versions("http://a.org/x");
  ASSERT_TRUE(page.ok() && page.value().has_value()) << page.error().text();
  ASSERT_EQ(page.value()->versions.size(), 2U);
  EXPECT_EQ(page.value()->versions[1].date, "2026-02-01");
  EXPECT_NE(page.value()->versions[1].hash, 0U);
  EXPECT_EQ(run.versions(VersionsOptions{}).value().total, 2U);
  EXPECT_EQ(run.versions(VersionsOptions{.search = "B.ORG"}).value().pages.at(0).url,
            "http://b.org/y");
  EXPECT_EQ(run.rows({.list = "hosts"}).value()->total, 2U);
  EXPECT_EQ(run.rows({.list = "changes", .sort = "url", .reverse = true}).value()->total, 2U);
}

TEST(RunBrowser, SaysWhatItCannotOpen) {
  const ScratchFolder folder;
  EXPECT_EQ(opened(folder / "none").error().code, ErrorCode::usage);
  MadeFolder made;
  made.draw(1, 5);
  made.write();
  made.replace("removed.jsonl.zst", "odd\n");
  EXPECT_EQ(opened(made.out).error().code, ErrorCode::io);
  std::filesystem::remove(made.out + "/removed.jsonl.zst");
  EXPECT_EQ(opened(made.out).error().code, ErrorCode::io);
}

}  // namespace
}  // namespace twinset
