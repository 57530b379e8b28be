// Verification against std::set and against fractions worked out by hand.
#include "join/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <random>
#include <set>
#include <vector>

#include "join/join_testing.h"
#include "support/tries.h"
#include "system/threads.h"

namespace twinset {
namespace {

/// Documents of source 0 as lists of shingles; counts how often each is read.
class ListedShingles final : public ShingleSource {
 public:
  explicit ListedShingles(std::vector<std::vector<std::uint64_t>> lists)
      : lists_(std::move(lists)), asked_(lists_.size()) {}

  Status shingles(DocumentId document, std::vector<std::uint64_t>& out) override {
    const std::size_t at = static_cast<std::size_t>(document.record() - 1);
    ++asked_[at];
    if (at == failing) return io_error("cannot read it");
    if (at == too_large) throw std::bad_alloc();
    out = lists_[at];
    return {};
  }

  bool earlier_once(DocumentId document) const override {
    return every_once != 0 && document.record() % every_once == 0;
  }

  const std::vector<std::uint64_t>& list(std::size_t i) const { return lists_[i]; }
  std::size_t size() const { return lists_.size(); }
  int asked(std::size_t i) const { return asked_[i]; }

  std::size_t failing = ~std::size_t{0};
  std::size_t too_large = ~std::size_t{0};
  std::uint64_t every_once = 0;  ///< for one in so many documents earlier_once() is true

