// Decisions against a slow model over plain maps, and against the greedy of the
// definition over sets of token tuples.
//
// The model knows the verdict on every pair and decides one document at a time: finds the first
// kept candidate before it in keep order, repairs, and repeats until nothing is new. Random graphs,
// random keep orders, any number of threads.
#include "join/decide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "base/hash.h"
#include "join/join_testing.h"
#include "join/sketch_check.h"
#include "support/tries.h"
#include "text/shingler.h"

namespace twinset {
namespace {

using testing::all_rows;
using testing::keep_order_of;
using testing::random_table;
using testing::SpillFolder;
using testing::VectorCursor;

/// True if two documents are an edge.
using Verdict = std::function<bool(const Pair&)>;

/// Judges by a verdict, counts, and checks that it is called as promised.
class VerdictJudge final : public EdgeJudge {
 public:
  VerdictJudge(const Verdict& verdict, std::atomic<std::uint64_t>& judged)
      : verdict_(verdict), judged_(judged) {}
  void start(DocumentId later) override { later_ = later; }
  Status judge(Edge& edge) override {
    EXPECT_EQ(edge.pair.later.document, later_);
    EXPECT_LT(edge.pair.earlier, edge.pair.later);
    EXPECT_EQ(edge.link.state, LinkState::unjudged);
    if (++judged_ % 64 == 0) std::this_thread::yield();
    edge.link.state = verdict_(edge.pair) ? LinkState::reached : LinkState::below;
    edge.link.numbers.shared = static_cast<std::uint32_t>(edge.pair.earlier.document.record());
    return {};
  }
  Fate fate(const Edge& edge) const override {
    return edge.link.numbers.shared % 2 == 0 ? Fate::near : Fate::contained;
  }

