// One document's set is its shingle start positions, sorted by their tokens, equal ones once; two
// sets are merged.
#include "support_runs/exact_shingles.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace twinset {
namespace {

using Tokens = std::span<const std::uint64_t>;

Tokens shingle_at(Tokens tokens, std::size_t start, unsigned width) {
  return tokens.subspan(start, std::min<std::size_t>(width, tokens.size() - start));
}

bool less(Tokens a, Tokens b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

bool equal(Tokens a, Tokens b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace

ExactShingles::ExactShingles(std::span<const std::uint64_t> tokens, unsigned width)
    : tokens_(tokens.begin(), tokens.end()), width_(width) {
  assert(width >= 1 && tokens.size() < std::numeric_limits<std::uint32_t>::max());
  if (!tokens_.empty()) starts_.resize(tokens_.size() < width ? 1 : tokens_.size() - width + 1);
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

}  // namespace twinset
