#include "join/link.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scheme/estimate.h"

namespace twinset {
namespace {

TEST(Overlap, GivesResemblanceAndBothContainments) {
  constexpr Overlap overlap{6, 8, 10};
  EXPECT_EQ(overlap.all(), 12U);
  EXPECT_DOUBLE_EQ(overlap.resemblance(), 0.5);
  EXPECT_DOUBLE_EQ(overlap.containment(), 0.75);
  EXPECT_DOUBLE_EQ(overlap.earlier_containment(), 0.6);
  EXPECT_EQ(Overlap{}.resemblance(), 0);
  EXPECT_EQ(Overlap{}.containment(), 0);
  EXPECT_EQ((Overlap{0, 0xffffffff, 0xffffffff}.all()), 0x1fffffffeU);
}

TEST(Link, GivesExactAndEstimatedNumbers) {
  constexpr Link exact = Link::exact({6, 8, 10});
  EXPECT_DOUBLE_EQ(exact.resemblance(), 0.5);
  EXPECT_DOUBLE_EQ(exact.containment(), 0.75);
  EXPECT_EQ(exact.standard_error(), 0);
  const Link estimate = Link::estimated(0.25, 0.01);
  EXPECT_DOUBLE_EQ(estimate.resemblance(), 0.25);
  EXPECT_DOUBLE_EQ(estimate.containment(), 0.25);
  EXPECT_DOUBLE_EQ(estimate.standard_error(), 0.01);
  EXPECT_DOUBLE_EQ(Link::copy().resemblance(), 1);
}

// An estimate is never rounded up over a threshold, and stays in [0, 1].
TEST(Link, EstimatesAreRoundedDownAndStayInRange) {
  EXPECT_EQ(Link::estimated(0.7999999, 0).numbers.shared, 799'999U);
  EXPECT_EQ(Link::estimated(0.8, 0.0123456789).numbers.later, 12'346U);
  EXPECT_EQ(Link::estimated(1.5, 0).resemblance(), 1);
  EXPECT_EQ(Link::estimated(-0.5, 0).resemblance(), 0);
}

// The nearest double below half a millionth may be a share's own: 123 of 240 is 0.5125.
TEST(Link, AnEstimateOfWholeMillionthsIsThem) {
  EXPECT_EQ(Link::estimated(123.0 / 240, 0).numbers.shared, 512'500U);
  for (std::uint32_t units = 0; units <= estimate_scale; ++units) {
    const double estimate = share(units, estimate_scale);
    ASSERT_EQ(estimate_units(estimate), units);
    if (units == 0) continue;
    ASSERT_EQ(estimate_units(std::nextafter(estimate, 0.0)), units - 1);
  }
}

// B-10: each estimate has an interval, by a method that suits its sample.
TEST(Link, EstimatesHaveIntervals) {
  EXPECT_FALSE(Link::exact({6, 8, 10}).interval().has_value());
  EXPECT_FALSE(Link::far(3, 64).interval().has_value());
  const Link keys{{3, 5, 6}, LinkKind::keys, LinkState::reached};
  const Interval exact = exact_interval(3, 8);
  EXPECT_EQ(keys.interval()->low, exact.low);
  EXPECT_EQ(keys.interval()->high, exact.high);
  // From the standard error alone the sample is found again, and so Wilson's interval.
  for (const std::uint64_t trials : {10U, 64U, 128U, 1000U}) {
    for (const double share : {0.0, 0.3, 0.5, 0.9, 1.0}) {
      const auto hits = static_cast<std::uint64_t>(share * static_cast<double>(trials));
      const Estimate from_sample = estimate_share(hits, trials, 0);
      const Link link = Link::estimated(from_sample.value, from_sample.standard_error);
      EXPECT_NEAR(link.interval()->low, from_sample.low, 1e-3) << trials << " " << share;
      EXPECT_NEAR(link.interval()->high, from_sample.high, 1e-3) << trials << " " << share;
    }
  }
  EXPECT_FALSE(Link::estimated(0.5, 0).interval().has_value()) << "nothing is left to estimate";
}

TEST(LinkOf, TellsTheOneKindThatASchemeTells) {
  Comparison comparison;
  EXPECT_EQ(link_of(comparison), std::nullopt);
  comparison.resemblance = Estimate{{0.5, 0.3, 0.7}, 0.1};
  EXPECT_EQ(link_of(comparison)->kind, LinkKind::estimate);
  EXPECT_EQ(comparison_of(*link_of(comparison)).resemblance->value, 0.5);
  EXPECT_EQ(comparison_of(*link_of(comparison)).resemblance->standard_error, 0.1);
  comparison = {};
  comparison.coordinate = 4;
  EXPECT_EQ(link_of(comparison)->kind, LinkKind::signature);
  EXPECT_EQ(comparison_of(*link_of(comparison)).coordinate, 4U);
  comparison = {};
  comparison.distance = BitDistance{3, 64};
  EXPECT_EQ(link_of(comparison)->kind, LinkKind::distance);
  EXPECT_EQ(comparison_of(*link_of(comparison)).distance->differ, 3U);
  EXPECT_EQ(comparison_of(*link_of(comparison)).distance->bits, 64U);
  for (const Link& link : {Link::candidate(), Link::exact({6, 8, 10})}) {
    EXPECT_EQ(verdict(comparison_of(link), {}), Verdict::unknown) << "no sketch says so";
  }
}

TEST(Link, TellsNoResemblanceThatItDoesNotKnow) {
  EXPECT_EQ(Link::far(3, 64).resemblance(), 0);
  EXPECT_EQ(Link::same_signature(5).resemblance(), 0);
  EXPECT_EQ(Link::candidate().resemblance(), 0);
  for (const Link& link : {Link::far(3, 64), Link::same_signature(5), Link::candidate()}) {
    EXPECT_FALSE(link.counts());
    EXPECT_EQ(link.state, LinkState::reached);
  }
}

TEST(Link, EveryKindIsReadBackAsItWasWritten) {
  const Link keys{{6, 8, 10}, LinkKind::keys, LinkState::reached};
  for (const Link& link : {Link::exact({6, 8, 10}), keys, Link::estimated(0.8125, 0),
                           Link::far(3, 64), Link::same_signature(5), Link::candidate()}) {
    const std::optional<LinkKind> kind = link_kind(link_kind_name(link.kind));
    ASSERT_TRUE(kind.has_value());
    const Link read = Link::read(*kind, link.written());
    EXPECT_EQ(read.kind, link.kind);
    EXPECT_EQ(read.resemblance(), link.resemblance());
    EXPECT_EQ(read.numbers.shared, link.numbers.shared);
    EXPECT_EQ(read.numbers.later, link.numbers.later);
    EXPECT_EQ(read.numbers.earlier, link.numbers.earlier);
  }
  EXPECT_EQ(link_kind("bits"), std::nullopt);
  // The written numbers of an estimate are also the sizes of two sets.
  EXPECT_DOUBLE_EQ(Link::estimated(0.8125, 0.02).written().resemblance(), 0.8125);
}

}  // namespace
}  // namespace twinset