 private:
  const Verdict& verdict_;
  std::atomic<std::uint64_t>& judged_;
  DocumentId later_;
};

/// The result of decisions.
struct Decided {
  std::map<Pair, LinkState> edges;
  std::uint64_t judged = 0;
  std::uint64_t rounds = 0;
};

bool reached(LinkState state) { return state == LinkState::reached; }

/// The model. Sets the standings of `table`.
Decided decide_slowly(const std::set<Pair>& candidates, const Verdict& verdict,
                      DocumentTable& table) {
  Decided decided;
  for (const Pair& pair : candidates) decided.edges[pair] = LinkState::unjudged;
  for (;; ++decided.rounds) {
    std::map<Place, std::vector<Place>> earlier_of;
    for (const auto& [pair, state] : decided.edges) {
      earlier_of[pair.later].push_back(pair.earlier);
    }
    for (const auto& [later, all_earlier] : earlier_of) {
      Standing standing;
      for (const Place& earlier : all_earlier) {
        LinkState& state = decided.edges[{later, earlier}];
        const std::uint64_t other = table.index(earlier.document);
        if (state == LinkState::below || table.standing(other).judged_out()) continue;
        if (state == LinkState::unjudged) {
          state = verdict({later, earlier}) ? LinkState::reached : LinkState::below;
          ++decided.judged;
        }
        if (!reached(state)) continue;
        standing = {earlier.document.record() % 2 == 0 ? Fate::near : Fate::contained, other};
        break;
      }
      table.set(table.index(later.document), standing);
    }
    std::set<Pair> asked;
    for (const auto& [pair, state] : decided.edges) {
      if (state == LinkState::below) continue;
      const Standing later = table.standing(table.index(pair.later.document));
      const Standing earlier = table.standing(table.index(pair.earlier.document));
      if (later.judged_out() == earlier.judged_out()) continue;
      const Place kept = later.judged_out() ? pair.earlier : pair.later;
      const Place survivor = table.place_at(later.judged_out() ? later.other : earlier.other);
      const Pair repair{std::max(kept, survivor), std::min(kept, survivor)};
      if (kept == survivor || table.reference(repair.later.document)) continue;
      if (!decided.edges.contains(repair)) asked.insert(repair);
    }
    if (asked.empty()) return decided;
    for (const Pair& pair : asked) decided.edges[pair] = LinkState::unjudged;
  }
}

/// Sweeps and repairs to the fixpoint as a run does, over files.
Decided decide(const SpillFolder& spill, const std::vector<Pair>& candidates,
               const std::function<std::unique_ptr<EdgeJudge>()>& make_judge,
               DocumentTable& table) {
  Decided decided;
  const RunContext& context = spill.context();
  const auto accept_all = [](const Pair&) -> Result<bool> { return true; };
  PairStore pairs(spill.options("pairs", 4096));
  EXPECT_TRUE(pairs.append(candidates).ok());
  EXPECT_TRUE(pairs.seal().ok());
  std::vector<Edge> edges;
  const auto merge = [&](PairStore& more, const std::string& name) {
    VectorCursor<Edge> old(edges, 7);
    auto cursor = more.read();
    RowFile<Edge> merged(spill.options(name));
    MergedEdges both(old, *cursor.value(), accept_all);
    while (const Edge* edge = both.peek()) {
      EXPECT_TRUE(merged.append(*edge).ok());
      both.advance();
    }
    EXPECT_TRUE(both.status().ok());
    EXPECT_TRUE(merged.seal().ok());
    const std::size_t before = edges.size();
    edges = all_rows(merged.read());
    EXPECT_EQ(edges.size(), before + both.added());
    EXPECT_TRUE(merged.discard().ok());
    return both.added();
  };
  merge(pairs, "first");
  for (;; ++decided.rounds) {
    VectorCursor<Edge> unjudged(edges);
    RowFile<Edge> judged(spill.options("judged"));
    PairStore repairs(spill.options("repairs", 4096));
    const Result<SweepReport> report = sweep(context, unjudged, make_judge, table, judged, repairs);
    EXPECT_TRUE(report.ok());
    EXPECT_TRUE(judged.seal().ok());
    const std::vector<Edge> after = all_rows(judged.read());
    EXPECT_TRUE(judged.discard().ok());
    // The same edges in the same order; edges judged before keep their state.
    EXPECT_EQ(after.size(), edges.size());
    for (std::size_t i = 0; i < std::min(after.size(), edges.size()); ++i) {
      EXPECT_EQ(after[i].pair, edges[i].pair);
      EXPECT_TRUE(edges[i].link.state == LinkState::unjudged ||
                  edges[i].link.state == after[i].link.state);
    }
    std::set<Place> later;
    std::uint64_t removed = 0;
    for (const Edge& edge : after) {
      if (!later.insert(edge.pair.later).second) continue;
      removed += table.standing(table.index(edge.pair.later.document)).judged_out() ? 1 : 0;
    }
    EXPECT_EQ(report.value().documents, later.size());
    EXPECT_EQ(report.value().removed, removed);
    decided.judged += report.value().judged;
    edges = after;

    EXPECT_TRUE(repairs.seal().ok());
    if (merge(repairs, "merged") == 0) break;
  }
  for (const Edge& edge : edges) decided.edges[edge.pair] = edge.link.state;
  return decided;
}

Decided decide(const SpillFolder& spill, const std::vector<Pair>& candidates,
               const Verdict& verdict, DocumentTable& table) {
  std::atomic<std::uint64_t> judged = 0;
  const Decided decided = decide(
      spill, candidates, [&] { return std::make_unique<VerdictJudge>(verdict, judged); }, table);
  EXPECT_EQ(decided.judged, judged.load());
  return decided;
}

/// Checks what every decision must fulfill: stars only, and nothing left to repair.
void expect_stars(const Decided& decided, const Verdict& verdict, const DocumentTable& table) {
  std::set<std::uint64_t> later;
  for (const auto& [pair, state] : decided.edges) {
    later.insert(table.index(pair.later.document));
    // A kept document has no edge to a kept one before it.
    const bool both_kept = !table.standing(table.index(pair.later.document)).judged_out() &&
                           !table.standing(table.index(pair.earlier.document)).judged_out();
    ASSERT_FALSE(both_kept && verdict(pair));
    if (state != LinkState::unjudged) {
      ASSERT_EQ(reached(state), verdict(pair));
    }
  }
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    const Standing standing = table.standing(i);
    if (!standing.judged_out()) continue;
    ASSERT_TRUE(later.contains(i));
    ASSERT_FALSE(table.reference(table.document(i)));
    ASSERT_FALSE(table.standing(standing.other).judged_out()) << "a chain";
    const Pair pair{table.place_at(i), table.place_at(standing.other)};
    ASSERT_LT(pair.earlier, pair.later);
    ASSERT_TRUE(verdict(pair));
    ASSERT_EQ(decided.edges.at(pair), LinkState::reached);
  }
}

void expect_equal(const Decided& found, const DocumentTable& table, const Decided& expected,
                  const DocumentTable& expected_table) {
  ASSERT_EQ(found.edges, expected.edges);
  EXPECT_EQ(found.judged, expected.judged);
  EXPECT_EQ(found.rounds, expected.rounds);
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    ASSERT_EQ(table.standing(i).fate, expected_table.standing(i).fate) << i;
    ASSERT_EQ(table.standing(i).other, expected_table.standing(i).other) << i;
  }
}

