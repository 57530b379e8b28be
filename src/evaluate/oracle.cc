// A collection numbers its shingles through a hash table of positions whose equality compares the
// tokens themselves, so numbers are exact whatever the hash. Pairs come from an inverted index over
// those numbers. A partner of document d must share at least `needed` of d's |d| shingles, so it
// holds at least one of any |d| - needed + 1 of them: only that many, the rarest, are looked up,
// and each partner found is then intersected exactly.
#include "evaluate/oracle.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <unordered_set>
#include <utility>

#include "base/hash.h"

namespace twinset {

namespace {

using Tokens = std::span<const std::uint64_t>;

/// Tokens of the shingle at `start`: `width`, or all of a shorter document.
Tokens shingle_at(Tokens tokens, std::size_t start, unsigned width) {
  return tokens.subspan(start, std::min<std::size_t>(width, tokens.size() - start));
}

std::size_t shingle_count(std::size_t tokens, unsigned width) {
  if (tokens == 0) return 0;
  return tokens < width ? 1 : tokens - width + 1;
}

bool equal(Tokens a, Tokens b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace

Result<ShingleCollection> ShingleCollection::make(
    std::span<const std::span<const std::uint64_t>> documents, unsigned width,
    std::uint64_t memory_bytes) {
  /// A node of the hash table with its allocation and bucket, and the frequency.
  constexpr std::uint64_t bytes_per_distinct = 60;
  constexpr std::uint64_t bytes_per_number = 8;
  struct Position {
    std::uint32_t document;
    std::uint32_t start;
    std::uint32_t number;
  };
  auto tokens_of = [&](const Position& at) {
    return shingle_at(documents[at.document], at.start, width);
  };
  auto hash = [&](const Position& at) {
    std::uint64_t value = 0;
    for (const std::uint64_t token : tokens_of(at)) value = mix64(value + 1) ^ mix64(token);
    return static_cast<std::size_t>(mix64(value));
  };
  auto same = [&](const Position& a, const Position& b) {
    return equal(tokens_of(a), tokens_of(b));
  };
  std::unordered_set<Position, decltype(hash), decltype(same)> table(0, hash, same);

  if (documents.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return usage_error("the exact oracle takes fewer than 2^32 documents");
  }
  ShingleCollection collection;
  collection.begins_.push_back(0);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    const std::size_t count = shingle_count(documents[d].size(), width);
    const std::size_t begin = collection.numbers_.size();
    const std::uint64_t bound =
        (begin + count) * bytes_per_number + (table.size() + count) * bytes_per_distinct;
    if (bound > memory_bytes || count >= std::numeric_limits<std::uint32_t>::max()) {
      return usage_error(
          fmt::format("the exact oracle needs over {} bytes at document {} of {} and may use {}; "
                      "give it fewer documents or more memory",
                      bound, d + 1, documents.size(), memory_bytes));
    }
    for (std::size_t start = 0; start < count; ++start) {
      const auto [entry, fresh] =
          table.insert({static_cast<std::uint32_t>(d), static_cast<std::uint32_t>(start),
                        static_cast<std::uint32_t>(table.size())});
      collection.numbers_.push_back(entry->number);
    }
    const auto first = collection.numbers_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, collection.numbers_.end());
    collection.numbers_.erase(std::unique(first, collection.numbers_.end()),
                              collection.numbers_.end());
    collection.begins_.push_back(collection.numbers_.size());
  }
  collection.frequencies_.resize(table.size());
  for (const std::uint32_t number : collection.numbers_) ++collection.frequencies_[number];
  for (std::size_t d = 0; d < documents.size(); ++d) {
    std::sort(collection.numbers_.begin() + static_cast<std::ptrdiff_t>(collection.begins_[d]),
              collection.numbers_.begin() + static_cast<std::ptrdiff_t>(collection.begins_[d + 1]),
              [&](std::uint32_t a, std::uint32_t b) {
                const std::uint32_t fa = collection.frequencies_[a];
                const std::uint32_t fb = collection.frequencies_[b];
                return fa != fb ? fa < fb : a < b;
              });
  }
  return collection;
}

ExactPair ShingleCollection::pair(std::uint32_t a, std::uint32_t b) const {
  const auto left = shingles(a);
  const auto right = shingles(b);
  std::uint32_t shared = 0;
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    if (left[i] == right[j]) {
      ++shared;
      ++i;
      ++j;
    } else if (std::pair(frequency(left[i]), left[i]) < std::pair(frequency(right[j]), right[j])) {
      ++i;
    } else {
      ++j;
    }
  }
  return {a, b, shared, static_cast<std::uint32_t>(left.size()),
          static_cast<std::uint32_t>(right.size())};
}

