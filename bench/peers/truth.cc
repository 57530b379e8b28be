// Every pair of similar documents of a collection, found exactly.
//
//   truth LEAST < WORDS > PAIRS
//
// WORDS has a document after the other: a 32-bit count of its words, and as many 32-bit numbers,
// one for each different word of the collection (truth.py makes them). PAIRS gets a line "a b
// common union" for each pair with common / union >= LEAST; a < b are places in the input, from 0.
//
// A document is the set of its runs of five words (shingles; a shorter text has one, of all its
// words), told apart by 64-bit hashes. The join is prefix filtering (Chaudhuri, Ganti, Kaushik
// 2006; Bayardo, Ma, Srikant 2007): if J(x, y) >= t, then x and y have t max(|x|, |y|) shingles in
// common; so, with all shingles in one order, they share one among the first |x| - ceil(t |x|) + 1
// of x and as many of y. Rare ones come first, so few documents share one. Those that stand in one
// document only are counted and not stored. Each candidate is then merged in full.
//
// Nothing here is twinset's. About 20 bytes a shingle at the most. One thread.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t shingle_words = 5;

std::uint64_t mix(std::uint64_t x) {  // splitmix64's
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

struct Documents {
  std::vector<std::uint64_t> begins{0};  // into the elements; one more than there are documents
  std::vector<std::uint64_t> hashes;     // of each document: sorted, distinct
};

bool read_documents(std::FILE* in, Documents& out) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t count = 0; std::fread(&count, sizeof count, 1, in) == 1;) {
    words.resize(count);
    if (std::fread(words.data(), sizeof(std::uint32_t), count, in) != count) return false;
    const auto first = static_cast<std::ptrdiff_t>(out.hashes.size());
    const std::size_t length = std::min<std::size_t>(count, shingle_words);
    for (std::size_t at = 0; length > 0 && at + length <= count; ++at) {
      std::uint64_t hash = length;
      for (std::size_t i = 0; i < length; ++i) hash = mix(hash ^ words[at + i]);
      out.hashes.push_back(hash);
    }
    std::sort(out.hashes.begin() + first, out.hashes.end());
    out.hashes.erase(std::unique(out.hashes.begin() + first, out.hashes.end()), out.hashes.end());
    out.begins.push_back(out.hashes.size());
  }
  return std::feof(in) != 0;
}

// The shingles of two documents or more, and where they stand in the order of the join.
struct Shared {
  std::vector<std::uint64_t> hashes;  // sorted
  std::vector<std::uint32_t> ranks;   // of each hash: rare ones first
  std::vector<std::uint64_t> firsts;  // the first hash with at least these top bits
  static constexpr int top_bits = 22;

  // -1 where a shingle stands in one document only.
  std::int64_t rank_of(std::uint64_t hash) const {
    const std::uint64_t top = hash >> (64 - top_bits);
    const auto begin = hashes.begin() + static_cast<std::ptrdiff_t>(firsts[top]);
    const auto end = hashes.begin() + static_cast<std::ptrdiff_t>(firsts[top + 1]);
    const auto found = std::lower_bound(begin, end, hash);
    if (found == end || *found != hash) return -1;
    return ranks[static_cast<std::size_t>(found - hashes.begin())];
  }
};

Shared shared_shingles(std::vector<std::uint64_t> all) {
  Shared out;
  std::sort(all.begin(), all.end());
  std::vector<std::uint32_t> counts;
  std::size_t kept = 0;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end] == all[begin]) ++end;
    if (end - begin < 2) continue;
    all[kept++] = all[begin];
    counts.push_back(static_cast<std::uint32_t>(end - begin));
  }
  all.resize(kept);
  all.shrink_to_fit();
  out.hashes = std::move(all);
  std::vector<std::uint32_t> order(kept);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts[a] < counts[b]; });
  out.ranks.resize(kept);
  for (std::size_t i = 0; i < kept; ++i) out.ranks[order[i]] = static_cast<std::uint32_t>(i);
  out.firsts.assign((std::size_t{1} << Shared::top_bits) + 1, 0);
  for (const std::uint64_t hash : out.hashes) ++out.firsts[(hash >> (64 - Shared::top_bits)) + 1];
  std::partial_sum(out.firsts.begin(), out.firsts.end(), out.firsts.begin());
  return out;
}

