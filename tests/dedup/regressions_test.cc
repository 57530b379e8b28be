// Incidents of other deduplicators, each as a test: inputs that made them lose whole files,
// clusters or collections must do no harm here.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support_runs/job_testing.h"
#include "support_runs/oracle_check.h"
#include "twinset/dedup.h"

namespace twinset {
namespace {

using namespace twinset::testing;

DedupSummary run(const DedupOptions& options) {
  Result<DedupSummary> done = dedup(options, quiet_control());
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.ok() ? std::move(done).value() : DedupSummary{};
}

/// `words` words of a small vocabulary, different for each seed.
std::string some_words(std::uint64_t words, std::uint64_t seed) {
  return made_words("the quick brown fox", words, seed);
}

// One undecodable byte made a reader drop the rest of its file, with a warning.
TEST(Incidents, ABadByteInTheMiddleCostsOneRecordAtMost) {
  const ScratchFolder folder;
  std::string all;
  std::string kept;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    std::string line = "{\"id\":" + std::to_string(i) + ",\"text\":\"" + some_words(20, i) +
                       (i == 400 ? " caf\xe9 \xff\xfe end" : "") + "\"}\n";
    if (i == 500) line = "{\"id\":500\xff,\"text\":\"x\"}\n";
    all += line;
    if (i != 500) kept += line;
  }
  DedupOptions options;
  options.inputs = {folder.write("in.jsonl", all)};
  options.output = folder / "out";
  set_small_memory(options, 2, 1 << 24);
  const DedupSummary summary = run(options);
  EXPECT_EQ(summary.total.read, 1000U);
  EXPECT_EQ(summary.total.quarantined, 1U);
  EXPECT_EQ(summary.total.kept, 999U);
  EXPECT_EQ(get_file(options.output + "/in.jsonl"), kept);
  const auto lines = lines_of(folder.read("out/quarantine.jsonl"));
  ASSERT_EQ(lines.size(), 1U);
  const Result<JsonNode> line = read_json(lines[0], "quarantine");
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line.value()["record"].integer(), 501U);
  EXPECT_EQ(line.value()["offset"].integer(), all.find("{\"id\":500"));
}

// A file over --max-record after a small one was taken to have the small one's line.
TEST(Incidents, ATextThatIsTooLongAmongSmallOnesCostsItself) {
  const ScratchFolder folder;
  DedupOptions options;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "texts/" + std::to_string(i) + ".txt";
    const bool long_one = i % 3 == 1;
    folder.write(name, long_one ? std::string(300'000, 'x') : some_words(50, i));
  }
  options.inputs = {folder / "texts"};
  for (const unsigned threads : {1U, 2U, 7U}) {
    for (const std::uint64_t limit : {0U, 5U}) {
      options.output = folder / ("out" + std::to_string(threads) + std::to_string(limit));
      options.input.limit = limit;
      set_small_memory(options, threads, 1 << 24);
      options.input.max_record = 100'000;
      const DedupSummary summary = run(options);
      EXPECT_EQ(summary.total.read, limit == 0 ? 6U : limit);
      EXPECT_EQ(summary.total.quarantined, 2U);
      EXPECT_EQ(summary.total.kept, limit == 0 ? 4U : 3U);
      EXPECT_EQ(get_file(options.output + "/0.txt"), some_words(50, 0));
    }
  }
}

// An id was equal to the program's own value for "no such document".
TEST(Incidents, IdsThatLookLikeSentinelsAreIds) {
  const std::vector<std::string> ids{
      "4294967295",    "18446744073709551615", "-1",    "0",     "\"\"",
      "\"null\"",      "\"4294967295\"",       "false", "1e999", "{\"a\":[1]}",
      "\"in.jsonl:1\""};
  const ScratchFolder folder;
  std::string all;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    all += "{\"id\":" + ids[i] + ",\"text\":\"" + some_words(30, i) + "\"}\n";
  }
  const std::string originals = all;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    all += "{\"text\":\"" + some_words(30, i) + " more\",\"id\":" + ids[i] + "}\n";
  }
  DedupOptions options;
  options.inputs = {folder.write("in.jsonl", all)};
  options.output = folder / "out";
  set_small_memory(options, 1, 1 << 24);
  const DedupSummary summary = run(options);
  EXPECT_EQ(summary.total.near, ids.size());
  EXPECT_EQ(folder.read("out/in.jsonl"), originals);
  const RunOutput output = read_output(options.output);
  ASSERT_EQ(output.removed.size(), ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(output.removed[i].id, ids[i]);
    EXPECT_EQ(output.removed[i].survivor_id, ids[i]);
    EXPECT_EQ(output.removed[i].survivor_record, i + 1);
  }
}

