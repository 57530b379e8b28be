// Pairs of cluster checked by texts, by sketches or not at all, against brute force
// over all documents (row B-20: precision 1 at the threshold).
#include "cluster/pair_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scheme/scheme.h"
#include "support/real_data.h"
#include "support_runs/cluster_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

std::map<std::string, PlainDocument> by_id(std::vector<PlainDocument> documents) {
  std::map<std::string, PlainDocument> found;
  for (PlainDocument& document : documents) found[document.id] = std::move(document);
  return found;
}

const std::vector<std::string>& candidate_schemes() {
  static const std::vector<std::string> schemes{"fss",
                                                "minhash",
                                                "datasketch(values=64)",
                                                "super_shingle(modulus=2, window=2)",
                                                "mega_shingle(values=12, groups=6, shared=1)",
                                                "exact(level=2)"};
  return schemes;
}

// Every kept pair has the exact numbers of its texts and reaches the floor; the clusters are the
// components of the pairs at the threshold, and of copies.
// B-20: precision 1 at the threshold.
TEST(PairChecks, VerifiedPairsAreExact) {
  const MadeCollection collection =
      planted_collection({.seed = 21, .documents = 300, .compressed = true});
  for (const std::string& scheme : candidate_schemes()) {
    const ScratchFolder folder;
    ClusterOptions options = cluster_options(collection.write(folder));
    options.scheme = scheme;
    options.resemblance = Ratio(7, 10);
    options.floor = Ratio(1, 2);
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().check, Check::exact);
    const auto documents = by_id(plain_documents(collection, folder / ""));
    const ReadPairs pairs = read_pairs(options.output);
    if (!scheme.starts_with("exact")) {
      EXPECT_GT(pairs.size(), 50U) << scheme;
    }
    EXPECT_EQ(pairs.size(), done.value().kept_pairs);
    std::uint64_t edges = 0;
    for (const auto& [ids, numbers] : pairs) {
      const PlainDocument& a = documents.at(ids.first);
      const PlainDocument& b = documents.at(ids.second);
      const std::uint64_t shared = shared_shingles(a, b);
      ASSERT_EQ(numbers, (std::vector<std::uint64_t>{shared, a.shingles.size(), b.shingles.size()}))
          << scheme;
      const std::uint64_t either = a.shingles.size() + b.shingles.size() - shared;
      ASSERT_GE(2 * shared, either);
      edges += 10 * shared >= 7 * either ? 1 : 0;
    }
    EXPECT_EQ(edges, done.value().edges);
    EXPECT_GE(done.value().candidate_pairs, done.value().verified_pairs);
    EXPECT_GE(done.value().verified_pairs, pairs.size());
  }
}

// The same for 14,671 license texts and notices, by super shingles (row B-20).
TEST(PairChecks, VerifiedPairsAreExactOnRealTexts) {
  const std::string input = real_data("scancode-licences/licences.jsonl.zst");
  if (input.empty()) GTEST_SKIP() << "scancode-licences is not below TWINSET_DATA";
  const ScratchFolder folder;
  ClusterOptions options;
  options.inputs = {input};
  options.output = folder / "out";
  options.scheme = "super_shingle";
  options.resemblance = Ratio(4, 5);
  options.resources.threads = 2;
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  std::map<std::string, std::vector<std::uint64_t>> shingles;
  Analysis analysis;
  for (const std::string& line : lines_of(get_file(input))) {
    const Result<JsonNode> record = read_json(line, input);
    ASSERT_TRUE(record.ok());
    std::vector<std::uint64_t>& own = shingles[std::string(record.value()["id"].raw())];
    find_analyzer("words")->analyze(record.value()["text"].text(), Offsets::drop, analysis);
    shingle(analysis.tokens, 5, own);
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  const ReadPairs pairs = read_pairs(options.output);
  EXPECT_GT(pairs.size(), 5000U);
  EXPECT_LT(pairs.size(), done.value().candidate_pairs);
  std::vector<std::uint64_t> both;
  for (const auto& [ids, numbers] : pairs) {
    const std::vector<std::uint64_t>& a = shingles.at(ids.first);
    const std::vector<std::uint64_t>& b = shingles.at(ids.second);
    both.clear();
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    ASSERT_EQ(numbers, (std::vector<std::uint64_t>{both.size(), a.size(), b.size()}));
    ASSERT_GE(5 * both.size(), 4 * (a.size() + b.size() - both.size()));
  }
}

/// Components of documents by any relation, and of copies.
template <class Like>
Clusters components_of(const std::vector<PlainDocument>& documents, Like like) {
  std::vector<std::size_t> component(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    component[i] = i;
    for (std::size_t j = 0; j < i; ++j) {
      if (component[i] == component[j] || !like(i, j)) continue;
      const std::size_t from = std::max(component[i], component[j]);
      const std::size_t to = std::min(component[i], component[j]);
      std::replace(component.begin(), component.end(), from, to);
    }
  }
  Clusters clusters;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (component[i] != i) clusters[documents[component[i]].id].push_back(documents[i].id);
  }
  return clusters;
}

