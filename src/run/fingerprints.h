// The two fingerprints of each document, of its bytes and of its tokens, as rows for folding copies
// (join/fold.h).
//
// Threads: as a Collector.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "join/fold.h"
#include "rows/rows.h"
#include "run/collector.h"

namespace twinset {

struct FingerprintRows final : Collector::Rows {
  void begin(const BatchPlace&) override { rows.clear(); }
  void release_large() override {}
  std::vector<FingerprintRow> rows;
};

class Fingerprints final : public CollectorOf<FingerprintRows> {
 public:
  explicit Fingerprints(RowsOptions options) : options_(std::move(options)) {}

  PartitionedRows<FingerprintRow>& rows_by_tokens() { return *rows_; }
  /// Frees the rows, once they are folded.
  void drop_rows() { rows_.reset(); }
  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;

 private:
  Status take(const ReadRecord& record, FingerprintRows& rows) const override;
  Status add(FingerprintRows& rows) override { return rows_->append(rows.rows); }

  RowsOptions options_;
  std::unique_ptr<PartitionedRows<FingerprintRow>> rows_;
};

}  // namespace twinset
