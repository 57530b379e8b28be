// Counts in how many pages of a site its windows and blocks stand, out of core.
//
//   TemplateLearner learner({&context, "<tmp>/templates", memory, fingerprint});
//   keys.make(site_hash(host), analysis.tokens, blocks);
//   keys.distinct(distinct);
//   learner.add(host, rank, distinct);                       // each page that is counted
//   TWINSET_ASSIGN(const LearnedTemplates learned, learner.freeze("<tmp>/templates.table"));
//
// All pages of a site count if they are at most 16,384, else the 2,000 of lowest rank, so that a
// site of any size costs little. The ranks must be as good as random and belong to the pages, as
// part of their content's hash does: then what is learned does not depend on the order of pages.
//
// Threads: add() one at a time, and in input order where sites may be too many.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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

  /// A quarter of the memory is for sites, the rest for rows.
  explicit TemplateLearner(const RowsOptions& options);

  /// `keys`: TemplateKeys::distinct() of the page.
  Status add(std::string_view host, std::uint32_t rank, std::span<const std::uint64_t> keys);
  /// A page that does not count, being a copy of one that does.
  void add_copy(std::string_view host);
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
    std::vector<std::uint32_t> lowest;  ///< ranks; a heap, the highest first
  };

  Site* find_site(std::string_view host, std::uint32_t& number);
  bool takes_part(Site& site, std::uint32_t rank) const;

  RowsOptions options_;
  SortedRows<Row, RowLess> rows_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< of sites, by site_hash()
  std::vector<Site> sites_;
  std::uint64_t site_bytes_ = 0;
  std::unordered_map<std::uint64_t, bool> not_learned_;
  std::string first_not_learned_;
  std::vector<Row> page_;
};

}  // namespace twinset
