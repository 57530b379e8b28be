#include "spans/placed_tokens.h"

namespace twinset {

Result<const PlacedTokens*> TokenCache::get(DocumentId document) {
  const auto known = by_document_.find(document.value());
  if (known != by_document_.end()) {
    texts_held_.splice(texts_held_.begin(), texts_held_, known->second);
    return &texts_held_.front();
  }
  PlacedTokens made;
  TWINSET_TRY(read(document, made));
  held_ += made.bytes();
  texts_held_.push_front(std::move(made));
  by_document_.emplace(document.value(), texts_held_.begin());
  while (held_ > most_ && texts_held_.size() > 1) {
    held_ -= texts_held_.back().bytes();
    by_document_.erase(texts_held_.back().document.value());
    texts_held_.pop_back();
  }
  return &texts_held_.front();
}

void TokenCache::clear() {
  by_document_.clear();
  texts_held_.clear();
  held_ = 0;
}

Status TokenCache::read(DocumentId document, PlacedTokens& out) {
  TWINSET_TRY(texts_.analyze(document, Offsets::keep, analysis_));
  out.document = document;
  out.tokens.assign(analysis_.tokens.begin(), analysis_.tokens.end());
  out.offsets.assign(analysis_.offsets.begin(), analysis_.offsets.end());
  constexpr std::size_t kept_tokens = std::size_t{1} << 18;
  if (analysis_.tokens.capacity() > kept_tokens) analysis_ = {};
  return {};
}

}  // namespace twinset