/// A random verdict, fixed for each pair; `directed` like containment.
Verdict coin(std::uint64_t seed, std::uint64_t per_mille, bool directed) {
  return [=](const Pair& pair) {
    std::uint64_t a = pair.later.document.value();
    std::uint64_t b = pair.earlier.document.value();
    if (!directed && a > b) std::swap(a, b);
    return mix64(mix64(seed ^ a) ^ b) % 1000 < per_mille;
  };
}

Pair pair_of(const DocumentTable& table, std::uint64_t a, std::uint64_t b) {
  const Place x = table.place_at(a);
  const Place y = table.place_at(b);
  return {std::max(x, y), std::min(x, y)};
}

std::set<Pair> random_candidates(const DocumentTable& table, std::size_t count,
                                 std::mt19937_64& random) {
  std::set<Pair> candidates;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t a = random() % table.size();
    const std::uint64_t b = random() % table.size();
    if (a == b) continue;
    const Pair pair = pair_of(table, a, b);
    if (!table.reference(pair.later.document)) candidates.insert(pair);
  }
  return candidates;
}

TEST(Decide, RandomGraphsAsTheSlowModelForAnyThreads) {
  std::mt19937_64 random(1);
  std::uint64_t rounds = 0;
  for (int graph = 0; graph < tries(120); ++graph) {
    const std::array<std::uint64_t, 3> lines{1 + random() % 10, 1 + random() % 60,
                                             1 + random() % 60};
    const DocumentTable start = random_table(lines, random() % 2, random() % 3 * 40, random);
    const Verdict verdict = coin(random(), random() % 1000, random() % 2 == 0);
    const std::set<Pair> candidates = random_candidates(start, random() % 600, random);
    DocumentTable expected_table = start;
    const Decided expected = decide_slowly(candidates, verdict, expected_table);
    rounds += expected.rounds;
    std::vector<Pair> shuffled(candidates.begin(), candidates.end());
    for (const unsigned threads : {1U, 2U, 7U}) {
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      const SpillFolder spill(threads);
      DocumentTable table = start;
      const Decided found = decide(spill, shuffled, verdict, table);
      expect_equal(found, table, expected, expected_table);
      expect_stars(found, verdict, table);
      if (HasFatalFailure()) FAIL() << "graph " << graph << ", threads " << threads;
    }
  }
  EXPECT_GE(rounds, tries(std::uint64_t{100})) << "repair was hardly tried";
}

// A fate and, for a removed document, its survivor's place.
struct Outcome {
  Fate fate = Fate::kept;
  std::optional<Place> survivor;
};
using Outcomes = std::map<DocumentId, Outcome>;

/// Decides about one document if the known fates of earlier ones allow it; judges edges on the way.
std::optional<Outcome> decide_alone(std::span<Edge> edges, const Verdict& verdict,
                                    const Outcomes& known, std::uint64_t& judged) {
  const auto fate_of = [&](DocumentId document) {
    const auto at = known.find(document);
    return at == known.end() ? Fate::kept : at->second.fate;
  };
  for (;;) {
    const Decision next = twinset::decide(edges, fate_of);
    if (next.step == Decision::Step::wait) return std::nullopt;
    if (next.step == Decision::Step::keep) return Outcome{};
    Edge& edge = edges[next.edge];
    if (next.step == Decision::Step::remove) {
      return Outcome{edge.pair.earlier.document.record() % 2 == 0 ? Fate::near : Fate::contained,
                     edge.pair.earlier};
    }
    edge.link.state = verdict(edge.pair) ? LinkState::reached : LinkState::below;
    ++judged;
  }
}

