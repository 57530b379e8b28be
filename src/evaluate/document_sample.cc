// Held documents are sorted by rank. If they are too many or too long, the last one is dropped, and
// no document at or after its rank is ever taken again: the result is the same as if all had been
// sorted first.
//
// This file's interface is evaluate/document_sample.h; the rest is private.
#include "evaluate/document_sample.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluate/random.h"

namespace twinset {

void DocumentSample::add(std::string_view text, std::span<const std::uint64_t> shingles,
                         DocumentPlace place, PageTemplates templates) {
  if (shingles.empty()) return;
  ++seen_;
  const std::uint64_t bytes = text.size() + templates.text.size();
  if (bytes > options_.max_document_bytes) {
    ++too_long_;
    return;
  }
  const std::uint64_t key = derive_seed(options_.seed, 3);
  hashes_.clear();
  for (const std::uint64_t shingle : shingles) hashes_.push_back(mix64(shingle ^ key));
  const std::uint64_t least = *std::ranges::min_element(hashes_);
  const double score_of_one = -std::log1p(-static_cast<double>(least >> 11) * 0x1.0p-53);
  if (score_of_one > least_dropped_.score) return;  // More shingles make it no less.
  std::ranges::sort(hashes_);
  const auto repeated = std::unique(hashes_.begin(), hashes_.end());
  const auto distinct = static_cast<double>(repeated - hashes_.begin());
  const Rank rank{distinct * score_of_one, derive_seed(options_.seed, place.source, place.record)};
  if (!(rank < least_dropped_)) return;
  bytes_ += bytes;
  held_.try_emplace(rank, Held{{std::string(text), std::move(place), std::move(templates)}, least});
  std::set<Rank>& alike = of_shingle_[least];
  alike.insert(rank);
  if (alike.size() > most_of_one_shingle) {
    ++too_alike_;
    drop(*alike.rbegin());
  }
  while (held_.size() > options_.documents || bytes_ > options_.max_bytes) {
    too_much_text_ = too_much_text_ || held_.size() <= options_.documents;
    least_dropped_ = held_.rbegin()->first;
    drop(least_dropped_);
  }
}

void DocumentSample::drop(Rank rank) {
  const auto entry = held_.find(rank);
  const auto alike = of_shingle_.find(entry->second.shingle);
  alike->second.erase(rank);
  if (alike->second.empty()) of_shingle_.erase(alike);
  const SampledDocument& document = entry->second.document;
  bytes_ -= document.text.size() + document.templates.text.size();
  held_.erase(entry);
}

std::vector<SampledDocument> DocumentSample::take() && {
  std::vector<SampledDocument> documents;
  documents.reserve(held_.size());
  for (auto& [rank, held] : held_) documents.push_back(std::move(held.document));
  held_.clear();
  of_shingle_.clear();
  std::sort(documents.begin(), documents.end(),
            [](const SampledDocument& a, const SampledDocument& b) {
              return std::pair(a.place.source, a.place.record) <
                     std::pair(b.place.source, b.place.record);
            });
  return documents;
}

}  // namespace twinset
