// The whole rule against a slow oracle, written down step by step from docs/templates.md with maps
// of the tokens themselves: counts, frequencies, the kinds of dropped blocks, the words of
// them that stay, the floor.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/json_read.h"
#include "support/real_data.h"
#include "system/files.h"
#include "system/memory_files.h"
#include "template/learn_templates.h"

namespace twinset {
namespace {

using Tokens = std::vector<std::uint64_t>;

struct Block {
  Tokens tokens;
  bool links = false;
};

struct Page {
  std::vector<Block> blocks;

  Tokens tokens() const {
    Tokens all;
    for (const Block& block : blocks) {
      all.insert(all.end(), block.tokens.begin(), block.tokens.end());
    }
    return all;
  }
};

class Oracle {
 public:
  explicit Oracle(const std::vector<Page>& pages) : pages_(pages.size()) {
    for (const Page& page : pages) {
      std::set<Tokens> windows;
      std::set<Tokens> blocks;
      for (const Tokens& window : windows_of(page.tokens())) windows.insert(window);
      for (const Block& block : page.blocks) blocks.insert(block.tokens);
      for (const Tokens& window : windows) ++windows_[window];
      for (const Tokens& block : blocks) ++blocks_[block];
    }
  }

  Tokens rest(const Page& page) const {
    const Tokens all = page.tokens();
    std::vector<std::uint64_t> f(all.size(), 0);
    const std::vector<Tokens> windows = windows_of(all);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      for (std::size_t t = i; t < std::min(i + 5, all.size()); ++t) {
        f[t] = std::max(f[t], stored(windows_, windows[i]));
      }
    }
    std::vector<std::vector<std::uint64_t>> f_of;
    std::size_t at = 0;
    for (const Block& block : page.blocks) {
      f_of.emplace_back(f.begin() + static_cast<std::ptrdiff_t>(at),
                        f.begin() + static_cast<std::ptrdiff_t>(at + block.tokens.size()));
      at += block.tokens.size();
    }
    const auto in_at_least = [&](std::size_t i, auto enough) {
      if (enough(stored(blocks_, page.blocks[i].tokens))) return true;
      const auto count = std::count_if(f_of[i].begin(), f_of[i].end(), enough);
      return static_cast<double>(count) >= static_cast<double>(f_of[i].size()) / 2;
    };
    const auto common = [&](std::uint64_t count) {
      return count > 10 && 50 * count > pages_;  // more than 10, more than 2 %
    };
    std::vector<bool> gone(page.blocks.size(), false);
    for (std::size_t i = 0; i < gone.size(); ++i) {
      gone[i] =
          in_at_least(i, common) ||
          (page.blocks[i].links && in_at_least(i, [](std::uint64_t count) { return count >= 15; }));
    }
    std::vector<bool> by_counts = gone;
    for (std::size_t i = 0; i + 2 < gone.size(); ++i) {
      bool menu = true;
      for (std::size_t j = i; j < i + 3; ++j) {
        menu = menu && page.blocks[j].links &&
               (gone[j] || in_at_least(j, [](std::uint64_t count) { return count > 10; }));
      }
      if (menu) by_counts[i] = by_counts[i + 1] = by_counts[i + 2] = true;
    }
    gone = by_counts;
    for (std::size_t i = 0; i < gone.size(); ++i) {
      if (!page.blocks[i].links) continue;
      std::size_t first = i;
      std::size_t last = i;
      while (first > 0 && page.blocks[first - 1].links) --first;
      while (last + 1 < gone.size() && page.blocks[last + 1].links) ++last;
      std::size_t words = 0;
      std::size_t dropped = 0;
      for (std::size_t j = first; j <= last; ++j) {
        words += page.blocks[j].tokens.size();
        dropped += by_counts[j] ? page.blocks[j].tokens.size() : 0;
      }
      const bool run =
          last - first >= 2 && static_cast<double>(dropped) >= static_cast<double>(words) / 2;
      const bool listed = std::ranges::any_of(page.blocks, [&](const Block& other) {
        return !other.links && other.tokens == page.blocks[i].tokens;
      });
      gone[i] = gone[i] || run || listed;
    }
    std::vector<bool> back(gone.size(), false);
    const auto kept = [&] {
      Tokens tokens;
      for (std::size_t i = 0; i < gone.size(); ++i) {
        const Block& block = page.blocks[i];
        const bool in_part = !block.links && !common(stored(blocks_, block.tokens));
        for (std::size_t t = 0; t < block.tokens.size(); ++t) {
          if (!gone[i] || back[i] || (in_part && !common(f_of[i][t]))) {
            tokens.push_back(block.tokens[t]);
          }
        }
      }
      return tokens;
    };
    while (kept().size() < std::min<std::size_t>(20, all.size())) {
      std::size_t rarest = gone.size();
      for (std::size_t i = 0; i < gone.size(); ++i) {
        if (!gone[i] || back[i]) continue;
        if (rarest == gone.size() || mean(f_of[i]) < mean(f_of[rarest])) rarest = i;
      }
      back[rarest] = true;
    }
    return kept();
  }

 private:
  static std::vector<Tokens> windows_of(const Tokens& tokens) {
    std::vector<Tokens> windows;
    if (!tokens.empty() && tokens.size() < 5) windows.push_back(tokens);
    for (std::size_t i = 0; i + 5 <= tokens.size(); ++i) {
      windows.emplace_back(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                           tokens.begin() + static_cast<std::ptrdiff_t>(i + 5));
    }
    return windows;
  }

  static std::uint64_t stored(const std::map<Tokens, std::uint64_t>& counts, const Tokens& key) {
    const auto found = counts.find(key);
    return found == counts.end() || found->second <= 10 ? 0 : found->second;
  }