/// Decides in shards of documents with their edges. In each round the shards exchange only outcomes
/// and the pairs for repair.
Outcomes decide_in_shards(const std::set<Pair>& candidates, const Verdict& verdict,
                          const DocumentTable& table, std::size_t count, std::uint64_t& judged,
                          std::mt19937_64& random) {
  using Shard = std::map<Place, std::vector<Edge>>;
  std::vector<Shard> shards(count);
  const auto edges_of = [&](const Pair& pair) -> std::vector<Edge>& {
    return shards[mix64(pair.later.document.value()) % count][pair.later];
  };
  for (const Pair& pair : candidates) edges_of(pair).push_back({.pair = pair});
  for (;;) {
    Outcomes known;
    for (const Shard& shard : shards) {
      for (const auto& [later, edges] : shard) known[later.document].fate = Fate::undecided;
    }
    for (bool undecided = true; undecided;) {
      undecided = false;
      Outcomes told = known;
      for (Shard& shard : shards) {
        std::vector<Shard::value_type*> in_any_order;
        for (auto& document : shard) in_any_order.push_back(&document);
        std::shuffle(in_any_order.begin(), in_any_order.end(), random);
        for (auto* document : in_any_order) {
          Outcome& outcome = told[document->first.document];
          if (outcome.fate != Fate::undecided) continue;
          const auto decided = decide_alone(document->second, verdict, known, judged);
          if (decided.has_value()) outcome = *decided;
          undecided = undecided || !decided.has_value();
        }
      }
      known = std::move(told);
    }
    std::set<Pair> asked;
    for (const Shard& shard : shards) {
      for (const auto& [later, edges] : shard) {
        for (const Edge& edge : edges) {
          const auto pair = repair_pair(edge, known[later.document].survivor,
                                        known[edge.pair.earlier.document].survivor);
          if (pair.has_value() && !table.reference(pair->later.document)) asked.insert(*pair);
        }
      }
    }
    bool added = false;
    for (const Pair& pair : asked) {
      std::vector<Edge>& edges = edges_of(pair);
      const auto at = std::lower_bound(edges.begin(), edges.end(), Edge{.pair = pair}, PairLess());
      if (at != edges.end() && at->pair == pair) continue;
      edges.insert(at, {.pair = pair});
      added = true;
    }
    if (!added) return known;
  }
}

TEST(Decide, ShardsOfDocumentsDecideAsTheWhole) {
  std::mt19937_64 random(8);
  for (int graph = 0; graph < tries(60); ++graph) {
    const std::array<std::uint64_t, 3> lines{1 + random() % 10, 1 + random() % 60,
                                             1 + random() % 60};
    const DocumentTable start = random_table(lines, random() % 2, random() % 3 * 40, random);
    const Verdict verdict = coin(random(), random() % 1000, random() % 2 == 0);
    const std::set<Pair> candidates = random_candidates(start, random() % 600, random);
    DocumentTable expected = start;
    const Decided slowly = decide_slowly(candidates, verdict, expected);
    DocumentTable table = start;
    decide(SpillFolder(2), {candidates.begin(), candidates.end()}, verdict, table);
    for (const std::size_t count : {1U, 2U, 7U}) {
      std::uint64_t judged = 0;
      const Outcomes found = decide_in_shards(candidates, verdict, start, count, judged, random);
      EXPECT_EQ(judged, slowly.judged);
      for (std::uint64_t i = 0; i < start.size(); ++i) {
        const auto at = found.find(start.document(i));
        const Outcome outcome = at == found.end() ? Outcome() : at->second;
        for (const Standing& standing : {expected.standing(i), table.standing(i)}) {
          ASSERT_EQ(outcome.fate, standing.fate) << "graph " << graph << ", " << count << " shards";
          ASSERT_EQ(outcome.survivor.has_value(), standing.judged_out());
          if (!standing.judged_out()) continue;
          ASSERT_EQ(*outcome.survivor, start.place_at(standing.other));
        }
      }
    }
  }
}

