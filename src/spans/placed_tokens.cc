#include "spans/placed_tokens.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace twinset {
namespace {

/// Longer texts, and what reading them took, are freed after use.
constexpr std::size_t kept_tokens = std::size_t{1} << 18;

}  // namespace

void PlacedTokens::order() {
  unsigned decreases = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    decreases |= static_cast<unsigned>(offsets[i].begin < offsets[i - 1].begin) |
                 static_cast<unsigned>(offsets[i].end < offsets[i - 1].end);
  }
  in_order = decreases == 0;
}

TokenOffsets PlacedTokens::bytes_of(std::size_t begin, std::size_t count) const {
  if (in_order) return {offsets[begin].begin, offsets[begin + count - 1].end};
  return byte_range(std::span(offsets).subspan(begin, count));
}

// The cache.

std::shared_ptr<const PlacedTokens> TokenCache::find(DocumentId document) {
  const std::lock_guard lock(mutex_);
  const auto known = by_document_.find(document.value());
  if (known == by_document_.end()) return nullptr;
  texts_held_.splice(texts_held_.begin(), texts_held_, known->second);
  return texts_held_.front();
}

Result<std::shared_ptr<const PlacedTokens>> TokenCache::get(DocumentId document,
                                                            Analysis& scratch) {
  std::shared_ptr<const PlacedTokens> found = find(document);
  if (found != nullptr) return found;
  TWINSET_TRY(texts_.analyze(document, Offsets::keep, scratch));
  auto made = std::make_shared<PlacedTokens>();
  made->document = document;
  made->tokens.assign(scratch.tokens.begin(), scratch.tokens.end());
  made->offsets.assign(scratch.offsets.begin(), scratch.offsets.end());
  made->order();
  if (made->tokens.size() > kept_tokens) scratch = {};
  found = made;
  Held dropped;  // Freed without the lock.
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = by_document_.try_emplace(document.value());
  if (!is_new) return found;
  texts_held_.push_front(found);
  at->second = texts_held_.begin();
  held_ += found->bytes();
  while (held_ > most_ && texts_held_.size() > 1) {
    held_ -= texts_held_.back()->bytes();
    by_document_.erase(texts_held_.back()->document.value());
    dropped.splice(dropped.begin(), texts_held_, std::prev(texts_held_.end()));
  }
  return found;
}

void TokenCache::clear() {
  const std::lock_guard lock(mutex_);
  by_document_.clear();
  texts_held_.clear();
  held_ = 0;
}

// One thread's texts.

Result<const PlacedTokens*> TextTokens::follow(DocumentId document) {
  for (PlacedTokens& kept : followed_) {
    if (kept.tokens.size() > kept_tokens) kept = {};
  }
  PlacedTokens& text = followed_[next_];
  text.document = {};
  TWINSET_TRY(cache_.texts().analyze(document, Offsets::keep, analysis_));
  text.tokens.swap(analysis_.tokens);
  text.offsets.swap(analysis_.offsets);
  text.order();
  text.document = document;
  next_ = (next_ + 1) % kept_texts;
  if (text.tokens.size() > kept_tokens) analysis_ = {};
  return &text;
}

Result<const PlacedTokens*> TextTokens::of(DocumentId document) {
  const auto followed = std::ranges::find(followed_, document, &PlacedTokens::document);
  if (followed != followed_.end()) return &*followed;
  for (const auto& text : earlier_) {
    if (text != nullptr && text->document == document) return text.get();
  }
  std::shared_ptr<const PlacedTokens>& text = earlier_[next_earlier_];
  TWINSET_ASSIGN(text, cache_.get(document, analysis_));
  next_earlier_ = (next_earlier_ + 1) % earlier_.size();
  return text.get();
}

void TextTokens::drop() {
  followed_ = {};
  earlier_ = {};
  analysis_ = {};
}

}  // namespace twinset
