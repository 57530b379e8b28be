// Most rows hold no quote: two searches, for the line end and for a quote before it, find their
// end. The others are read field by field.
//
// A row with a quote that is not closed looks like all rows up to the next quote, which then ends a
// field where none ends. Such a row is bad, and it is not believed where it ends: the next line
// that is a row by itself, with the right number of columns and no quote but around fields, is the
// next row. A row whose quotes are right is believed, and is bad as a whole if its columns are too
// few or many.
//
// This file's interface is io/table_rows.h; the rest is private.
#include "io/table_rows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "io/content.h"
#include "io/decoded_text.h"
#include "io/json_texts.h"
#include "io/line_reader.h"
#include "io/scratch.h"

namespace twinset {
namespace {

constexpr std::size_t most_names = 12;

std::size_t count(std::string_view bytes, char c) {
  return static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), c));
}

/// The bytes of a line end at the beginning of `bytes`: a blank line.
std::size_t blank_bytes(std::string_view bytes) {
  if (bytes.starts_with('\n')) return 1;
  return bytes.starts_with("\r\n") ? 2 : 0;
}

/// The bytes up to the first line end that is not within quotes, with it; npos if there is none.
std::size_t quoted_line_bytes(std::string_view bytes) {
  bool quoted = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    quoted ^= bytes[i] == '"';
    if (bytes[i] == '\n' && !quoted) return i + 1;
  }
  return std::string_view::npos;
}

/// The delimiter that the row has most of outside quotes.
char likely_delimiter(std::string_view header) {
  constexpr std::array<char, 3> known{',', ';', '\t'};
  std::array<std::size_t, 3> seen{};
  bool quoted = false;
  for (const char c : header) {
    quoted ^= c == '"';
    for (std::size_t i = 0; i < known.size(); ++i) seen[i] += !quoted && c == known[i] ? 1 : 0;
  }
  return known[static_cast<std::size_t>(std::ranges::max_element(seen) - seen.begin())];
}

/// The value of a cell; `room` takes its bytes if its quotes are doubled.
std::string_view value_of(const Cell& cell, char* room) {
  if (!cell.doubled) return cell.bytes;
  char* out = room;
  for (std::size_t at = 0; at < cell.bytes.size();) {
    const std::size_t quote = std::min(cell.bytes.find('"', at), cell.bytes.size() - 1) + 1;
    out = std::copy(cell.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    cell.bytes.begin() + static_cast<std::ptrdiff_t>(quote), out);
    at = quote < cell.bytes.size() && cell.bytes[quote - 1] == '"' ? quote + 1 : quote;
  }
  return {room, static_cast<std::size_t>(out - room)};
}

std::string value_of(const Cell& cell) {
  std::string value(cell.bytes.size(), '\0');
  value = std::string(value_of(cell, value.data()));
  return value;
}

/// The name of a column as FieldNames have it: they nest by dots, and columns do not.
std::optional<std::string> column_name(const TextPath& path) {
  std::string name;
  for (const TextPath::Step& step : path.steps) {
    if (step.lists > 0) return std::nullopt;
    name += (name.empty() ? "" : ".") + step.name;
  }
  return name;
}

/// A value as a token of JSON; empty if it is.
std::string_view token_of(const Cell& cell, RecordBatch& batch) {
  if (cell.bytes.empty()) return {};
  return value_token(cell.doubled ? batch.scratch->keep(value_of(cell)) : cell.bytes, batch);
}

class RowScanner final : public PieceScanner {
 public:
  explicit RowScanner(char delimiter) : delimiter_(delimiter) {}

  RecordPiece next(std::string_view bytes, Rest rest) override {
    const bool blank = rest == Rest::end && (bytes == "\r" || line_of(bytes).empty());
    if (bytes == "\r" && rest == Rest::more) return {};
    if (const std::size_t end = blank ? bytes.size() : blank_bytes(bytes); end > 0) {
      ++lines_;
      return {end, RecordPiece::Kind::blank};
    }
    return known_ ? next_row(bytes, rest) : read_header(bytes, rest);
  }

  void begin_search() override { in_line_ = true; }

