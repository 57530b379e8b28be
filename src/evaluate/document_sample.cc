// The ranks that SampleScan holds, with the texts of their documents.
//
// This file's interface is evaluate/document_sample.h; the rest is private.
#include "evaluate/document_sample.h"

#include <algorithm>
#include <utility>

#include "evaluate/sample_rank.h"

namespace twinset {

void DocumentSample::add(std::string_view text, std::span<const std::uint64_t> shingles,
                         DocumentPlace place, PageTemplates templates) {
  if (shingles.empty()) return;
  ++seen_;
  const std::uint64_t bytes = text.size() + templates.text.size();
  if (bytes > limits_.document_bytes) {
    ++too_long_;
    return;
  }
  const auto rank = rank_of(shingles, {seed_, place.source, place.record, bytes}, &scan_, hashes_);
  if (!rank.has_value()) return;
  if (scan_.add(*rank)) {
    held_.try_emplace(*rank,
                      SampledDocument{std::string(text), std::move(place), std::move(templates)});
  }
  for (const SampleRank& dropped : scan_.dropped()) held_.erase(dropped);
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
