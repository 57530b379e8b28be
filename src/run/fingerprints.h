// The two fingerprints of each document, of its bytes and of its tokens, as rows for folding copies
// (join/fold.h). Where a scheme reserves bits of its signature for a field, copies that differ in
// these are none.
//
// Threads: as a Collector.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "join/fold.h"
#include "rows/rows.h"
#include "run/collector.h"
#include "scheme/scheme.h"

namespace twinset {

struct FingerprintRows final : Collector::Rows {
  void begin(const BatchPlace&) override { rows.clear(); }
  void release_large() override {}
  std::vector<FingerprintRow> rows;
  Sketch sketch;  ///< scratch
};

class Fingerprints final : public CollectorOf<FingerprintRows> {
 public:
  explicit Fingerprints(RowsOptions options, const Scheme* scheme = nullptr)
      : options_(std::move(options)),
        reserving_(scheme != nullptr && scheme->facts().reserved_bits != 0 ? scheme : nullptr) {}

  PartitionedRows<FingerprintRow>& rows_by_tokens() { return *rows_; }
  /// Frees the rows, once they are folded.
  void drop_rows() { rows_.reset(); }
  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;

 private:
  Status take(const ReadRecord& record, FingerprintRows& rows) const override;
  Status add(FingerprintRows& rows) override { return rows_->append(rows.rows); }
  std::uint64_t reserved_part(const ReadRecord& record, Sketch& sketch) const;

  RowsOptions options_;
  const Scheme* reserving_;  ///< null: no bits are reserved
  std::unique_ptr<PartitionedRows<FingerprintRow>> rows_;
};

}  // namespace twinset
