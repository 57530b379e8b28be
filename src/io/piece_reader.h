// Splits a stream into pieces where a scanner says, for the formats whose records are known by
// their own bytes: lines, rows of tables, elements of arrays, articles between tags.
//
//   auto reader = make_piece_reader(std::move(bytes), limits, std::make_unique<LineScanner>(),
//                                   decode_jsonl);
//
// Every byte belongs to one piece: a record, good or bad, bytes that are carried, a blank line,
// which has a number and is no record, or a bracket, which has none. A record longer than is held
// is counted, not kept. The pieces do not depend on the batches in which they come.
//
// Threads: as a Reader; a scanner belongs to one reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "io/bytes.h"
#include "io/reader.h"

namespace twinset {

struct RecordPiece {
  enum class Kind : std::uint8_t {
    record,
    blank,    ///< no record, but it has a number
    nothing,  ///< no record, and no number
    carried,  ///< Record::carried
    frame,    ///< Record::frame
    lost      ///< no record begins here: the next one is searched; `bytes` does not matter
  };
  std::size_t bytes = 0;  ///< 0: more bytes are needed
  Kind kind = Kind::record;
  BadReason bad = BadReason::none;
  std::string_view detail = {};  ///< valid until the scanner is called again
};

/// Finds the next piece. What it remembers of a file is little, and does not depend on batches.
class PieceScanner {
 public:
  /// Whether more bytes follow those that it is shown.
  enum class Rest : std::uint8_t {
    more,
    full,  ///< more follow, but no record is so long
    end
  };

  virtual ~PieceScanner() = default;
  /// The piece at the beginning of `bytes`, which is not empty. At the end there is one.
  virtual RecordPiece next(std::string_view bytes, Rest rest) = 0;

  /// A search begins, for the next record after the beginning of the bytes to come, where none can
  /// be read.
  virtual void begin_search() {}
  struct Found {
    std::size_t bytes = 0;  ///< are before the record, or have none; 0: more bytes are needed
    bool record = false;    ///< one begins after these
  };
  /// Continues the search. Unless the rest is `more`, it passes some bytes or finds a record.
  virtual Found find(std::string_view bytes, Rest rest) = 0;

  /// The first line of a table, once it is known: RecordBatch::header.
  virtual std::string_view header() const { return {}; }
  /// The reason why bytes after a damaged place are no record until one is found; none if a record
  /// may begin at any byte.
  virtual BadReason after_damage() const { return BadReason::none; }
};

/// Reader::decode() of a format.
using DecodeBatch = void (*)(const FieldNames& fields, RecordBatch& batch);

std::unique_ptr<Reader> make_piece_reader(std::unique_ptr<ByteSource> bytes,
                                          const ReaderLimits& limits,
                                          std::unique_ptr<PieceScanner> scanner,
                                          DecodeBatch decode);

}  // namespace twinset
