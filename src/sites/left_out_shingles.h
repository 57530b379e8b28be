// How much of each page a run leaves out, kept in input order for the lines of removed records.
//
//   LeftOutShingles left_out(job);
//   TWINSET_TRY(run.read(stored, left_out.collectors()));
//   TWINSET_TRY(left_out.seal());
//   auto cursor = left_out.read();     // LeftOutRow by document; none of pages compared whole
//
// Threads: as a Collector; cursors from any.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/document.h"
#include "rows/row_file.h"
#include "run/collector.h"
#include "run/job.h"

namespace twinset {

struct LeftOutRow {
  DocumentId document;
  /// Windows of the run's shingle length in the whole page, less those of what was compared. An
  /// equal window counts each time.
  std::uint64_t shingles = 0;
};

struct LeftOutRows final : Collector::Rows {
  void begin(const BatchPlace&) override { rows.clear(); }
  void release_large() override {}
  std::vector<LeftOutRow> rows;
};

/// Windows of `width` tokens in a text of `tokens`; one of all if there are fewer.
constexpr std::uint64_t windows_of(std::uint64_t tokens, unsigned width) {
  if (tokens == 0) return 0;
  return tokens < width ? 1 : tokens - width + 1;
}

class LeftOutShingles final : public CollectorOf<LeftOutRows> {
 public:
  explicit LeftOutShingles(const Job& job) : job_(job) {}

  /// Itself if the run drops templates, else none.
  std::vector<Collector*> collectors();
  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  std::uint64_t stored_bytes() const override;

  /// After the pass.
  Status seal();
  /// Null if the run drops no templates.
  Result<std::unique_ptr<RowCursor<LeftOutRow>>> read() const;

 private:
  Status take(const ReadRecord& record, LeftOutRows& rows) const override;
  Status put(LeftOutRows& rows) override;

  const Job& job_;
  std::unique_ptr<RowFile<LeftOutRow>> rows_;
};

/// The row of a document, for documents that ascend; 0 without one.
class LeftOutReader {
 public:
  explicit LeftOutReader(RowCursor<LeftOutRow>* rows) : rows_(rows) {}
  Result<std::uint64_t> shingles(DocumentId document);

 private:
  RowCursor<LeftOutRow>* rows_;
};

}  // namespace twinset