 private:
  std::vector<std::vector<std::uint64_t>> lists_;
  std::vector<std::atomic<int>> asked_;
};

Place place_of(std::size_t i) { return {0, {0, i + 1}}; }

Edge edge_of(std::size_t later, std::size_t earlier) {
  return Edge{.pair = {place_of(later), place_of(earlier)}};
}

/// Lists that overlap more or less: each takes a window of one sequence, with repeats.
std::vector<std::vector<std::uint64_t>> overlapping_lists(std::size_t count,
                                                          std::mt19937_64& random) {
  std::vector<std::vector<std::uint64_t>> lists(count);
  for (auto& list : lists) {
    const std::uint64_t begin = random() % 60;
    const std::uint64_t length = random() % 8 == 0 ? random() % 4 : random() % 400;
    for (std::uint64_t i = 0; i < length; ++i) {
      if (random() % 16 == 0) continue;
      list.push_back(begin + i);
      if (random() % 16 == 0) list.push_back(begin + random() % (i + 1));
    }
    std::shuffle(list.begin(), list.end(), random);
  }
  return lists;
}

Overlap overlap_of(const std::vector<std::uint64_t>& later,
                   const std::vector<std::uint64_t>& earlier) {
  const std::set<std::uint64_t> a(later.begin(), later.end());
  const std::set<std::uint64_t> b(earlier.begin(), earlier.end());
  Overlap overlap{0, static_cast<std::uint32_t>(a.size()), static_cast<std::uint32_t>(b.size())};
  for (const std::uint64_t shingle : a) overlap.shared += b.count(shingle) != 0 ? 1 : 0;
  return overlap;
}

/// The definition, in integers: a * denominator >= b * numerator.
bool reaches(std::uint64_t a, std::uint64_t b, const Ratio& ratio) {
  return b != 0 && a * ratio.denominator() >= b * ratio.numerator();
}

void expect_right(const Edge& edge, const Overlap& overlap, const Threshold& thresholds) {
  const bool near = reaches(overlap.shared, overlap.all(), thresholds.resemblance);
  const bool contained = thresholds.containment.has_value() &&
                         reaches(overlap.shared, overlap.later, *thresholds.containment);
  if (near || contained) {
    ASSERT_EQ(edge.link.state, LinkState::reached);
    ASSERT_EQ(edge.link.numbers.shared, overlap.shared);
    ASSERT_EQ(edge.link.numbers.later, overlap.later);
    ASSERT_EQ(edge.link.numbers.earlier, overlap.earlier);
  } else {
    ASSERT_EQ(edge.link.state, LinkState::below);
  }
}

std::vector<Threshold> some_thresholds() {
  return {{Ratio(4, 5), {}},           {Ratio(1, 1), {}},
          {Ratio(1, 1'000'000), {}},   {Ratio(1, 2), Ratio(9, 10)},
          {Ratio(9, 10), Ratio(1, 2)}, {Ratio(333'333, 1'000'000), Ratio(1, 1)}};
}

TEST(Verifier, FindsTheExactOverlapOrSaysBelow) {
  std::mt19937_64 random(1);
  for (const Threshold& thresholds : some_thresholds()) {
    ListedShingles source(overlapping_lists(tries(std::size_t{60}), random));
    Verifier verifier(thresholds, source, 1 << 20);
    Verifier::Member member;
    std::uint64_t verified = 0;
    for (std::size_t later = 0; later < source.size(); ++later) {
      member.start(place_of(later).document);
      for (std::size_t earlier = 0; earlier < source.size(); ++earlier) {
        if (earlier == later) continue;
        Edge edge = edge_of(later, earlier);
        ASSERT_TRUE(verifier.verify(member, edge).ok());
        expect_right(edge, overlap_of(source.list(later), source.list(earlier)), thresholds);
        if (HasFatalFailure()) FAIL() << later << " " << earlier;
        ++verified;
      }
    }
    EXPECT_EQ(verifier.verifications(), verified);
  }
}

// A resemblance of exactly four fifths reaches the threshold; a shingle less does not.
TEST(Verifier, TheThresholdItselfIsReached) {
  std::vector<std::uint64_t> ten(10);
  for (std::size_t i = 0; i < ten.size(); ++i) ten[i] = i + 1;
  const std::vector<std::uint64_t> eight(ten.begin(), ten.begin() + 8);
  const std::vector<std::uint64_t> seven(ten.begin(), ten.begin() + 7);
  ListedShingles source({ten, eight, seven, {}, {}});
  Verifier verifier({Ratio(4, 5), {}}, source, 0);
  Verifier::Member member;
  const auto state = [&](std::size_t later, std::size_t earlier) {
    member.start(place_of(later).document);
    Edge edge = edge_of(later, earlier);
    EXPECT_TRUE(verifier.verify(member, edge).ok());
    return edge.link.state;
  };
  EXPECT_EQ(state(1, 0), LinkState::reached);
  EXPECT_EQ(state(0, 1), LinkState::reached);
  EXPECT_EQ(state(2, 0), LinkState::below);
  // A document without shingles resembles nothing, not even another such document.
  EXPECT_EQ(state(3, 0), LinkState::below);
  EXPECT_EQ(state(0, 3), LinkState::below);
  EXPECT_EQ(state(4, 3), LinkState::below);
}

TEST(Verifier, AnyBudgetAndHintGiveTheSameAndALargeBudgetReadsOnce) {
  std::mt19937_64 random(2);
  const auto lists = overlapping_lists(40, random);
  const Threshold thresholds{Ratio(1, 2), Ratio(9, 10)};
  std::vector<Edge> expected;
  struct Case {
    std::uint64_t memory;
    std::uint64_t every_once;
  };
  for (const Case& one : {Case{1 << 30, 0}, Case{0, 0}, Case{5000, 0}, Case{1 << 30, 1},
                          Case{1 << 30, 2}, Case{5000, 3}}) {
    ListedShingles source(lists);
    source.every_once = one.every_once;
    Verifier verifier(thresholds, source, one.memory);
    Verifier::Member member;
    std::vector<Edge> found;
    for (std::size_t later = 1; later < lists.size(); ++later) {
      member.start(place_of(later).document);
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        Edge edge = edge_of(later, earlier);
        ASSERT_TRUE(verifier.verify(member, edge).ok());
        found.push_back(edge);
      }
    }
    if (expected.empty()) {
      expected = found;
      // Once as a member, once as a survivor.
      for (std::size_t i = 0; i < lists.size(); ++i) EXPECT_LE(source.asked(i), 2);
    }
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].link.state, expected[i].link.state);
      ASSERT_EQ(found[i].link.numbers.shared, expected[i].link.numbers.shared);
      ASSERT_EQ(found[i].link.numbers.later, expected[i].link.numbers.later);
      ASSERT_EQ(found[i].link.numbers.earlier, expected[i].link.numbers.earlier);
    }
  }
}

TEST(Verifier, ADocumentThatStandsInOnePairIsNotHeld) {
  ListedShingles source({{1, 2, 3}, {1, 2, 3}, {1, 2, 4}});
  source.every_once = 2;
  Verifier verifier({Ratio(1, 2), {}}, source, std::uint64_t{1} << 30);
  Verifier::Member member;
  member.start(place_of(2).document);
  for (int time = 1; time <= 3; ++time) {
    for (const std::size_t earlier : {0U, 1U}) {
      Edge edge = edge_of(2, earlier);
      ASSERT_TRUE(verifier.verify(member, edge).ok());
      EXPECT_EQ(edge.link.numbers.shared, 2U);
    }
    EXPECT_EQ(source.asked(0), 1);
    EXPECT_EQ(source.asked(1), time);
  }
  EXPECT_EQ(verifier.verifications(), 6U);
}

TEST(Verifier, AMemberIsReadWhenFirstNeededAndOnce) {
  ListedShingles source({{1, 2, 3}, {1, 2, 3}, {1, 2, 4}});
  Verifier verifier({Ratio(1, 2), {}}, source, 0);
  Verifier::Member member;
  member.start(place_of(2).document);
  EXPECT_EQ(source.asked(2), 0);
  for (int time = 0; time < 3; ++time) {
    for (const std::size_t earlier : {0U, 1U}) {
      Edge edge = edge_of(2, earlier);
      ASSERT_TRUE(verifier.verify(member, edge).ok());
      EXPECT_EQ(edge.link.state, LinkState::reached);
      EXPECT_EQ(edge.link.numbers.shared, 2U);
    }
  }
  EXPECT_EQ(source.asked(2), 1);
}

TEST(Verifier, ManyThreadsFindWhatOneFinds) {
  std::mt19937_64 random(3);
  ListedShingles source(overlapping_lists(50, random));
  const Threshold thresholds{Ratio(1, 2), {}};
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{20'000}}) {
    source.every_once = memory / 10'000;
    Verifier verifier(thresholds, source, memory);
    std::atomic<std::size_t> next = 0;
    const Status done = run_workers(7, [&](unsigned) -> Status {
      Verifier::Member member;
      for (std::size_t later; (later = next++) < source.size();) {
        member.start(place_of(later).document);
        for (std::size_t earlier = 0; earlier < source.size(); ++earlier) {
          Edge edge = edge_of(later, earlier);
          TWINSET_TRY(verifier.verify(member, edge));
          expect_right(edge, overlap_of(source.list(later), source.list(earlier)), thresholds);
        }
      }
      return {};
    });
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(verifier.verifications(), source.size() * source.size());
  }
}

TEST(Verifier, AFailedReadIsTheErrorOfAllWhoWait) {
  std::mt19937_64 random(4);
  for (const std::size_t failing : {0U, 1U}) {  // the member's, the other's
    ListedShingles source(overlapping_lists(2, random));
    source.failing = failing;
    Verifier verifier({Ratio(1, 2), {}}, source, 0);
    Verifier::Member member;
    member.start(place_of(0).document);
    Edge edge = edge_of(0, 1);
    const Status done = verifier.verify(member, edge);
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().message, "cannot read it");
    EXPECT_EQ(edge.link.state, LinkState::unjudged);
  }
}

// No thread waits forever for a set that did not fit into memory.
TEST(Verifier, ASetThatDoesNotFitLetsTheOthersGo) {
  std::mt19937_64 random(5);
  ListedShingles source(overlapping_lists(5, random));
  source.too_large = 0;
  Verifier verifier({Ratio(1, 2), {}}, source, 0);
  std::atomic<int> out_of_memory = 0;
  const Status done = run_workers(4, [&](unsigned worker) -> Status {
    Verifier::Member member;
    member.start(place_of(worker + 1).document);
    for (int round = 0; round < 20; ++round) {
      Edge edge = edge_of(worker + 1, 0);
      const Status verified = verifier.verify(member, edge);
      if (verified.ok()) continue;
      EXPECT_NE(verified.error().message.find("out of memory"), std::string::npos);
      ++out_of_memory;
    }
    return {};
  });
  EXPECT_TRUE(done.ok());
  EXPECT_GT(out_of_memory, 0);
}

}  // namespace
}  // namespace twinset