// Ten thousand small graphs in one collection, with numbers and orders shuffled: each is decided as
// it would be alone, so separate graphs stay separate.
TEST(Decide, TenThousandSmallGraphsStayApart) {
  std::mt19937_64 random(2);
  constexpr std::uint64_t graphs = tries(std::uint64_t{10'000});
  std::vector<std::uint64_t> graph_of;
  for (std::uint64_t graph = 0; graph < graphs; ++graph) {
    graph_of.insert(graph_of.end(), 2 + random() % 6, graph);
  }
  std::shuffle(graph_of.begin(), graph_of.end(), random);
  const std::array<std::uint64_t, 2> lines{graph_of.size() / 3,
                                           graph_of.size() - graph_of.size() / 3};
  const DocumentTable start = random_table(lines, 0, 5000, random);
  std::vector<std::vector<std::uint64_t>> members(graphs);
  for (std::uint64_t i = 0; i < graph_of.size(); ++i) members[graph_of[i]].push_back(i);

  const Verdict verdict = coin(3, 500, false);
  std::vector<Pair> candidates;
  DocumentTable expected = start;
  for (const auto& graph : members) {
    std::set<Pair> own;
    for (std::size_t a = 1; a < graph.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (random() % 2 == 0) own.insert(pair_of(start, graph[a], graph[b]));
      }
    }
    decide_slowly(own, verdict, expected);
    candidates.insert(candidates.end(), own.begin(), own.end());
  }
  std::shuffle(candidates.begin(), candidates.end(), random);
  for (const unsigned threads : {1U, 2U, 7U}) {
    const SpillFolder spill(threads);
    DocumentTable table = start;
    const Decided found = decide(spill, candidates, verdict, table);
    expect_stars(found, verdict, table);
    for (std::uint64_t i = 0; i < table.size(); ++i) {
      ASSERT_EQ(table.standing(i).fate, expected.standing(i).fate);
      ASSERT_EQ(table.standing(i).other, expected.standing(i).other);
      if (table.standing(i).judged_out()) {
        ASSERT_EQ(graph_of[i], graph_of[table.standing(i).other]);
      }
    }
  }
}

// Windows that slide over one long text: neighbors share four fifths, and windows ten apart share
// nothing. A chain would make one cluster of them all.
TEST(Decide, SlidingWindowsAreStarsNotAChain) {
  constexpr std::uint64_t windows = 400;
  constexpr std::uint64_t width = 9;
  const Verdict resembles = [](const Pair& pair) {
    const std::uint64_t a = pair.later.document.record();
    const std::uint64_t b = pair.earlier.document.record();
    const std::uint64_t distance = a > b ? a - b : b - a;
    const std::uint64_t apart = distance < width ? distance : width;
    return (width - apart) * 5 >= (width + apart) * 4;
  };
  std::mt19937_64 random(4);
  const std::array<std::uint64_t, 1> lines{windows};
  for (const std::uint64_t orders : {0U, 1000U}) {
    const DocumentTable start = random_table(lines, 0, orders, random);
    std::vector<Pair> neighbors;
    for (std::uint64_t i = 1; i < windows; ++i) neighbors.push_back(pair_of(start, i, i - 1));
    for (const unsigned threads : {1U, 7U}) {
      const SpillFolder spill(threads);
      DocumentTable table = start;
      const Decided found = decide(spill, neighbors, resembles, table);
      expect_stars(found, resembles, table);
      for (std::uint64_t i = 0; i < windows; ++i) {
        const bool kept = !table.standing(i).judged_out();
        if (orders == 0) {
          EXPECT_EQ(kept, i % 2 == 0);
        }
        // Each removed window has a neighbor that stays, and no two that stay are alike.
        if (kept && i > 0) {
          EXPECT_TRUE(table.standing(i - 1).judged_out());
        }
        if (!kept) {
          const std::uint64_t other = table.standing(i).other;
          EXPECT_EQ(std::max(i, other) - std::min(i, other), 1U);
        }
      }
    }
  }
}

// Each document waits for the one before it: the longest possible chain.
TEST(Decide, AChainOfWaitingEndsForAnyThreads) {
  constexpr std::uint64_t documents = 20'000;
  const std::array<std::uint64_t, 1> lines{documents};
  const DocumentTable start(lines, 0);
  std::vector<Pair> pairs;
  for (std::uint64_t i = 1; i < documents; ++i) pairs.push_back(pair_of(start, i, i - 1));
  // The first one is slow, so that the window fills.
  const Verdict verdict = [](const Pair& pair) {
    if (pair.earlier.document.record() == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    return pair.later.document.record() - pair.earlier.document.record() == 1;
  };
  for (const unsigned threads : {1U, 2U, 7U}) {
    const SpillFolder spill(threads);
    DocumentTable table = start;
    decide(spill, pairs, verdict, table);
    for (std::uint64_t i = 0; i < documents; ++i) {
      ASSERT_EQ(table.standing(i).judged_out(), i % 2 == 1) << i;
    }
  }
}

// All others wait for one document, as for the leader of a group.
TEST(Decide, ManyWaitForOneSlowLeader) {
  constexpr std::uint64_t documents = 10'000;
  const std::array<std::uint64_t, 1> lines{documents};
  const DocumentTable start(lines, 0);
  std::vector<Pair> pairs;
  for (std::uint64_t i = 1; i < documents; ++i) pairs.push_back(pair_of(start, i, 0));
  for (std::uint64_t i = 2; i < documents; ++i) pairs.push_back(pair_of(start, i, 1));
  const Verdict verdict = [](const Pair& pair) {
    if (pair.later.document.record() == 2) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      return false;
    }
    return pair.earlier.document.record() == 2;
  };
  for (const unsigned threads : {2U, 7U}) {
    const SpillFolder spill(threads);
    DocumentTable table = start;
    const Decided found = decide(spill, pairs, verdict, table);
    EXPECT_FALSE(table.standing(1).judged_out());
    for (std::uint64_t i = 2; i < documents; ++i) ASSERT_EQ(table.standing(i).other, 1U);
    EXPECT_EQ(found.rounds, 0U);
  }
}

/// A document's shingles as tuples of tokens.
std::set<std::vector<std::uint64_t>> tuples_of(const std::vector<std::uint64_t>& tokens) {
  std::set<std::vector<std::uint64_t>> tuples;
  if (tokens.size() < 5) tuples.insert(tokens);
  for (std::size_t i = 0; i + 5 <= tokens.size(); ++i) {
    tuples.insert({tokens.begin() + static_cast<std::ptrdiff_t>(i),
                   tokens.begin() + static_cast<std::ptrdiff_t>(i + 5)});
  }
  return tuples;
}

/// Token sequences, no two equal; most are edited copies of others.
std::vector<std::vector<std::uint64_t>> edited_copies(std::size_t count, std::mt19937_64& random) {
  std::vector<std::vector<std::uint64_t>> tokens;
  std::set<std::vector<std::uint64_t>> distinct;
  while (tokens.size() < count) {
    std::vector<std::uint64_t> made;
    if (tokens.empty() || random() % 4 == 0) {
      for (std::uint64_t i = 0, n = 1 + random() % 120; i < n; ++i) made.push_back(random());
    } else {
      made = tokens[random() % tokens.size()];
      for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
        made[random() % made.size()] = random();
      }
      if (random() % 4 == 0) made.resize(made.size() - random() % (made.size() / 2 + 1));
    }
    if (!made.empty() && distinct.insert(made).second) tokens.push_back(made);
  }
  return tokens;
}

