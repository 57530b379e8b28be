// The sample of evaluate by ranks alone; this file's interface is SampleRanker and SampleScan,
// declared in twinset/evaluate.h, and rank_of() in evaluate/sample_rank.h.
//
// Held ranks are sorted. If they are too many, or of too much text, the last one is dropped, and
// nothing at or after it is ever taken again: the result is the same as if all had been sorted
// first. Without a limit of bytes that is so of any part of a collection, too: what a part drops
// when it comes, the whole drops as well, because more documents only make its bound lower.
#include <algorithm>
#include <cmath>

#include "evaluate/random.h"
#include "evaluate/sample_rank.h"
#include "scheme/record_view.h"
#include "twinset/pair.h"

namespace twinset {
namespace {

constexpr std::uint64_t shingle_purpose = 3;
constexpr std::size_t most_of_one_shingle = 10;
/// After a longer text its buffers are freed.
constexpr std::size_t large_text_bytes = std::size_t{8} << 20;

}  // namespace

std::optional<SampleRank> rank_of(std::span<const std::uint64_t> shingles,
                                  const SampledPlace& place, const SampleScan* scan,
                                  std::vector<std::uint64_t>& scratch) {
  const std::uint64_t key = derive_seed(place.seed, shingle_purpose);
  scratch.clear();
  for (const std::uint64_t shingle : shingles) scratch.push_back(mix64(shingle ^ key));
  const std::uint64_t least = *std::ranges::min_element(scratch);
  const double score_of_one = -std::log1p(-static_cast<double>(least >> 11) * 0x1.0p-53);
  // More shingles make it no less.
  if (scan != nullptr && !scan->may_take(score_of_one)) return std::nullopt;
  std::ranges::sort(scratch);
  const auto repeated = std::unique(scratch.begin(), scratch.end());
  const auto distinct = static_cast<double>(repeated - scratch.begin());
  return SampleRank{distinct * score_of_one, derive_seed(place.seed, place.source, place.record),
                    least, place.bytes, place.record};
}

Result<SampleRanker> SampleRanker::make(const SampleRule& rule) {
  TWINSET_TRY(view_rule({.analyzer = rule.analyzer, .html = rule.html}));
  return SampleRanker(rule);
}

Result<std::vector<RankedText>> SampleRanker::rank(std::span<const std::string_view> texts,
                                                   std::span<const std::uint64_t> records) const {
  TWINSET_ASSIGN(ViewRule rule, view_rule({.analyzer = rule_.analyzer, .html = rule_.html}));
  rule.shingle_tokens = rule_.shingle_tokens;
  RecordView view(rule);
  Record read;
  read.markup = rule_.html ? Markup::html : Markup::none;
  std::vector<std::uint64_t> scratch;
  std::vector<RankedText> all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    TWINSET_TRY(check_text_bytes(texts[i]));
    read.text = texts[i];
    view.look_at(read);
    RankedText& ranked = all.emplace_back();
    ranked.bytes = view.compared_text().size();
    const std::span<const std::uint64_t> shingles = view.shingles();
    ranked.has_tokens = !shingles.empty();
    if (ranked.has_tokens && ranked.bytes <= rule_.limits.document_bytes) {
      ranked.rank = rank_of(shingles, {rule_.seed, 0, records[i], ranked.bytes}, nullptr, scratch);
    }
    if (texts[i].size() > large_text_bytes) view.release_large();
  }
  return all;
}

bool SampleScan::add(const SampleRank& rank) {
  dropped_.clear();
  if (!(rank < least_dropped_)) return false;
  bytes_ += rank.bytes;
  held_.insert(rank);
  std::set<SampleRank>& alike = of_shingle_[rank.shingle];
  alike.insert(rank);
  if (alike.size() > most_of_one_shingle) {
    const SampleRank last = *alike.rbegin();
    ++alike_[last.score];
    if (last == rank) ++refused_alike_[last.score];
    drop(last);
  }
  while (held_.size() > limits_.documents || bytes_ > limits_.bytes) drop_last();
  return std::ranges::find(dropped_, rank) == dropped_.end();
}

void SampleScan::add_alike(double score, std::uint64_t documents) {
  if (score < least_dropped_.score) alike_[score] += documents;
}

std::uint64_t SampleScan::too_alike() const {
  std::uint64_t documents = 0;
  for (const auto& [score, count] : alike_) documents += count;
  return documents;
}

void SampleScan::drop_last() {
  too_much_text_ = too_much_text_ || held_.size() <= limits_.documents;
  least_dropped_ = *held_.rbegin();
  drop(least_dropped_);
  for (auto* const counts : {&alike_, &refused_alike_}) {
    counts->erase(counts->lower_bound(least_dropped_.score), counts->end());
  }
}

void SampleScan::drop(const SampleRank& rank) {
  const auto alike = of_shingle_.find(rank.shingle);
  alike->second.erase(rank);
  if (alike->second.empty()) of_shingle_.erase(alike);
  bytes_ -= rank.bytes;
  held_.erase(rank);
  dropped_.push_back(rank);
}

}  // namespace twinset
