// The keys that a scheme makes of each document, as rows <key, document> to be grouped, and the
// part of the document that the scheme stores.
//
// Threads: as a Collector.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "join/candidates.h"
#include "rows/rows.h"
#include "run/collector.h"
#include "run/keys_per_document.h"
#include "run/sketch_file.h"
#include "scheme/scheme.h"
#include "system/context.h"
#include "twinset/run.h"

namespace twinset {

struct KeyRows final : Collector::Rows {
  void begin(const BatchPlace& place) override {
    lines = place.last_line - place.first_line;
    first_line = place.first_line;
    rows.clear();
    pieces.clear();
    stored.clear();
    without = {};
    counts = {};
  }
  void release_large() override { *this = KeyRows(); }

  std::uint64_t first_line = 0;
  std::uint64_t lines = 0;
  std::vector<KeyRow> rows;
  std::vector<SketchFile::Piece> pieces;
  std::string stored;
  WithoutSignature without;
  KeysPerDocument counts;
  Sketch sketch;                    ///< scratch
  std::vector<std::uint64_t> keys;  ///< scratch
};

class DocumentKeys final : public CollectorOf<KeyRows> {
 public:
  /// The part of each document that is stored beside its keys.
  enum class Stored : std::uint8_t {
    sketch,  ///< the scheme's stored form, to check candidates
    count,   ///< the number of its keys, 4 bytes
    sample   ///< SampleSizes, and the stored form if the scheme counts over sketches
  };

  /// `options.path` is the prefix of the rows' files; its last part names them in checkpoints.
  DocumentKeys(RowsOptions options, const Scheme& scheme, Stored stored);

  PartitionedRows<KeyRow>& rows_by_key() { return *rows_; }
  /// Takes only the documents for which `wanted` returns true. It is called from any thread.
  void take_only(std::function<bool(DocumentId)> wanted) { wanted_ = std::move(wanted); }
  /// Frees the rows, once they are grouped.
  void drop_rows() { rows_.reset(); }
  const SketchFile& stored() const { return *file_; }
  SketchFile& stored() { return *file_; }
  /// Replaces `out` by the stored form that Stored::sample keeps, if it does.
  Status counted_sketch(std::uint64_t index, std::vector<std::uint8_t>& out) const;

  /// The documents that have no signature, copies too.
  const WithoutSignature& without_signature() const { return without_; }
  /// The keys of all documents with a token.
  const KeysPerDocument& keys_per_document() const { return counts_; }

  /// The bytes stored for each document.
  static std::size_t stored_bytes_of(const Scheme& scheme, Stored stored);

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  Status take_over(const ShardFolder& shard) override;
  std::uint64_t stored_bytes() const override { return file_->stored_bytes(); }

 private:
  Status take(const ReadRecord& record, KeyRows& rows) const override;
  Status add(KeyRows& rows) override { return rows_->append(rows.rows); }
  Status put(KeyRows& rows) override;
  void store(KeyRows& rows) const;
  void add_counts_of(const StateFile& checkpoint);
  /// In checkpoints.
  std::string name_of(NoSignature reason) const {
    return name_ + ".without." + std::to_string(static_cast<int>(reason));
  }
  std::string name_of(std::size_t keys) const { return name_ + ".of." + std::to_string(keys); }

  RowsOptions options_;
  std::string name_;
  const Scheme& scheme_;
  Stored stored_;
  std::function<bool(DocumentId)> wanted_;  ///< empty: all
  WithoutSignature without_;
  KeysPerDocument counts_;
  std::unique_ptr<PartitionedRows<KeyRow>> rows_;
  std::unique_ptr<SketchFile> file_;
};

}  // namespace twinset
