// The neighbors of each document against every two signatures compared.
#include "cluster/neighbors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "collection/output_lines.h"
#include "support_runs/cluster_testing.h"
#include "twinset/scheme.h"

namespace twinset {
namespace {

using namespace twinset::testing;
using ::testing::HasSubstr;

/// By id: the others within the distance, by id, with their distances.
using Listed = std::map<std::string, std::map<std::string, std::uint32_t>>;

/// The lists of a folder, each with its own documents in place of a reference to another.
Listed read_neighbors(const std::string& folder, const ClusterSummary& summary) {
  struct Line {
    std::vector<std::uint64_t> equal;
    std::vector<Neighbor> neighbors;
  };
  std::map<DocumentId, Line> lines;
  std::map<DocumentId, std::string> ids;
  const auto read = for_each_value<NeighborLine>(
      disk(), folder + "/neighbors.jsonl.zst", [&](NeighborLine& line) -> Result<bool> {
        const DocumentId document(line.input, line.record);
        ids[document] = line.id;
        EXPECT_TRUE(lines.empty() || lines.rbegin()->first < document);
        lines[document] = {line.equal, line.neighbors};
        return true;
      });
  EXPECT_TRUE(read.ok());
  EXPECT_FALSE(summary.inputs.empty());
  Listed listed;
  for (const auto& [document, line] : lines) {
    auto& own = listed[ids[document]];
    std::vector<Neighbor> neighbors = line.neighbors;
    if (!line.equal.empty()) {
      const DocumentId first(line.equal[0], line.equal[1]);
      neighbors = lines.at(first).neighbors;
      neighbors.push_back({first, 0});
    }
    const Neighbor* before = nullptr;
    for (const Neighbor& neighbor : line.neighbors) {
      EXPECT_TRUE(before == nullptr || before->distance < neighbor.distance ||
                  (before->distance == neighbor.distance && before->document < neighbor.document));
      before = &neighbor;
    }
    for (const Neighbor& neighbor : neighbors) {
      if (neighbor.document == document) continue;
      EXPECT_TRUE(own.emplace(ids.at(neighbor.document), neighbor.distance).second);
    }
  }
  return listed;
}

/// Short texts of a small vocabulary, some of them copies: many signatures are near.
std::vector<std::string> texts(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> made;
  for (std::size_t i = 0; i < 300; ++i) {
    if (!made.empty() && random() % 3 == 0) {
      made.push_back(made[random() % made.size()]);
      if (random() % 2 == 0) made.back() += " w" + std::to_string(random() % 40);
      if (random() % 4 == 0) made.back() += "!";
      continue;
    }
    std::string text = "common words of all";
    for (std::size_t n = 1 + random() % 12; n > 0; --n)
      text += " w" + std::to_string(random() % 40);
    made.push_back(text);
  }
  return made;
}

std::string id_of(std::size_t i) { return "\"d" + std::to_string(i) + "\""; }

/// In the order of `order`, dealt to two files.
ClusterOptions collection(const ScratchFolder& folder, const std::vector<std::string>& of,
                          const std::vector<std::size_t>& order, const std::string& name) {
  std::array<std::string, 2> files;
  for (std::size_t at = 0; at < order.size(); ++at) {
    files[at * 2 / order.size()] +=
        R"({"id": )" + id_of(order[at]) + R"(, "text": ")" + of[order[at]] + "\"}\n";
  }
  ClusterOptions options;
  options.inputs = {folder.write(name + "1.jsonl", files[0]),
                    folder.write(name + "2.jsonl", files[1])};
  options.output = folder / name;
  options.neighbors = true;
  return options;
}

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// S-20: every document leads a cluster of all within k bits, "<" meaning at most.
TEST(Neighbors, AreAllWithinTheDistance) {
  for (const char* scheme : {"simhash", "simhash(bits=128, weights=unit)"}) {
    for (const unsigned distance : {0U, 3U, 7U}) {
      const ScratchFolder folder;
      const std::vector<std::string> all = texts(distance + 1);
      ClusterOptions options = collection(folder, all, in_order(all.size()), "out");
      options.scheme = scheme;
      options.distance = std::to_string(distance);
      options.resources.threads = 1 + distance % 3;
      const Result<ClusterSummary> done = cluster(options, quiet_control());
      ASSERT_TRUE(done.ok()) << done.error().message;
      const TextScheme signer = make_scheme(scheme).value();
      std::vector<TextSketch> sketches;
      for (const std::string& text : all) sketches.push_back(signer.sketch(text).value());
      Listed expected;
      std::uint64_t listed = 0;
      for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t b = 0; b < all.size(); ++b) {
          const std::uint32_t differ =
              signer.compare(sketches[a], sketches[b]).value().distance->differ;
          if (a == b || differ > distance) continue;
          expected[id_of(a)][id_of(b)] = differ;
          ++listed;
        }
      }
      EXPECT_EQ(read_neighbors(options.output, done.value()), expected) << scheme << distance;
      EXPECT_GT(expected.size(), 50U);
      EXPECT_EQ(listed, 2 * done.value().distances.back().pairs);
    }
  }
}

// S-20: the lists are the same in any order of the input; the default stars are led by the first
// documents, and are not; stars led by a date are.
TEST(Neighbors, DoNotDependOnTheOrderOfTheInput) {
  const std::vector<std::string> all = texts(20);
  std::mt19937_64 random(1);
  std::vector<std::size_t> order = in_order(all.size());
  std::set<Listed> lists;
  std::set<Clusters> stars;
  for (int permutation = 0; permutation < 3; ++permutation) {
    const ScratchFolder folder;
    ClusterOptions options = collection(folder, all, order, "out");
    options.scheme = "simhash";
    options.distance = "5";
    options.shape = ClusterShape::stars;
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    lists.insert(read_neighbors(options.output, done.value()));
    stars.insert(read_clusters(options.output));
    std::ranges::shuffle(order, random);
  }
  EXPECT_EQ(lists.size(), 1U);
  EXPECT_EQ(stars.size(), 3U);
}

TEST(Neighbors, TooManyAreRefused) {
  const ScratchFolder folder;
  const std::vector<std::string> all(100, "the same text");
  ClusterOptions options = collection(folder, all, in_order(all.size()), "out");
  options.scheme = "simhash";
  options.max_meetings = 98;
  const Result<ClusterSummary> refused = cluster(options, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_NE(refused.error().message.find("would name 99 documents"), std::string::npos);
  options.max_meetings = 99;
  EXPECT_TRUE(cluster(options, quiet_control()).ok());
}

TEST(Neighbors, NeedOneDistance) {
  const ScratchFolder folder;
  const std::vector<std::string> all(2, "the same text");
  ClusterOptions options = collection(folder, all, in_order(all.size()), "out");
  const auto said = [&] {
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    return done.ok() ? "" : done.error().message;
  };
  EXPECT_THAT(said(), HasSubstr("which scheme mod does not tell"));
  options.scheme = "simhash";
  options.verify = Check::exact;
  EXPECT_THAT(said(), HasSubstr("does not decide by here"));
  options.verify.reset();
  options.distance = "100:2,3";
  EXPECT_THAT(said(), HasSubstr("as one number"));
  options.distance = "3";
  EXPECT_EQ(said(), "");
}

}  // namespace
}  // namespace twinset
