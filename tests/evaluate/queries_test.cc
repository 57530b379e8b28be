#include "evaluate/queries.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "evaluate/trial_for_tests.h"

namespace twinset {
namespace {

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;
constexpr std::uint32_t spam = 1;
constexpr std::uint32_t ham = 0;

struct Mail {
  std::string text;
  std::uint32_t label;
};

/// Three spam mails of the same ten words, one of them reversed, and a legitimate one; a pair of
/// cosine 0.8; one mail alone.
std::vector<Mail> mails() {
  return {{"a b c d e f g h i j", spam},   {"a b c d e f g h i j", spam},
          {"j i h g f e d c b a", spam},   {"a b c d e f g h i j", ham},
          {"lunch is at noon today", ham}, {"p q r s t u v w x y", spam},
          {"p q r s t u v w 1 2", spam}};
}

class Asked {
 public:
  explicit Asked(const std::vector<Mail>& mails) {
    for (const Mail& mail : mails) texts_.push_back(mail.text);
    for (const std::string& text : texts_) {
      analyses_.emplace_back();
      split_analyzer().analyze(text, Offsets::drop, analyses_.back());
    }
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      views_.emplace_back(texts_[i], analyses_[i], std::span<const std::uint64_t>(),
                          &split_analyzer());
      tokens_.emplace_back(analyses_[i].tokens);
      labels_.push_back(mails[i].label);
    }
  }

