// Ranks what detection found, sets the thresholds, and writes the lists: the end of a run over
// pages, and of a merge of folders.
//
//   DetectLists lists(context, spill, rules, found);
//   TWINSET_TRY(lists.write(out, summary));      // out: a folder, or empty: only the summary
//   lists.shown()                                // what a report shows
//
// Threads: one call at a time, with the context's threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "detect/detections.h"
#include "detect/shown_detections.h"
#include "labels/label_file.h"
#include "system/context.h"
#include "twinset/result.h"
#include "twinset/reuse.h"

namespace twinset {

/// A fixed share, or the mean and one standard deviation.
struct ThresholdRule {
  std::optional<double> fixed;

  /// "auto", or a share. Error (usage) names `option`.
  static Result<ThresholdRule> parse(const std::string& text, const char* option);
  DetectThreshold of(const ShareSums& sums) const;
};

struct DetectRules {
  ThresholdRule pages;
  ThresholdRule neighborhoods;
  Badness badness = Badness::chunks;
  std::uint64_t top = 0;
  ChunkHash hash = ChunkHash::xxh3;
  const LabelFile* labels = nullptr;  ///< has the samples of matches; null: matches have them
  bool counts_labels = false;         ///< for shown().labels

  /// Those of the options, but for the hash. Errors: usage.
  static Result<DetectRules> parse(const DetectOptions& options);
};

/// In the warning that no share can be above an automatic threshold.
inline constexpr std::string_view out_of_reach = " can be bad: so many hold labels";

class DetectLists {
 public:
  /// `spill` is a prefix of paths. All outlive it; `found` is sealed.
  DetectLists(const RunContext& context, const std::string& spill, const DetectRules& rules,
              const Detections& found)
      : context_(context), spill_(spill), rules_(rules), found_(found) {}

  /// Sets what the lists and the counts tell of `summary`.
  Status write(const std::string& folder, DetectSummary& summary);
  const ShownDetections& shown() const { return shown_; }
  std::uint64_t spilled_bytes() const { return spilled_bytes_; }

 private:
  class MatchesWorker;
  struct MatchesTask;
  void warn_of_thresholds(DetectSummary& summary) const;
  Status write_pages(const std::string& folder, DetectSummary& summary);
  Status write_neighborhoods(const std::string& folder, DetectSummary& summary);
  Status write_recursion_errors(const std::string& folder);
  Status choose_labels();

  const RunContext& context_;
  const std::string spill_;
  const DetectRules rules_;
  const Detections& found_;
  ShownDetections shown_;
  std::uint64_t spilled_bytes_ = 0;

  struct ByLabelHash {
    bool operator()(const FoundOften& a, const FoundOften& b) const;
    static void add(FoundOften& sum, const FoundOften& other);
  };
  std::unique_ptr<SortedRecords<FoundOften, ByLabelHash>> times_;
};

}  // namespace twinset
