#include "join/link.h"

#include <gtest/gtest.h>

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