namespace {

/// Documents of each shingle, ascending.
struct InvertedIndex {
  explicit InvertedIndex(const ShingleCollection& collection)
      : begins(collection.distinct_shingles() + 1) {
    std::uint64_t total = 0;
    for (std::uint32_t s = 0; s < collection.distinct_shingles(); ++s) {
      begins[s] = total;
      total += collection.frequency(s);
    }
    begins.back() = total;
    postings.resize(total);
    std::vector<std::uint64_t> next(begins.begin(), begins.end() - 1);
    for (std::uint32_t d = 0; d < collection.documents(); ++d) {
      for (const std::uint32_t s : collection.shingles(d)) postings[next[s]++] = d;
    }
  }
  std::span<const std::uint32_t> of(std::uint32_t shingle) const {
    return std::span(postings).subspan(begins[shingle], begins[shingle + 1] - begins[shingle]);
  }
  std::vector<std::uint64_t> begins;
  std::vector<std::uint32_t> postings;
};

/// The number of shingles that a partner must share with a document of `size` so that some part of
/// the rule accepts the pair from this document's side.
std::uint64_t needed_from(std::uint64_t size, const PairRule& rule) {
  const std::uint64_t needed = least_shared(size, rule.resemblance);
  return rule.containment ? std::min(needed, least_shared(size, *rule.containment)) : needed;
}

bool takes(const PairRule& rule, const ExactPair& pair) {
  return pair.resemblance().at_least(rule.resemblance) ||
         (rule.containment && (pair.containment_a_in_b().at_least(*rule.containment) ||
                               pair.containment_b_in_a().at_least(*rule.containment)));
}

}  // namespace

std::uint64_t least_shared(std::uint64_t size, const Ratio& bound) {
  const auto product = static_cast<unsigned __int128>(size) * bound.numerator();
  const auto needed = (product + bound.denominator() - 1) / bound.denominator();
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(needed));
}

std::vector<ExactPair> all_exact_pairs(const ShingleCollection& collection, const PairRule& rule) {
  assert(rule.resemblance.numerator() > 0);
  assert(!rule.containment || rule.containment->numerator() > 0);
  return all_exact_pairs(collection, {[&](std::uint64_t size) { return needed_from(size, rule); },
                                      [&](const ExactPair& pair) { return takes(rule, pair); }});
}

std::vector<ExactPair> all_exact_pairs(const ShingleCollection& collection,
                                       const PairSearch& search) {
  std::vector<ExactPair> pairs;
  const InvertedIndex index(collection);
  std::vector<bool> in_document(collection.distinct_shingles());
  std::vector<bool> seen(collection.documents());
  std::vector<std::uint32_t> partners;
  for (std::uint32_t d = 0; d < collection.documents(); ++d) {
    const auto mine = collection.shingles(d);
    if (mine.empty()) continue;
    const std::uint64_t needed = search.least_shared(mine.size());
    if (needed > mine.size()) continue;
    for (const std::uint32_t s : mine.first(mine.size() - needed + 1)) {
      for (const std::uint32_t e : index.of(s)) {
        if (e == d || seen[e]) continue;
        seen[e] = true;
        partners.push_back(e);
      }
    }
    for (const std::uint32_t s : mine) in_document[s] = true;
    for (const std::uint32_t e : partners) {
      seen[e] = false;
      const auto theirs = collection.shingles(e);
      std::uint32_t shared = 0;
      for (const std::uint32_t s : theirs) shared += in_document[s] ? 1 : 0;
      ExactPair pair{d, e, shared, static_cast<std::uint32_t>(mine.size()),
                     static_cast<std::uint32_t>(theirs.size())};
      if (e < d) pair = {e, d, shared, pair.b_size, pair.a_size};
      // A document's turn finds all partners that share enough from its side. If they do so from
      // both sides, the earlier document's turn reports the pair.
      if (shared < needed) continue;
      if (e < d && shared >= search.least_shared(theirs.size())) continue;
      if (search.accepts(pair)) pairs.push_back(pair);
    }
    for (const std::uint32_t s : mine) in_document[s] = false;
    partners.clear();
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace twinset