// What the join reads: of each document its size and the ranks of its shared shingles, rising.
struct Ranked {
  std::vector<std::uint32_t> sizes;
  std::vector<std::uint64_t> begins{0};
  std::vector<std::uint32_t> ranks;
  std::size_t different = 0;
};

Ranked ranked(Documents documents) {
  const Shared shared = shared_shingles(documents.hashes);
  Ranked out;
  out.different = shared.hashes.size();
  for (std::size_t d = 0; d + 1 < documents.begins.size(); ++d) {
    const auto first = static_cast<std::ptrdiff_t>(out.ranks.size());
    for (std::uint64_t at = documents.begins[d]; at < documents.begins[d + 1]; ++at) {
      const std::int64_t rank = shared.rank_of(documents.hashes[at]);
      if (rank >= 0) out.ranks.push_back(static_cast<std::uint32_t>(rank));
    }
    std::sort(out.ranks.begin() + first, out.ranks.end());
    out.sizes.push_back(static_cast<std::uint32_t>(documents.begins[d + 1] - documents.begins[d]));
    out.begins.push_back(out.ranks.size());
  }
  return out;
}

void similar_pairs(const Ranked& documents, double least, std::FILE* out) {
  const std::size_t count = documents.sizes.size();
  // How many ranks of a document are in its prefix. The filters allow for rounding; the last test
  // does not.
  const double bound = least * (1 - 1e-9);
  const auto prefix_of = [&](std::size_t d) {
    const auto size = static_cast<double>(documents.sizes[d]);
    const auto prefix = static_cast<std::uint64_t>(size - std::ceil(bound * size) + 1);
    const std::uint64_t stored = documents.begins[d + 1] - documents.begins[d];
    const std::uint64_t single = documents.sizes[d] - stored;  // the rarest of all
    return prefix <= single ? 0 : std::min(stored, prefix - single);
  };
  std::vector<std::uint64_t> firsts(documents.different + 1, 0);
  for (std::size_t d = 0; d < count; ++d) {
    for (std::uint64_t i = 0; i < prefix_of(d); ++i) {
      ++firsts[documents.ranks[documents.begins[d] + i] + 1];
    }
  }
  std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
  std::vector<std::uint32_t> postings(firsts.back());  // documents before the one at hand, by rank
  std::vector<std::uint32_t> filled(documents.different, 0);
  std::vector<std::uint32_t> met(count,
                                 UINT32_MAX);  // the last document that each was compared with
  for (std::size_t b = 0; b < count; ++b) {
    const std::uint32_t* const own = documents.ranks.data() + documents.begins[b];
    const std::uint32_t* const own_end = documents.ranks.data() + documents.begins[b + 1];
    for (std::uint64_t i = 0; i < prefix_of(b); ++i) {
      const std::uint64_t first = firsts[own[i]];
      for (std::uint64_t at = first; at < first + filled[own[i]]; ++at) {
        const std::uint32_t a = postings[at];
        if (met[a] == b) continue;
        met[a] = static_cast<std::uint32_t>(b);
        const auto [small, large] = std::minmax(documents.sizes[a], documents.sizes[b]);
        if (small < bound * large) continue;
        std::uint64_t common = 0;
        const std::uint32_t* x = documents.ranks.data() + documents.begins[a];
        const std::uint32_t* const x_end = documents.ranks.data() + documents.begins[a + 1];
        for (const std::uint32_t* y = own; x != x_end && y != own_end;) {
          const bool same = *x == *y;
          const bool less = *x < *y;
          common += same;
          x += same || less;
          y += !less;
        }
        const std::uint64_t both = std::uint64_t{small} + large - common;
        if (static_cast<double>(common) >= least * static_cast<double>(both)) {
          std::fprintf(out, "%u %zu %llu %llu\n", a, b, static_cast<unsigned long long>(common),
                       static_cast<unsigned long long>(both));
        }
      }
      postings[first + filled[own[i]]++] = static_cast<std::uint32_t>(b);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double least = argc == 2 ? std::atof(argv[1]) : 0;
  Documents documents;
  if (least <= 0 || least > 1 || !read_documents(stdin, documents)) {
    std::fputs("truth LEAST < WORDS > PAIRS: LEAST is in (0, 1], and WORDS must be whole\n",
               stderr);
    return 1;
  }
  similar_pairs(ranked(std::move(documents)), least, stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
