// Tables in text: rows of fields, by RFC 4180. The first row names the columns, and is the header
// of Input and RecordBatch, as it is written.
//
//   const TableHeader header = read_table_header("id;text\n", ';');
//   for_each_cell("7;\"a \"\"b\"\"\n\"\n", ';', true, [](const Cell& cell) { return true; });
//
// A field that begins with a quote ends with the next one that is not doubled, and may hold
// delimiters and line ends. A quote within another field is a character as any. After the quote
// that ends a field there is a delimiter or a line end; anything else is a fault, since an
// unfinished field further up looks so. In tables with tabs, whose writers seldom quote, a field
// whose quotes are not so is read as it stands.
//
// Threads: pure functions; a scanner belongs to one reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/piece_reader.h"

namespace twinset {

struct Cell {
  std::string_view bytes;  ///< without the quotes around it
  bool doubled = false;    ///< its quotes are doubled
};

/// Where a row ends, or why it does not.
struct RowEnd {
  enum class State : std::uint8_t {
    whole,
    more,        ///< the bytes end first
    open,        ///< they end within quotes
    after_quote  ///< bytes follow a quoted field
  };
  State state = State::more;
  std::size_t bytes = 0;     ///< of the row, its line end included
  std::size_t columns = 0;   ///< that were seen
  bool loose_quote = false;  ///< a field that is not quoted has quotes
};

/// Calls `use` with each field of the row that begins `bytes`, until it returns false; then the
/// state is `more`. `all`: no more bytes follow, and their end is that of the row.
template <class Use>
RowEnd for_each_cell(std::string_view bytes, char delimiter, bool all, Use use) {
  RowEnd end;
  const std::size_t size = bytes.size();
  /// Does a line end stand at `at`, or the first half of one at the end of the bytes?
  const auto ends_line = [&](std::size_t at) {
    return bytes[at] == '\n' || (bytes[at] == '\r' && (at + 1 == size || bytes[at + 1] == '\n'));
  };
  for (std::size_t at = 0;;) {
    std::size_t stop = std::string_view::npos;  // Where the field is followed by something else.
    Cell cell;
    if (at < size && bytes[at] == '"') {
      std::size_t close = bytes.find('"', at + 1);
      while (close != std::string_view::npos && close + 1 < size && bytes[close + 1] == '"') {
        cell.doubled = true;
        close = bytes.find('"', close + 2);
      }
      end.state =
          close == std::string_view::npos ? RowEnd::State::open : RowEnd::State::after_quote;
      if (close == std::string_view::npos) {
        if (!all) return end;
      } else if (close + 1 == size || bytes[close + 1] == delimiter || ends_line(close + 1)) {
        stop = close + 1;
        cell.bytes = bytes.substr(at + 1, close - at - 1);
      }
      if (stop == std::string_view::npos && delimiter != '\t') return end;
    }
    if (stop == std::string_view::npos) {
      stop = at;
      while (stop < size && bytes[stop] != delimiter && bytes[stop] != '\n') {
        end.loose_quote |= bytes[stop] == '"';
        ++stop;
      }
      if (stop > at && bytes[stop - 1] == '\r' && (stop == size || bytes[stop] == '\n')) --stop;
      cell = {bytes.substr(at, stop - at), false};
    }
    // Another quote, or the rest of a line end, may follow.
    const bool undecided = stop == size || (bytes[stop] == '\r' && stop + 1 == size);
    if (undecided && !all) {
      end.state = RowEnd::State::more;
      return end;
    }
    ++end.columns;
    if (!use(cell)) {
      end.state = RowEnd::State::more;
      return end;
    }
    if (stop < size && bytes[stop] == delimiter) {
      at = stop + 1;
      continue;
    }
    if (stop < size && bytes[stop] == '\r') ++stop;
    end.bytes = stop < size ? stop + 1 : size;
    end.state = RowEnd::State::whole;
    return end;
  }
}

/// The first row of a table.
struct TableHeader {
  char delimiter = ',';
  std::vector<std::string> columns;  ///< their names; of equal ones the last counts

  /// The columns that `text` (FieldNames::text) names, in that order.
  std::vector<std::size_t> texts(std::string_view text) const;
  /// The column of that name (FieldNames::id and others); npos if there is none.
  std::size_t find(std::string_view name) const;
  /// "id, title, text"; of many the first.
  std::string names() const;
};

/// 0 for `delimiter`: a comma, a semicolon or a tab, whichever the row has most of.
TableHeader read_table_header(std::string_view header, char delimiter);

/// HeaderFormat's functions.
std::string_view find_table_header(std::string_view head, bool whole);
std::string look_at_table_header(std::string_view header, std::string_view text, char delimiter);

/// Reader and decoder of a format; `delimiter` as above.
std::unique_ptr<Reader> make_table_reader(std::unique_ptr<ByteSource> bytes,
                                          const ReaderLimits& limits, char delimiter,
                                          DecodeBatch decode);
void decode_table(const FieldNames& fields, RecordBatch& batch, char delimiter);

}  // namespace twinset
