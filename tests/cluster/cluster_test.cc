// Clusters from end to end against brute force over all pairs, and recut of the kept pairs (rows
// B-14, B-15, B-17, B-18).
#include "twinset/cluster.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "cluster/edge_sample.h"
#include "support_runs/cluster_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;
// B-14, B-18: components of all pairs at one half; of copies one stands for all, and all come back.
TEST(Cluster, EqualsBruteForceComponents) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const MadeCollection collection =
        planted_collection({.seed = seed, .documents = 300, .compressed = seed == 2});
    for (const std::uint64_t max_group : {std::uint64_t{0}, std::uint64_t{6}}) {
      const ScratchFolder folder;
      ClusterOptions options = cluster_options(collection.write(folder));
      options.max_group = max_group;
      // Only counts leave out common keys; the texts would not.
      if (max_group != 0) options.verify = Check::sketch;
      const Result<ClusterSummary> done = cluster(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      const Clusters expected = expected_clusters(plain_documents(collection, folder / ""), 0.5,
                                                  no_containment, max_group);
      EXPECT_EQ(read_clusters(options.output), expected) << seed << " " << max_group;
      EXPECT_EQ(done.value().all.clusters, expected.size());
      EXPECT_EQ(done.value().read, 300U);
      EXPECT_GT(done.value().all.clusters, 10U);
    }
  }
}

TEST(Cluster, ContainedAndContainingDocumentsByOption) {
  const MadeCollection collection = planted_collection({.seed = 4, .documents = 300});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.containment = Ratio(4, 5);
  options.max_group = 0;
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const auto documents = plain_documents(collection, folder / "");
  EXPECT_EQ(read_clusters(options.output), expected_clusters(documents, 0.5, 0.8, 0));
  EXPECT_NE(read_clusters(options.output), expected_clusters(documents, 0.5, no_containment, 0));
}

TEST(Cluster, TheSameForAnyThreadsAndMemory) {
  const MadeCollection collection = planted_collection({.seed = 5, .documents = 600});
  const ScratchFolder folder;
  DedupOptions reading = collection.write(folder);
  std::map<std::string, std::string> first;
  int run = 0;
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const std::uint64_t more : {std::uint64_t{0}, std::uint64_t{64} << 20}) {
      set_small_memory(reading, threads, more + (1 << 20));
      ClusterOptions options = cluster_options(reading);
      options.output = folder / ("out" + std::to_string(++run));
      options.scheme = "mod(samples=32)";
      const Result<ClusterSummary> done = cluster(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      auto bytes = folder_bytes(options.output);
      if (first.empty()) first = bytes;
      EXPECT_EQ(bytes, first) << threads << " threads, " << more << " bytes more";
    }
  }
}

/// Documents of some words that repeat them or not, in all cases, with and without another word:
/// two or more rounds of the same words have one set of shingles, and one round has fewer.
std::string rounds_of_words(std::uint64_t seed, int documents) {
  std::mt19937_64 random(seed);
  std::string lines;
  for (int i = 0; i < documents; ++i) {
    const std::uint64_t family = random() % 40;
    std::string round;
    for (int word = 0; word < 12; ++word) round += "w" + std::to_string(family * 9 + word) + " ";
    std::string text;
    for (std::uint64_t rounds = 1 + random() % 4; rounds > 0; --rounds) text += round;
    if (random() % 4 == 0) text += "other" + std::to_string(random() % 3);
    if (random() % 4 == 0) text[0] = 'W';
    lines += R"({"id": ")" + std::to_string(i) + R"(", "text": ")" + text + "\"}\n";
  }
  return lines;
}

