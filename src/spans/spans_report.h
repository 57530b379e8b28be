// The report of spans: how long passages are and how many documents have them, the texts with the
// most reused words, who shares with whom, and the texts that share most side by side.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "collection/output_files.h"
#include "join/documents.h"
#include "run/job.h"
#include "run/record_files.h"
#include "spans/span_lines.h"
#include "twinset/spans.h"

namespace twinset {

/// A text by dense index, and how much of it stands at earlier places.
struct ReusedShare {
  std::uint64_t index = 0;
  std::uint64_t reused = 0;
  std::uint64_t tokens = 0;
  auto operator<=>(const ReusedShare&) const = default;
};

/// Selects what a report shows, in memory that does not grow with the texts.
class SpanFacts {
 public:
  /// Of two texts.
  Status add(const SharedPassages& shared);
  void add_text(const ReusedShare& text);

  /// The sums for two sources, the earlier one first.
  struct SourcePair {
    std::uint64_t text_pairs = 0;
    std::uint64_t spans = 0;
    std::uint64_t tokens = 0;
  };
  using SourcePairs = std::map<std::pair<std::uint64_t, std::uint64_t>, SourcePair>;

  const std::vector<SharedPassages>& most_shared() const { return most_shared_; }
  const std::vector<ReusedShare>& most_reused() const { return most_reused_; }
  const SourcePairs& sources() const { return sources_; }
  /// There were more pairs of sources than are counted.
  bool too_many_sources() const { return too_many_sources_; }

 private:
  std::vector<SharedPassages> most_shared_;  ///< two texts each
  std::vector<ReusedShare> most_reused_;
  SourcePairs sources_;
  bool too_many_sources_ = false;
};

Result<ReportFiles> spans_report(const Job& job, const RecordFiles& records,
                                 const DocumentTable& documents, const SpanFacts& facts,
                                 const SpansOptions& options, const SpansSummary& summary);

}  // namespace twinset