  Found find(std::string_view bytes, Rest rest) override {
    std::size_t at = 0;
    while (true) {
      if (in_line_) {
        const std::size_t end = bytes.find('\n', at);
        if (end == std::string_view::npos) return {bytes.size(), false};
        at = end + 1;
        ++lines_;
        in_line_ = false;
      }
      if (at == bytes.size()) return {at, false};
      const RowEnd row = read_row(bytes.substr(at), rest == Rest::end, columns_);
      if (row.state == RowEnd::State::whole && known_ && row.columns == columns_ &&
          !row.loose_quote && blank_bytes(bytes.substr(at)) == 0) {
        return {at, true};
      }
      const bool undecided = row.state == RowEnd::State::more || row.state == RowEnd::State::open;
      const bool tries_again = rest == Rest::more || (rest == Rest::full && at > 0);
      if (undecided && row.columns <= columns_ && tries_again) return {at, false};
      in_line_ = true;
    }
  }

  std::string_view header() const override { return header_; }
  BadReason after_damage() const override { return BadReason::invalid_row; }

 private:
  RecordPiece read_header(std::string_view bytes, Rest rest) {
    const std::size_t end = quoted_line_bytes(bytes);
    if (end == std::string_view::npos && rest != Rest::end) return {};
    header_ = bytes.substr(0, end);
    const TableHeader header = read_table_header(header_, delimiter_);
    delimiter_ = header.delimiter;
    columns_ = header.columns.size();
    known_ = true;
    lines_ += count(header_, '\n');
    return {header_.size(), RecordPiece::Kind::frame};
  }

  RecordPiece next_row(std::string_view bytes, Rest rest) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos && rest == Rest::more) return {};
    const std::string_view line = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
    RowEnd row;
    if (line.find('"') == std::string_view::npos) {
      if (end == std::string_view::npos && rest == Rest::full) return {};
      row.state = RowEnd::State::whole;
      row.bytes = line.size();
      row.columns = 1 + count(line, delimiter_);
    } else {
      row = read_row(bytes, rest == Rest::end, SIZE_MAX);
      // A quote that nothing closes stands for itself in a table with tabs.
      if (row.state == RowEnd::State::open && rest == Rest::full && delimiter_ == '\t' &&
          end != std::string_view::npos) {
        row = read_row(line, true, SIZE_MAX);
      }
    }
    switch (row.state) {
      case RowEnd::State::whole:
        break;
      case RowEnd::State::open:
        if (rest == Rest::more) return {};
        return lost("a quote is not closed");
      case RowEnd::State::more:
        return {};
      case RowEnd::State::after_quote:
        return lost("a quote is not closed, or not doubled");
    }
    const std::string place = row.columns == columns_ ? std::string() : this->place();
    lines_ += count(bytes.substr(0, row.bytes), '\n');
    if (row.columns == columns_) return {row.bytes};
    detail_ = place + std::to_string(row.columns) + (row.columns == 1 ? " column" : " columns") +
              ", and the header has " + std::to_string(columns_);
    return {row.bytes, RecordPiece::Kind::record, BadReason::invalid_row, detail_};
  }

  /// "line 17: ", of the row that is read now.
  std::string place() const { return "line " + std::to_string(lines_ + 1) + ": "; }

  RecordPiece lost(std::string_view why) {
    detail_ = place() + std::string(why);
    return {0, RecordPiece::Kind::lost, BadReason::invalid_row, detail_};
  }

  /// Stops after `most` columns.
  RowEnd read_row(std::string_view bytes, bool all, std::size_t most) const {
    std::size_t seen = 0;
    return for_each_cell(bytes, delimiter_, all, [&](const Cell&) { return ++seen <= most; });
  }

  char delimiter_;
  std::string header_;
  std::size_t columns_ = 0;
  bool known_ = false;
  std::uint64_t lines_ = 0;  ///< passed so far
  bool in_line_ = false;     ///< a search is within a line that begins no row
  std::string detail_;
};

}  // namespace

std::vector<std::size_t> TableHeader::texts(std::string_view text) const {
  std::vector<std::size_t> found;
  const Result<std::vector<TextPath>> paths = text_paths(text);
  if (!paths.ok()) return found;
  for (const TextPath& path : paths.value()) {
    const std::optional<std::string> name = column_name(path);
    const auto last = std::find(columns.rbegin(), columns.rend(), name);
    if (last != columns.rend()) {
      found.push_back(static_cast<std::size_t>(columns.rend() - last) - 1);
    }
  }
  return found;
}

std::size_t TableHeader::find(std::string_view name) const {
  const std::optional<std::string> column = column_name(field_path(name));
  const auto last = std::find(columns.rbegin(), columns.rend(), column);
  return last == columns.rend() ? std::string::npos
                                : static_cast<std::size_t>(columns.rend() - last) - 1;
}

