// The steps of joining that all verbs share, over a collection with planted copies: their results,
// and that these do not depend on threads or memory.
#include "run/matcher.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <vector>

#include "run/stored_sketches.h"
#include "support_runs/cluster_testing.h"
#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

const MadeCollection& planted() {
  static const MadeCollection collection =
      planted_collection({.seed = 91, .documents = 400, .files = 3});
  return collection;
}

/// A run up to the search for pairs.
struct Folded {
  explicit Folded(const std::string& scheme, unsigned threads = 2)
      : fixture(planted(), [&](JobOptions& options) {
          options.scheme = scheme;
          set_small_memory(options, threads, 1 << 26);
        }) {
    fixture.read();
    matcher.emplace(fixture.job(), fixture.stores(), fixture.table(), 1 << 20);
    EXPECT_TRUE(matcher->fold(fixture.table()).ok());
  }
  std::vector<Edge> pairs(Check check) {
    std::vector<Edge> edges;
    const auto take = [&](std::span<const Edge> some) -> Status {
      edges.insert(edges.end(), some.begin(), some.end());
      return {};
    };
    const Job& job = fixture.job();
    const Result<std::uint64_t> seen = matcher->pair(
        *fixture.stores().bands, {*job.signer.scheme, job.thresholds, check, 1000}, take);
    EXPECT_TRUE(seen.ok());
    count = seen.ok() ? seen.value() : 0;
    return edges;
  }
  JobFixture fixture;
  std::optional<Matcher> matcher;
  std::uint64_t count = 0;
};

TEST(Matcher, FoldsEqualTextsIntoTheFirstOfThem) {
  Folded run("fss");
  const std::vector<PlainDocument> documents = plain_documents(planted(), "");
  const DocumentTable& table = run.fixture.table();
  ASSERT_EQ(documents.size(), table.size());
  std::set<std::string> kept;
  std::size_t copies = 0;
  for (std::uint64_t i = 0; i < documents.size(); ++i) {
    const Standing standing = table.standing(i);
    const bool first = standing.fate != Fate::kept || kept.insert(documents[i].text).second;
    EXPECT_TRUE(first) << i;
    if (!standing.folded()) continue;
    ++copies;
    EXPECT_LT(standing.other, i);
    EXPECT_EQ(documents[i].tokens, documents[standing.other].tokens) << i;
    EXPECT_EQ(table.standing(standing.other).fate, Fate::kept) << i;
  }
  EXPECT_GT(copies, 10U);
}

TEST(Matcher, PairsAreCheckedAsAskedFor) {
  Folded unchecked("fss");
  const std::vector<Edge> all = unchecked.pairs(Check::none);
  ASSERT_GT(all.size(), 60U);
  EXPECT_EQ(unchecked.count, all.size());
  Folded checked("fss");
  const std::vector<Edge> passed = checked.pairs(Check::exact);
  Folded estimated("fss");
  const std::vector<Edge> linked = estimated.pairs(Check::sketch);

  StoredSketches sketches(checked.fixture.job(), checked.fixture.stores().bands.get(),
                          *checked.fixture.stores().records, checked.fixture.table());
  SketchCheck check(*checked.fixture.job().signer.scheme, checked.fixture.job().thresholds,
                    sketches);
  auto next_passed = passed.begin();
  auto next_linked = linked.begin();
  for (const Edge& edge : all) {
    EXPECT_FALSE(checked.fixture.table()
                     .standing(checked.fixture.table().index(edge.pair.later.document))
                     .folded());
    if (check.passes(edge.pair).value()) {
      ASSERT_NE(next_passed, passed.end());
      EXPECT_EQ((next_passed++)->pair, edge.pair);
    }
    const std::optional<Link> link = check.link(edge.pair).value();
    if (!link.has_value()) continue;
    ASSERT_NE(next_linked, linked.end());
    EXPECT_EQ(next_linked->pair, edge.pair);
    EXPECT_EQ((next_linked++)->link.numbers.shared, link->numbers.shared);
  }
  EXPECT_EQ(next_passed, passed.end());
  EXPECT_EQ(next_linked, linked.end());
  EXPECT_LT(passed.size(), all.size());
}

TEST(Matcher, CountsWhatItsGuardLetsPass) {
  std::vector<SharedPair> first;
  for (const unsigned threads : {1U, 2U, 7U}) {
    for (const bool refuse : {false, true}) {
      Folded run("mod(modulus=4)", threads);
      const Job& job = run.fixture.job();
      std::vector<SampleSizes> sizes(run.fixture.table().size());
      ASSERT_TRUE(run.fixture.stores()
                      .counted->stored()
                      .for_each([&](std::uint64_t index, std::span<const std::uint8_t> count) {
                        sizes[index].keys.fill(count[0] | count[1] << 8);
                        return Status();
                      })
                      .ok());
      SharedPairStore out(
          RowsOptions{&job.context, job.spill + "out", 1 << 20, job.signer.fingerprint});
      std::uint64_t meetings = 0;
      const auto guard = [&](const GroupReport& found) -> Status {
        meetings = found.meetings;
        return refuse ? Status(usage_error("too many")) : Status();
      };
      const Result<std::uint64_t> counted =
          run.matcher->count(sizes, {.floor = {Ratio(1, 2), {}}, .gathered = guard}, out);
      EXPECT_GT(meetings, 100U);
      ASSERT_EQ(counted.ok(), !refuse);
      if (refuse) {
        EXPECT_EQ(counted.error().message, "too many");
        EXPECT_EQ(out.rows_added(), 0U);
        continue;
      }
      std::vector<SharedPair> pairs;
      ASSERT_TRUE(for_each_row(out, [&](const SharedPair& pair) { pairs.push_back(pair); }).ok());
      EXPECT_GE(counted.value(), pairs.size());
      EXPECT_GT(pairs.size(), 20U);
      if (first.empty()) first = pairs;
      ASSERT_EQ(pairs.size(), first.size());
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        EXPECT_EQ(pairs[i].a, first[i].a);
        EXPECT_EQ(pairs[i].b, first[i].b);
        EXPECT_EQ(pairs[i].keys.shared, first[i].keys.shared);
        EXPECT_GE(pairs[i].keys.shared * 2, pairs[i].keys.all());
      }
    }
  }
}

}  // namespace
}  // namespace twinset