class TokenShingles final : public ShingleSource {
 public:
  TokenShingles(const DocumentTable& table, const std::vector<std::vector<std::uint64_t>>& tokens)
      : table_(table), tokens_(tokens) {}
  Status shingles(DocumentId document, std::vector<std::uint64_t>& out) override {
    shingle(tokens_[table_.index(document)], 5, out);
    return {};
  }

 private:
  const DocumentTable& table_;
  const std::vector<std::vector<std::uint64_t>>& tokens_;
};

/// The definition: in keep order, a document is removed if it resembles or is contained in a kept
/// one before it; the first such document is its survivor. Sets the standings.
void decide_greedily(const std::vector<std::vector<std::uint64_t>>& tokens,
                     const Threshold& thresholds, DocumentTable& table) {
  std::vector<std::uint64_t> kept;
  for (const std::uint64_t i : keep_order_of(table)) {
    const auto own = tuples_of(tokens[i]);
    Standing standing;
    for (const std::uint64_t other : kept) {
      if (table.reference(table.document(i))) break;
      const auto others = tuples_of(tokens[other]);
      std::uint64_t shared = 0;
      for (const auto& tuple : own) shared += others.count(tuple);
      const std::uint64_t all = own.size() + others.size() - shared;
      const bool near = thresholds.resemblance.reached_by(shared, all);
      if (near || (thresholds.containment.has_value() &&
                   thresholds.containment->reached_by(shared, own.size()))) {
        standing = {near ? Fate::near : Fate::contained, other};
        break;
      }
    }
    table.set(i, standing);
    if (!standing.judged_out()) kept.push_back(i);
  }
}

