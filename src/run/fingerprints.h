// The two fingerprints of each document, of its bytes and of its tokens, as rows for folding copies
// (join/fold.h); or that of its set of shingles. Where a scheme reserves bits of its signature for
// a field, copies that differ in these are none.
//
// Threads: as a Collector.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "join/fold.h"
#include "rows/rows.h"
#include "run/collector.h"
#include "run/job.h"
#include "scheme/scheme.h"

namespace twinset {

struct FingerprintRows final : Collector::Rows {
  void begin(const BatchPlace&) override { rows.clear(); }
  void release_large() override {}
  std::vector<FingerprintRow> rows;
  Sketch sketch;  ///< scratch
  std::vector<std::uint64_t> shingles;
};

class Fingerprints final : public CollectorOf<FingerprintRows> {
 public:
  explicit Fingerprints(RowsOptions options, const Scheme* scheme = nullptr,
                        FoldsSets sets = FoldsSets::no, bool folds_empty = true)
      : options_(std::move(options)),
        sets_(sets),
        scheme_(scheme),
        reserving_(scheme != nullptr && scheme->facts().reserved_bits != 0 ? scheme : nullptr),
        folds_empty_(folds_empty) {}

  PartitionedRows<FingerprintRow>& fold_rows() { return *rows_; }
  /// Frees the rows, once they are folded.
  void drop_rows() { rows_.reset(); }
  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  Status take_over(const ShardFolder& shard) override;

 private:
  Status take(const ReadRecord& record, FingerprintRows& rows) const override;
  Status add(FingerprintRows& rows) override { return rows_->append(rows.rows); }
  Status take_set(const ReadRecord& record, FingerprintRows& rows) const;
  std::uint64_t reserved_part(const ReadRecord& record, Sketch& sketch) const;
  /// Of its rows in a checkpoint.
  const char* name() const { return sets_ == FoldsSets::no ? "fold" : "sets"; }

  RowsOptions options_;
  FoldsSets sets_;           ///< the sets whose fingerprints these are; no: of bytes and tokens
  const Scheme* scheme_;     ///< the samples of these
  const Scheme* reserving_;  ///< null: no bits are reserved
  const bool folds_empty_;   ///< VerbOptions::folds_empty
  std::unique_ptr<PartitionedRows<FingerprintRow>> rows_;
};

}  // namespace twinset