// B 5.3 without phase 3: documents that share a key are one cluster, although only the first of a
// group and neighbors are candidates.
// B-20.
TEST(PairChecks, WithoutCheckDocumentsOfOneKeyAreOneCluster) {
  const MadeCollection collection = planted_collection({.seed = 22, .documents = 300});
  for (const std::string& spec : candidate_schemes()) {
    const ScratchFolder folder;
    ClusterOptions options = cluster_options(collection.write(folder));
    options.scheme = spec;
    options.resemblance = Ratio(7, 10);
    options.verify = Check::none;
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    const auto scheme = make_scheme(spec, 0.7);
    ASSERT_TRUE(scheme.ok());
    const auto documents = plain_documents(collection, folder / "");
    std::vector<std::set<std::uint64_t>> keys(documents.size());
    Analysis analysis;
    std::vector<std::uint64_t> shingles;
    Sketch sketch;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (documents[i].tokens.empty()) continue;
      find_analyzer("words")->analyze(documents[i].text, Offsets::drop, analysis);
      shingle(analysis.tokens, 5, shingles);
      scheme.value()->sketch(
          GivenView(documents[i].text, analysis, shingles, find_analyzer("words")), sketch);
      std::vector<std::uint64_t> found;
      scheme.value()->keys(sketch, found);
      keys[i].insert(found.begin(), found.end());
    }
    const Clusters expected = components_of(documents, [&](std::size_t i, std::size_t j) {
      if (documents[i].tokens.empty() || documents[j].tokens.empty()) return false;
      if (documents[i].tokens == documents[j].tokens) return true;
      return std::any_of(keys[i].begin(), keys[i].end(),
                         [&](std::uint64_t key) { return keys[j].contains(key); });
    });
    EXPECT_EQ(read_clusters(options.output), expected) << spec;
    EXPECT_GT(expected.size(), 10U);
    for (const auto& [ids, numbers] : read_pairs(options.output)) {
      ASSERT_EQ(numbers, (std::vector<std::uint64_t>{1, 1, 1}));
    }
  }
}

// Equal sets of shingles with different tokens: the purpose of exact(level=2) (B 5.2).
TEST(PairChecks, EqualKeysAreJoinedToo) {
  const std::string round = "one two three four five six seven ";
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  collection.files[0].records = {{"twice", round + round, ""},
                                 {"thrice", round + round + round, ""},
                                 {"other", "eight nine ten eleven twelve thirteen", ""},
                                 {"four times", round + round + round + round, ""}};
  const ScratchFolder folder;
  DedupOptions reading = collection.write(folder);
  ClusterOptions options = cluster_options(reading);
  options.resemblance = Ratio(1, 1);
  for (const Check check : {Check::exact, Check::sketch, Check::none}) {
    options.scheme = "exact(level=2)";
    options.verify = check;
    options.output = folder / ("level 2" + std::to_string(static_cast<int>(check)));
    ASSERT_TRUE(cluster(options, quiet_control()).ok());
    EXPECT_EQ(read_clusters(options.output),
              (Clusters{{"\"twice\"", {"\"thrice\"", "\"four times\""}}}));
  }
  options.scheme = "exact";
  options.output = folder / "level 1";
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  EXPECT_TRUE(read_clusters(options.output).empty());
  reading.scheme = "exact(level=2)";
  for (const Check verification : {Check::exact, Check::sketch}) {
    reading.verify = verification;
    reading.output = folder / ("dedup" + std::to_string(static_cast<int>(verification)));
    const Result<DedupSummary> done = dedup(reading, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().total.near, 2U);
  }
}

