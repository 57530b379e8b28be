// The `count` smallest of n uniform hashes are below about count / n of the whole range. With a
// limit a little above that, little is left to sort: count + 4 sqrt(count) hashes pass on average,
// and fewer than `count` pass once in 30,000 documents. Fewer pass, too, if shingles repeat. Then
// the limit is raised, eightfold each time, until enough pass or all are taken.
//
// This file's interface is scheme/sample.h.
#include "scheme/sample.h"

#include <cmath>

#include "scheme/uniform_sort.h"

namespace twinset {
namespace {

/// A limit that about `wanted` of `all` hashes pass.
std::uint64_t limit_passed_by(std::size_t wanted, std::size_t all) {
  if (wanted >= all) return UINT64_MAX;
  return UINT64_MAX / all * wanted;
}

}  // namespace

std::size_t sort_and_unify(std::span<std::uint64_t> hashes, std::uint64_t limit) {
  sort_uniform(hashes, limit);
  return static_cast<std::size_t>(std::unique(hashes.begin(), hashes.end()) - hashes.begin());
}

void sample_shingles(const ShingleHash& hash, std::span<const std::uint64_t> shingles,
                     std::uint64_t limit, std::vector<std::uint64_t>& out) {
  out.clear();
  select_shingles(hash, shingles, limit, [&out](std::span<const std::uint64_t> kept) {
    out.insert(out.end(), kept.begin(), kept.end());
  });
  out.resize(sort_and_unify(out, limit));
}

bool sample_smallest(const ShingleHash& hash, std::span<const std::uint64_t> shingles,
                     std::size_t count, std::vector<std::uint64_t>& out) {
  std::size_t wanted = count + 4 * static_cast<std::size_t>(std::sqrt(count)) + 1;
  for (;; wanted *= 8) {
    const std::uint64_t limit = limit_passed_by(wanted, shingles.size());
    sample_shingles(hash, shingles, limit, out);
    if (out.size() > count || limit == UINT64_MAX) break;
  }
  if (out.size() <= count) return true;
  out.resize(count);
  return false;
}

}  // namespace twinset
