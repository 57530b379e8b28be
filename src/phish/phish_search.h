// Looks up each chunk of each page among the labels, and keeps the pages that hold parts of other
// sites: the one pass of phish.
//
//   PhishSearch search(job, rule, sites, lookup, options, summary);
//   TWINSET_TRY(run.pass("search", {&search}));
//   std::move(search).best();
//
// A page with a part that its own site has, too, holds its own part. Of the sites that its other
// parts are of it imitates the one that has most of them, and of that site the page that has most.
//
// Threads: as a Collector.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/best.h"
#include "phish/known_sites.h"
#include "reuse/label_lookup.h"
#include "reuse/page_reader.h"
#include "run/collector.h"
#include "run/job.h"
#include "twinset/phish.h"
#include "twinset/result.h"

namespace twinset {

/// The larger share of parts first, then more parts, then by URL, file and record.
struct LikerImitation {
  bool operator()(const PhishPage& a, const PhishPage& b) const;
};
using BestImitations = Best<PhishPage, LikerImitation>;

/// Parts of a page that are told, and the bytes of each and of a URL.
inline constexpr std::size_t most_phish_parts = 20;
inline constexpr std::size_t most_part_bytes = 240;
/// No page that is told takes more memory.
inline constexpr std::uint64_t most_phish_page_bytes =
    sizeof(PhishPage) + most_phish_parts * (sizeof(PhishPart) + most_part_bytes) +
    4 * most_url_bytes;

struct PhishRows final : Collector::Rows {
  void begin(const BatchPlace&) override;
  void release_large() override;

  std::optional<PageReader> reader;
  ReadPage page;
  PhishSummary counts;                 ///< of the batch
  std::optional<BestImitations> best;  ///< of the batch
  std::uint64_t looked_up = 0;         ///< keys, in the file of labels
};

class PhishSearch final : public CollectorOf<PhishRows> {
 public:
  /// All outlive it; it adds its counts to the summary.
  PhishSearch(const Job& job, const PageRule& rule, const KnownSites& sites, LabelLookup& lookup,
              const PhishOptions& options, PhishSummary& summary)
      : job_(job),
        rule_(rule),
        sites_(sites),
        lookup_(lookup),
        options_(options),
        summary_(summary),
        best_(options.top, {}) {}

  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

  /// The ranked pages, after the pass.
  std::vector<PhishPage> best() && { return std::move(best_).sorted(); }

 private:
  /// Parts of a page by the site that has them, and by the known page.
  struct Parts {
    std::map<std::string, std::uint64_t> sites;
    std::map<std::pair<std::string, std::string>, std::uint64_t> pages;
  };

  Status take(const ReadRecord& record, PhishRows& rows) const override;
  Status put(PhishRows& rows) override;
  Result<std::optional<Label>> find(const Chunk& chunk, PhishRows& rows) const;
  /// Nothing if the page holds no part of another site.
  Result<Parts> parts_of_others(const std::string& site, bool& holds_own, PhishRows& rows) const;
  Status fill_parts(const std::string& site, PhishPage& found, PhishRows& rows) const;

  const Job& job_;
  const PageRule& rule_;
  const KnownSites& sites_;
  LabelLookup& lookup_;
  const PhishOptions& options_;
  PhishSummary& summary_;
  BestImitations best_;
};

}  // namespace twinset