// B-18: copies by their set of shingles alone, too, are set aside and come back at the end with
// their kind; the clusters are those of a run that compares them all. Of texts and of samples.
TEST(Cluster, FoldsCopiesByShinglesAndTheClustersStay) {
  std::uint64_t by_shingles = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    for (const Check check : {Check::exact, Check::sketch}) {
      for (const ClusterShape shape : {ClusterShape::components, ClusterShape::stars}) {
        const ScratchFolder folder;
        ClusterOptions options;
        options.inputs = {folder.write("in.jsonl", rounds_of_words(seed, 300))};
        options.scheme = "mod(modulus=1)";
        options.verify = check;
        options.shape = shape;
        options.max_group = 0;
        options.resemblance = Ratio(4, 5);
        options.output = folder / "words";
        const Result<ClusterSummary> words = cluster(options, quiet_control());
        ASSERT_TRUE(words.ok()) << words.error().message;
        EXPECT_EQ(words.value().shingles, 0U);
        options.fold = Folding::shingles;
        options.output = folder / "shingles";
        const Result<ClusterSummary> sets = cluster(options, quiet_control());
        ASSERT_TRUE(sets.ok()) << sets.error().message;
        EXPECT_EQ(read_clusters(folder / "shingles"), read_clusters(folder / "words"));
        EXPECT_GT(sets.value().all.clusters, 20U);
        EXPECT_LT(sets.value().counted_pairs, words.value().counted_pairs);
        std::uint64_t kinds = 0;
        for (const std::string& line : lines_of(get_file(folder / "shingles/pairs.jsonl.zst"))) {
          kinds += line.find("\"shingles\": [") == std::string::npos ? 0 : 1;
        }
        EXPECT_EQ(kinds, sets.value().shingles);
        by_shingles += kinds;
        RecutOptions recut_options;
        recut_options.from = folder / "shingles";
        recut_options.output = folder / "recut";
        const Result<ClusterSummary> cut = recut(recut_options, quiet_control());
        ASSERT_TRUE(cut.ok()) << cut.error().message;
        EXPECT_EQ(read_clusters(folder / "recut"), read_clusters(folder / "words"));
      }
    }
  }
  EXPECT_GT(by_shingles, 1000U);
  ClusterOptions options;
  const ScratchFolder folder;
  options.inputs = {folder.write("in.jsonl", rounds_of_words(1, 3))};
  options.output = folder / "out";
  options.scheme = "simhash";
  options.fold = Folding::shingles;
  const Result<ClusterSummary> refused = cluster(options, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("simhash"), std::string::npos);
}

// MIN_s estimates from the smallest of the union, not from all shared keys.
TEST(Cluster, CountsSketchesWhereKeysDoNotTell) {
  const MadeCollection collection = planted_collection({.seed = 6, .documents = 250});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.max_group = 0;
  options.verify = Check::sketch;
  // Sketches that hold every document whole are exact.
  options.scheme = "min(samples=4096)";
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const auto expected =
      expected_clusters(plain_documents(collection, folder / ""), 0.5, no_containment, 0);
  EXPECT_EQ(read_clusters(options.output), expected);
  // Common keys do not count on either side, as for every scheme.
  options.output = folder / "common";
  options.max_group = 6;
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  EXPECT_EQ(read_clusters(options.output),
            expected_clusters(plain_documents(collection, folder / ""), 0.5, no_containment, 6));
  options.max_group = 0;
  options.output = folder / "small";
  options.scheme = "min(samples=16)";
  const Result<ClusterSummary> small = cluster(options, quiet_control());
  ASSERT_TRUE(small.ok());
  EXPECT_GT(small.value().kept_pairs, 10U);
  for (const std::string& text : lines_of(get_file(options.output + "/pairs.jsonl.zst"))) {
    const Result<JsonNode> line = read_json(text, "pairs");
    for (const JsonNode& pair : line.value()["pairs"].elements()) {
      const auto numbers = pair.elements();
      const std::uint64_t shared = *numbers[2].integer();
      const std::uint64_t all = *numbers[3].integer() + *numbers[4].integer() - shared;
      EXPECT_GE(2 * shared, all);
      EXPECT_LE(all, 32U) << "of two whole documents, or of the 16 smallest";
    }
  }
}

/// Documents that share half of their words, or two thirds.
MadeCollection halves(std::size_t families) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  SeededRandom random(31);
  for (std::size_t family = 0; family < families; ++family) {
    const std::string shared = made_words("to be or not that is the question", 260, random.next());
    for (int member = 0; member < 4; ++member) {
      collection.files[0].records.push_back(
          {"",
           shared + " " +
               made_words("all the world a stage", 100 + 20 * (family % 5), random.next()),
           ""});
    }
  }
  return collection;
}

