// Columns of texts in memory as a collection: no file is read or made.
//
//   TWINSET_TRY(check_columns(options.columns));
//   MemoryCollection collection(options.columns);
//
// A record is one text: its number is the text's place from 1, its bytes are the text itself, which
// is read without a copy. Its id and its fields come from the columns beside it, whatever name the
// id has, as JSON strings. A missing text (null) is a bad record. A run over columns is never
// continued.
//
// Threads: as a Collection.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collection/collection.h"
#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

class MemoryCollection final : public Collection {
 public:
  /// The columns must have passed check_columns().
  explicit MemoryCollection(std::span<const TextColumn> columns);

  std::span<const Source> sources() const override { return sources_; }
  std::string identity() const override { return {}; }
  Result<std::unique_ptr<Reader>> open(std::uint64_t source, const ReaderLimits& limits) override;
  Result<bool> is_lost(std::uint64_t) override { return false; }
  Rereading rereading(std::uint64_t) const override { return Rereading::at_random; }
  Result<std::size_t> read_at(std::uint64_t source, std::uint64_t offset,
                              std::string& raw) override;
  void decode(std::uint64_t source, std::uint64_t offset, std::string_view raw,
              const FieldNames& fields, RecordBatch& batch) const override;
  bool has_changed(std::uint64_t) const override { return false; }
  Result<std::unique_ptr<ByteSink>> create_output(std::uint64_t source, FileSystem& files,
                                                  const std::string& root,
                                                  const std::string& folder,
                                                  unsigned threads) const override;

 private:
  std::vector<TextColumn> columns_;  ///< references first
  std::vector<Source> sources_;
};

/// Error (usage): two columns of one name.
Status check_columns(std::span<const TextColumn> columns);

}  // namespace twinset