// A pair that is alone in its groups needs only one shared key, so it is found with the probability
// that the plan gives.
TEST(PairChecks, FindWhatThePlanPromises) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  constexpr std::uint64_t twins = 1500;
  for (std::uint64_t i = 0; i < twins; ++i) {
    std::string text;
    for (int word = 0; word < 60; ++word) {
      text += "w" + std::to_string(i) + "x" + std::to_string(word) + " ";
    }
    collection.files[0].records.push_back({"a" + std::to_string(i), text, ""});
    // The last six of 56 shingles differ: resemblance 50 / 62.
    collection.files[0].records.push_back(
        {"b" + std::to_string(i),
         text.substr(0, text.rfind('w', text.size() - 30)) + "and more " + std::to_string(i), ""});
  }
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.scheme = "fss";
  options.resemblance = Ratio(7, 10);
  const auto documents = plain_documents(collection, folder / "");
  std::uint64_t like = 0;
  for (std::size_t i = 0; i < documents.size(); i += 2) {
    const std::uint64_t shared = shared_shingles(documents[i], documents[i + 1]);
    const std::uint64_t either =
        documents[i].shingles.size() + documents[i + 1].shingles.size() - shared;
    like += 10 * shared >= 7 * either ? 1 : 0;
  }
  ASSERT_GT(like, twins * 9 / 10);
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const double promised = *make_scheme("fss", 0.7).value()->match_probability(0.7);
  const double tolerance = std::sqrt(std::log(2e8) / (2.0 * static_cast<double>(like)));
  EXPECT_GE(static_cast<double>(done.value().edges) / static_cast<double>(like),
            promised - tolerance);
  EXPECT_LE(done.value().edges, like);
}

