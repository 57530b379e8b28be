// Aligning two documents by the shingles they share.
//
// 1. Sort the (shingle, place) rows of each document and merge the two lists:
//    that gives the exact counts, and for every shared shingle its places in A
//    and in B. Sorting is chosen over hashing because no input makes it slow.
// 2. A token under any shared shingle is shared. That is all the detector saw.
// 3. Shared tokens are paired, one to one. First the anchors: shingles that
//    occur once in A and once in B say where they belong beyond doubt, and each
//    is extended both ways while tokens agree. Then, from left to right, what
//    is still unpaired takes the longest run among the few places in B nearest
//    to where the previous run ended. A run's length is paid by the tokens it
//    pairs, and few candidates are tried, so a shingle that occurs a million
//    times in both costs a million steps, not a million squared.
// 4. Runs of consecutive pairs are the matches; the heaviest increasing chain
//    of them (a Fenwick tree of maxima) is "in order", the others have moved.
//
// This file's interface is find_passages; the rest is private.
#include "words/passages.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace twinset {
namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
/// Places in B tried on either side of the expected one.
constexpr std::size_t candidates_each_side = 8;

/// A shingle and the index of its first token.
struct ShinglePlace {
  std::uint64_t shingle;
  std::uint32_t place;
  auto operator<=>(const ShinglePlace&) const = default;
};

/// The places of one shared shingle: rows [a_begin, a_end) of A, and of B alike.
struct SharedShingle {
  std::uint32_t a_begin, a_end, b_begin, b_end;
};

std::vector<ShinglePlace> sorted_places(const Analysis& analysis, unsigned width) {
  std::vector<std::uint64_t> shingles;
  shingle(analysis.tokens, width, shingles);
  std::vector<ShinglePlace> places(shingles.size());
  for (std::size_t i = 0; i < shingles.size(); ++i) {
    places[i] = {shingles[i], static_cast<std::uint32_t>(i)};
  }
  std::sort(places.begin(), places.end());
  return places;
}

std::size_t end_of_group(const std::vector<ShinglePlace>& places, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < places.size() && places[end].shingle == places[begin].shingle) ++end;
  return end;
}

/// One document's side of the alignment.
struct Side {
  explicit Side(const Analysis& document, unsigned width)
      : analysis(document),
        tokens(document.tokens),
        window(std::min<std::size_t>(width, document.tokens.size())),
        places(sorted_places(document, width)),
        group(places.size(), nowhere),
        partner(document.tokens.size(), nowhere) {}

  /// Marks the tokens under shared shingles. Called once `group` is filled.
  std::uint64_t cover() {
    covered.assign(tokens.size(), 0);
    std::size_t until = 0;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i < group.size() && group[i] != nowhere) until = i + window;
      covered[i] = i < until;
      total += covered[i];
    }
    return total;
  }

  const Analysis& analysis;
  std::span<const std::uint64_t> tokens;
  std::size_t window;                  ///< tokens a shingle covers
  std::vector<ShinglePlace> places;    ///< sorted
  std::vector<std::uint32_t> group;    ///< by starting token: index of its SharedShingle
  std::vector<std::uint32_t> partner;  ///< by token: the token paired with it, or nowhere
  std::vector<std::uint8_t> covered;   ///< by token
};

class Alignment {
 public:
  Alignment(const Analysis& a, const Analysis& b, unsigned width)
      : width_(width), a_(a, width), b_(b, width) {}

  Passages run(unsigned context_tokens) {
    Passages found;
    join(found);
    found.tokens_a = a_.tokens.size();
    found.tokens_b = b_.tokens.size();
    found.shared_tokens_a = a_.cover();
    found.shared_tokens_b = b_.cover();
    found.shingle_tokens = width_;
    pair_anchors();
    pair_nearest();
    found.a = passages_of(a_, context_tokens);
    found.b = passages_of(b_, context_tokens);
    connect(found);
    name_repeats(found);
    mark_moved(found);
    return found;
  }

