// The options of every store of rows, and the concept of a row.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "system/context.h"

namespace twinset {

/// Rows are plain structs without padding, little-endian on disk.
template <class Row>
concept PlainRow = std::is_trivially_copyable_v<Row> &&
                   std::has_unique_object_representations_v<Row> && alignof(Row) <= 16;

/// The options of a store of rows.
struct RowsOptions {
  const RunContext* context = nullptr;  ///< files, threads, cancel; outlives the store
  std::string path;                     ///< prefix of its files, e.g. "<tmp>/bands"
  std::uint64_t memory_bytes = 0;       ///< rows and buffers held before spilling
  std::uint64_t fingerprint = 0;        ///< scheme fingerprint, kept in each file's header
};

/// The length of a file of rows at a checkpoint: bytes up to it are on disk and stay; bytes after
/// it are cut when the run continues.
struct PartLength {
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
};

}  // namespace twinset