// The texts decide by default. If estimates decide, the summary gives the share of wrong edges,
// closely enough.
TEST(Cluster, SketchesSayHowManyEdgesAreWrong) {
  const MadeCollection collection = halves(280);
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.scheme = "mod(samples=64)";
  const Result<ClusterSummary> exact = cluster(options, quiet_control());
  ASSERT_TRUE(exact.ok()) << exact.error().message;
  EXPECT_EQ(exact.value().check, Check::exact);
  EXPECT_FALSE(exact.value().checked_edges.has_value());
  const auto pairs_of = [](const std::string& output) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (const std::string& text : lines_of(get_file(output + "/pairs.jsonl.zst"))) {
      const Result<JsonNode> line = read_json(text, "pairs");
      for (const JsonNode& pair : line.value()["pairs"].elements()) {
        pairs.emplace(*line.value()["record"].integer(), *pair.elements()[1].integer());
      }
    }
    return pairs;
  };
  const auto right = pairs_of(options.output);
  options.output = folder / "sketch";
  options.verify = Check::sketch;
  const Result<ClusterSummary> sketch = cluster(options, quiet_control());
  ASSERT_TRUE(sketch.ok()) << sketch.error().message;
  std::uint64_t wrong = 0;
  for (const auto& pair : pairs_of(options.output)) wrong += right.contains(pair) ? 0 : 1;
  ASSERT_GT(sketch.value().edges, 500U);
  ASSERT_GT(wrong, 20U);
  ASSERT_TRUE(sketch.value().checked_edges.has_value());
  const CheckedEdges& said = *sketch.value().checked_edges;
  EXPECT_EQ(said.checked, EdgeSample::most_edges);
  const double share = static_cast<double>(wrong) / static_cast<double>(sketch.value().edges);
  // Six standard errors of 500 draws.
  EXPECT_NEAR(said.share.value, share, 6 * std::sqrt(share * (1 - share) / 500));
  EXPECT_LT(said.share.low, said.share.value);
}

// One shared key, the only one of two short documents, does not prove containment.
TEST(Cluster, ContainmentIsNotEstimatedFromFewKeys) {
  const MadeCollection collection = halves(150);
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.scheme = "mod(modulus=64)";
  options.resemblance = Ratio(9, 10);
  options.containment = Ratio(4, 5);
  options.verify = Check::sketch;
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().least_keys, 9U);
  EXPECT_GT(done.value().too_few_keys, 20U);
  // No document contains 0.8 of another here.
  EXPECT_LE(done.value().edges, done.value().too_few_keys / 5);
  options.output = folder / "exact";
  options.verify = Check::exact;
  const Result<ClusterSummary> exact = cluster(options, quiet_control());
  ASSERT_TRUE(exact.ok()) << exact.error().message;
  EXPECT_EQ(exact.value().edges, 0U);
  EXPECT_EQ(exact.value().too_few_keys, 0U);
}

// The share of pairs that keys miss is estimated from the pairs that they find.
TEST(Cluster, SaysWhichShareOfPairsItsKeysCannotSee) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  SeededRandom random(41);
  for (int pair = 0; pair < 600; ++pair) {
    // 30 to 79 words; the last one differs.
    const std::string text =
        made_words("some words that nobody keeps", 30 + random.below(50), random.next());
    collection.files[0].records.push_back({"", text + " one", ""});
    collection.files[0].records.push_back({"", text + " two", ""});
  }
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.max_group = 0;
  options.containment = Ratio(19, 20);
  const Result<ClusterSummary> all = cluster(options, quiet_control());
  ASSERT_TRUE(all.ok()) << all.error().message;
  ASSERT_TRUE(all.value().unseen_pairs.has_value());
  EXPECT_EQ(all.value().unseen_pairs->value, 0) << "every shingle is a key";
  options.scheme = "mod(modulus=16)";
  options.output = folder / "sampled";
  const Result<ClusterSummary> some = cluster(options, quiet_control());
  ASSERT_TRUE(some.ok()) << some.error().message;
  ASSERT_TRUE(some.value().unseen_pairs.has_value());
  const double unseen =
      1 - static_cast<double>(some.value().edges) / static_cast<double>(all.value().edges);
  EXPECT_GT(unseen, 0.02);
  EXPECT_LE(some.value().unseen_pairs->low, unseen);
  EXPECT_GE(some.value().unseen_pairs->high, unseen);
  EXPECT_LT(some.value().unseen_pairs->high, 0.5);
  options.output = folder / "without";
  options.containment.reset();
  EXPECT_FALSE(cluster(options, quiet_control()).value().unseen_pairs.has_value());
}

// A cost of counting that is too high is refused before counting, with remedies.
TEST(Cluster, TooManyMeetingsAreRefused) {
  const MadeCollection collection = planted_collection({.seed = 10, .documents = 200});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.max_meetings = 100;
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::usage);
  EXPECT_NE(done.error().text(Door::command_line).find("--max-group 5 would leave"),
            std::string::npos)
      << done.error().text(Door::command_line);
}

