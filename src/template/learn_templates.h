// Counts in how many pages of a site its windows and blocks stand, out of core.
//
//   TemplateLearner learner({&context, "<tmp>/templates", memory, fingerprint});
//   TWINSET_TRY(learner.note({site_hash(host), number, rank, is_copy}));   // each page
//   TWINSET_TRY(learner.choose(host_of_number));
//   ...                                                      // each page again, if that is cheap:
//   if (learner.counts(site_hash(host), rank)) {
//     keys.make(site_hash(host), analysis.tokens, blocks);
//     learner.expect(keys.windows);                          // and the blocks
//   }
//   ...                                                      // and again:
//   TWINSET_TRY(learner.add(site_hash(host), rank, keys.windows));
//   TWINSET_ASSIGN(const LearnedTemplates learned, learner.freeze("<tmp>/templates.table"));
//
// All pages of a site count if they are at most 16,384, else the 2,000 of lowest rank, so that a
// site of any size costs little; none count if they are fewer than 50. The ranks must be as good as
// random and belong to the pages, as part of their content's hash does: then what is learned does
// not depend on the order of pages. The notes are rows, so only sites that are learned take memory.
//
// Most windows stand in one page. So the keys that are expected go into small counters first, by
// parts of their bits, and only a key whose counter got as high as a count that is stored becomes
// rows, to be counted exactly. Without expect() all do, and the table is the same.
//
// Threads: counts() any, after choose(); all others one at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rows/sorted_rows.h"
#include "template/template_table.h"
#include "twinset/result.h"

namespace twinset {

struct LearnedSite {
  std::string host;
  std::uint64_t pages = 0;    ///< that are no copies
  std::uint64_t copies = 0;   ///< of these
  std::uint64_t counted = 0;  ///< of the pages
};

struct LearnedTemplates {
  bool texts = false;  ///< of groups of texts
  /// Without what is left out, which is not known yet.
  TemplateFacts facts() const;
  /// Their learned_fields(): the description of a table.
  std::string json() const;

  std::vector<LearnedSite> sites;  ///< that were learned, in order of their hosts
  std::uint64_t left_alone = 0;    ///< sites of too few pages
  std::uint64_t pages_left_alone = 0;
  std::uint64_t too_alike = 0;  ///< those of them that have enough with the copies
  std::optional<std::string> first_too_alike;
  std::uint64_t not_learned = 0;  ///< because memory holds no more sites
  std::optional<std::string> first_not_learned;
};

/// A page, before it is known whether it counts.
struct NotedPage {
  std::uint64_t site = 0;    ///< site_hash()
  std::uint64_t number = 0;  ///< its own
  std::uint32_t rank = 0;
  std::uint32_t is_copy = 0;  ///< 1: of a page that counts
  auto operator<=>(const NotedPage&) const = default;
};

class TemplateLearner {
 public:
  /// Of sites with more pages a sample is counted.
  static constexpr std::uint64_t most_pages = 16'384;
  static constexpr std::uint64_t sample_pages = 2'000;

  /// A quarter of the memory is for sites, an eighth for counters, the rest for rows.
  /// `texts`: of texts without markup.
  explicit TemplateLearner(const RowsOptions& options, bool texts = false);

  Status note(const NotedPage& page);
  /// No page is noted any more. `host_of` gives the host of the page of that number.
  Status choose(const std::function<Result<std::string>(std::uint64_t number)>& host_of);

  /// Is the page one of those that count?
  bool counts(std::uint64_t site, std::uint32_t rank) const;
  void expect(std::span<const std::uint64_t> keys);
  /// Keys of a page that counts. An equal key of an equal rank counts once.
  Status add(std::uint64_t site, std::uint32_t rank, std::span<const std::uint64_t> keys);
  /// Writes the table; nothing can be added afterwards.
  Result<LearnedTemplates> freeze(const std::string& path);

 private:
  struct Row {
    std::uint64_t key = 0;
    std::uint32_t site = 0;
    std::uint32_t rank = 0;
    auto operator<=>(const Row&) const = default;
  };
  struct RowLess {
    bool operator()(const Row& a, const Row& b) const { return a < b; }
    static std::uint64_t radix(const Row& row) { return row.key; }
  };
  struct NoteLess {
    bool operator()(const NotedPage& a, const NotedPage& b) const { return a < b; }
    static std::uint64_t radix(const NotedPage& page) { return page.site; }
  };
  struct Site {
    std::uint64_t hash = 0;
    std::uint64_t pages = 0;
    std::uint64_t copies = 0;
    std::uint32_t highest_rank = 0;  ///< that counts
    std::string host;

    bool is_large() const { return pages > most_pages; }
    std::uint64_t counted() const { return is_large() ? sample_pages : pages; }
    std::uint64_t link_pages() const;
    /// The least count that is stored.
    std::uint64_t least_count() const;
  };

  Status choose_site(const Site& site, std::uint64_t first_page,
                     const std::function<Result<std::string>(std::uint64_t number)>& host_of);
  const Site* find_site(std::uint64_t site) const;
  std::size_t counter_of(std::uint64_t key) const { return key >> counter_shift_; }

  RowsOptions options_;
  SortedRows<NotedPage, NoteLess> notes_;
  SortedRows<Row, RowLess> rows_;
  std::vector<Site> sites_;  ///< that are learned, by hash
  std::uint64_t site_bytes_ = 0;
  LearnedTemplates learned_;
  std::vector<std::uint8_t> counters_;  ///< a power of two; empty if no key is expected
  unsigned counter_shift_ = 0;
  std::vector<Row> page_;
};

}  // namespace twinset
