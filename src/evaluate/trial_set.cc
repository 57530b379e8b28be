// Planting deals the edits out over the originals ordered by length class, so that
// each class gets each edit; where copies outnumber originals, the next round deals
// with another offset. Copies do not look at one another, so threads share them.
//
// This file's interface is evaluate/trial_set.h; the rest is private.
#include "evaluate/trial_set.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/threads.h"
#include "evaluate/random.h"
#include "join/union_find.h"

namespace twinset {
namespace {

enum Purpose : std::uint64_t { order_purpose = 11, copy_purpose };

/// `work` for each of [begin, end), spread over threads.
template <class Work>
void for_each_on_threads(std::size_t begin, std::size_t end, unsigned threads, const Work& work) {
  threads = std::max(1U, threads);
  const Status done = run_workers(threads, [&](unsigned worker) {
    for (std::size_t i = begin + worker; i < end; i += threads) work(i);
    return Status();
  });
  assert(done.ok());
}

}  // namespace

Fraction larger_containment(const ExactPair& pair) {
  return {pair.shared, std::min(pair.a_size, pair.b_size)};
}

Result<TrialSet> TrialSet::make(const TrialSetOptions& options,
                                std::vector<SampledDocument> sample) {
  if (options.analyzer == nullptr) return usage_error("a trial needs an analyzer");
  TrialSet set;
  set.options_ = options;
  for (SampledDocument& sampled : sample) {
    TrialDocument document;
    document.text = std::move(sampled.text);
    document.place = std::move(sampled.place);
    document.original = static_cast<std::uint32_t>(set.documents_.size());
    set.documents_.push_back(std::move(document));
  }
  set.originals_ = set.documents_.size();
  if (set.originals_ == 0) return usage_error("nothing to evaluate on: no document has a token");
  set.analyze();
  set.plant();
  TWINSET_TRY(set.find_pairs());
  return set;
}

/// Tokens of all that have none yet; length classes of originals.
void TrialSet::analyze() {
  const std::size_t begin = documents_.size() == originals_ ? 0 : originals_;
  for_each_on_threads(begin, documents_.size(), options_.threads, [&](std::size_t i) {
    TrialDocument& document = documents_[i];
    Analysis analysis;
    options_.analyzer->analyze(document.text, Offsets::drop, analysis);
    document.analysis.tokens = analysis.tokens;  // a copy has no spare capacity
    if (begin == 0) document.length = length_class(analysis.tokens.size());
  });
}

void TrialSet::plant() {
  std::vector<std::uint32_t> order(originals_);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(documents_[a].length, derive_seed(options_.seed, order_purpose, a), a) <
           std::tuple(documents_[b].length, derive_seed(options_.seed, order_purpose, b), b);
  });
  const std::size_t copies = std::max<std::size_t>(originals_, options_.least_copies);
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < copies; ++i) {
    const TrialDocument& original = documents_[order[i % originals_]];
    bytes += original.text.size();
    if (bytes > options_.max_copy_bytes) break;
    TrialDocument copy;
    copy.edit = &edits()[(i + i / originals_) % edits().size()];
    copy.original = original.original;
    copy.length = original.length;
    documents_.push_back(std::move(copy));
  }
  for_each_on_threads(originals_, documents_.size(), options_.threads, [&](std::size_t i) {
    TrialDocument& copy = documents_[i];
    copy.text = copy.edit->apply(documents_[copy.original].text,
                                 derive_seed(options_.seed, copy_purpose, i));
  });
  analyze();
  for (const TrialDocument& document : documents_) text_bytes_ += document.text.size();
}

Status TrialSet::find_pairs() {
  std::vector<std::span<const std::uint64_t>> tokens;
  tokens.reserve(documents_.size());
  for (const TrialDocument& document : documents_) tokens.emplace_back(document.analysis.tokens);
  {
    TWINSET_ASSIGN(ShingleCollection collection,
                   ShingleCollection::make(tokens, options_.shingle_tokens, options_.memory_bytes));
    pairs_ = all_exact_pairs(collection, {options_.floor, options_.containment});
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const ExactPair& x, const ExactPair& y) {
    return std::pair(x.b, x.a) < std::pair(y.b, y.a);
  });
  begins_.assign(documents_.size() + 1, 0);
  for (const ExactPair& pair : pairs_) ++begins_[pair.b + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  planted_.resize(documents_.size() - originals_);
  for_each_on_threads(originals_, documents_.size(), options_.threads, [&](std::size_t i) {
    const auto copy = static_cast<std::uint32_t>(i);
    const std::uint32_t original = documents_[i].original;
    const ExactShingles a(documents_[original].analysis.tokens, options_.shingle_tokens);
    const ExactShingles b(documents_[i].analysis.tokens, options_.shingle_tokens);
    planted_[i - originals_] = {original, copy, static_cast<std::uint32_t>(intersection_size(a, b)),
                                static_cast<std::uint32_t>(a.size()),
                                static_cast<std::uint32_t>(b.size())};
  });
  return {};
}

PairKind TrialSet::kind(const ExactPair& pair) const {
  if (pair.b < originals_) return PairKind::natural;
  return documents_[pair.b].original == pair.a ? PairKind::planted : PairKind::other;
}

std::vector<std::uint32_t> TrialSet::components(const Ratio& resemblance,
                                                bool naturals_only) const {
  UnionFind united(static_cast<std::uint32_t>(documents_.size()));
  for (const ExactPair& pair : pairs_) {
    if (naturals_only && pair.b >= originals_) break;  // pairs are by b
    if (pair.resemblance().at_least(resemblance)) united.unite(pair.a, pair.b);
  }
  std::vector<std::uint32_t> components(documents_.size());
  for (std::uint32_t d = 0; d < components.size(); ++d) components[d] = united.find(d);
  return components;
}

}  // namespace twinset