TEST(Cluster, SchemesAndThresholdsThatDoNotFitAreRefused) {
  const MadeCollection collection = planted_collection({.seed = 11, .documents = 20});
  const ScratchFolder folder;
  const ClusterOptions base = cluster_options(collection.write(folder));
  const auto refusal = [&](const auto& change) {
    ClusterOptions options = base;
    change(options);
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    EXPECT_FALSE(done.ok());
    EXPECT_FALSE(std::filesystem::exists(options.output + ".partial"));
    return done.ok() ? "" : done.error().text(Door::command_line);
  };
  EXPECT_NE(refusal([](ClusterOptions& o) { o.verify = Check::none; }).find("--floor 0"),
            std::string::npos);
  EXPECT_NE(refusal([](ClusterOptions& o) {
              o.scheme = "super_shingle";
              o.verify = Check::sketch;
            }).find("--verify exact"),
            std::string::npos);
  EXPECT_NE(refusal([](ClusterOptions& o) {
              o.scheme = "fss";
              o.containment = Ratio(9, 10);
              o.verify = Check::sketch;
            }).find("only the texts decide both"),
            std::string::npos);
  EXPECT_NE(refusal([](ClusterOptions& o) { o.floor = Ratio(3, 5); }).find("--floor 0.6"),
            std::string::npos);
  EXPECT_NE(refusal([](ClusterOptions& o) { o.floor = Ratio(0, 1); }).find("say --verify sketch"),
            std::string::npos);
  EXPECT_NE(refusal([](ClusterOptions& o) {
              o.scheme = "mod(samples=64)";
              o.containment = Ratio(9, 10);
            }).find("modulus=16"),
            std::string::npos);
  EXPECT_NE(refusal([](ClusterOptions& o) { o.containment = Ratio(0, 1); }).find("containment 0"),
            std::string::npos);
}

/// The only warning with these words.
std::string warning_with(const ClusterSummary& summary, const std::string& words) {
  std::string found;
  for (const std::string& warning : summary.warnings) {
    if (warning.find(words) == std::string::npos) continue;
    EXPECT_EQ(found, "");
    found = warning;
  }
  return found;
}

// Large numbers of near copies have all their keys cut: a warning says how they are compared.
TEST(Cluster, WarnsOfDocumentsThatAreMostlyCommon) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  for (int i = 0; i < 30; ++i) {
    collection.files[0].records.push_back(
        {"", "page " + std::to_string(i) + " of what everybody has seen more than once before",
         ""});
  }
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.max_group = 20;
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().mostly_common, 30U);
  EXPECT_EQ(done.value().without_keys, 0U);
  const std::string warning = warning_with(done.value(), "of their text with over");
  EXPECT_NE(warning.find("30 documents share most of their text"), std::string::npos) << warning;
}

// The summary counts those documents, and the warning has no other number for them.
TEST(Cluster, TheWarningOfCommonTextsHasTheNumberOfTheSummary) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  std::string shared;
  for (int word = 0; word < 60; ++word) shared += "common" + std::to_string(word) + " ";
  for (int i = 0; i < 60; ++i) {
    std::string own;
    // Half of them have words of their own: a fifth of their text.
    for (int word = 0; word < (i < 30 ? 15 : 1); ++word) {
      own += "own" + std::to_string(100 * i + word) + " ";
    }
    collection.files[0].records.push_back({"", shared + own, ""});
  }
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.max_group = 40;
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const std::string warning = warning_with(done.value(), "of their text with over");
  EXPECT_EQ(
      warning.rfind(std::to_string(done.value().mostly_common) + " documents share most of", 0), 0U)
      << warning;
  EXPECT_NE(warning.find("of them share nearly all: they were read again"), std::string::npos)
      << warning;
  EXPECT_NE(warning.find("; the others were compared by the rest alone. Raise "), std::string::npos)
      << warning;
}

/// Letters of three campaigns, each with a word of its own somewhere, among other texts.
MadeCollection campaigns() {
  MadeCollection collection{{{"in.jsonl", {}, false}, {"more.jsonl.gz", {}, false}}};
  SeededRandom random(43);
  std::vector<std::vector<std::string>> templates(3);
  for (auto& words : templates) {
    for (int i = 0; i < 80; ++i) words.push_back("w" + std::to_string(random.below(5000)));
  }
  for (std::size_t letter = 0; letter < 90; ++letter) {
    std::vector<std::string> words = templates[letter % 3];
    words[random.below(words.size())] = "name" + std::to_string(letter);
    std::string text;
    for (const std::string& word : words) text += word + " ";
    collection.files[letter % 2].records.push_back({"", text, ""});
  }
  for (int other = 0; other < 10; ++other) {
    std::string text;
    for (int i = 0; i < 80; ++i) text += "v" + std::to_string(random.below(5000)) + " ";
    collection.files[0].records.push_back({"", text, ""});
  }
  return collection;
}

