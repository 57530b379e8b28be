// A file with a fixed number of bytes for each line of input: a sketch, or whatever else a scheme
// stores of a document. Pass 1 appends in input order; later passes read in any order.
//
// A document's dense index is the number of its row. A line without a document has zeros. Every
// row has its own check: bit rot is an Error that names the file.
//
// Threads: append() one thread at a time; the readers from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rows/cached_file.h"
#include "rows/region.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

class SketchFile {
 public:
  /// Creates or opens the file, cut to `rows` rows. With `sketch_bytes` of 0 nothing is stored.
  static Result<std::unique_ptr<SketchFile>> open(const RunContext& context, std::string path,
                                                  std::size_t sketch_bytes, std::uint64_t rows);

  /// The sketch of one of the appended lines.
  struct Piece {
    std::uint64_t line = 0;   ///< among the appended lines, from 0
    std::uint32_t bytes = 0;  ///< at most sketch_bytes; zeros follow
  };
  /// Appends `lines` rows: those of `pieces`, whose lines ascend and whose bytes follow each other
  /// in `sketches`, and zeros for the other lines. Memory does not grow with `lines`.
  Status append(std::uint64_t lines, std::span<const Piece> pieces, std::string_view sketches);
  Status sync() { return file_->sync(); }

  const std::string& path() const { return path_; }
  std::uint64_t rows() const { return rows_; }
  std::size_t sketch_bytes() const { return sketch_bytes_; }
  std::uint64_t stored_bytes() const { return sketch_bytes_ == 0 ? 0 : rows_ * row_bytes(); }

  /// Replaces `out`; empty if nothing is stored.
  Status read(std::uint64_t index, std::vector<std::uint8_t>& out) const;
  /// All sketches in order, a few at a time.
  Status for_each(const std::function<Status(std::uint64_t index,
                                             std::span<const std::uint8_t> sketch)>& use) const;
  /// Holds all sketches in memory if they take at most `most_bytes`, else caches so many bytes of
  /// them: pairs need them in any order, and a read from the file costs more than comparing.
  Status hold(std::uint64_t most_bytes);
  void drop_held();

 private:
  SketchFile(std::string path, std::size_t sketch_bytes, std::unique_ptr<File> file);
  std::size_t row_bytes() const { return sketch_bytes_ + sizeof(std::uint32_t); }
  /// As many rows as fit into scanned_bytes, at least one.
  std::size_t rows_at_once() const;
  Status flush();
  void add_row(std::string_view sketch);
  Status read_exactly(std::uint64_t offset, char* out, std::size_t size) const;
  bool intact(const std::uint8_t* row) const;
  Error damaged(std::uint64_t offset) const;

  std::string path_;
  std::size_t sketch_bytes_;
  std::unique_ptr<File> file_;
  std::uint64_t rows_ = 0;
  std::string pending_;  ///< rows not yet written
  Region held_;          ///< all of the file's bytes, or nothing
  std::unique_ptr<CachedFile> cached_;
};

}  // namespace twinset
