// What it takes to learn the templates of one huge site: tells a learner of so many pages and gives
// it the keys of those that count, as a run does, out of core.
//
//   build/bench/bench/learn_site PAGES MEMORY_MIB FOLDER
//
// A page has 100 words in 20 blocks, of which 12 are drawn from 60 of the site's own. Prints the
// keys given, the rows of the table, the seconds, and the peak memory of the process.
#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/hash.h"
#include "system/files.h"
#include "template/learn_templates.h"

namespace {

using namespace twinset;

constexpr std::uint64_t blocks_of_page = 20;
constexpr std::uint64_t common_blocks = 12;
constexpr std::uint64_t words_of_block = 5;

std::uint32_t rank_of(std::uint64_t page) { return static_cast<std::uint32_t>(mix64(page) >> 32); }

void make_page(std::uint64_t number, PageTokens& page) {
  page.tokens.clear();
  page.blocks.clear();
  for (std::uint64_t i = 0; i < blocks_of_page; ++i) {
    const std::uint64_t drawn = mix64(number * blocks_of_page + i);
    const std::uint64_t text = i < common_blocks ? drawn % 60 : drawn;
    const auto begin = static_cast<std::uint32_t>(page.tokens.size());
    for (std::uint64_t j = 0; j < words_of_block; ++j) page.tokens.push_back(mix64(text + j) | 1);
    page.blocks.push_back({begin, static_cast<std::uint32_t>(page.tokens.size()), i % 2 == 0});
  }
}

Status learn(std::uint64_t pages, std::uint64_t memory_bytes, const std::string& folder) {
  RunContext context;
  context.files = &disk();
  context.tmp = folder;
  const std::string host = "huge.example";
  const std::uint64_t site = site_hash(host);
  TemplateLearner learner({&context, folder + "/templates", memory_bytes, 1});
  for (std::uint64_t i = 0; i < pages; ++i) TWINSET_TRY(learner.note({site, i, rank_of(i), 0}));
  TWINSET_TRY(learner.choose([&](std::uint64_t) { return Result<std::string>(host); }));
  std::uint64_t counted = 0;
  std::uint64_t given = 0;
  PageTokens page;
  TemplateKeys keys;
  for (const bool adds : {false, true}) {
    for (std::uint64_t i = 0; i < pages; ++i) {
      if (!learner.counts(site, rank_of(i))) continue;
      make_page(i, page);
      keys.make(site, page.tokens, page.blocks);
      for (const auto* some : {&keys.windows, &keys.blocks}) {
        if (!adds) {
          learner.expect(*some);
          continue;
        }
        given += some->size();
        TWINSET_TRY(learner.add(site, rank_of(i), *some));
      }
      if (adds) ++counted;
    }
  }
  const std::string table = folder + "/templates.table";
  TWINSET_TRY(learner.freeze(table));
  TWINSET_ASSIGN(const auto learned, TemplateTable::open(disk(), table, 1));
  fmt::print("{} pages, {} counted, {} keys, {} rows in the table\n", pages, counted, given,
             learned->rows());
  return {};
}

}  // namespace

int main(int arguments, char** argument) {
  if (arguments != 4) {
    fmt::print(stderr, "usage: learn_site PAGES MEMORY_MIB FOLDER\n");
    return 2;
  }
  const auto begin = std::chrono::steady_clock::now();
  const Status done = learn(std::strtoull(argument[1], nullptr, 10),
                            std::strtoull(argument[2], nullptr, 10) << 20, argument[3]);
  if (!done.ok()) {
    fmt::print(stderr, "{}\n", done.error().text());
    return 1;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{:.1f} seconds, peak memory {} MiB\n",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
             usage.ru_maxrss / 1024);
  return 0;
}