std::string TableHeader::names() const {
  std::string out;
  for (std::size_t i = 0; i < std::min(columns.size(), most_names); ++i) {
    out += (i == 0 ? "" : ", ") + columns[i];
  }
  return out + (columns.size() > most_names ? ", ..." : "");
}

TableHeader read_table_header(std::string_view header, char delimiter) {
  TableHeader out;
  const std::string_view row = line_of(header);
  out.delimiter = delimiter == 0 ? likely_delimiter(row) : delimiter;
  const RowEnd end = for_each_cell(row, out.delimiter, true, [&](const Cell& cell) {
    out.columns.push_back(value_of(cell));
    return true;
  });
  if (end.state != RowEnd::State::whole) out.columns.clear();
  return out;
}

std::string_view find_table_header(std::string_view head, bool whole) {
  while (const std::size_t blank = blank_bytes(head)) head.remove_prefix(blank);
  const std::size_t end = quoted_line_bytes(head);
  if (end == std::string_view::npos && !whole) return {};
  return head.substr(0, end);
}

std::string look_at_table_header(std::string_view header, std::string_view text, char delimiter) {
  if (header.empty()) return "has a first line, which should name its columns, of over 64 KiB";
  const TableHeader read = read_table_header(header, delimiter);
  const std::string_view line = header.substr(0, header.find_last_not_of("\r\n") + 1);
  if (line.find('\r') != std::string_view::npos && line.find('"') == std::string_view::npos) {
    return "has lines that end in a carriage return alone; send it through tr '\\r' '\\n'";
  }
  if (read.columns.empty()) return "has a quote in its first line that is not closed";
  if (text.empty() || !read.texts(text).empty()) return {};
  return "has no column \"" + std::string(text) + "\"; it has: " + read.names();
}

std::unique_ptr<Reader> make_table_reader(std::unique_ptr<ByteSource> bytes,
                                          const ReaderLimits& limits, char delimiter,
                                          DecodeBatch decode) {
  return make_piece_reader(std::move(bytes), limits, std::make_unique<RowScanner>(delimiter),
                           decode);
}

void decode_table(const FieldNames& fields, RecordBatch& batch, char delimiter) {
  const TableHeader header = read_table_header(batch.header, delimiter);
  const std::vector<std::size_t> texts = header.texts(fields.text);
  const std::size_t id = header.find(fields.id);
  std::vector<std::size_t> named;
  for (const std::string& name : fields.named) named.push_back(header.find(name));
  std::size_t last = 0;
  for (const std::vector<std::size_t>& some : {texts, named, {id}}) {
    for (const std::size_t column : some) {
      if (column != std::string::npos) last = std::max(last, column);
    }
  }
  std::vector<std::string_view>& values = batch.scratch->fields;
  values.clear();
  values.reserve(named.size() * batch.records.size());
  std::size_t room_bytes = 0;
  for (const Record& record : batch.records) {
    if (record.bad == BadReason::none) room_bytes += record.raw.size();
  }
  char* room = batch.scratch->make_room(room_bytes);
  std::vector<Cell> cells;
  for (Record& record : batch.records) {
    if (record.bad != BadReason::none || record.carried) continue;
    cells.clear();
    for_each_cell(record.raw, header.delimiter, true, [&](const Cell& cell) {
      cells.push_back(cell);
      return cells.size() <= last;
    });
    if (cells.size() <= last) {
      record.bad = BadReason::invalid_row;
      record.detail = "it has not all columns of the header";
      continue;
    }
    if (texts.empty()) {
      record.bad = BadReason::missing_text;
      record.detail = batch.scratch->keep("no column \"" + fields.text + "\"");
      continue;
    }
    const auto token = [&](std::size_t column) {
      return column == std::string::npos ? std::string_view() : token_of(cells[column], batch);
    };
    record.id = token(id);
    const std::size_t first = values.size();
    for (const std::size_t column : named) values.push_back(token(column));
    record.fields = std::span(values).subspan(first);
    record.field_names = fields.named;
    if (texts.size() == 1) {
      const Cell& cell = cells[texts[0]];
      set_text_of_utf8(value_of(cell, room), record, batch);
      if (cell.doubled) room += cell.bytes.size();
    } else {
      std::string joined;
      for (const std::size_t column : texts) {
        if (cells[column].bytes.empty()) continue;
        joined += (joined.empty() ? "" : "\n") + value_of(cells[column]);
      }
      set_text_of_utf8(batch.scratch->keep(std::move(joined)), record, batch);
    }
    check_features(fields, record, batch);
    record.markup = markup_of(record.markup, record.text);
  }
}

}  // namespace twinset
