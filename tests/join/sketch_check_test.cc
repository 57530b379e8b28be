// Tests which pairs sketches may drop with a scheme whose estimates are known, and which they do
// drop with the real schemes.
#include "join/sketch_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "join/held_pairs.h"
#include "join/join_testing.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

using testing::all_rows;
using testing::SpillFolder;
using testing::VectorCursor;

constexpr SchemeDeclaration listed_declaration{"listed", 1, SharedKey::candidate, "", "", {}};

/// A sketch is one byte. The resemblance of two is the smaller one in per cent, with a standard
/// error of one per cent. No byte means no signature.
class ListedScheme final : public Scheme {
 public:
  ListedScheme() : Scheme(listed_declaration, {}, {.stored_bytes = 1}) {}
  void keys(const Sketch&, std::vector<std::uint64_t>&) const override {}
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    Comparison comparison;
    if (a.empty() || b.empty()) return comparison;
    comparison.resemblance = Estimate{{std::min(a[0], b[0]) / 100.0, 0, 1}, 0.01};
    return comparison;
  }

 private:
  void fill(const DocumentView&, Sketch&) const override {}
};

/// Sketches by record number; later records have none.
class ListedSketches final : public SketchSource {
 public:
  explicit ListedSketches(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  Status stored(DocumentId document, std::vector<std::uint8_t>& out) override {
    ++reads;
    if (document.record() == failing) return io_error("cannot read it");
    out.clear();
    if (document.record() <= bytes_.size()) out.push_back(bytes_[document.record() - 1]);
    return {};
  }
  Result<std::uint64_t> tokens(DocumentId document) override { return 10 * document.record(); }
  std::atomic<int> reads = 0;
  std::uint64_t failing = 0;

 private:
  std::vector<std::uint8_t> bytes_;
};

Pair pair_of(std::uint64_t later, std::uint64_t earlier) {
  return {{0, {0, later}}, {0, {0, earlier}}};
}

TEST(SketchCheck, DropsOnlyWhatLiesFourStandardErrorsBelow) {
  const ListedScheme scheme;
  ListedSketches sketches({100, 80, 77, 76, 75, 10});
  SketchCheck check(scheme, {}, sketches);
  const auto passes = [&](std::uint64_t later, std::uint64_t earlier) {
    const Result<bool> passed = check.passes(pair_of(later, earlier));
    EXPECT_TRUE(passed.ok());
    return passed.value();
  };
  EXPECT_TRUE(passes(2, 1));
  EXPECT_TRUE(passes(3, 1));
  EXPECT_TRUE(passes(3, 2));
  EXPECT_FALSE(passes(5, 1));
  EXPECT_FALSE(passes(1, 5));
  EXPECT_FALSE(passes(6, 1));
  // Without a signature on either side the answer is unknown, so the pair passes.
  EXPECT_TRUE(passes(7, 1));
  EXPECT_TRUE(passes(6, 7));
}

// With containment a pair is dropped only if it can reach neither threshold: two sets of a and b
// elements with resemblance r share r (a + b) / (1 + r).
TEST(SketchCheck, ContainmentIsBoundedByTheSizes) {
  const ListedScheme scheme;
  ListedSketches sketches({100, 80, 30, 6, 0});
  SketchCheck check(scheme, Threshold{Ratio(4, 5), Ratio(9, 10)}, sketches);
  const auto passes = [&](std::uint64_t later, std::uint32_t later_size,
                          std::uint32_t earlier_size) {
    const Result<bool> passed = check.passes(pair_of(later, 1), later_size, earlier_size);
    EXPECT_TRUE(passed.ok());
    return passed.value();
  };
  EXPECT_TRUE(passes(2, 100, 100));
  EXPECT_FALSE(passes(3, 100, 100));
  // At 0.3 + 0.04, 0.9 of 100 can be in a set of 255 or more.
  EXPECT_TRUE(passes(3, 100, 255));
  EXPECT_FALSE(passes(3, 100, 254));
  EXPECT_FALSE(passes(3, 255, 100));
  // A short text inside a long one hardly resembles it and is wholly contained.
  EXPECT_TRUE(passes(4, 100, 1000));
  EXPECT_TRUE(passes(5, 100, 100'000));
  EXPECT_FALSE(passes(5, 100, 100));
  // An unknown pair passes.
  EXPECT_TRUE(passes(6, 100, 100));
}

TEST(SketchCheck, ReadsTheLaterDocumentOnce) {
  const ListedScheme scheme;
  ListedSketches sketches(std::vector<std::uint8_t>(10, 90));
  SketchCheck check(scheme, {}, sketches);
  for (std::uint64_t earlier = 1; earlier < 10; ++earlier) {
    ASSERT_TRUE(check.passes(pair_of(10, earlier)).ok());
  }
  EXPECT_EQ(sketches.reads, 10);
}

std::vector<Pair> many_pairs(std::uint64_t documents, std::size_t count, std::mt19937_64& random) {
  std::vector<Pair> pairs(count);
  for (Pair& pair : pairs) {
    pair = pair_of(2 + random() % (documents - 1), 1);
    pair.earlier.document = {0, 1 + random() % (pair.later.document.record() - 1)};
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// The edges that check_pairs() gives.
struct Taken {
  std::vector<Edge> edges;
  TakeEdges take() {
    return [this](std::span<const Edge> some) -> Status {
      edges.insert(edges.end(), some.begin(), some.end());
      return {};
    };
  }
};

TEST(CheckPairs, KeepsTheOrderForAnyNumberOfThreads) {
  std::mt19937_64 random(1);
  const ListedScheme scheme;
  std::vector<std::uint8_t> bytes(500);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(60 + random() % 40);
  const std::vector<Pair> pairs = many_pairs(520, 50'000, random);
  std::vector<Pair> expected;
  for (const Pair& pair : pairs) {
    const std::uint64_t a = pair.later.document.record();
    const std::uint64_t b = pair.earlier.document.record();
    const bool unknown = a > bytes.size() || b > bytes.size();
    if (unknown || std::min(bytes[a - 1], bytes[b - 1]) / 100.0 >= 0.8 - 4 * 0.01) {
      expected.push_back(pair);
    }
  }
  for (const unsigned threads : {1U, 2U, 7U}) {
    const SpillFolder spill(threads);
    ListedSketches sketches(bytes);
    VectorCursor<Pair> cursor(pairs);
    Taken taken;
    const Result<std::uint64_t> seen =
        check_pairs(spill.context(), cursor, scheme, {}, sketches, Check::exact, taken.take());
    ASSERT_TRUE(seen.ok());
    EXPECT_EQ(seen.value(), pairs.size());
    ASSERT_EQ(taken.edges.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(taken.edges[i].pair, expected[i]);
      ASSERT_EQ(taken.edges[i].link.state, LinkState::unjudged);
    }
  }
}

// The sketches' link is the answer, even below the threshold; unknown pairs are left out.
TEST(CheckPairs, WithoutTextsALinkIsGivenOrNothingAsked) {
  const ListedScheme scheme;
  const SpillFolder spill(2);
  const std::vector<Pair> pairs{pair_of(2, 1), pair_of(3, 1), pair_of(4, 1), pair_of(4, 3)};
  ListedSketches sketches({100, 92, 10});
  VectorCursor<Pair> cursor(pairs);
  Taken linked;
  ASSERT_TRUE(
      check_pairs(spill.context(), cursor, scheme, {}, sketches, Check::sketch, linked.take())
          .ok());
  ASSERT_EQ(linked.edges.size(), 2U);
  EXPECT_DOUBLE_EQ(linked.edges[0].link.resemblance(), 0.92);
  EXPECT_DOUBLE_EQ(linked.edges[1].link.resemblance(), 0.10);

  sketches.reads = 0;
  VectorCursor<Pair> again(pairs);
  Taken all;
  ASSERT_TRUE(
      check_pairs(spill.context(), again, scheme, {}, sketches, Check::none, all.take()).ok());
  ASSERT_EQ(all.edges.size(), 4U);
  EXPECT_EQ(all.edges[2].link.kind, LinkKind::nothing);
  EXPECT_EQ(sketches.reads, 0);
}

TEST(CheckPairs, AFailureAndACancelEndAllWorkers) {
  std::mt19937_64 random(2);
  const ListedScheme scheme;
  const std::vector<Pair> pairs = many_pairs(500, 60'000, random);
  for (const unsigned threads : {1U, 2U, 7U}) {
    SpillFolder spill(threads);
    {
      ListedSketches sketches(std::vector<std::uint8_t>(500, 90));
      sketches.failing = 333;
      VectorCursor<Pair> cursor(pairs);
      Taken taken;
      const auto done =
          check_pairs(spill.context(), cursor, scheme, {}, sketches, Check::exact, taken.take());
      ASSERT_FALSE(done.ok());
      EXPECT_EQ(done.error().message, "cannot read it");
    }
    const std::atomic<bool> cancel = true;
    spill.context().cancel = &cancel;
    ListedSketches sketches(std::vector<std::uint8_t>(500, 90));
    VectorCursor<Pair> cursor(pairs);
    Taken taken;
    const auto done =
        check_pairs(spill.context(), cursor, scheme, {}, sketches, Check::exact, taken.take());
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, ErrorCode::interrupted);
  }
}

TEST(SketchJudge, TheEstimateDecidesAndItsErrorStays) {
  const ListedScheme scheme;
  ListedSketches sketches({100, 80, 79, 92});
  SketchJudge judge(scheme, {}, sketches);
  const auto judged = [&](std::uint64_t later, std::uint64_t earlier) {
    Edge edge{.pair = pair_of(later, earlier)};
    judge.start(edge.pair.later.document);
    EXPECT_TRUE(judge.judge(edge).ok());
    return edge;
  };
  const Edge near = judged(4, 1);
  EXPECT_EQ(near.link.state, LinkState::reached);
  EXPECT_EQ(near.link.numbers.shared, 920'000U);
  EXPECT_EQ(near.link.numbers.later, 10'000U);
  EXPECT_EQ(judge.fate(near), Fate::near);
  EXPECT_EQ(judged(2, 1).link.state, LinkState::reached);
  EXPECT_EQ(judged(3, 1).link.state, LinkState::below);
  EXPECT_EQ(judged(5, 1).link.state, LinkState::below);
}

/// A sketch is a byte, used as a fingerprint of 8 bits.
class BitScheme final : public Scheme {
 public:
  BitScheme() : Scheme(listed_declaration, {}, {.stored_bytes = 1}) {}
  void keys(const Sketch&, std::vector<std::uint64_t>&) const override {}
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    Comparison comparison;
    if (a.empty() || b.empty()) return comparison;
    const unsigned differing = a[0] ^ b[0];
    comparison.distance = BitDistance{static_cast<std::uint32_t>(std::popcount(differing)), 8};
    return comparison;
  }

 private:
  void fill(const DocumentView&, Sketch&) const override {}
};

TEST(SketchJudge, ADistanceIsHeldAgainstADistance) {
  const BitScheme scheme;
  ListedSketches sketches({0b0000, 0b0001, 0b0111, 0b1111});
  Threshold two;
  two.distance = DistanceLimit(2);
  SketchJudge judge(scheme, two, sketches);
  SketchCheck check(scheme, two, sketches);
  SketchJudge of_texts(scheme, {}, sketches);
  const std::vector<std::pair<std::uint64_t, bool>> expected{
      {2, true}, {3, false}, {4, false}, {5, false}};
  for (const auto& [later, near] : expected) {
    Edge edge{.pair = pair_of(later, 1)};
    ASSERT_TRUE(judge.judge(edge).ok());
    EXPECT_EQ(edge.link.state == LinkState::reached, near) << later;
    EXPECT_TRUE(check.passes(edge.pair).value()) << "the texts decide";
    ASSERT_TRUE(of_texts.judge(edge).ok());
    EXPECT_EQ(edge.link.state, LinkState::below);
  }
  Edge edge{.pair = pair_of(4, 3)};
  ASSERT_TRUE(judge.judge(edge).ok());
  EXPECT_EQ(edge.link.kind, LinkKind::distance);
  EXPECT_EQ(edge.link.numbers.shared, 1U);
  EXPECT_EQ(edge.link.numbers.later, 8U);
}

// Record i has 10 i tokens.
TEST(SketchJudge, ADistanceMayDependOnTheShorterLength) {
  const BitScheme scheme;
  ListedSketches sketches({0b0000, 0b0001, 0b0011, 0b0111});
  Threshold table;
  table.distance = DistanceLimit::parse("20:0,30:1,2").value();
  SketchJudge judge(scheme, table, sketches);
  const auto reached = [&](std::uint64_t later, std::uint64_t earlier) {
    Edge edge{.pair = pair_of(later, earlier)};
    EXPECT_TRUE(judge.judge(edge).ok());
    return edge.link.state == LinkState::reached;
  };
  EXPECT_FALSE(reached(2, 1)) << "one bit, 10 tokens";
  EXPECT_TRUE(reached(3, 2)) << "one bit, 20 tokens";
  EXPECT_FALSE(reached(4, 2)) << "two bits, 20 tokens";
  EXPECT_TRUE(reached(4, 3)) << "one bit, 30 tokens";
}

/// Two sketches, of records 1 and 2.
class PairOfSketches final : public SketchSource {
 public:
  using Bytes = std::vector<std::uint8_t>;
  PairOfSketches(Bytes a, Bytes b) : sketches_{std::move(a), std::move(b)} {}
  Status stored(DocumentId document, Bytes& out) override {
    out = sketches_[document.record() - 1];
    return {};
  }
  Result<std::uint64_t> tokens(DocumentId) override { return 100; }

 private:
  std::array<Bytes, 2> sketches_;
};

/// What everyone who judges two sketches says of them: dedup, cluster, recut, evaluate, the shelf.
std::set<bool> all_verdicts(const Scheme& scheme, PairOfSketches& sketches,
                            const Ratio& threshold) {
  PairOfSketches::Bytes a;
  PairOfSketches::Bytes b;
  EXPECT_TRUE(sketches.stored({0, 1}, a).ok());
  EXPECT_TRUE(sketches.stored({0, 2}, b).ok());
  const Comparison found = scheme.compare(a, b);
  std::set<bool> said{verdict(found, {.resemblance = threshold}) == Verdict::reached,
                      judge_pair(scheme, found, threshold).passed};
  SketchJudge judge(scheme, {.resemblance = threshold, .containment = {}}, sketches);
  Edge edge{.pair = pair_of(2, 1)};
  EXPECT_TRUE(judge.judge(edge).ok());
  said.insert(edge.link.state == LinkState::reached);
  PairFloor floor{.resemblance = threshold, .containment = {}};
  floor.kind = LinkKind::estimate;
  said.insert(floor.reached_by(link_of(found)->written()));
  return said;
}

/// The resemblance of the sketches is part / whole. A threshold above it is not reached.
void expect_exact(const Scheme& scheme, PairOfSketches sketches, std::uint32_t part,
                  std::uint32_t whole) {
  constexpr std::uint32_t finer = 1000;
  EXPECT_EQ(all_verdicts(scheme, sketches, Ratio(part, whole)), std::set{true})
      << scheme.spec() << " at " << part << "/" << whole;
  EXPECT_EQ(all_verdicts(scheme, sketches, Ratio(part * finer - 1, whole * finer)), std::set{true})
      << scheme.spec() << " below " << part << "/" << whole;
  EXPECT_EQ(all_verdicts(scheme, sketches, Ratio(part * finer + 1, whole * finer)), std::set{false})
      << scheme.spec() << " above " << part << "/" << whole;
}

// 1/3 reaches 1/3, though neither a double nor a decimal of a file is a third.
TEST(SketchJudge, AllJudgeEquallyAtExactlyTheThreshold) {
  for (const std::string name : {"minhash", "datasketch"}) {
    const auto scheme = make_scheme(name + "(values=300)", 0.8);
    ASSERT_TRUE(scheme.ok());
    for (std::uint32_t equal = 1; equal < 300; ++equal) {
      PairOfSketches::Bytes a(300 * sizeof(std::uint32_t), 1);
      PairOfSketches::Bytes b(a);
      std::fill(b.begin() + equal * sizeof(std::uint32_t), b.end(), 2);
      expect_exact(*scheme.value(), {a, b}, equal, 300);
    }
  }
  // Of 256 values of 4 bits each, 16 are equal by chance.
  const auto fss = make_scheme("fss", 0.8);
  ASSERT_TRUE(fss.ok());
  for (std::uint32_t equal = 2; equal < 240; equal += 2) {
    PairOfSketches::Bytes a(128, 0x11);
    PairOfSketches::Bytes b(a);
    std::fill(b.begin() + (equal + 16) / 2, b.end(), 0x22);
    expect_exact(*fss.value(), {a, b}, equal, 240);
    b[(equal + 16) / 2] = 0x12;
    expect_exact(*fss.value(), {a, b}, equal + 1, 240);
  }
}

TEST(SketchJudge, AllJudgeEquallyAtExactlyTheThresholdOfTexts) {
  const auto text_of = [](std::uint32_t begin, std::uint32_t end) {
    std::string text;
    for (; begin < end; ++begin) text += "t" + std::to_string(begin) + " ";
    return text;
  };
  const Analyzer* const words = find_analyzer("words");
  for (const std::string name : {"mod", "min"}) {
    const auto scheme = make_scheme(name + "(shingle=1)", 0.8);
    ASSERT_TRUE(scheme.ok());
    for (std::uint32_t shared = 1; shared < 60; ++shared) {
      const std::string a = text_of(0, 30 + shared / 2);
      const std::string b = text_of(30 + shared / 2 - shared, 60);
      Analysis analysis;
      Analysis other;
      words->analyze(a, Offsets::drop, analysis);
      words->analyze(b, Offsets::drop, other);
      const std::vector<GivenView> views = {{a, analysis}, {b, other}};
      const SketchedDocuments made = sketch_documents(*scheme.value(), views, 1);
      expect_exact(*scheme.value(), {made.stored[0], made.stored[1]}, shared, 60);
    }
  }
}

TEST(ExactJudge, NamesResemblanceBeforeContainment) {
  class OneList final : public ShingleSource {
   public:
    Status shingles(DocumentId document, std::vector<std::uint64_t>& out) override {
      out.clear();
      for (std::uint64_t i = 0; i < document.record(); ++i) out.push_back(i + 1);
      return {};
    }
  };
  OneList source;
  const Threshold thresholds{Ratio(4, 5), Ratio(9, 10)};
  Verifier verifier(thresholds, source, 0);
  ExactJudge judge(verifier, thresholds);
  const auto fate = [&](std::uint64_t later, std::uint64_t earlier) {
    Edge edge{.pair = pair_of(later, earlier)};
    judge.start(edge.pair.later.document);
    EXPECT_TRUE(judge.judge(edge).ok());
    return edge.link.state == LinkState::reached ? judge.fate(edge) : Fate::kept;
  };
  EXPECT_EQ(fate(90, 100), Fate::near);
  EXPECT_EQ(fate(80, 100), Fate::near);
  EXPECT_EQ(fate(79, 100), Fate::contained);
  EXPECT_EQ(fate(1, 100), Fate::contained);
  EXPECT_EQ(fate(100, 79), Fate::kept);
}

/// Two sets of random shingles: `shared` are in both, the rest in one only.
struct SetPair {
  std::vector<std::uint64_t> a;
  std::vector<std::uint64_t> b;
};
SetPair random_sets(std::size_t shared, std::size_t only_a, std::size_t only_b,
                    std::mt19937_64& random) {
  SetPair sets;
  for (std::size_t i = 0; i < shared; ++i) {
    sets.a.push_back(random());
    sets.b.push_back(sets.a.back());
  }
  for (std::size_t i = 0; i < only_a; ++i) sets.a.push_back(random());
  for (std::size_t i = 0; i < only_b; ++i) sets.b.push_back(random());
  return sets;
}

// Of pairs at the threshold fewer than 1 in 30,000 are lost; pairs far below it are mostly dropped,
// otherwise the check would be useless.
TEST(SketchCheck, TheDefaultSchemeLosesNothingAtTheThreshold) {
  const auto scheme = make_scheme("fss", 0.8);
  ASSERT_TRUE(scheme.ok());
  class TwoSketches final : public SketchSource {
   public:
    Status stored(DocumentId document, std::vector<std::uint8_t>& out) override {
      out = sketches[document.record() - 1].stored;
      return {};
    }
    Result<std::uint64_t> tokens(DocumentId) override { return 0; }
    std::array<Sketch, 2> sketches;
  };
  std::mt19937_64 random(3);
  TwoSketches source;
  const auto passing = [&](std::size_t shared, std::size_t apart, int trials) {
    int passed = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const SetPair sets = random_sets(shared, apart / 2, apart - apart / 2, random);
      scheme.value()->sketch(GivenView(sets.a), source.sketches[0]);
      scheme.value()->sketch(GivenView(sets.b), source.sketches[1]);
      SketchCheck check(*scheme.value(), {}, source);
      passed += check.passes(pair_of(2, 1)).value() ? 1 : 0;
    }
    return passed;
  };
  for (const std::size_t unit : {5U, 20U, 200U}) {
    EXPECT_GE(passing(4 * unit, unit, 700), 699) << unit;
  }
  EXPECT_LE(passing(400, 400, 400), 20);
  EXPECT_EQ(passing(20, 400, 400), 0);
}

TEST(CountedPairPasses, GrantsFourStandardErrors) {
  const Threshold near{Ratio(4, 5), {}};
  const auto passes = [&](std::uint64_t shared, std::uint32_t later, std::uint32_t earlier,
                          Moduli moduli) {
    return counted_pair_passes(shared, later, earlier, near, moduli);
  };
  // 100 keys: 0.8 with a standard error of 0.04, times four. With one modulus they are the union's;
  // with unlike moduli the smaller sketch, the coarser, gives the bound.
  EXPECT_TRUE(passes(64, 64, 100, Moduli::one));
  EXPECT_FALSE(passes(64, 65, 100, Moduli::one));
  EXPECT_TRUE(passes(80, 90, 90, Moduli::one));
  EXPECT_TRUE(passes(64, 100, 100, Moduli::adaptive));
  EXPECT_FALSE(passes(63, 100, 100, Moduli::adaptive));
  EXPECT_TRUE(passes(64, 100, 1000, Moduli::adaptive));
  EXPECT_TRUE(passes(64, 1000, 100, Moduli::adaptive));
  EXPECT_FALSE(passes(64, 1000, 1000, Moduli::adaptive));
  for (const Moduli moduli : {Moduli::one, Moduli::adaptive}) {
    // So few keys say nothing.
    EXPECT_TRUE(passes(1, 2, 2, moduli));
    EXPECT_TRUE(passes(0, 0, 0, moduli));

    const Threshold contained{Ratio(1, 1), Ratio(9, 10)};
    EXPECT_TRUE(counted_pair_passes(78, 100, 5000, contained, moduli));
    EXPECT_FALSE(counted_pair_passes(77, 100, 5000, contained, moduli));
  }
}

// Pairs at the threshold of resemblance pass with one modulus; pairs far below it are dropped.
TEST(CountedPairPasses, ResemblancePassesUnderOneModulus) {
  std::mt19937_64 random(5);
  const auto passing = [&](std::size_t shared, std::size_t apart, int trials) {
    int passed = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const SetPair sets = random_sets(shared, apart / 2, apart - apart / 2, random);
      const auto sampled = [](const std::vector<std::uint64_t>& set) {
        return std::count_if(set.begin(), set.end(), [](std::uint64_t s) { return s % 16 == 0; });
      };
      const std::uint64_t both = static_cast<std::uint64_t>(
          std::count_if(sets.a.begin(), sets.a.begin() + static_cast<std::ptrdiff_t>(shared),
                        [](std::uint64_t s) { return s % 16 == 0; }));
      passed += counted_pair_passes(both, static_cast<std::uint32_t>(sampled(sets.a)),
                                    static_cast<std::uint32_t>(sampled(sets.b)), {Ratio(4, 5), {}},
                                    Moduli::one)
                    ? 1
                    : 0;
    }
    return passed;
  };
  for (const std::size_t unit : {10U, 100U, 500U}) {
    EXPECT_GE(passing(4 * unit, unit, 500), 498) << unit;
  }
  EXPECT_LE(passing(1000, 3000, 200), 2);
}

// Passages contained at exactly the threshold are not lost, whatever their length; documents that
// share a tenth are dropped if they have enough keys.
TEST(CountedPairPasses, ContainedPassagesPassUnderTheSchemeOfContainment) {
  const auto scheme = make_scheme("mod(shingle=5, modulus=16)", 0.8);
  ASSERT_TRUE(scheme.ok());
  std::mt19937_64 random(4);
  const Threshold thresholds{Ratio(1, 1), Ratio(9, 10)};
  Sketch sketch;
  const auto passing = [&](std::size_t shared, std::size_t only_later, int trials) {
    int passed = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const SetPair sets = random_sets(shared, only_later, 3000, random);
      std::array<std::vector<std::uint64_t>, 2> keys;
      scheme.value()->sketch(GivenView(sets.a), sketch);
      scheme.value()->keys(sketch, keys[0]);
      scheme.value()->sketch(GivenView(sets.b), sketch);
      scheme.value()->keys(sketch, keys[1]);
      for (auto& list : keys) std::sort(list.begin(), list.end());
      std::vector<std::uint64_t> both;
      std::set_intersection(keys[0].begin(), keys[0].end(), keys[1].begin(), keys[1].end(),
                            std::back_inserter(both));
      passed +=
          counted_pair_passes(both.size(), static_cast<std::uint32_t>(keys[0].size()),
                              static_cast<std::uint32_t>(keys[1].size()), thresholds, Moduli::one)
              ? 1
              : 0;
    }
    return passed;
  };
  // The binomial distribution is skewed there: so few keys lose one pair in a thousand.
  EXPECT_GE(passing(180, 20, 500), 496);
  EXPECT_GE(passing(1800, 200, 300), 299);
  EXPECT_EQ(passing(200, 1800, 300), 0);
}

}  // namespace
}  // namespace twinset