  /// Of 2^20 log2(1 + f), cut off as the rule cuts it: an order, not a measure.
  static std::uint64_t mean(const std::vector<std::uint64_t>& frequencies) {
    std::uint64_t sum = 0;
    for (const std::uint64_t f : frequencies) sum += fixed_log2(1 + f);
    return sum / frequencies.size();
  }

  std::uint64_t pages_;
  std::map<Tokens, std::uint64_t> windows_;
  std::map<Tokens, std::uint64_t> blocks_;
};

/// What the rule leaves of each page, by way of a learned table.
std::vector<Tokens> rests(const std::vector<Page>& pages) {
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  TemplateLearner learner({&context, "t", 64 << 20, 7});
  std::vector<std::vector<PageBlock>> blocks;
  TemplateKeys keys;
  for (std::size_t p = 0; p < pages.size(); ++p) {
    EXPECT_TRUE(learner.note({site_hash(""), p, static_cast<std::uint32_t>(p), 0}).ok());
  }
  EXPECT_TRUE(learner.choose([](std::uint64_t) { return Result<std::string>(""); }).ok());
  for (std::size_t p = 0; p < pages.size(); ++p) {
    std::vector<PageBlock> places;
    std::uint32_t at = 0;
    for (const Block& block : pages[p].blocks) {
      const auto size = static_cast<std::uint32_t>(block.tokens.size());
      places.push_back({at, at + size, block.links});
      at += size;
    }
    keys.make(site_hash(""), pages[p].tokens(), places);
    for (const auto& each : {keys.windows, keys.blocks}) {
      EXPECT_TRUE(learner.add(site_hash(""), static_cast<std::uint32_t>(p), each).ok());
    }
    blocks.push_back(std::move(places));
  }
  EXPECT_TRUE(learner.freeze("table").ok());
  const auto table = TemplateTable::open(files, "table", 7);
  EXPECT_TRUE(table.ok());
  const auto site = table.value()->site(site_hash(""));
  EXPECT_TRUE(site.has_value());
  std::vector<Tokens> out;
  PageFrequencies frequencies;
  PageRest rest;
  for (std::size_t p = 0; p < pages.size(); ++p) {
    const Tokens tokens = pages[p].tokens();
    table.value()->look_up(site_hash(""), tokens, blocks[p], keys, frequencies);
    drop_templates(*site, tokens, blocks[p], frequencies, rest);
    out.push_back(rest.tokens);
  }
  return out;
}

void expect_as_the_oracle(const std::vector<Page>& pages) {
  const Oracle oracle(pages);
  const std::vector<Tokens> found = rests(pages);
  std::size_t shorter = 0;
  for (std::size_t p = 0; p < pages.size(); ++p) {
    ASSERT_EQ(found[p], oracle.rest(pages[p])) << "page " << p;
    shorter += found[p].size() < pages[p].tokens().size() ? 1 : 0;
  }
  EXPECT_GT(shorter, pages.size() / 10);
}

/// Pages of blocks drawn from texts of their own, of few pages, of many, and of all.
std::vector<Page> some_pages(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Page> pages;
  for (std::size_t p = 0; p < count; ++p) {
    Page page;
    const std::size_t blocks = random() % 25;
    for (std::size_t b = 0; b < blocks; ++b) {
      const unsigned kinds[] = {3, static_cast<unsigned>(count / 14), 40, 100'000};
      const unsigned kind = random() % 4;
      const std::uint64_t text = random() % kinds[kind];
      Block block{{}, text % 3 != 0};
      if (random() % 8 == 0) block.links = !block.links;  // The same words, once as a heading.
      for (std::uint64_t t = 0; t <= text % 9; ++t) {
        block.tokens.push_back(kind * 10'000'000 + text * 10 + t);
      }
      page.blocks.push_back(std::move(block));
    }
    pages.push_back(std::move(page));
  }
  return pages;
}

TEST(WholeRule, IsTheOraclesOnRandomPages) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    expect_as_the_oracle(some_pages(60 + 200 * seed, seed));
    if (HasFatalFailure()) return;
  }
}

TEST(WholeRule, IsTheOraclesOnTheLlvmManual) {
  const std::string path = testing::real_data("llvm-docs-html/pages.jsonl.zst");
  if (path.empty()) GTEST_SKIP() << "llvm-docs-html is not below TWINSET_DATA";
  auto source = open_bytes(disk(), path, Compression::zstd, {});
  ASSERT_TRUE(source.ok()) << source.error().message;
  std::string lines;
  std::vector<char> buffer(1 << 20);
  for (;;) {
    const auto got = source.value()->read(buffer.data(), buffer.size());
    ASSERT_TRUE(got.ok());
    if (got.value() == 0) break;
    lines.append(buffer.data(), got.value());
  }
  std::vector<Page> pages;
  Analysis analysis;
  std::vector<PageBlock> blocks;
  std::size_t number = 0;
  for (std::size_t at = 0; at < lines.size(); ++number) {
    const std::size_t end = lines.find('\n', at);
    // One page in six: the oracle's maps are slow.
    if (number % 6 == 0) {
      const auto line = read_json(std::string_view(lines).substr(at, end - at), "a page");
      ASSERT_TRUE(line.ok());
      read_page_blocks(*find_analyzer("words"), line.value()["html"].text(), analysis, blocks);
      Page page;
      for (const PageBlock& block : blocks) {
        page.blocks.push_back(
            {{analysis.tokens.begin() + block.begin, analysis.tokens.begin() + block.end},
             block.links});
      }
      pages.push_back(std::move(page));
    }
    at = end + 1;
  }
  ASSERT_EQ(pages.size(), 509U);
  expect_as_the_oracle(pages);
}

}  // namespace
}  // namespace twinset
