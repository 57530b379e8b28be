// Planting distributes the edits over the originals, ordered by length class, so that each class
// gets each edit; if there are more clusters than originals, the next round uses another offset.
// Copies do not depend on one another, so threads share them.
//
// This file's interface is evaluate/trial_set.h; the rest is private.
#include "evaluate/trial_set.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "evaluate/random.h"
#include "join/union_find.h"
#include "system/threads.h"

namespace twinset {
namespace {

enum Purpose : std::uint64_t { order_purpose = 11, copy_purpose };

/// The number of copies with one edit in a cluster of round `round` through all edits: 27 copies in
/// 16 rounds.
std::size_t cluster_copies(std::size_t round) {
  return round % 16 == 2 ? 3 : round % 16 == 6 ? 10 : 1;
}
constexpr std::size_t large_cluster_copies = 30;

/// Calls `work` for each of [begin, end), spread over threads.
template <class Work>
Status for_each_on_threads(std::size_t begin, std::size_t end, const TrialSetOptions& options,
                           const Work& work) {
  const unsigned threads = std::max(1U, options.threads);
  return run_workers(threads, [&](unsigned worker) -> Status {
    for (std::size_t i = begin + worker; i < end; i += threads) {
      if (options.keep_going) TWINSET_TRY(options.keep_going());
      work(i);
    }
    return {};
  });
}

}  // namespace

LengthClass length_class(std::size_t tokens) {
  if (tokens < 50) return LengthClass::under_50;
  if (tokens < 200) return LengthClass::under_200;
  return tokens < 1000 ? LengthClass::under_1000 : LengthClass::longer;
}

std::string_view length_class_name(LengthClass length) {
  constexpr std::array<std::string_view, length_classes> names = {"<50", "50-199", "200-999",
                                                                  "1000+"};
  return names[static_cast<std::size_t>(length)];
}

Result<TrialSet> TrialSet::make(const TrialSetOptions& options,
                                std::vector<SampledDocument> sample) {
  if (options.analyzer == nullptr) return usage_error("a trial needs an analyzer");
  TrialSet set;
  set.options_ = options;
  for (SampledDocument& sampled : sample) {
    TrialDocument document;
    document.text = std::move(sampled.text);
    document.left_out = std::move(sampled.templates.text);
    document.place = std::move(sampled.place);
    document.original = static_cast<std::uint32_t>(set.documents_.size());
    set.documents_.push_back(std::move(document));
  }
  set.originals_ = set.documents_.size();
  if (set.originals_ == 0) return usage_error("nothing to evaluate on: no document has a token");
  TWINSET_TRY(set.analyze());
  TWINSET_TRY(set.plant());
  TWINSET_TRY(set.find_pairs());
  return set;
}

/// Makes the tokens of all documents that have none yet, and the length classes of originals.
Status TrialSet::analyze() {
  const std::size_t begin = documents_.size() == originals_ ? 0 : originals_;
  return for_each_on_threads(begin, documents_.size(), options_, [&](std::size_t i) {
    TrialDocument& document = documents_[i];
    Analysis analysis;
    options_.analyzer->analyze(document.text, Offsets::drop, analysis);
    document.analysis.tokens = analysis.tokens;  // a copy has no spare capacity
    if (begin == 0) document.length = length_class(analysis.tokens.size());
  });
}

Status TrialSet::plant() {
  std::vector<std::uint32_t> order(originals_);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(documents_[a].length, derive_seed(options_.seed, order_purpose, a), a) <
           std::tuple(documents_[b].length, derive_seed(options_.seed, order_purpose, b), b);
  });
  const std::size_t copies = std::max<std::size_t>(originals_, options_.least_copies);
  std::uint64_t bytes = 0;
  const auto plant_copy = [&](std::uint32_t original, std::size_t edit) {
    bytes += documents_[original].text.size();
    if (bytes > options_.max_copy_bytes || documents_.size() == originals_ + copies) return false;
    TrialDocument copy;
    copy.edit = &edits()[edit % edits().size()];
    copy.original = original;
    copy.length = documents_[original].length;
    documents_.push_back(std::move(copy));
    return true;
  };
  bool more = true;
  const bool large_clusters = copies >= 4 * length_classes * large_cluster_copies;
  for (std::size_t i = 0; i < originals_ && large_clusters; ++i) {
    if (i > 0 && documents_[order[i]].length == documents_[order[i - 1]].length) continue;
    for (std::size_t copy = 0; copy < large_cluster_copies && more; ++copy) {
      more = plant_copy(order[i], copy);
    }
  }
  // If there are fewer clusters than originals, they are spread evenly over these.
  const std::size_t clusters = (originals_ + copies - documents_.size()) * 16 / 27 + 1;
  for (std::size_t i = 0; more; ++i) {
    const std::size_t at = originals_ > clusters ? i * originals_ / clusters : i;
    const std::size_t size = cluster_copies(i / edits().size());
    for (std::size_t copy = 0; copy < size && more; ++copy) {
      more = plant_copy(order[at % originals_], i + i / originals_);
    }
  }
  TWINSET_TRY(for_each_on_threads(originals_, documents_.size(), options_, [&](std::size_t i) {
    TrialDocument& copy = documents_[i];
    copy.text = copy.edit->apply(documents_[copy.original].text,
                                 derive_seed(options_.seed, copy_purpose, i));
  }));
  TWINSET_TRY(analyze());
  for (const TrialDocument& document : documents_) text_bytes_ += document.text.size();
  return {};
}

