// One document's set is its shingle start positions sorted by the tokens they
// stand at, equal ones once; two sets meet in a merge.
//
// A collection numbers its shingles through a hash table of positions whose
// equality compares the tokens themselves, so numbers are exact whatever the
// hash does. Pairs come from an inverted index over those numbers. A partner of
// document d must share at least `needed` of d's |d| shingles, so it holds at
// least one of any |d| - needed + 1 of them: only the rarest that many are
// looked up, and every partner found so is then intersected exactly.
//
// Decisions follow the definition word by word: fold, then one pass in keep
// order over edges to the kept ones ahead.
#include "evaluate/oracle.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <string>
#include <unordered_set>

#include "base/hash.h"

namespace twinset {

namespace {

using Tokens = std::span<const std::uint64_t>;

/// Tokens of the shingle at `start`: `width`, or all there are in a short document.
Tokens shingle_at(Tokens tokens, std::size_t start, unsigned width) {
  return tokens.subspan(start, std::min<std::size_t>(width, tokens.size() - start));
}

std::size_t shingle_count(std::size_t tokens, unsigned width) {
  if (tokens == 0) return 0;
  return tokens < width ? 1 : tokens - width + 1;
}

bool less(Tokens a, Tokens b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

bool equal(Tokens a, Tokens b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace

ExactShingles::ExactShingles(std::span<const std::uint64_t> tokens, unsigned width)
    : tokens_(tokens.begin(), tokens.end()), width_(width) {
  assert(width >= 1 && tokens.size() < std::numeric_limits<std::uint32_t>::max());
  starts_.resize(shingle_count(tokens_.size(), width));
  for (std::size_t i = 0; i < starts_.size(); ++i) starts_[i] = static_cast<std::uint32_t>(i);
  const Tokens all = tokens_;
  std::sort(starts_.begin(), starts_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return less(shingle_at(all, a, width), shingle_at(all, b, width));
  });
  starts_.erase(std::unique(starts_.begin(), starts_.end(),
                            [&](std::uint32_t a, std::uint32_t b) {
                              return equal(shingle_at(all, a, width), shingle_at(all, b, width));
                            }),
                starts_.end());
}

std::span<const std::uint64_t> ExactShingles::shingle(std::size_t i) const {
  return shingle_at(tokens_, starts_[i], width_);
}

std::uint64_t intersection_size(const ExactShingles& a, const ExactShingles& b) {
  assert(a.width() == b.width());
  std::uint64_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Tokens x = a.shingle(i);
    const Tokens y = b.shingle(j);
    if (less(x, y)) {
      ++i;
    } else if (less(y, x)) {
      ++j;
    } else {
      ++shared;
      ++i;
      ++j;
    }
  }
  return shared;
}

Fraction exact_resemblance(const ExactShingles& a, const ExactShingles& b) {
  if (a.size() == 0 || b.size() == 0) return {};
  const std::uint64_t shared = intersection_size(a, b);
  return {shared, a.size() + b.size() - shared};
}

Fraction exact_containment(const ExactShingles& a, const ExactShingles& b) {
  if (a.size() == 0 || b.size() == 0) return {};
  return {intersection_size(a, b), a.size()};
}

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
  collection.memory_bytes_ =
      collection.numbers_.size() * bytes_per_number + table.size() * bytes_per_distinct;
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

/// The least integer n with n / size >= bound, at least 1.
std::uint64_t least_shared(std::uint64_t size, const Ratio& bound) {
  const auto product = static_cast<unsigned __int128>(size) * bound.numerator();
  const auto needed = (product + bound.denominator() - 1) / bound.denominator();
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(needed));
}

/// Shingles a partner must share with a document of `size` for any part of the
/// rule to take the pair from this document's side.
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

void for_each_exact_pair(const ShingleCollection& collection, const PairRule& rule,
                         const std::function<void(const ExactPair&)>& visit) {
  assert(rule.resemblance.numerator() > 0);
  assert(!rule.containment || rule.containment->numerator() > 0);
  const InvertedIndex index(collection);
  std::vector<bool> in_document(collection.distinct_shingles());
  std::vector<bool> seen(collection.documents());
  std::vector<std::uint32_t> partners;
  for (std::uint32_t d = 0; d < collection.documents(); ++d) {
    const auto mine = collection.shingles(d);
    const std::uint64_t needed = needed_from(mine.size(), rule);
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
      // A turn is sure of the partners that share enough from its side. Where
      // that is so on both sides, the earlier document's turn reports the pair.
      if (shared < needed) continue;
      if (e < d && shared >= needed_from(theirs.size(), rule)) continue;
      if (takes(rule, pair)) visit(pair);
    }
    for (const std::uint32_t s : mine) in_document[s] = false;
    partners.clear();
  }
}

