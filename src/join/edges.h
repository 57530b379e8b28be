// Pairs of documents, from candidate to proof.
//
// A Pair asks to compare two documents. An Edge is a pair with its link so far.
//
// Threads: values; rows of rows/.
#pragma once

#include <cstdint>

#include "base/document.h"
#include "join/link.h"

namespace twinset {

struct Pair {
  Place later;
  Place earlier;
  auto operator<=>(const Pair&) const = default;
};

struct Edge {
  Pair pair;
  Link link{};
};
static_assert(sizeof(Edge) == sizeof(Pair) + sizeof(Link));

struct PairLess {
  bool operator()(const Pair& a, const Pair& b) const { return a < b; }
  bool operator()(const Edge& a, const Edge& b) const { return a.pair < b.pair; }
  static std::uint64_t radix(const Pair& pair) { return pair.later.radix(); }
  static std::uint64_t radix(const Edge& edge) { return edge.pair.later.radix(); }
};

}  // namespace twinset