TEST(Cluster, DocumentsOfCommonShinglesAreComparedByBands) {
  const MadeCollection collection = campaigns();
  const ScratchFolder folder;
  DedupOptions reading = collection.write(folder);
  const Clusters expected =
      expected_clusters(plain_documents(collection, folder / ""), 0.5, no_containment, 0);
  ASSERT_EQ(expected.size(), 3U);
  std::map<std::string, std::string> first;
  for (const unsigned threads : {1U, 2U, 7U}) {
    set_small_memory(reading, threads, 1 << 20);
    ClusterOptions options = cluster_options(reading);
    options.output = folder / ("out" + std::to_string(threads));
    options.max_group = 8;
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().mostly_common, 90U);
    // All of these are compared again, so nothing is advised.
    const std::string warning = warning_with(done.value(), "of their text with over");
    EXPECT_EQ(warning.rfind("90 documents share nearly all of their text", 0), 0U) << warning;
    EXPECT_EQ(warning.find("Raise"), std::string::npos) << warning;
    EXPECT_EQ(read_clusters(options.output), expected);
    const auto bytes = folder_bytes(options.output);
    if (first.empty()) first = bytes;
    EXPECT_EQ(bytes, first) << threads << " threads";
  }
  // If estimates decide, no text is read again.
  ClusterOptions options = cluster_options(reading);
  options.output = folder / "sketch";
  options.max_group = 8;
  options.verify = Check::sketch;
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().all.clusters, 0U);
  EXPECT_NE(
      render_message(Door::command_line, warning_with(done.value(), "of their text with over"))
          .find("use --verify exact"),
      std::string::npos);
}

// Bands find short versions of a text, which have no key at a fixed modulus; counts find long texts
// inside longer ones, which resemble each other too little for bands.
TEST(Cluster, TwoKeySetsFindWhatEachOfThemMisses) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  SeededRandom random(47);
  const auto add = [&](const std::string& text) {
    collection.files[0].records.push_back({"", text, ""});
  };
  const auto words = [&](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "w" + std::to_string(random.below(100000)) + " ";
    return text;
  };
  for (int i = 0; i < 40; ++i) {
    const std::string note = words(14);
    add(note);
    add(note + "again");
    const std::string part = words(600);
    add(part);
    add(words(2000) + part);
  }
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  const auto documents = plain_documents(collection, folder / "");
  const Clusters expected = expected_clusters(documents, 0.5, 0.8, 0);
  ASSERT_EQ(expected.size(), 80U);
  const auto clusters_of = [&](const std::string& scheme, bool contained) {
    options.scheme = scheme;
    options.output = folder / (scheme + (contained ? "-contained" : ""));
    options.containment.reset();
    if (contained) options.containment = Ratio(4, 5);
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    EXPECT_TRUE(done.ok()) << done.error().message;
    return read_clusters(options.output);
  };
  EXPECT_EQ(clusters_of("fss", true), expected);
  EXPECT_EQ(clusters_of("fss", false), expected_clusters(documents, 0.5, no_containment, 0));
  EXPECT_LT(clusters_of("mod(modulus=16)", true).size(), 75U);

  // Its folder can be cut again, by resemblance and by containment.
  RecutOptions again;
  again.from = folder / "fss-contained";
  again.output = folder / "again";
  again.resemblance = Ratio(7, 10);
  again.containment = Ratio(9, 10);
  const Result<ClusterSummary> cut = recut(again, quiet_control());
  ASSERT_TRUE(cut.ok()) << cut.error().message;
  EXPECT_EQ(read_clusters(again.output), expected_clusters(documents, 0.7, 0.9, 0));
}

TEST(Cluster, EmptyAndTinyInputs) {
  for (const std::uint64_t records : {0U, 1U}) {
    const ScratchFolder folder;
    MadeCollection collection{{{"in.jsonl", {}, false}}};
    if (records == 1) collection.files[0].records.push_back({"a", "all alone", ""});
    ClusterOptions options = cluster_options(collection.write(folder));
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().read, records);
    EXPECT_EQ(get_file(options.output + "/clusters.jsonl.zst"), "");
    EXPECT_EQ(get_file(options.output + "/pairs.jsonl.zst"), "");
  }
}

}  // namespace
}  // namespace twinset
