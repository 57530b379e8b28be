// The pairs of a folder that cluster made: which records are in them, and what the numbers of a
// pair measure.
//
// Threads: values.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/document.h"
#include "cluster/pair_lines.h"
#include "join/link.h"
#include "join/threshold.h"
#include "look/asked_record.h"
#include "look/output_folder.h"
#include "twinset/result.h"

namespace twinset {

class PairsFolder {
 public:
  /// `folder` is one of cluster or recut.
  explicit PairsFolder(const OutputFolder& folder);

  /// The document that a record is, if it is of an input of the folder.
  std::optional<DocumentId> document(const RecordPlace& place) const;
  /// The names of those of `wanted` that are in a pair or a copy.
  Result<std::map<DocumentId, RecordPlace>> names(FileSystem& files,
                                                  std::span<const DocumentId> wanted) const;
  /// The threshold of the run's clusters.
  const PairFloor& threshold() const { return threshold_; }
  /// Does this pair of the line reach the threshold, and is its rest known and below it?
  bool is_template(const PairLine& line, std::size_t pair) const {
    return threshold_.reached_by(line.pairs[pair].keys) &&
           line.is_template(pair, {threshold_.resemblance, threshold_.containment});
  }
  /// The kind of the numbers of all pairs.
  LinkKind kind() const { return kind_; }

 private:
  const OutputFolder& folder_;
  PairFloor threshold_;
  LinkKind kind_;
};

}  // namespace twinset
