// The pairs of a folder that cluster made: which record a document's number means, and what the
// numbers of a pair measure.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "join/shared_keys.h"
#include "look/asked_record.h"
#include "look/output_folder.h"
#include "twinset/result.h"

namespace twinset {

class PairsFolder {
 public:
  explicit PairsFolder(const OutputFolder& folder) : folder_(folder) {}
  /// Errors (io): summary.json is damaged.
  Status open();

  /// The number of a record, from 0 over all lines of all inputs.
  std::optional<std::uint32_t> number_of(const RecordPlace& place) const;
  /// The names of documents by number: those of `wanted` that are in a pair or a copy.
  Result<std::map<std::uint32_t, RecordPlace>> names(FileSystem& files,
                                                     std::span<const std::uint32_t> wanted) const;
  /// The threshold of the run's clusters.
  const PairFloor& threshold() const { return threshold_; }
  /// The kind of the numbers of all pairs; keys if the folder does not say.
  LinkKind kind() const { return kind_; }

 private:
  const OutputFolder& folder_;
  std::vector<std::uint64_t> first_numbers_;  ///< of each input
  PairFloor threshold_;
  LinkKind kind_ = LinkKind::keys;
};

}  // namespace twinset
