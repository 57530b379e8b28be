#include "calibrate/choice.h"

#include <gmock/gmock.h>

#include "evaluate/random.h"
#include "scheme/estimate.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

/// Two documents and their pair, so many times. A pair of a value is found there and at every
/// looser one.
struct Made {
  std::vector<ObservedPair> pairs;
  std::vector<std::uint64_t> tokens;

  void add(std::size_t count, unsigned strictest, bool same, std::uint64_t length = 300) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto a = static_cast<std::uint32_t>(tokens.size());
      tokens.insert(tokens.end(), {length, length + 7});
      pairs.push_back({a, a + 1, ~std::uint32_t{0} << strictest, same});
    }
  }
};

const std::vector<std::string> values = {"0", "1", "2", "3"};

Choices chosen(const Made& made, ChoiceOptions options = {}) {
  Result<Choices> done = choose(made.pairs, made.tokens, values, options);
  EXPECT_TRUE(done.ok()) << done.error().message;
  return done.ok() ? std::move(done).value() : Choices();
}

TEST(Choice, TheLoosestValueOfEnoughPrecisionIsTaken) {
  Made made;
  made.add(400, 0, true);
  made.add(200, 2, true);
  made.add(300, 3, false);  // at 3, two thirds are right
  const Choices choices = chosen(made);
  ASSERT_EQ(choices.classes.size(), 1U);
  const CalibrationClass& of = choices.classes[0];
  EXPECT_EQ(of.chosen, 2U);
  EXPECT_TRUE(of.reached);
  EXPECT_EQ(choices.groups, 1200U) << "the documents of a wrong pair are two groups";
  EXPECT_EQ(of.rows[0].choosing.recall.of + of.rows[0].held_out.recall.of, 600U);
  EXPECT_EQ(of.rows[3].found, 900U);
  EXPECT_NEAR(of.rows[3].held_out.precision.value(), 2.0 / 3, 0.1);
  EXPECT_EQ(of.rows[2].held_out.precision.value(), 1);
}

TEST(Choice, TheLowerEndDecidesNotTheEstimate) {
  Made made;
  made.add(150, 0, true);
  made.add(3, 1, false);  // about .98 by estimate, below .95 by the lower end
  const Choices choices = chosen(made);
  const CalibrationClass& of = choices.classes[0];
  ASSERT_GT(of.rows[1].choosing.precision.of, of.rows[1].choosing.precision.count);
  EXPECT_GT(of.rows[1].choosing.precision.value(), 0.95);
  EXPECT_LT(of.rows[1].choosing.precision.low, 0.95);
  EXPECT_EQ(of.chosen, 0U);
}

TEST(Choice, LengthsChooseByThemselvesAndMergeIfTheyAreFew) {
  Made made;
  made.add(400, 0, true, 20);
  made.add(400, 1, false, 20);
  made.add(10, 0, true, 60);  // too few
  made.add(400, 0, true, 150);
  made.add(400, 3, true, 150);
  made.add(30, 0, true, 5000);  // too few: with the class before
  const Choices choices = chosen(made);
  ASSERT_EQ(choices.classes.size(), 2U);
  EXPECT_EQ(choices.classes[0].tokens.least, 0U);
  EXPECT_EQ(choices.classes[0].tokens.below, 50U);
  EXPECT_EQ(choices.classes[0].chosen, 0U);
  EXPECT_EQ(choices.classes[1].tokens.least, 50U);
  EXPECT_EQ(choices.classes[1].tokens.below, 0U);
  EXPECT_EQ(choices.classes[1].chosen, 3U);
}

TEST(Choice, OneValueForAllIsInAClassBehindTheLengths) {
  Made made;
  made.add(400, 0, true, 20);
  made.add(400, 0, true, 150);
  made.add(400, 2, false, 150);
  ChoiceOptions options;
  options.by_length = false;
  const Choices choices = chosen(made, options);
  ASSERT_EQ(choices.classes.size(), 3U);
  EXPECT_FALSE(choices.classes[0].chosen);
  EXPECT_FALSE(choices.classes[1].chosen);
  EXPECT_EQ(choices.classes[2].chosen, 1U);
}

TEST(Choice, MostRecallIsPreferredWhereValuesDoNotNest) {
  Made made;
  made.add(300, 0, true);
  for (ObservedPair& pair : made.pairs) pair.found = 0b0010;
  for (std::size_t i = 0; i < 200; ++i) made.pairs[i].found = 0b1111;
  ChoiceOptions options;
  options.prefer = Prefer::recall;
  EXPECT_EQ(chosen(made, options).classes[0].chosen, 1U);
  EXPECT_EQ(chosen(made).classes[0].chosen, 3U);
}