// Without verification no cluster may lose all its members or keep two.
TEST(Incidents, VerificationBySketchKeepsOneOfEachCluster) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  constexpr std::uint64_t clusters = 40;
  for (std::uint64_t copy = 0; copy < 20; ++copy) {
    for (std::uint64_t cluster = 0; cluster < clusters; ++cluster) {
      std::string text = some_words(200, cluster);
      if (copy > 0) text = replace_words(text, 1, copy);
      collection.files[0].records.push_back(
          {std::to_string(cluster) + "-" + std::to_string(copy), text, ""});
    }
  }
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.verify = Check::sketch;
  const DedupSummary summary = run(options);
  EXPECT_EQ(summary.total.kept, clusters);
  EXPECT_EQ(summary.total.removed(), clusters * 19);
  EXPECT_EQ(summary.clusters, clusters);
  EXPECT_EQ(summary.largest_cluster, 20U);
  const RunOutput output = read_output(options.output);
  for (const RemovedLine& line : output.removed) {
    // The survivor is the first of the same cluster, and the estimate has its error.
    EXPECT_EQ(line.survivor_id.substr(0, line.survivor_id.find('-')),
              line.id.substr(0, line.id.find('-')));
    EXPECT_TRUE(line.survivor_id.ends_with("-0\""));
    if (line.kind == "near") {
      ASSERT_TRUE(line.standard_error.has_value());
      EXPECT_GT(*line.standard_error, 0);
      EXPECT_GE(line.resemblance, 0.8);
    }
  }
}

// Two groups of copies under one candidate group: half their text is the same.
// Regrouping by shared keys alone merged such groups.
TEST(Incidents, VerifiedGroupsThatShareHalfTheirTextStayApart) {
  const std::string shared = some_words(150, 1);
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (std::uint64_t copy = 0; copy < 30; ++copy) {
    for (std::uint64_t group = 0; group < 5; ++group) {
      const std::string text = shared + " " + some_words(150, 100 + group);
      collection.files[0].records.push_back(
          {std::to_string(group), copy == 0 ? text : replace_words(text, 2, copy), ""});
    }
  }
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  // Low enough that they share bands.
  options.resemblance = Ratio(7, 10);
  const DedupSummary summary = run(options);
  const RunOutput output = read_output(options.output);
  OracleCheck check(collection, options);
  check.check(summary, output);
  EXPECT_EQ(summary.total.kept, 5U);
  for (const RemovedLine& line : output.removed) EXPECT_EQ(line.id, line.survivor_id);
}

// 859,092 documents became 2: records of one template, joined by shared keys and then by chains.
// Here a record is removed only if it resembles its survivor.
TEST(Incidents, TwentyThousandRecordsOfOneTemplateAreTwentyThousand) {
  constexpr std::uint64_t records = 20'000;
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (std::uint64_t i = 0; i < records; ++i) {
    const std::uint64_t copied =
        i % 20 == 19 ? i - 7 : i;  // one in twenty is a copy except for a word
    std::string text =
        "the following record was exported from the catalogue of the city archive and may be "
        "used freely under the terms stated at the end name " +
        some_words(4, copied * 3) + " place " + some_words(3, copied * 3 + 1) +
        " remarks of the keeper " + some_words(9, copied * 3 + 2) +
        " end of the record please cite the archive when you use it in print or elsewhere";
    if (copied != i) text += " again";
    collection.files[0].records.push_back({"", text, ""});
  }
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.resources.threads = 2;
  options.resources.memory += std::uint64_t{64} << 20;
  const DedupSummary summary = run(options);
  EXPECT_EQ(summary.total.removed(), records / 20);
  EXPECT_EQ(summary.total.kept, records - records / 20);
  EXPECT_EQ(summary.largest_cluster, 2U);
  // Linear work: leaders and neighbors in each band group, not all pairs.
  EXPECT_LT(summary.candidate_pairs, records * 60);
}

