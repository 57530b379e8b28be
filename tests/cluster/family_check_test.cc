// Families of all sizes against brute force, compared by one thread or several: the pairs of a
// small one are compared by one thread, those of a large one by all, and a part of it at a time if
// it is very large.
#include "cluster/family_check.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support_runs/cluster_testing.h"

namespace twinset {
namespace {

using namespace twinset::testing;

TEST(FamilyChecks, OfAllSizesAreExact) {
  MadeCollection collection{{{"in.jsonl", {}, false}}};
  std::vector<MadeRecord>& records = collection.files[0].records;
  // Families take turns, and versions lose and regain parts.
  const std::vector<int> versions{120, 2, 95, 30, 3, 91, 2};
  for (int version = 0; version < 120; ++version) {
    for (std::size_t family = 0; family < versions.size(); ++family) {
      if (version >= versions[family]) continue;
      std::string text;
      for (int word = 0; word < 60; ++word) {
        const bool edited = (word * 7 + version * 3) % 61 < version % 5;
        text += "f" + std::to_string(family) + "w" + std::to_string(edited ? 100 + version : word) +
                " ";
      }
      records.push_back({std::to_string(records.size()), text, ""});
    }
  }
  std::map<std::string, std::string> first;
  for (const unsigned threads : {1U, 2U, 5U}) {
    const ScratchFolder folder;
    ClusterOptions options = cluster_options(collection.write(folder));
    options.resemblance = Ratio(1, 5);
    options.resources.memory = std::uint64_t{1} << 30;
    options.resources.threads = threads;
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    const auto bytes = folder_bytes(options.output);
    if (!first.empty()) {
      EXPECT_EQ(bytes.at("pairs.jsonl.zst"), first.at("pairs.jsonl.zst")) << threads;
      continue;
    }
    first = bytes;
    std::vector<PlainDocument> documents;  // without copies
    std::set<std::vector<std::uint64_t>> seen;
    for (PlainDocument& document : plain_documents(collection, folder / "")) {
      if (seen.insert(document.tokens).second) documents.push_back(std::move(document));
    }
    const ReadPairs pairs = read_pairs(options.output);
    std::uint64_t expected = 0;
    for (std::size_t a = 0; a < documents.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const PlainDocument& later = documents[a];
        const PlainDocument& earlier = documents[b];
        const std::uint64_t shared = shared_shingles(later, earlier);
        if (5 * shared < later.shingles.size() + earlier.shingles.size() - shared) continue;
        ++expected;
        ASSERT_EQ(
            pairs.at({later.id, earlier.id}),
            (std::vector<std::uint64_t>{shared, later.shingles.size(), earlier.shingles.size()}));
      }
    }
    EXPECT_EQ(pairs.size(), expected);
    EXPECT_GT(pairs.size(), 2 * 4096U);
  }
}

// A family of more shingles than a small memory holds, or with a text that only one thread may read
// at a time, is compared in part by what differs and in part pair by pair.
TEST(FamilyChecks, OneThatMemoryDoesNotHoldIsCompared) {
  struct Family {
    int versions;
    int long_one;
    std::uint64_t common;  ///< words
    std::uint64_t own;
  };
  // The last one has so many pairs that all threads compare them.
  for (const Family& made : {Family{38, 3, 60'000, 30'000}, Family{38, 38, 60'000, 30'000},
                             Family{93, 40, 3'000, 300}}) {
    std::string core;
    for (std::uint64_t i = 0; i < made.common; ++i) core += "c" + std::to_string(i) + " ";
    MadeCollection collection{{{"in.jsonl", {}, false}}};
    for (int version = 0; version < made.versions; ++version) {
      std::string text = core;
      const std::uint64_t more = version == made.long_one ? 120'000 : made.own;
      const std::string mark = "v" + std::to_string(version) + "x";
      for (std::uint64_t i = 0; i < more; ++i) text += mark + std::to_string(i) + " ";
      collection.files[0].records.push_back({std::to_string(version), text, ""});
    }
    const ScratchFolder folder;
    ClusterOptions options = cluster_options(collection.write(folder));
    options.scheme = "mod(modulus=16)";
    options.input.max_record = 64 << 20;
    options.resemblance = Ratio(1, 50);
    options.resources.threads = 1;
    std::vector<std::string> found;
    for (const std::uint64_t mebibytes : {176, 4096}) {
      options.resources.memory = mebibytes << 20;
      options.output = folder / std::to_string(mebibytes);
      const Result<ClusterSummary> done = cluster(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      EXPECT_EQ(done.value().verified_pairs, made.versions * (made.versions - 1) / 2U);
      found.push_back(get_file(options.output + "/pairs.jsonl.zst"));
    }
    EXPECT_TRUE(found[0] == found[1]);
    const ReadPairs pairs = read_pairs(options.output);
    EXPECT_EQ(pairs.size(), made.versions * (made.versions - 1) / 2U);
    // n words have n - 4 shingles; those of the core are the first of each text.
    const std::string long_id = '"' + std::to_string(made.long_one) + '"';
    for (const auto& [ids, numbers] : pairs) {
      const auto shingles = [&](const std::string& id) -> std::uint64_t {
        return made.common + (id == long_id ? 120'000 : made.own) - 4;
      };
      EXPECT_EQ(numbers, (std::vector<std::uint64_t>{made.common - 4, shingles(ids.first),
                                                     shingles(ids.second)}));
    }
  }
}

}  // namespace
}  // namespace twinset