TEST(Choice, NoValueIsGoodEnoughSoTheStrictestStandsIn) {
  Made made;
  made.add(400, 0, true);
  made.add(400, 0, false);
  const CalibrationClass of = chosen(made).classes[0];
  EXPECT_EQ(of.chosen, 0U);
  EXPECT_FALSE(of.reached);
}

TEST(Choice, NoDocumentIsInBothHalves) {
  // A long chain of documents that are the same is one group, so all of it is in one half.
  Made made;
  made.add(400, 0, true);
  const auto begin = static_cast<std::uint32_t>(made.tokens.size());
  for (std::uint32_t i = 0; i < 500; ++i) {
    made.tokens.push_back(300);
    if (i > 0) made.pairs.push_back({begin + i - 1, begin + i, 0b1000, true});
  }
  const Choices choices = chosen(made);
  EXPECT_EQ(choices.groups, 401U);
  EXPECT_NEAR(choices.largest_group, 500.0 / 1300, 1e-9);
  const CalibrationRow& loosest = choices.classes[0].rows[3];
  EXPECT_EQ(loosest.found, 899U);
  const std::uint64_t more = loosest.choosing.recall.count > loosest.held_out.recall.count
                                 ? loosest.choosing.recall.count
                                 : loosest.held_out.recall.count;
  EXPECT_GT(more, 499U + 150);
  EXPECT_EQ(loosest.choosing.recall.of + loosest.held_out.recall.of, 899U);
}

TEST(Choice, WrongPairsBetweenTheHalvesBiasNoPrecision) {
  // 2,000 right pairs, and 1,000 wrong ones of documents at random: two thirds are right.
  Made made;
  made.add(2000, 0, true);
  SeededRandom random(11);
  for (int i = 0; i < 1000; ++i) {
    const auto a = static_cast<std::uint32_t>(random.below(2000));
    const auto b = static_cast<std::uint32_t>(2000 + random.below(2000));
    made.pairs.push_back({a, b, 0b1111, false});
  }
  const CalibrationRow row = chosen(made).classes[0].rows[0];
  EXPECT_EQ(row.found, 3000U);
  for (const HalfShares& half : {row.choosing, row.held_out}) {
    EXPECT_NEAR(half.precision.value(), 2.0 / 3, 0.03);
    EXPECT_LT(half.precision.low, 2.0 / 3);
    EXPECT_GT(half.precision.high, 2.0 / 3);
  }
  // A wrong pair within a group is in one half for certain, so it counts once.
  Made chain;
  chain.add(400, 0, true);
  const std::size_t pairs = chain.pairs.size();
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto third = static_cast<std::uint32_t>(chain.tokens.size());
    chain.tokens.push_back(300);
    chain.pairs.push_back({chain.pairs[i].b, third, 0b1111, true});
    chain.pairs.push_back({chain.pairs[i].a, third, 0b1111, false});
  }
  const CalibrationRow within = chosen(chain).classes[0].rows[0];
  EXPECT_EQ(within.choosing.precision.of + within.held_out.precision.of, 1200U);
  EXPECT_EQ(within.choosing.precision.count + within.held_out.precision.count, 800U);
}

TEST(Choice, TheSeedDealsTheHalves) {
  Made made;
  made.add(400, 0, true);
  ChoiceOptions options;
  options.seed = 2;
  EXPECT_NE(chosen(made).classes[0].rows[0].choosing.recall.of,
            chosen(made, options).classes[0].rows[0].choosing.recall.of);
}

TEST(Choice, TooFewGroupsAreAnError) {
  Made made;
  made.add(80, 0, true);
  const Result<Choices> done = choose(made.pairs, made.tokens, values, {});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::usage);
  EXPECT_THAT(done.error().message, HasSubstr("too few found pairs to tell a precision of 0.95: "
                                              "that takes 73 groups with found pairs"));
  EXPECT_FALSE(choose({}, {}, values, {}).ok());
  ChoiceOptions lower;
  lower.precision = {1, 2};
  EXPECT_TRUE(choose(made.pairs, made.tokens, values, lower).ok());
}

TEST(Choice, GroupsNeededAreTheFewestWhoseBoundReaches) {
  for (const Ratio& precision : {Ratio(1, 2), Ratio(9, 10), Ratio(19, 20), Ratio(99, 100)}) {
    const auto needed = static_cast<double>(groups_needed(precision));
    EXPECT_GE(wilson_interval(needed, needed).low, precision.value());
    EXPECT_LT(wilson_interval(needed - 1, needed - 1).low, precision.value());
  }
  EXPECT_EQ(groups_needed({19, 20}), 73U);
}

}  // namespace
}  // namespace twinset