// Samples of 48 keys give rough estimates; checked with the texts, the clusters are exact.
TEST(PairChecks, CountedPairsAreVerifiedFromFourErrorsBelow) {
  for (const std::uint64_t seed : {23U, 24U}) {
    const MadeCollection collection =
        planted_collection({.seed = seed, .documents = 300, .most_words = 500});
    const ScratchFolder folder;
    ClusterOptions options = cluster_options(collection.write(folder));
    options.max_group = 0;
    const auto documents = plain_documents(collection, folder / "");
    const Clusters expected = expected_clusters(documents, 0.5, no_containment, 0);
    for (const char* scheme : {"mod(samples=48)", "min(samples=48)"}) {
      options.scheme = scheme;
      options.verify = Check::sketch;
      options.output = folder / (std::string(scheme) + " sketch");
      ASSERT_TRUE(cluster(options, quiet_control()).ok());
      EXPECT_NE(read_clusters(options.output), expected) << "nothing to mend";
      options.verify = Check::exact;
      options.output = folder / (std::string(scheme) + " exact");
      const Result<ClusterSummary> done = cluster(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      EXPECT_EQ(read_clusters(options.output), expected) << scheme << " " << seed;
      EXPECT_GT(done.value().verified_pairs, done.value().kept_pairs);
      const auto known = by_id(documents);
      for (const auto& [ids, numbers] : read_pairs(options.output)) {
        ASSERT_EQ(numbers[0], shared_shingles(known.at(ids.first), known.at(ids.second)));
        ASSERT_EQ(numbers[1], known.at(ids.first).shingles.size());
        ASSERT_EQ(numbers[2], known.at(ids.second).shingles.size());
      }
    }
  }
}

TEST(PairChecks, ContainmentEitherWayIsVerifiedToo) {
  const MadeCollection collection = planted_collection({.seed = 25, .documents = 300});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.containment = Ratio(4, 5);
  options.verify = Check::exact;
  options.max_group = 0;
  const auto documents = plain_documents(collection, folder / "");
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(read_clusters(options.output), expected_clusters(documents, 0.5, 0.8, 0));
  EXPECT_NE(read_clusters(options.output), expected_clusters(documents, 0.5, no_containment, 0));
  // Samples of half of the shingles: only true pairs.
  options.scheme = "mod(modulus=2)";
  options.output = folder / "half";
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const auto known = by_id(documents);
  const ReadPairs pairs = read_pairs(options.output);
  EXPECT_GT(pairs.size(), 100U);
  for (const auto& [ids, numbers] : pairs) {
    const auto& a = known.at(ids.first).shingles;
    const auto& b = known.at(ids.second).shingles;
    const std::uint64_t shared = shared_shingles(known.at(ids.first), known.at(ids.second));
    ASSERT_EQ(numbers[0], shared);
    ASSERT_TRUE(2 * shared >= a.size() + b.size() - shared ||
                5 * shared >= 4 * std::min(a.size(), b.size()));
  }
}

TEST(PairChecks, TheSameForAnyThreadsAndMemory) {
  const MadeCollection collection =
      planted_collection({.seed = 26, .documents = 500, .compressed = true});
  for (const char* scheme : {"fss", "super_shingle(modulus=2, window=2)", "mod(samples=32)"}) {
    const ScratchFolder folder;
    DedupOptions reading = collection.write(folder);
    std::map<std::string, std::string> first;
    int run = 0;
    for (const unsigned threads : {1U, 3U}) {
      for (const std::uint64_t more : {std::uint64_t{1} << 20, std::uint64_t{64} << 20}) {
        set_small_memory(reading, threads, more);
        ClusterOptions options = cluster_options(reading);
        options.output = folder / ("out" + std::to_string(++run));
        options.scheme = scheme;
        options.verify = Check::exact;
        const Result<ClusterSummary> done = cluster(options, quiet_control());
        ASSERT_TRUE(done.ok()) << done.error().message;
        auto bytes = folder_bytes(options.output);
        if (first.empty()) first = bytes;
        EXPECT_EQ(bytes, first) << scheme << ", " << threads << " threads, " << more;
      }
    }
  }
}

TEST(PairChecks, EstimatedPairsKeepTheirEstimate) {
  const MadeCollection collection = planted_collection({.seed = 27, .documents = 200});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.scheme = "fss";
  options.verify = Check::sketch;
  options.resemblance = Ratio(7, 10);
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const ReadPairs pairs = read_pairs(options.output);
  EXPECT_GT(pairs.size(), 30U);
  for (const auto& [ids, numbers] : pairs) {
    EXPECT_GE(numbers[0], 700'000U);
    EXPECT_EQ(numbers[1], 1'000'000U);
  }
}

// Verified pairs are valid for higher thresholds; unchecked pairs for none.
TEST(PairChecks, WhatRecutMakesOfThem) {
  const MadeCollection collection = planted_collection({.seed = 28, .documents = 300});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.scheme = "mod(samples=48)";
  options.verify = Check::exact;
  options.max_group = 0;
  options.floor = Ratio(3, 10);
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  RecutOptions wanted;
  wanted.from = options.output;
  for (const std::uint32_t tenths : {3U, 7U, 9U}) {
    wanted.output = folder / ("cut" + std::to_string(tenths));
    wanted.resemblance = Ratio(tenths, 10);
    const Result<ClusterSummary> cut = recut(wanted, quiet_control());
    ASSERT_TRUE(cut.ok()) << cut.error().message;
    EXPECT_EQ(cut.value().check, Check::exact);
    EXPECT_TRUE(cut.value().warnings.empty());
    EXPECT_EQ(read_clusters(wanted.output),
              expected_clusters(plain_documents(collection, folder / ""), tenths / 10.0,
                                no_containment, 0));
  }
  options.scheme = "fss";
  options.output = folder / "candidates";
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  wanted.from = options.output;
  wanted.output.clear();
  wanted.resemblance = Ratio(2, 5);
  const Result<ClusterSummary> below = recut(wanted, quiet_control());
  ASSERT_TRUE(below.ok()) << below.error().message;
  ASSERT_EQ(below.value().warnings.size(), 1U);
  EXPECT_NE(below.value().warnings[0].find("at a resemblance of 0.5"), std::string::npos);

  options.verify = Check::none;
  options.floor.reset();
  options.output = folder / "unchecked";
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  wanted.from = options.output;
  const Result<ClusterSummary> refused = recut(wanted, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text(Door::command_line).find("--verify exact"), std::string::npos);
  wanted.resemblance.reset();
  wanted.shape = ClusterShape::stars;
  EXPECT_TRUE(recut(wanted, quiet_control()).ok());
}

}  // namespace
}  // namespace twinset
