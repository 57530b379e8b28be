// Looks up each chunk of each page among the labels, and sums up neighborhoods: the one pass of
// detection.
//
//   LabelSearch search(job, rule, lookup, detections);
//   TWINSET_TRY(run.pass("search", {&search}));
//
// A batch adds up its pages by neighborhood first: pages of a site are mostly next to each other.
//
// Threads: as a Collector.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "detect/detections.h"
#include "reuse/label_lookup.h"
#include "reuse/page_reader.h"
#include "run/collector.h"
#include "run/job.h"
#include "twinset/result.h"

namespace twinset {

struct LabelSearchRows final : Collector::Rows {
  struct HashText {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  void begin(const BatchPlace&) override;
  void release_large() override;

  std::optional<PageReader> reader;
  ReadPage page;
  std::vector<std::size_t> labeled;  ///< chunks of `page` that are labels
  DetectCounts counts;
  ShareSums shares;
  std::vector<LabeledPage> pages;
  std::vector<RecursionError> recursion_errors;
  std::unordered_map<std::string, NeighborhoodSums, HashText, std::equal_to<>> neighborhoods;
  std::string blobs;              ///< of the pages' matches, one after the other
  std::vector<std::size_t> ends;  ///< of each
  std::uint64_t looked_up = 0;    ///< keys, in the file of labels
};

class LabelSearch final : public CollectorOf<LabelSearchRows> {
 public:
  /// All outlive it.
  LabelSearch(const Job& job, const PageRule& rule, LabelLookup& lookup, Detections& found)
      : job_(job), rule_(rule), lookup_(lookup), found_(found) {}

  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 private:
  Status take(const ReadRecord& record, LabelSearchRows& rows) const override;
  Status put(LabelSearchRows& rows) override;
  void note_page(const ReadRecord& record, bool is_label, LabelSearchRows& rows) const;
  void note_neighborhoods(bool holds_label, LabelSearchRows& rows) const;

  const Job& job_;
  const PageRule& rule_;
  LabelLookup& lookup_;
  Detections& found_;
};

}  // namespace twinset
