// The part of each document (ReadRecord::part), for steps that read texts again.
//
// Threads: as a Collector; read() from any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "run/collector.h"
#include "run/sketch_file.h"
#include "system/context.h"

namespace twinset {

struct PartRows final : Collector::Rows {
  void begin(const BatchPlace& place) override {
    lines = place.last_line - place.first_line;
    first_line = place.first_line;
    pieces.clear();
    parts.clear();
  }
  void release_large() override {}

  std::uint64_t first_line = 0;
  std::uint64_t lines = 0;
  std::vector<SketchFile::Piece> pieces;
  std::string parts;  ///< 8 bytes each
};

class Parts final : public CollectorOf<PartRows> {
 public:
  explicit Parts(const RowsOptions& options) : file_(options, sizeof(std::uint64_t)) {}

  /// By dense index.
  Result<std::uint64_t> read(std::uint64_t index) const;

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  std::uint64_t stored_bytes() const override { return file_.stored_bytes(); }

 private:
  Status take(const ReadRecord& record, PartRows& rows) const override;
  Status put(PartRows& rows) override { return file_.append(rows.lines, rows.pieces, rows.parts); }

  SketchFile file_;
};

}  // namespace twinset