 private:
  /// Merges the sorted rows: counts, and the shared shingles with their places.
  void join(Passages& found) {
    std::size_t i = 0, j = 0;
    while (i < a_.places.size() || j < b_.places.size()) {
      const bool has_a = i < a_.places.size();
      const bool has_b = j < b_.places.size();
      if (has_a && (!has_b || a_.places[i].shingle < b_.places[j].shingle)) {
        i = end_of_group(a_.places, i);
        ++found.shingles_a;
      } else if (has_b && (!has_a || b_.places[j].shingle < a_.places[i].shingle)) {
        j = end_of_group(b_.places, j);
        ++found.shingles_b;
      } else {
        const std::size_t i_end = end_of_group(a_.places, i);
        const std::size_t j_end = end_of_group(b_.places, j);
        const auto index = static_cast<std::uint32_t>(shared_.size());
        shared_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i_end),
                           static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(j_end)});
        for (; i < i_end; ++i) a_.group[a_.places[i].place] = index;
        for (; j < j_end; ++j) b_.group[b_.places[j].place] = index;
        ++found.shingles_a;
        ++found.shingles_b;
        ++found.shared_shingles;
      }
    }
  }

  bool free_and_equal(std::size_t a, std::size_t b) const {
    return a < a_.tokens.size() && b < b_.tokens.size() && a_.partner[a] == nowhere &&
           b_.partner[b] == nowhere && a_.tokens[a] == b_.tokens[b];
  }

  void pair(std::size_t a, std::size_t b) {
    a_.partner[a] = static_cast<std::uint32_t>(b);
    b_.partner[b] = static_cast<std::uint32_t>(a);
  }

  /// Pairs from (a, b) rightwards while tokens agree and are free.
  void pair_forward(std::size_t a, std::size_t b) {
    for (; free_and_equal(a, b); ++a, ++b) pair(a, b);
  }

  void pair_backward(std::size_t a, std::size_t b) {
    for (; a > 0 && b > 0 && free_and_equal(a - 1, b - 1); --a, --b) pair(a - 1, b - 1);
  }

  void pair_anchors() {
    for (std::size_t i = 0; i < a_.group.size(); ++i) {
      if (a_.group[i] == nowhere) continue;
      const SharedShingle& shared = shared_[a_.group[i]];
      if (shared.a_end - shared.a_begin != 1 || shared.b_end - shared.b_begin != 1) continue;
      const std::size_t j = b_.places[shared.b_begin].place;
      if (!free_and_equal(i, j)) continue;
      pair_backward(i, j);
      pair_forward(i, j);
    }
  }

  /// Length of the run of free, equal tokens from (a, b).
  std::size_t run_length(std::size_t a, std::size_t b) const {
    std::size_t length = 0;
    while (free_and_equal(a + length, b + length)) ++length;
    return length;
  }

  void pair_nearest() {
    std::size_t first_free = 0;  // no free token of A lies in [i, first_free)
    std::size_t expected = 0;    // where in B the last paired run ended
    for (std::size_t i = 0; i < a_.group.size(); ++i) {
      first_free = std::max(first_free, i);
      while (first_free < a_.tokens.size() && a_.partner[first_free] != nowhere) {
        expected = a_.partner[first_free] + std::size_t{1};
        ++first_free;
      }
      if (a_.group[i] == nowhere || first_free >= i + a_.window) continue;
      const std::size_t skip = first_free - i;
      const std::size_t b = longest_run(shared_[a_.group[i]], first_free, skip, expected);
      if (b != nowhere) pair_forward(first_free, b);
    }
  }

  /// The place in B, among those of `shared` nearest to `expected`, from which the most tokens pair
  /// with A's from `a`; `skip` is the position of `a` in the shingle.
  std::size_t longest_run(const SharedShingle& shared, std::size_t a, std::size_t skip,
                          std::size_t expected) const {
    const std::size_t wanted = expected > skip ? expected - skip : 0;
    const auto begin = b_.places.begin() + shared.b_begin;
    const auto end = b_.places.begin() + shared.b_end;
    const auto at = std::lower_bound(
        begin, end, wanted, [](const ShinglePlace& row, std::size_t w) { return row.place < w; });
    std::size_t best = nowhere, best_length = 0;
    const auto consider = [&](std::size_t place) {
      const std::size_t length = run_length(a, place + skip);
      if (length > best_length) {
        best_length = length;
        best = place + skip;
      }
    };
    const auto after = std::min<std::ptrdiff_t>(end - at, candidates_each_side);
    const auto before = std::min<std::ptrdiff_t>(at - begin, candidates_each_side);
    for (std::ptrdiff_t k = 0; k < after; ++k) consider((at + k)->place);
    for (std::ptrdiff_t k = 1; k <= before; ++k) consider((at - k)->place);
    return best;
  }

  /// Cuts a side into maximal passages: differing, repeated, or paired in one run.
  static std::vector<Passage> passages_of(const Side& side, unsigned context_tokens) {
    std::vector<Passage> passages;
    const auto continues = [&](std::size_t t) {
      if (side.covered[t] != side.covered[t - 1]) return false;
      if (side.partner[t] == nowhere || side.partner[t - 1] == nowhere) {
        return side.partner[t] == side.partner[t - 1];
      }
      return side.partner[t] == side.partner[t - 1] + 1;
    };
    const auto& offsets = side.analysis.offsets;
    for (std::size_t begin = 0; begin < side.tokens.size();) {
      std::size_t end = begin + 1;
      while (end < side.tokens.size() && continues(end)) ++end;
      Passage passage;
      passage.first_token = static_cast<std::uint32_t>(begin);
      passage.tokens = static_cast<std::uint32_t>(end - begin);
      passage.shared = side.covered[begin] != 0;
      passage.repeat = passage.shared && side.partner[begin] == nowhere;
      const bool paired = passage.shared && !passage.repeat;
      const std::size_t context = std::clamp<std::size_t>(
          std::size_t{context_tokens} * (paired ? 1 : difference_context_factor), 1, end - begin);
      passage.context = static_cast<std::uint32_t>(context);
      passage.begin = offsets[begin].begin;
      passage.end = offsets[end - 1].end;
      passage.head_end = offsets[begin + context - 1].end;
      passage.tail_begin = offsets[end - context].begin;
      passages.push_back(passage);
      begin = end;
    }
    part_passages(passages);
    return passages;
  }

  /// Token ranges may overlap (two letters each of a script without spaces); passages must not.
  /// Where two overlap, a shared passage keeps the bytes it has in common with one that is not,
  /// else the first one does. So of a changed letter, which is part of two tokens, just the letter
  /// remains, and of a letter that only the other text has, nothing.
  static void part_passages(std::vector<Passage>& passages) {
    for (std::size_t i = 1; i < passages.size(); ++i) {
      Passage& before = passages[i - 1];
      Passage& passage = passages[i];
      if (passage.begin >= before.end) continue;
      if (passage.shared && !before.shared) {
        before.end = std::max(before.begin, passage.begin);
      }
      passage.begin = std::max(passage.begin, before.end);
      passage.end = std::max(passage.begin, passage.end);
    }
    for (Passage& passage : passages) {
      passage.head_end = std::clamp(passage.head_end, passage.begin, passage.end);
      passage.tail_begin = std::clamp(passage.tail_begin, passage.begin, passage.end);
      if (passage.context * 2 <= passage.tokens) {
        passage.tail_begin = std::max(passage.tail_begin, passage.head_end);
      }
    }
  }

  /// The passage that contains a token.
  static std::size_t passage_at(const std::vector<Passage>& passages, std::uint32_t token) {
    const auto after = std::upper_bound(
        passages.begin(), passages.end(), token,
        [](std::uint32_t t, const Passage& passage) { return t < passage.first_token; });
    return static_cast<std::size_t>(after - passages.begin()) - 1;
  }

  /// Pairing is one to one, so a run of A is also a run of B: numbers them.
  void connect(Passages& found) const {
    for (std::size_t i = 0; i < found.a.size(); ++i) {
      Passage& passage = found.a[i];
      if (!passage.shared || passage.repeat) continue;
      const std::size_t other = passage_at(found.b, a_.partner[passage.first_token]);
      passage.match = static_cast<std::uint32_t>(found.matches.size());
      found.b[other].match = passage.match;
      found.matches.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(other),
                               passage.tokens, false});
    }
  }

  void name_repeats(Passages& found) const {
    name_repeats_of(a_, b_, &SharedShingle::b_begin, found.a, found.b);
    name_repeats_of(b_, a_, &SharedShingle::a_begin, found.b, found.a);
  }

  /// A repeat's counterpart: finds the first shingle over its first token in the other document,
  /// and takes the match of that token.
  void name_repeats_of(const Side& side, const Side& other, std::uint32_t SharedShingle::*first,
                       std::vector<Passage>& passages, const std::vector<Passage>& others) const {
    for (Passage& passage : passages) {
      if (!passage.repeat) continue;
      const std::size_t token = passage.first_token;
      std::size_t start = token + 1 > side.window ? token + 1 - side.window : 0;
      while (start < side.group.size() && side.group[start] == nowhere) ++start;
      if (start > token || start >= side.group.size()) continue;
      const std::uint32_t row = shared_[side.group[start]].*first;
      const auto counterpart =
          static_cast<std::uint32_t>(other.places[row].place + (token - start));
      if (counterpart < other.tokens.size()) {
        passage.match = others[passage_at(others, counterpart)].match;
      }
    }
  }

  /// Heaviest chain of matches increasing in both texts; the rest have moved.
  static void mark_moved(Passages& found) {
    struct Chain {
      std::uint64_t weight = 0;
      std::uint32_t last = nowhere;
    };
    std::vector<Chain> tree(found.b.size() + 1);
    std::vector<std::uint32_t> previous(found.matches.size(), nowhere);
    Chain best;
    for (std::size_t m = 0; m < found.matches.size(); ++m) {
      const PassageMatch& match = found.matches[m];
      Chain chain;
      for (std::size_t k = match.b; k > 0; k &= k - 1) {
        if (tree[k].weight > chain.weight) chain = tree[k];
      }
      previous[m] = chain.last;
      chain = {chain.weight + match.tokens, static_cast<std::uint32_t>(m)};
      for (std::size_t k = std::size_t{match.b} + 1; k < tree.size(); k += k & (~k + 1)) {
        if (chain.weight > tree[k].weight) tree[k] = chain;
      }
      if (chain.weight > best.weight) best = chain;
    }
    for (PassageMatch& match : found.matches) match.moved = true;
    for (std::uint32_t m = best.last; m != nowhere; m = previous[m]) found.matches[m].moved = false;
  }

  unsigned width_;
  Side a_;
  Side b_;
  std::vector<SharedShingle> shared_;
};

}  // namespace

Passages find_passages(const Analysis& a, const Analysis& b, unsigned width,
                       unsigned context_tokens) {
  assert(a.offsets.size() == a.tokens.size() && b.offsets.size() == b.tokens.size());
  assert(width >= 1 && width <= max_shingle_tokens);
  return Alignment(a, b, width).run(context_tokens);
}

}  // namespace twinset
