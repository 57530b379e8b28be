// Counts in how many pages of a site its windows and blocks stand, out of core.
//
//   TemplateLearner learner({&context, "<tmp>/templates", memory, fingerprint});
//   learner.note(host);                                      // each page, and each copy:
//   learner.note_copy(host);
//   if (learner.has_large_sites()) ...                       // each page again:
//     learner.note_rank(site_hash(host), rank);
//   ...                                                      // each page again, if that is cheap:
//   if (learner.counts(site_hash(host), rank)) {
//     keys.make(site_hash(host), analysis.tokens, blocks);
//     learner.expect(keys.windows);                        // and the blocks
//   }
//   ...                                                      // and again:
//   TWINSET_TRY(learner.add(site_hash(host), rank, keys.windows));
//   TWINSET_ASSIGN(const LearnedTemplates learned, learner.freeze("<tmp>/templates.table"));
//
// All pages of a site count if they are at most 16,384, else the 2,000 of lowest rank, so that a
// site of any size costs little; none count if they are fewer than 50. The ranks must be as good as
// random and belong to the pages, as part of their content's hash does: then what is learned does
// not depend on the order of pages.
//
// Most windows stand in one page. So the keys that are expected go into small counters first, by
// parts of their bits, and only a key whose counter got as high as a count that is stored becomes
// rows, to be counted exactly. Without expect() all do, and the table is the same.
//
// Threads: counts() any, between the notes; all others one at a time, note() and note_copy() in
// input order where sites may be too many.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rows/sorted_rows.h"
#include "template/template_table.h"
#include "twinset/result.h"

namespace twinset {

struct LearnedSite {
  std::string host;
  std::uint64_t pages = 0;    ///< given to add()
  std::uint64_t copies = 0;   ///< given to add_copy()
  std::uint64_t counted = 0;  ///< 0: left alone, it has too few
};

struct LearnedTemplates {
  /// {"sites","pages","left_alone","too_alike","first_too_alike","not_learned","first_not_learned",
  /// "largest":[{"site","pages","copies","counted"}]}; docs/formats/summary.md says what they mean.
  std::string json() const;

  std::vector<LearnedSite> sites;       ///< in order of their hosts
  std::uint64_t sites_not_learned = 0;  ///< because memory holds no more sites
  std::string first_not_learned;
};

class TemplateLearner {
 public:
  /// Of sites with more pages a sample is counted.
  static constexpr std::uint64_t most_pages = 16'384;
  static constexpr std::uint64_t sample_pages = 2'000;

  /// A quarter of the memory is for sites, an eighth for counters, the rest for rows.
  explicit TemplateLearner(const RowsOptions& options);

  void note(std::string_view host);
  /// A page that does not count, being a copy of one that does.
  void note_copy(std::string_view host);
  /// No page is noted any more. True if the ranks of pages are needed.
  bool has_large_sites();
  void note_rank(std::uint64_t site, std::uint32_t rank);

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
  struct Site {
    std::string host;
    std::uint64_t pages = 0;
    std::uint64_t copies = 0;
  };

  bool is_large(const Site& site) const { return site.pages > most_pages; }
  /// Of a site that is learned: the least count that is stored.
  std::uint64_t least_count(const Site& site) const;
  Site* find_site(std::string_view host);
  const Site* site_of(std::uint64_t site, std::uint32_t& number) const;
  std::size_t counter_of(std::uint64_t key) const { return key >> counter_shift_; }

  RowsOptions options_;
  SortedRows<Row, RowLess> rows_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< of sites, by site_hash()
  std::vector<Site> sites_;
  std::uint64_t site_bytes_ = 0;
  /// Of the large sites: the lowest ranks, a heap, the highest first.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> lowest_;
  std::vector<std::uint8_t> counters_;  ///< a power of two; empty if no key is expected
  unsigned counter_shift_ = 0;
  std::unordered_set<std::uint64_t> not_learned_;
  std::string first_not_learned_;
  std::vector<Row> page_;
};

}  // namespace twinset