  Result<QueryEvaluation> ask(const TrialOptions& options, std::uint32_t wanted,
                              std::uint64_t memory_bytes = plenty) const {
    QueryEvaluation queries;
    queries.cost = 100;
    TWINSET_TRY(try_queries({views_, tokens_, labels_, wanted}, 5, memory_bytes, options, queries));
    return queries;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<Analysis> analyses_;
  std::vector<GivenView> views_;
  std::vector<std::span<const std::uint64_t>> tokens_;
  std::vector<std::uint32_t> labels_;
};

TrialOptions cosine_options(std::vector<std::string> specs) {
  TrialOptions options;
  options.specs = std::move(specs);
  options.truth = parse_truth("cosine:0.9").value();
  options.resemblance = Ratio(1, 2);
  options.analyzer = &split_analyzer();
  return options;
}

// Mails 0 to 3 are due partners of one another. `exact` finds {0, 1, 3} for each other, so for the
// spam queries 0, 1, 2, 5, 6: recall 2/3, 2/3, 0; precision 1, 1; utility 1 - 100 twice, and 0.
// I-18.
TEST(Queries, MeanRecallPrecisionAndUtilityByHand) {
  const auto queries = Asked(mails()).ask(cosine_options({"exact"}), spam);
  ASSERT_TRUE(queries.ok()) << queries.error().message;
  EXPECT_EQ(queries.value().documents, 7u);
  EXPECT_EQ(queries.value().queries, 5u);
  EXPECT_EQ(queries.value().with_partner, 3u);
  ASSERT_EQ(queries.value().rows.size(), 1u);
  const QueryMeasures& row = queries.value().rows[0];
  EXPECT_EQ(row.name, "exact");
  EXPECT_EQ(row.accepted, "keys");
  EXPECT_EQ(row.found, 4u);
  EXPECT_EQ(row.answered, 2u);
  EXPECT_DOUBLE_EQ(row.recall.value, 4.0 / 9);
  EXPECT_DOUBLE_EQ(row.precision.value, 1);
  EXPECT_EQ(row.increase, 0);
  EXPECT_EQ(row.wanted, 2u);
  EXPECT_EQ(row.unwanted, 2u);
  EXPECT_DOUBLE_EQ(row.utility.value, -198.0 / 5);
  EXPECT_EQ(tally(row.pure), (Tally{1, 1}));
  EXPECT_EQ(tally(row.one_label), (Tally{0, 1}));
  EXPECT_LE(row.recall.low, row.recall.value);
  EXPECT_GE(row.recall.high, row.recall.value);
  EXPECT_LT(row.precision.low, 0.5);  // two queries of one cluster are one observation
}

// Counted words at 0.5 find the reversed mail, and the pair 5, 6, which shares 8 of 12 words but is
// not due: recall 1; precision 1, 1, 1, 0, 0; utility 2 - 100 three times, 1 and 1.
// I-18, I-20: precision and pure clusters are two things.
TEST(Queries, AWrongPairLowersPrecisionAndPurityOnly) {
  const auto queries =
      Asked(mails()).ask(cosine_options({"exact", "mod(modulus=1, shingle=1)"}), spam);
  ASSERT_TRUE(queries.ok()) << queries.error().message;
  ASSERT_EQ(queries.value().rows.size(), 2u);
  const QueryMeasures& row = queries.value().rows[1];
  EXPECT_EQ(row.accepted, "estimate");
  EXPECT_EQ(row.found, 11u);
  EXPECT_EQ(row.answered, 5u);
  EXPECT_DOUBLE_EQ(row.recall.value, 1);
  EXPECT_DOUBLE_EQ(row.precision.value, 3.0 / 5);
  EXPECT_DOUBLE_EQ(*row.increase, 9.0 / 4 - 1);
  EXPECT_EQ(row.wanted, 8u);
  EXPECT_EQ(row.unwanted, 3u);
  EXPECT_DOUBLE_EQ(row.utility.value, (3 * -98 + 2) / 5.0);
  EXPECT_EQ(tally(row.pure), (Tally{1, 2}));
  EXPECT_EQ(tally(row.one_label), (Tally{1, 2}));
}

TEST(Queries, WithoutAWantedLabelEachDocumentAsks) {
  std::vector<Mail> unlabeled = mails();
  for (Mail& mail : unlabeled) mail.label = no_label;
  const auto queries = Asked(unlabeled).ask(cosine_options({"exact"}), no_label);
  ASSERT_TRUE(queries.ok());
  EXPECT_EQ(queries.value().queries, 7u);
  EXPECT_EQ(queries.value().with_partner, 4u);
  const QueryMeasures& row = queries.value().rows[0];
  EXPECT_DOUBLE_EQ(row.recall.value, 2.0 / 4);  // 2/3, 2/3, 0, 2/3
  EXPECT_EQ(row.wanted + row.unwanted, 0u);
  EXPECT_FALSE(row.one_label.known());
}

TEST(Queries, ACandidateSchemeIsAlsoMeasuredByItsEstimate) {
  const auto queries = Asked(mails()).ask(cosine_options({"fss"}), spam);
  ASSERT_TRUE(queries.ok());
  ASSERT_EQ(queries.value().rows.size(), 2u);
  EXPECT_EQ(queries.value().rows[0].accepted, "keys");
  EXPECT_EQ(queries.value().rows[1].accepted, "estimate");
  EXPECT_LE(queries.value().rows[1].found, queries.value().rows[0].found);
}

// With no shingle left out, and due pairs by the same resemblance, all is found and nothing else.
TEST(Queries, TheOracleAsASchemeIsPerfectForAnyNumberOfThreads) {
  std::vector<Mail> many;
  for (const SampledDocument& each : small_sample(3, 150)) {
    many.push_back({each.text, static_cast<std::uint32_t>(each.place.record % 2)});
  }
  const Asked asked(many);
  TrialOptions options;
  options.analyzer = &split_analyzer();
  options.specs = {"mod(modulus=1)", "fss", "exact"};
  options.threads = 1;
  const auto one = asked.ask(options, spam);
  options.threads = 3;
  const auto three = asked.ask(options, spam);
  ASSERT_TRUE(one.ok() && three.ok());
  const QueryMeasures& oracle = one.value().rows[0];
  EXPECT_GT(one.value().with_partner, 20u);
  EXPECT_EQ(oracle.answered, one.value().with_partner);
  EXPECT_EQ(oracle.recall.value, 1);
  EXPECT_EQ(oracle.precision.value, 1);
  EXPECT_EQ(oracle.pure.count, oracle.pure.of);
  ASSERT_EQ(one.value().rows.size(), three.value().rows.size());
  for (std::size_t i = 0; i < one.value().rows.size(); ++i) {
    const QueryMeasures& a = one.value().rows[i];
    const QueryMeasures& b = three.value().rows[i];
    EXPECT_EQ(a.found, b.found);
    EXPECT_EQ(a.recall.value, b.recall.value);
    EXPECT_EQ(a.recall.low, b.recall.low);
    EXPECT_EQ(a.utility.high, b.utility.high);
    EXPECT_EQ(tally(a.pure), tally(b.pure));
    EXPECT_EQ(tally(a.one_label), tally(b.one_label));
  }
}

TEST(Queries, NoDuePairIsNoRecall) {
  const auto queries =
      Asked({{"a b c", spam}, {"d e f", spam}}).ask(cosine_options({"exact"}), spam);
  ASSERT_TRUE(queries.ok());
  EXPECT_EQ(queries.value().with_partner, 0u);
  EXPECT_EQ(queries.value().rows[0].answered, 0u);
  EXPECT_FALSE(queries.value().rows[0].increase.has_value());
  EXPECT_FALSE(queries.value().rows[0].pure.known());
}

TEST(Queries, ErrorsAreSaid) {
  const Asked asked(mails());
  EXPECT_EQ(asked.ask(cosine_options({"exact"}), spam, 100).error().code, ErrorCode::usage);
  TrialOptions options = cosine_options({"exact"});
  options.keep_going = [] { return Status(Error{ErrorCode::interrupted, "stop"}); };
  EXPECT_EQ(asked.ask(options, spam).error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace twinset