// Documents that repeat themselves are not copies of each other: inserting n-grams twice removed
// 90 % of a collection.
TEST(Incidents, DocumentsOfTheirOwnAllStay) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const std::string once = some_words(40, i);
    collection.files[0].records.push_back({"", i % 2 == 0 ? once : once + " " + once, ""});
  }
  for (const bool containment : {false, true}) {
    const ScratchFolder folder;
    DedupOptions options = collection.write(folder);
    if (containment) options.containment = Ratio(9, 10);
    const DedupSummary summary = run(options);
    EXPECT_EQ(summary.total.kept, 2000U);
    EXPECT_EQ(get_file(options.output + "/in.jsonl"), collection.files[0].bytes());
  }
}

// A footer in 1,500 documents removes nothing, and a warning reports it.
TEST(Incidents, APlantedFooterContainsNobody) {
  const std::string footer = some_words(60, 1);
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (std::uint64_t i = 0; i < 1500; ++i) {
    collection.files[0].records.push_back({"", some_words(40, 100 + i) + "\n" + footer, ""});
  }
  const ScratchFolder folder;
  DedupOptions options = collection.write(folder);
  options.containment = Ratio(9, 10);
  const DedupSummary summary = run(options);
  EXPECT_EQ(summary.total.kept, 1500U);
  // One key in sixteen shingles of sixty words: a few keys, all of them common.
  // The other warning is of texts of one form.
  ASSERT_EQ(summary.warnings.size(), 2U);
  EXPECT_TRUE(std::ranges::any_of(summary.warnings, [](const std::string& warning) {
    return warning.find("common shingle") != std::string::npos;
  }));
  EXPECT_LT(summary.candidate_pairs, 20'000U);
}

// Versions that drift, each by one per cent of the words: the ends of the chain have nothing in
// common, and no copy is left.
TEST(Incidents, DriftingVersionsAreStarsAndNoneIsLeftBehind) {
  Tally at_90;
  Tally at_80;
  for (std::uint64_t chain = 0; chain < 3; ++chain) {
    MadeCollection collection{{{"in.jsonl", {}, false}}};
    const std::string original = some_words(300, chain);
    std::vector<MadeRecord>& records = collection.files[0].records;
    for (std::uint64_t version = 0; version < 150; ++version) {
      records.push_back({"", chain_version(original, version, chain), ""});
    }
    if (chain == 2) {  // out of order
      for (std::size_t i = 0; i < records.size(); ++i) {
        std::swap(records[i], records[mix64(i) % records.size()]);
      }
    }
    const ScratchFolder folder;
    DedupOptions options = collection.write(folder);
    const DedupSummary summary = run(options);
    const RunOutput output = read_output(options.output);
    OracleCheck check(collection, options);
    check.check(summary, output);
    check.add_recall(at_90, at_80);
    EXPECT_GT(summary.total.kept, 10U) << "a chain was followed";
    EXPECT_LT(summary.total.kept, 80U);
  }
  EXPECT_EQ(at_90.count, at_90.of);
  EXPECT_GE(at_80.value(), 0.999) << at_80.count << " of " << at_80.of;
}

// A collection that consists of copies of one document: one stays, and it is fast.
TEST(Incidents, ThirtyThousandCopiesAreOneDocument) {
  MadeCollection collection{{{"a.jsonl", {}, false}, {"b.jsonl.zst", {}, false}}};
  const std::string text = some_words(50, 1);
  for (std::uint64_t i = 0; i < 30'000; ++i) {
    collection.files[i % 2].records.push_back({"", i % 3 == 0 ? change_case(text, i) : text, ""});
  }
  const ScratchFolder folder;
  const DedupOptions options = collection.write(folder);
  const DedupSummary summary = run(options);
  EXPECT_EQ(summary.total.kept, 1U);
  EXPECT_EQ(summary.clusters, 1U);
  EXPECT_EQ(summary.largest_cluster, 30'000U);
  EXPECT_EQ(summary.candidate_pairs, 0U);
  EXPECT_EQ(get_file(options.output + "/b.jsonl.zst"), "");
}

}  // namespace
}  // namespace twinset
