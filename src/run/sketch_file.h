// A file with a fixed number of bytes for each line of input: a sketch, or whatever else a scheme
// stores of a document. Pass 1 appends in input order; later passes read in any order.
//
// A document's dense index is the number of its row. A line without a document has zeros.
//
// Threads: append() one thread at a time; the readers from any.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "rows/fixed_file.h"
#include "twinset/result.h"

namespace twinset {

class SketchFile {
 public:
  /// With `sketch_bytes` of 0 nothing is stored.
  SketchFile(const RowsOptions& options, std::size_t sketch_bytes)
      : sketch_bytes_(sketch_bytes), file_(options, "sketches", row_bytes()) {}

  /// The sketch of one of the appended lines.
  struct Piece {
    std::uint64_t line = 0;   ///< among the appended lines, from 0
    std::uint32_t bytes = 0;  ///< at most sketch_bytes; zeros follow
  };
  /// Appends `lines` rows: those of `pieces`, whose lines ascend and whose bytes follow each other
  /// in `sketches`, and zeros for the other lines. Memory does not grow with `lines`.
  Status append(std::uint64_t lines, std::span<const Piece> pieces, std::string_view sketches);

  std::uint64_t rows() const { return file_.rows(); }
  std::uint64_t stored_bytes() const { return file_.stored_bytes(); }

  /// Replaces `out`; empty if nothing is stored.
  Status read(std::uint64_t index, std::vector<std::uint8_t>& out) const;
  /// All sketches in order, a few at a time.
  Status for_each(const std::function<Status(std::uint64_t index,
                                             std::span<const std::uint8_t> sketch)>& use) const;
  /// As FixedFile::hold(): pairs need sketches in any order, and a read from the file costs more
  /// than comparing.
  Status hold(std::uint64_t most_bytes) { return file_.hold(most_bytes); }
  void drop_held() { file_.drop_held(); }

  Status checkpoint(std::vector<PartLength>& out) { return file_.checkpoint(out); }
  Status restore(std::span<const PartLength> lengths) { return file_.restore(lengths); }
  /// Adds the rows of another such file (FixedFile::take_over()).
  Status take_over(const std::string& path, std::span<const PartLength> lengths) {
    drop_held();
    return sketch_bytes_ == 0 ? Status() : file_.take_over(path, lengths);
  }

 private:
  std::size_t row_bytes() const { return sketch_bytes_ + FixedFile::check_bytes; }
  Status flush();

  std::size_t sketch_bytes_;
  FixedFile file_;
  std::vector<char> pending_;  ///< rows not yet written
};

}  // namespace twinset
