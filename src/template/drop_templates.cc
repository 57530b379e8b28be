#include "template/drop_templates.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr std::uint64_t common_part = 50;  ///< common: in more than one of so many pages
constexpr std::size_t least_run = 3;
constexpr std::uint64_t block_seed = 0x626c6f636bULL;

class Rule {
 public:
  Rule(const TemplateSite& site, std::span<const std::uint64_t> tokens,
       std::span<const PageBlock> blocks, const PageFrequencies& frequencies, PageRest& rest)
      : tokens_(tokens), blocks_(blocks), frequencies_(frequencies), rest_(rest) {
    rest_.tokens.clear();
    rest_.dropped.assign(blocks.size(), false);
    rest_.at_floor = false;
    drop_common(std::max(template_rare_pages, site.pages / common_part), site.link_pages);
    drop_runs();
    drop_contents_lists();
    keep_floor();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (rest_.dropped[i]) continue;
      const auto own = tokens_of(blocks_[i]);
      rest_.tokens.insert(rest_.tokens.end(), own.begin(), own.end());
    }
  }

 private:
  std::span<const std::uint64_t> tokens_of(const PageBlock& block) const {
    return tokens_.subspan(block.begin, block.size());
  }
  std::span<const std::uint64_t> frequencies_of(const PageBlock& block) const {
    return std::span(frequencies_.tokens).subspan(block.begin, block.size());
  }

  /// Do at least half of its tokens, or it itself, stand in more than `pages`?
  bool is_common(std::size_t i, std::uint64_t pages) const {
    if (frequencies_.blocks[i] > pages) return true;
    const auto more = std::ranges::count_if(frequencies_of(blocks_[i]),
                                            [&](std::uint64_t count) { return count > pages; });
    return 2 * static_cast<std::uint64_t>(more) >= blocks_[i].size();
  }

  void drop_common(std::uint64_t pages, std::uint64_t link_pages) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      rest_.dropped[i] = is_common(i, pages) || (blocks_[i].links && is_common(i, link_pages - 1));
    }
  }

  void drop_runs() {
    for (std::size_t begin = 0; begin < blocks_.size();) {
      std::size_t end = begin;
      std::uint64_t all = 0;
      std::uint64_t gone = 0;
      for (; end < blocks_.size() && blocks_[end].links; ++end) {
        all += blocks_[end].size();
        if (rest_.dropped[end]) gone += blocks_[end].size();
      }
      if (end - begin >= least_run && 2 * gone >= all) {
        for (std::size_t i = begin; i < end; ++i) rest_.dropped[i] = true;
      }
      begin = std::max(end, begin + 1);
    }
  }

  void drop_contents_lists() {
    std::vector<std::uint64_t> texts;  // Of the blocks that are no links.
    for (const PageBlock& block : blocks_) {
      if (!block.links) texts.push_back(block_hash(tokens_of(block)));
    }
    std::ranges::sort(texts);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!blocks_[i].links || rest_.dropped[i]) continue;
      if (std::ranges::binary_search(texts, block_hash(tokens_of(blocks_[i])))) {
        rest_.dropped[i] = true;
      }
    }
  }

  void keep_floor() {
    const std::size_t floor = std::min(template_floor_tokens, tokens_.size());
    std::size_t left = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!rest_.dropped[i]) left += blocks_[i].size();
    }
    if (left >= floor) return;
    rest_.at_floor = true;
    struct Dropped {
      std::uint64_t how_common;  // the mean of log2(1 + f)
      std::size_t block;
      auto operator<=>(const Dropped&) const = default;
    };
    std::vector<Dropped> dropped;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!rest_.dropped[i]) continue;
      std::uint64_t sum = 0;
      for (const std::uint64_t count : frequencies_of(blocks_[i])) sum += fixed_log2(1 + count);
      dropped.push_back({sum / blocks_[i].size(), i});
    }
    std::ranges::sort(dropped);
    for (auto next = dropped.begin(); left < floor; ++next) {
      rest_.dropped[next->block] = false;
      left += blocks_[next->block].size();
    }
  }

  const std::span<const std::uint64_t> tokens_;
  const std::span<const PageBlock> blocks_;
  const PageFrequencies& frequencies_;
  PageRest& rest_;
};

}  // namespace

std::uint64_t block_hash(std::span<const std::uint64_t> tokens) {
  return checksum({reinterpret_cast<const char*>(tokens.data()), tokens.size_bytes()}, block_seed);
}

void drop_templates(const TemplateSite& site, std::span<const std::uint64_t> tokens,
                    std::span<const PageBlock> blocks, const PageFrequencies& frequencies,
                    PageRest& rest) {
  const Rule rule(site, tokens, blocks, frequencies, rest);
}

std::uint64_t fixed_log2(std::uint64_t value) {
  constexpr unsigned one = 31;  // The mantissa has so many bits behind the point.
  const auto whole = static_cast<unsigned>(std::bit_width(value)) - 1;
  std::uint64_t mantissa = whole > one ? value >> (whole - one) : value << (one - whole);
  std::uint64_t result = whole;
  for (int bit = 0; bit < 20; ++bit) {
    mantissa = mantissa * mantissa >> one;
    const std::uint64_t above = mantissa >> (one + 1);
    mantissa >>= above;
    result = result << 1 | above;
  }
  return result;
}

}  // namespace twinset
