#include "evaluate/trial_parts.h"

#include <gtest/gtest.h>

#include <map>

#include "evaluate/trial_for_tests.h"

namespace twinset {
namespace {

std::vector<std::string> names(const TrialParts& parts, const std::vector<std::size_t>& of) {
  std::vector<std::string> out;
  for (const PartFamily& family : parts.families()) {
    for (const std::size_t part : of) {
      if (part < family.first || part >= family.first + family.labels.size()) continue;
      out.push_back(family.name + ": " + family.labels[part - family.first]);
    }
  }
  return out;
}

TEST(TrialParts, NameEachPairByItsDocuments) {
  SeededRandom random(1);
  const std::string text = random_text(random, 100, 1'000'000);
  const std::string other = random_text(random, 30, 1'000'000);
  std::vector<SampledDocument> sample;
  for (const std::string& each : {text, text + " one more", other, other + " two more", text}) {
    sample.push_back(sampled(each, sample.size()));
    sample.back().place.label = sample.size() < 5 ? "a" : "b";
    sample.back().place.labeled = sample.size() != 4;
  }
  TrialSetOptions options = small_options();
  options.least_copies = 1;
  const TrialSet set = TrialSet::make(options, sample).value();
  ASSERT_EQ(set.documents().size(), 10u);
  const TrialParts parts(set, {4, 5});
  const auto of = [&](std::uint32_t a, std::uint32_t b) {
    return names(parts, parts.of_pair(set.exact_pair(a, b)));
  };
  // 96 of 98 shingles, 26 of 28: two components. Copies of both are in them as well.
  const std::vector<std::string> first = of(0, 1);
  ASSERT_EQ(first.size(), 5u);
  EXPECT_EQ(first[0], "kind: natural");
  EXPECT_EQ(first[1], "label: one label");
  EXPECT_EQ(first[2], "length: 50-199 tokens");
  EXPECT_EQ(first[4], "resemblance: >= 0.95");
  EXPECT_EQ(of(0, 4)[1], "label: two labels");
  const std::vector<std::string> second = of(2, 3);  // document 3 has no label
  ASSERT_EQ(second.size(), 4u);
  EXPECT_EQ(second[1], "length: <50 tokens");
  EXPECT_EQ(second[3], "resemblance: 0.90-0.95");
  EXPECT_EQ(of(0, 2), std::vector<std::string>());
  EXPECT_EQ(parts.cluster(0), parts.cluster(4));
  EXPECT_NE(parts.cluster(0), parts.cluster(2));
}

TEST(TrialParts, CountEveryDuePairOnceAFamily) {
  const TrialSet set = small_set();
  const TrialParts parts(set, {4, 5});
  PartCounts counts(parts);
  std::uint64_t due = 0;
  std::uint64_t contained = 0;
  std::map<std::string, std::uint64_t> planted;
  for (const ExactPair& pair : set.pairs()) {
    counts.add(parts.of_pair(pair), parts.cluster(pair.b), pair.a % 2 == 0);
    due += parts.due(pair) ? 1 : 0;
    contained += !parts.due(pair) && containment_truth({9, 10})->due(pair) ? 1 : 0;
    if (parts.due(pair) && set.kind(pair) == PairKind::planted) {
      ++planted[std::string(set.documents()[pair.b].edit->name)];
    }
  }
  const auto shares = counts.shares(1, {});
  ASSERT_TRUE(shares.ok());
  ASSERT_EQ(shares.value().size(), parts.size());
  EXPECT_EQ(shares.value()[parts.only_contained()].of, contained);
  for (const PartFamily& family : parts.families()) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < family.labels.size(); ++i) {
      const Share& share = shares.value()[family.first + i];
      sum += family.first + i == parts.only_contained() ? 0 : share.of;
      EXPECT_LE(share.low, share.value());
      if (family.name == "edit") {
        EXPECT_EQ(share.of, planted[family.labels[i]]);
      }
    }
    if (family.name != "edit" && family.name != "label") {
      EXPECT_EQ(sum, due) << family.name;
    }
  }
  const auto stopped = counts.shares(1, [] {
    return Status(Error{ErrorCode::interrupted, "stop"});
  });
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

TEST(TrialParts, ARemovalIsOfItsEditAndLength) {
  const TrialSet set = small_set();
  const TrialParts parts(set, {4, 5});
  const auto copy = static_cast<std::uint32_t>(set.originals());
  const auto of_copy = names(parts, parts.of_removal(copy));
  ASSERT_EQ(of_copy.size(), 3u);
  EXPECT_EQ(of_copy[0], "edit: " + std::string(set.documents()[copy].edit->name));
  EXPECT_EQ(names(parts, parts.of_removal(0)).size(), 2u);
}

}  // namespace
}  // namespace twinset