std::vector<ExactPair> all_exact_pairs(const ShingleCollection& collection, const PairRule& rule) {
  std::vector<ExactPair> pairs;
  for_each_exact_pair(collection, rule, [&](const ExactPair& pair) { pairs.push_back(pair); });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

namespace {

/// The first document of each one's lexical class in keep order.
std::vector<std::uint32_t> fold(std::span<const OracleDocument> documents) {
  std::map<std::vector<std::uint64_t>, std::uint32_t> by_tokens;
  std::map<std::string_view, std::uint32_t> by_text;  // documents without tokens
  std::vector<std::uint32_t> representatives(documents.size());
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    const OracleDocument& document = documents[d];
    representatives[d] =
        document.tokens.empty()
            ? by_text.try_emplace(document.text, d).first->second
            : by_tokens.try_emplace({document.tokens.begin(), document.tokens.end()}, d)
                  .first->second;
  }
  return representatives;
}

OracleDecision kept_decision(std::uint32_t d, std::uint32_t representative) {
  OracleDecision decision;
  decision.survivor = d;
  decision.representative = representative;
  return decision;
}

/// What representative `d` becomes, given all ahead of it decided and its edges
/// to documents ahead of it, nearest to the front first.
OracleDecision decide_one(std::uint32_t d, bool reference, std::span<const ExactPair> edges,
                          const std::vector<OracleDecision>& decisions, const OracleRules& rules) {
  OracleDecision decision = kept_decision(d, d);
  if (reference) return decision;
  for (const ExactPair& edge : edges) {
    if (!decisions[edge.a].kept()) continue;
    const bool near = edge.resemblance().at_least(rules.resemblance);
    const bool contained =
        rules.containment && edge.containment_b_in_a().at_least(*rules.containment);
    if (!near && !contained) continue;
    decision.fate = near ? Fate::near : Fate::contained;
    decision.survivor = edge.a;
    decision.resemblance = edge.resemblance();
    decision.containment = edge.containment_b_in_a();
    decision.survivor_containment = edge.containment_a_in_b();
    break;
  }
  return decision;
}

}  // namespace

Result<OracleOutcome> decide_exactly(std::span<const OracleDocument> documents,
                                     const OracleRules& rules) {
  const std::vector<std::uint32_t> representatives = fold(documents);
  // Folded documents take part with no tokens: they have no pairs.
  std::vector<std::span<const std::uint64_t>> tokens(documents.size());
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    if (representatives[d] == d) tokens[d] = documents[d].tokens;
  }
  TWINSET_ASSIGN(auto collection,
                 ShingleCollection::make(tokens, rules.shingle_tokens, rules.memory_bytes));

  OracleOutcome outcome;
  outcome.pairs = all_exact_pairs(collection, {rules.resemblance, rules.containment});
  std::vector<ExactPair> edges = outcome.pairs;
  std::sort(edges.begin(), edges.end(), [](const ExactPair& x, const ExactPair& y) {
    return x.b != y.b ? x.b < y.b : x.a < y.a;
  });
  outcome.decisions.resize(documents.size());
  std::size_t next = 0;
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    const std::size_t first = next;
    while (next < edges.size() && edges[next].b == d) ++next;
    const std::uint32_t r = representatives[d];
    OracleDecision& decision = outcome.decisions[d];
    if (r == d) {
      decision =
          decide_one(d, documents[d].reference, std::span(edges).subspan(first, next - first),
                     outcome.decisions, rules);
    } else if (documents[d].reference) {
      decision = kept_decision(d, r);
    } else {
      decision = outcome.decisions[r];
      decision.representative = r;
      if (decision.kept()) {
        decision.fate = documents[d].text == documents[r].text ? Fate::identical : Fate::lexical;
        decision.resemblance = decision.containment = decision.survivor_containment = {1, 1};
      }
    }
  }
  return outcome;
}

std::vector<std::vector<std::uint32_t>> OracleOutcome::clusters() const {
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t d = 0; d < decisions.size(); ++d) {
    if (decisions[d].kept()) continue;
    auto& cluster = members[decisions[d].survivor];
    if (cluster.empty()) cluster.push_back(decisions[d].survivor);
    cluster.push_back(d);
  }
  std::vector<std::vector<std::uint32_t>> clusters;
  for (auto& [survivor, cluster] : members) clusters.push_back(std::move(cluster));
  return clusters;
}

Share recall_at(std::span<const ExactPair> pairs, const std::vector<bool>& kept, const Ratio& j) {
  Share recall;
  for (const ExactPair& pair : pairs) {
    if (pair.resemblance().at_least(j)) recall.add(!(kept[pair.a] && kept[pair.b]));
  }
  return recall;
}

RemovalCheck check_removals(std::span<const OracleDocument> documents,
                            std::span<const ClaimedRemoval> removals, const OracleRules& rules) {
  std::vector<bool> removed(documents.size());
  for (const ClaimedRemoval& claim : removals) {
    if (claim.document < documents.size()) removed[claim.document] = true;
  }
  auto holds = [&](const ClaimedRemoval& claim) {
    if (claim.document >= documents.size() || claim.survivor >= documents.size()) return false;
    if (claim.document == claim.survivor || removed[claim.survivor]) return false;
    const OracleDocument& gone = documents[claim.document];
    const OracleDocument& stays = documents[claim.survivor];
    if (gone.reference) return false;
    if (gone.text == stays.text) return true;
    const ExactShingles a(gone.tokens, rules.shingle_tokens);
    const ExactShingles b(stays.tokens, rules.shingle_tokens);
    return exact_resemblance(a, b).at_least(rules.resemblance) ||
           (rules.containment && exact_containment(a, b).at_least(*rules.containment));
  };
  RemovalCheck check;
  for (const ClaimedRemoval& claim : removals) {
    const bool right = holds(claim);
    check.right.add(right);
    if (!right) check.wrong.push_back(claim);
  }
  return check;
}

}  // namespace twinset
