// Held documents are sorted by rank. If they are too many or too long, the last one is dropped, and
// no document at or after its rank is ever taken again: the result is the same as if all had been
// sorted first.
//
// This file's interface is evaluate/document_sample.h; the rest is private.
#include "evaluate/document_sample.h"

#include <algorithm>
#include <iterator>
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
  Rank rank{~std::uint64_t{0}, derive_seed(options_.seed, place.source, place.record)};
  for (const std::uint64_t shingle : shingles) {
    rank.shingle = std::min(rank.shingle, mix64(shingle ^ key));
  }
  if (!(rank < least_dropped_)) return;
  bytes_ += bytes;
  held_.try_emplace(rank,
                    SampledDocument{std::string(text), std::move(place), std::move(templates)});
  const auto first = held_.lower_bound({rank.shingle, 0});
  auto last = first;
  std::size_t alike = 0;
  for (auto at = first; at != held_.end() && at->first.shingle == rank.shingle; ++at, ++alike) {
    last = at;
  }
  if (alike > most_of_one_rank) {
    ++too_alike_;
    drop(last);
  }
  while (held_.size() > options_.documents || bytes_ > options_.max_bytes) {
    too_much_text_ = too_much_text_ || held_.size() <= options_.documents;
    const auto end = std::prev(held_.end());
    least_dropped_ = end->first;
    drop(end);
  }
}

void DocumentSample::drop(std::map<Rank, SampledDocument>::iterator entry) {
  bytes_ -= entry->second.text.size() + entry->second.templates.text.size();
  held_.erase(entry);
}

std::vector<SampledDocument> DocumentSample::take() && {
  std::vector<SampledDocument> documents;
  documents.reserve(held_.size());
  for (auto& [rank, document] : held_) documents.push_back(std::move(document));
  held_.clear();
  std::sort(documents.begin(), documents.end(),
            [](const SampledDocument& a, const SampledDocument& b) {
              return std::pair(a.place.source, a.place.record) <
                     std::pair(b.place.source, b.place.record);
            });
  return documents;
}

}  // namespace twinset