Status TrialSet::find_pairs() {
  std::vector<std::span<const std::uint64_t>> tokens;
  tokens.reserve(documents_.size());
  for (const TrialDocument& document : documents_) tokens.emplace_back(document.analysis.tokens);
  TWINSET_ASSIGN(shingles_,
                 ShingleCollection::make(tokens, options_.shingle_tokens, options_.memory_bytes));
  if (options_.truth) {
    TWINSET_ASSIGN(
        const ShingleCollection features,
        truth_features(*options_.truth, tokens, options_.shingle_tokens, options_.memory_bytes));
    pairs_ = all_exact_pairs(features, make_truth(*options_.truth)->search());
  } else {
    pairs_ = all_exact_pairs(*shingles_, PairRule{options_.floor, options_.containment});
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const ExactPair& x, const ExactPair& y) {
    return std::pair(x.b, x.a) < std::pair(y.b, y.a);
  });
  begins_.assign(documents_.size() + 1, 0);
  for (const ExactPair& pair : pairs_) ++begins_[pair.b + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  count_common();
  return {};
}

void TrialSet::count_common() {
  constexpr std::uint64_t least_others = 10;
  constexpr std::uint64_t percent = 100;
  common_least_ = std::max(least_others, (originals_ + percent - 1) / percent);
  std::vector<std::uint32_t> holders(shingles_->distinct_shingles());
  for (std::size_t d = 0; d < originals_; ++d) {
    for (const std::uint32_t shingle : shingles_->shingles(d)) ++holders[shingle];
  }
  for (std::size_t d = 0; d < originals_; ++d) {
    const auto shingles = shingles_->shingles(d);
    const auto common = static_cast<std::size_t>(
        std::count_if(shingles.begin(), shingles.end(), [&](std::uint32_t shingle) {
          return holders[shingle] > common_least_;  // itself and so many others
        }));
    common_documents_ += !shingles.empty() && 2 * common >= shingles.size() ? 1 : 0;
  }
}

std::string TrialSet::whole_text(std::uint32_t document) const {
  const std::string& templates = documents_[documents_[document].original].left_out;
  return templates.empty() ? documents_[document].text
                           : templates + "\n" + documents_[document].text;
}

std::string TrialSet::name(std::uint32_t document) const {
  if (document < originals_) return documents_[document].place.id;
  return "\"planted-" + std::to_string(document - originals_ + 1) + "\"";
}

const ExactPair* TrialSet::find(std::uint32_t a, std::uint32_t b) const {
  const std::span<const ExactPair> pairs = pairs_before(b);
  const auto at = std::lower_bound(
      pairs.begin(), pairs.end(), a,
      [](const ExactPair& pair, std::uint32_t document) { return pair.a < document; });
  return at != pairs.end() && at->a == a ? &*at : nullptr;
}

PairKind TrialSet::kind(const ExactPair& pair) const {
  if (pair.b < originals_) return PairKind::natural;
  return documents_[pair.b].original == pair.a ? PairKind::planted : PairKind::other;
}

std::unique_ptr<Truth> TrialSet::truth(const Ratio& threshold) const {
  return options_.truth ? make_truth(*options_.truth) : resemblance_truth(threshold);
}

std::vector<std::uint32_t> TrialSet::components(const Truth& truth) const {
  UnionFind united(static_cast<std::uint32_t>(documents_.size()));
  for (const ExactPair& pair : pairs_) {
    if (truth.due(pair)) united.unite(pair.a, pair.b);
  }
  std::vector<std::uint32_t> components(documents_.size());
  for (std::uint32_t d = 0; d < components.size(); ++d) components[d] = united.find(d);
  return components;
}

}  // namespace twinset
