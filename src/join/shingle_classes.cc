// This file's interface is ShingleClasses; the rest is private.
#include "join/shingle_classes.h"

#include <algorithm>

namespace twinset {
namespace {

constexpr std::size_t least_places = 1 << 10;

/// So many shingles before one is looked up, its place is fetched.
constexpr std::size_t ahead = 8;

}  // namespace

void ShingleClasses::clear() {
  shingles_.assign(least_places, 0);
  class_of_.assign(least_places, none);
  shift_ = 64 - 10;
  distinct_ = 0;
  classes_.clear();
  sizes_.clear();
  memberships_ = 0;
}

std::uint64_t ShingleClasses::bytes() const {
  return shingles_.size() * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) +
         classes_.size() * (sizeof(Class) + sizeof(std::uint32_t)) +
         memberships_ * sizeof(std::uint32_t);
}

void ShingleClasses::grow() {
  const std::vector<std::uint64_t> shingles = std::move(shingles_);
  const std::vector<std::uint32_t> class_of = std::move(class_of_);
  shingles_.assign(2 * shingles.size(), 0);
  class_of_.assign(2 * shingles.size(), none);
  --shift_;
  const std::size_t mask = shingles_.size() - 1;
  for (std::size_t i = 0; i < shingles.size(); ++i) {
    if (class_of[i] == none) continue;
    std::size_t at = (shingles[i] * secret_) >> shift_;
    while (class_of_[at] != none) at = (at + 1) & mask;
    shingles_[at] = shingles[i];
    class_of_[at] = class_of[i];
  }
}

/// Of the document that is being added.
std::uint32_t ShingleClasses::new_class(std::uint32_t before) {
  const auto made = static_cast<std::uint32_t>(classes_.size());
  classes_.push_back(
      {before, documents(), before == none ? 1 : classes_[before].depth + 1, 0, none});
  memberships_ += classes_.back().depth;
  return made;
}

void ShingleClasses::add(std::span<const std::uint64_t> shingles) {
  if (shingles_.empty()) clear();
  const std::uint32_t document = documents();
  std::uint32_t unseen = none;  // the class of shingles that no document had
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < shingles.size(); ++i) {
    const std::uint64_t shingle = shingles[i];
    if (i + ahead < shingles.size()) {
      const std::size_t next = (shingles[i + ahead] * secret_) >> shift_;
      __builtin_prefetch(&shingles_[next]);
      __builtin_prefetch(&class_of_[next]);
    }
    const std::size_t mask = shingles_.size() - 1;
    std::size_t at = (shingle * secret_) >> shift_;
    while (class_of_[at] != none && shingles_[at] != shingle) at = (at + 1) & mask;
    const std::uint32_t from = class_of_[at];
    if (from == none) {
      if (unseen == none) unseen = new_class(none);
      shingles_[at] = shingle;
      class_of_[at] = unseen;
      ++classes_[unseen].size;
      ++size;
      if (++distinct_ * 2 > shingles_.size()) grow();
      continue;
    }
    if (classes_[from].document == document) continue;  // A repeat.
    std::uint32_t to = classes_[from].last;
    if (to == none || classes_[to].document != document) {
      to = new_class(from);
      classes_[from].last = to;
    }
    class_of_[at] = to;
    ++classes_[to].size;
    if (--classes_[from].size == 0) memberships_ -= classes_[from].depth;
    ++size;
  }
  sizes_.push_back(size);
}

void ShingleClasses::finish() {
  const auto for_each_member = [&](const auto& take) {
    for (std::uint32_t i = 0; i < classes_.size(); ++i) {
      if (classes_[i].size == 0) continue;
      for (std::uint32_t at = i; at != none; at = classes_[at].before) {
        take(classes_[at].document, i);
      }
    }
  };
  begins_.assign(sizes_.size() + 1, 0);
  for_each_member([&](std::uint32_t document, std::uint32_t) { ++begins_[document + 1]; });
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  members_.resize(begins_.back());
  std::vector<std::uint64_t> next(begins_.begin(), begins_.end() - 1);
  for_each_member(
      [&](std::uint32_t document, std::uint32_t each) { members_[next[document]++] = each; });
}

std::span<const std::uint32_t> ShingleClasses::classes_of(std::uint32_t document) const {
  return std::span(members_).subspan(begins_[document], begins_[document + 1] - begins_[document]);
}

Overlap ShingleClasses::overlap(std::uint32_t later, std::uint32_t earlier,
                                Weights& weights) const {
  std::vector<std::uint32_t>& of_class = weights.of_class_;
  if (later != weights.document_) {
    of_class.resize(classes_.size());
    if (weights.document_ != none) {
      for (const std::uint32_t each : classes_of(weights.document_)) of_class[each] = 0;
    }
    for (const std::uint32_t each : classes_of(later)) of_class[each] = classes_[each].size;
    weights.document_ = later;
  }
  std::uint32_t shared = 0;
  for (const std::uint32_t each : classes_of(earlier)) shared += of_class[each];
  return {shared, sizes_[later], sizes_[earlier]};
}

}  // namespace twinset