// If every pair is a candidate, fates and survivors are those of the definition.
TEST(Decide, AllPairsGiveTheGreedyOfTheDefinition) {
  std::mt19937_64 random(5);
  for (int round = 0; round < tries(12); ++round) {
    const auto tokens = edited_copies(60, random);
    const std::array<std::uint64_t, 3> lines{10, 20, 30};
    const DocumentTable start = random_table(lines, 1, random() % 2 * 50, random);
    Threshold thresholds{Ratio(4, 5), {}};
    if (round % 2 == 1) thresholds.containment = Ratio(9, 10);
    DocumentTable expected = start;
    decide_greedily(tokens, thresholds, expected);

    std::vector<Pair> pairs;
    for (std::uint64_t a = 1; a < start.size(); ++a) {
      for (std::uint64_t b = 0; b < a; ++b) {
        const Pair pair = pair_of(start, a, b);
        if (!start.reference(pair.later.document)) pairs.push_back(pair);
      }
    }
    std::shuffle(pairs.begin(), pairs.end(), random);
    for (const unsigned threads : {1U, 2U, 7U}) {
      const SpillFolder spill(threads);
      DocumentTable table = start;
      TokenShingles source(table, tokens);
      Verifier verifier(thresholds, source, random() % 30'000);
      decide(
          spill, pairs, [&] { return std::make_unique<ExactJudge>(verifier, thresholds); }, table);
      for (std::uint64_t i = 0; i < table.size(); ++i) {
        ASSERT_EQ(table.standing(i).fate, expected.standing(i).fate) << i;
        ASSERT_EQ(table.standing(i).other, expected.standing(i).other) << i;
      }
    }
  }
}

TEST(Sweep, AFailureAndACancelEndAllWorkers) {
  std::mt19937_64 random(6);
  const std::array<std::uint64_t, 1> lines{2000};
  const DocumentTable start(lines, 0);
  const std::set<Pair> candidates = random_candidates(start, 10'000, random);
  std::vector<Edge> edges;
  for (const Pair& pair : candidates) edges.push_back({.pair = pair});
  class FailingJudge final : public EdgeJudge {
   public:
    void start(DocumentId later) override { later_ = later; }
    Status judge(Edge& edge) override {
      if (later_.record() == 700) return io_error("cannot read it");
      edge.link.state = LinkState::below;
      return {};
    }
    Fate fate(const Edge&) const override { return Fate::near; }

   private:
    DocumentId later_;
  };
  for (const unsigned threads : {1U, 2U, 7U}) {
    SpillFolder spill(threads);
    for (const bool cancelled : {false, true}) {
      const std::atomic<bool> cancel = cancelled;
      spill.context().cancel = &cancel;
      VectorCursor<Edge> cursor(edges);
      DocumentTable table = start;
      RowFile<Edge> out(spill.options(cancelled ? "cancelled" : "failed"));
      PairStore repairs(spill.options(cancelled ? "repairs.c" : "repairs.f", 4096));
      const auto done = sweep(
          spill.context(), cursor, [] { return std::make_unique<FailingJudge>(); }, table, out,
          repairs);
      ASSERT_FALSE(done.ok());
      EXPECT_EQ(done.error().code, cancelled ? ErrorCode::interrupted : ErrorCode::io);
      if (!cancelled) {
        EXPECT_EQ(done.error().message, "cannot read it");
      }
    }
  }
}

TEST(AppendRepairs, AsksOnlyForKeptWithTheSurvivorOfTheRemoved) {
  const std::array<std::uint64_t, 2> lines{2, 4};
  DocumentTable table(lines, 1);  // 0 and 1 are references
  // 0 is the survivor of 2, and 3 of 4.
  table.set(2, {Fate::near, 0});
  table.set(4, {Fate::near, 3});
  const auto asked = [&](std::uint64_t a, std::uint64_t b, LinkState state) {
    const Edge edge{.pair = pair_of(table, a, b), .link = {.numbers = {}, .state = state}};
    std::vector<Pair> out;
    append_repairs(std::span(&edge, 1), table, out);
    return out;
  };
  // A kept document after and one before the removed one; the edge judged or not.
  EXPECT_EQ(asked(5, 4, LinkState::unjudged), std::vector<Pair>{pair_of(table, 5, 3)});
  EXPECT_EQ(asked(3, 2, LinkState::reached), std::vector<Pair>{pair_of(table, 3, 0)});
  EXPECT_EQ(asked(5, 2, LinkState::reached), std::vector<Pair>{pair_of(table, 5, 0)});
  // Nothing for its own survivor, two kept, two removed, or an edge below the threshold.
  EXPECT_TRUE(asked(2, 0, LinkState::reached).empty());
  EXPECT_TRUE(asked(5, 3, LinkState::unjudged).empty());
  EXPECT_TRUE(asked(4, 2, LinkState::reached).empty());
  EXPECT_TRUE(asked(5, 4, LinkState::below).empty());
  // A reference is never the later document.
  EXPECT_TRUE(asked(2, 1, LinkState::reached).empty());
  EXPECT_EQ(asked(4, 1, LinkState::reached), std::vector<Pair>{pair_of(table, 3, 1)});
}

TEST(MergedEdges, KeepsWhatIsKnownAndAsksOnceForWhatIsNew) {
  std::mt19937_64 random(7);
  const std::array<std::uint64_t, 1> lines{40};
  const DocumentTable table(lines, 0);
  for (int round = 0; round < 40; ++round) {
    std::map<Pair, Edge> expected;
    std::vector<Edge> edges;
    for (const Pair& pair : random_candidates(table, random() % 200, random)) {
      const auto state = static_cast<LinkState>(random() % 3);
      edges.push_back(
          {pair, {{static_cast<std::uint32_t>(random()), 1, 2}, LinkKind::shingles, state}});
      expected[pair] = edges.back();
    }
    const std::set<Pair> pairs = random_candidates(table, random() % 200, random);
    const auto wanted = [](const Pair& pair) {
      return (pair.later.document.record() + pair.earlier.document.record()) % 3 != 0;
    };
    std::uint64_t added = 0;
    std::set<Pair> unknown;
    for (const Pair& pair : pairs) {
      if (expected.contains(pair)) continue;
      unknown.insert(pair);
      if (!wanted(pair)) continue;
      expected[pair] = {.pair = pair};
      ++added;
    }
    VectorCursor<Edge> edge_cursor(edges, 3);
    VectorCursor<Pair> pair_cursor({pairs.begin(), pairs.end()}, 5);
    std::set<Pair> asked;
    MergedEdges both(edge_cursor, pair_cursor, [&](const Pair& pair) -> Result<bool> {
      EXPECT_TRUE(asked.insert(pair).second);
      return wanted(pair);
    });
    std::vector<Edge> merged;
    while (const Edge* edge = both.peek()) {
      merged.push_back(*edge);
      both.advance();
    }
    ASSERT_TRUE(both.status().ok());
    EXPECT_EQ(both.added(), added);
    EXPECT_EQ(asked, unknown);
    ASSERT_EQ(merged.size(), expected.size());
    auto at = expected.begin();
    for (const Edge& edge : merged) {
      ASSERT_EQ(edge.pair, at->second.pair);
      ASSERT_EQ(edge.link.state, at->second.link.state);
      ASSERT_EQ(edge.link.numbers.shared, at->second.link.numbers.shared);
      ++at;
    }
  }
}

TEST(MergedEdges, ARefusalThatFailsIsTheError) {
  const std::array<std::uint64_t, 1> lines{3};
  const DocumentTable table(lines, 0);
  VectorCursor<Edge> edges({});
  VectorCursor<Pair> pairs({pair_of(table, 1, 0)});
  MergedEdges both(edges, pairs, [](const Pair&) -> Result<bool> { return io_error("no sketch"); });
  EXPECT_EQ(both.peek(), nullptr);
  ASSERT_FALSE(both.status().ok());
  EXPECT_EQ(both.status().error().message, "no sketch");
}

}  // namespace
}  // namespace twinset
