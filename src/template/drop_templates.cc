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
      : tokens_(tokens),
        blocks_(blocks),
        frequencies_(frequencies),
        common_(std::max(template_rare_pages, site.pages / common_part)),
        rest_(rest),
        dropped_(rest.dropped_blocks) {
    if (site.texts) {
      drop_common_tokens();
    } else {
      drop_common(site.link_pages);
      drop_menus();
      drop_runs();
      drop_contents_lists();
      drop_tokens();
      keep_floor();
    }
    rest_.tokens.clear();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!rest_.dropped[i]) rest_.tokens.push_back(tokens_[i]);
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

  void drop_common_tokens() {
    rest_.at_floor = false;
    rest_.dropped.assign(tokens_.size(), false);
    for (std::size_t token = 0; token < tokens_.size(); ++token) {
      rest_.dropped[token] = frequencies_.tokens[token] > common_;
    }
  }

  void drop_common(std::uint64_t link_pages) {
    dropped_.assign(blocks_.size(), false);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      dropped_[i] = is_common(i, common_) || (blocks_[i].links && is_common(i, link_pages - 1));
    }
  }

  /// A run of links is stronger evidence of a menu than a link that stands alone. Where the pages
  /// of a box are nearly all menu, most of them are copies of each other as whole pages, and the
  /// few that count are no measure of the box.
  void drop_menus() {
    for (std::size_t begin = 0; begin < blocks_.size();) {
      std::size_t end = begin;
      while (end < blocks_.size() && blocks_[end].links &&
             (dropped_[end] || is_common(end, template_rare_pages))) {
        ++end;
      }
      if (end - begin >= least_run) {
        for (std::size_t i = begin; i < end; ++i) dropped_[i] = true;
      }
      begin = std::max(end, begin + 1);
    }
  }

  void drop_runs() {
    for (std::size_t begin = 0; begin < blocks_.size();) {
      std::size_t end = begin;
      std::uint64_t all = 0;
      std::uint64_t gone = 0;
      for (; end < blocks_.size() && blocks_[end].links; ++end) {
        all += blocks_[end].size();
        if (dropped_[end]) gone += blocks_[end].size();
      }
      if (end - begin >= least_run && 2 * gone >= all) {
        for (std::size_t i = begin; i < end; ++i) dropped_[i] = true;
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
      if (!blocks_[i].links || dropped_[i]) continue;
      if (std::ranges::binary_search(texts, block_hash(tokens_of(blocks_[i])))) {
        dropped_[i] = true;
      }
    }
  }

  /// A template has places for words of the page: "Function vld1q_s32 of module aarch64". These are
  /// not common and stay, else pages that differ in nothing but their names would be the same. The
  /// new entry of a menu, all link, is no word of the page.
  void drop_tokens() {
    rest_.dropped.assign(tokens_.size(), false);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!dropped_[i]) continue;
      const bool whole = blocks_[i].links || frequencies_.blocks[i] > common_;
      for (std::size_t token = blocks_[i].begin; token < blocks_[i].end; ++token) {
        rest_.dropped[token] = whole || frequencies_.tokens[token] > common_;
      }
    }
  }

  void keep_floor() {
    const std::size_t floor = std::min(template_floor_tokens, tokens_.size());
    auto left = static_cast<std::size_t>(std::ranges::count(rest_.dropped, false));
    rest_.at_floor = left < floor;
    if (!rest_.at_floor) return;
    struct Dropped {
      std::uint64_t how_common;  // the mean of log2(1 + f)
      std::size_t block;
      auto operator<=>(const Dropped&) const = default;
    };
    std::vector<Dropped> dropped;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!dropped_[i]) continue;
      std::uint64_t sum = 0;
      for (const std::uint64_t count : frequencies_of(blocks_[i])) sum += fixed_log2(1 + count);
      dropped.push_back({sum / blocks_[i].size(), i});
    }
    std::ranges::sort(dropped);
    for (auto next = dropped.begin(); left < floor; ++next) {
      const PageBlock& block = blocks_[next->block];
      for (std::size_t token = block.begin; token < block.end; ++token) {
        if (rest_.dropped[token]) ++left;
        rest_.dropped[token] = false;
      }
    }
  }

  const std::span<const std::uint64_t> tokens_;
  const std::span<const PageBlock> blocks_;
  const PageFrequencies& frequencies_;
  const std::uint64_t common_;  ///< in more pages than these
  PageRest& rest_;
  std::vector<bool>& dropped_;  ///< for each block
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
