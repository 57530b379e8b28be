// Parquet: a table of columns, of which a record is a row. Its bytes, which other formats have in
// the file, are the frame of io/parquet.h: the text and the fields that the run reads. What those
// columns hold decides which records are identical; other columns are not read.
//
// Frames are a stream, as the bytes of a packed file are: they are held, kept and read again like
// these. A group of rows that does not decode is left out of it; then a gap stands there, eight
// bytes with the highest bit set and the number of its rows, so that rows keep their numbers.
//
// An output is made from the input itself, a group of rows at a time (RowFormat::copy).
//
// This file's interface is io/reader.h (parquet_format); the rest is private.
#include "io/parquet.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <optional>

#include "base/hash.h"
#include "base/message.h"
#include "base/varint.h"
#include "io/content.h"
#include "io/decoded_text.h"
#include "io/format_list.h"
#include "io/scratch.h"

namespace twinset {
namespace {

constexpr std::size_t head_bytes = 8;
constexpr std::uint64_t gap_mark = std::uint64_t{1} << 63;
/// Rows of damaged groups that are passed over in a file. Their number is the file's claim.
constexpr std::uint64_t most_gap_rows = std::uint64_t{1} << 26;
/// Groups of rows are copied together up to so many stored bytes, for several threads.
constexpr std::uint64_t copied_bytes = std::uint64_t{64} << 20;

std::uint32_t tag_of(std::string_view name) { return static_cast<std::uint32_t>(checksum(name)); }

/// The leaf columns of a text; Error (usage): words after the file's name.
Result<std::vector<std::uint64_t>> find_texts(const ParquetTable& table, std::string_view text) {
  TWINSET_ASSIGN(const std::vector<TextPath> paths, text_paths(text));
  std::vector<std::uint64_t> leaves;
  for (const TextPath& path : paths) {
    const ParquetColumn column = table.find(path, true);
    if (!column.other.empty()) {
      return usage_error("has a column \"" + path.shown + "\" that " + column.other);
    }
    if (column.leaf.has_value()) leaves.push_back(*column.leaf);
  }
  if (leaves.empty()) {
    return usage_error("has no column \"" + std::string(text) + "\"; it has: " + table.names());
  }
  return leaves;
}

/// The rows of a file as frames.
class FrameSource final : public ByteSource {
 public:
  FrameSource(std::unique_ptr<ParquetTable> table, std::unique_ptr<ParquetRows> rows,
              const Input& input, const ReaderLimits& limits)
      : table_(std::move(table)),
        rows_(std::move(rows)),
        stored_(input.status.size),
        limits_(limits) {
    for (std::uint64_t i = 0; i < table_->groups(); ++i) total_rows_ += table_->group_rows(i);
  }
  /// A file that does not open is nothing but a fault.
  explicit FrameSource(std::string why) {
    set_fault(BadReason::corrupt_stream, std::move(why));
    finished_ = true;
  }

  Result<std::size_t> read(char* out, std::size_t size) override {
    if (at_ == frames_.size()) {
      if (finished_ || fault_.reason != BadReason::none) return std::size_t{0};
      at_ = 0;
      TWINSET_ASSIGN(const bool more, rows_->next(frames_));
      if (!more) {
        finished_ = rows_->fault().empty();
        if (!finished_) set_fault(BadReason::corrupt_stream, rows_->fault());
        return std::size_t{0};
      }
      decoded_ += frames_.size();
      if (limits_.is_bomb(decoded_, stored_bytes_read())) {
        set_fault(BadReason::decompression_bomb, std::to_string(decoded_) + " bytes out of " +
                                                     std::to_string(stored_bytes_read()));
        finished_ = true;
        frames_ = {};
        return std::size_t{0};
      }
    }
    const std::size_t got = frames_.copy(out, size, at_);
    at_ += got;
    return got;
  }

  const StreamFault& fault() const override { return fault_; }

  bool resume() override {
    if (fault_.reason == BadReason::none || finished_) return false;
    const std::uint64_t gap = rows_->skip_group();
    gap_rows_ += gap;
    finished_ = gap_rows_ > most_gap_rows;
    if (finished_) return false;
    fault_ = {};
    gap_.clear();
    append_row_number(gap_, gap | gap_mark);
    frames_ = gap_;
    at_ = 0;
    return true;
  }

  std::uint64_t stored_bytes_read() const override {
    if (rows_ == nullptr || total_rows_ == 0) return stored_;
    return static_cast<std::uint64_t>(static_cast<double>(stored_) *
                                      static_cast<double>(rows_->passed()) /
                                      static_cast<double>(total_rows_));
  }

 private:
  void set_fault(BadReason reason, std::string why) {
    fault_.reason = reason;
    fault_.stored_offset = rows_ == nullptr ? 0 : rows_->place();
    fault_.frame_offset = decoded_;
    fault_.detail = "Parquet: " + std::move(why);
  }

  const std::unique_ptr<ParquetTable> table_;
  const std::unique_ptr<ParquetRows> rows_;
  const std::uint64_t stored_ = 0;
  const ReaderLimits limits_;
  std::string_view frames_;  ///< being given
  std::string gap_;
  std::size_t at_ = 0;
  std::uint64_t decoded_ = 0;
  std::uint64_t total_rows_ = 0;
  std::uint64_t gap_rows_ = 0;
  bool finished_ = false;
  StreamFault fault_;
};

Result<std::unique_ptr<ByteSource>> open_rows(FileSystem& files, const Input& input,
                                              const ReaderLimits& limits) {
  Result<std::unique_ptr<ParquetTable>> table = ParquetTable::open(files, input.path);
  if (!table.ok()) {
    if (table.error().code == ErrorCode::io) return table.error();
    if (!reads_parquet()) return usage_error(input.shown + " " + table.error().message);
    return std::unique_ptr<ByteSource>(std::make_unique<FrameSource>(table.error().message));
  }
  const FieldNames usual;
  const FieldNames& names = limits.fields == nullptr ? usual : *limits.fields;
  Result<std::vector<std::uint64_t>> texts = find_texts(*table.value(), names.text);
  if (!texts.ok()) return usage_error(input.shown + " " + texts.error().message);
  // By name, so that the frames of a file are the same whatever order its fields are asked for in.
  std::map<std::string_view, std::uint64_t> leaves;
  const auto add = [&](const std::string& name) {
    const ParquetColumn column = table.value()->find(field_path(name), false);
    if (column.leaf.has_value()) leaves.emplace(name, *column.leaf);
  };
  add(names.id);
  for (const std::string& name : names.named) add(name);
  std::vector<ParquetField> fields;
  for (const auto& [name, leaf] : leaves) fields.push_back({leaf, tag_of(name)});
  std::unique_ptr<ParquetRows> rows = table.value()->read(texts.value(), fields);
  return std::unique_ptr<ByteSource>(
      std::make_unique<FrameSource>(std::move(table.value()), std::move(rows), input, limits));
}

std::string look_at_table(FileSystem& files, const std::string& path, std::string_view text) {
  const Result<std::unique_ptr<ParquetTable>> table = ParquetTable::open(files, path);
  if (!table.ok()) {
    const std::string& why = table.error().message;
    // An encrypted file is whole, and no reader will find more.
    if (reads_parquet() && why.find("encrypt") == std::string::npos) return {};
    return why.starts_with("it ") ? why.substr(3) : why;
  }
  if (text.empty()) return {};
  const Result<std::vector<std::uint64_t>> texts = find_texts(*table.value(), text);
  return texts.ok() ? std::string() : texts.error().message;
}

/// Splits a stream of frames into records.
class FrameReader final : public Reader {
 public:
  FrameReader(std::unique_ptr<ByteSource> bytes, const ReaderLimits& limits,
              void (*decode)(const FieldNames&, RecordBatch&))
      : bytes_(std::move(bytes)),
        decode_(decode),
        limits_(limits),
        most_held_(std::min(limits.max_record_bytes, limits.max_held_bytes)),
        batch_bytes_(static_cast<std::size_t>(std::max<std::uint64_t>(limits.batch_bytes, 4096))) {}

  Result<bool> read(RecordBatch& batch) override {
    prepare_batch(batch, std::max(batch_bytes_, carried_.size()));
    batch.lines = rows_;
    if (finished_) return false;
    std::size_t used = carried_.copy(batch.bytes.data(), carried_.size());
    carried_.clear();
    TWINSET_ASSIGN(bool ended, fill(batch, used, std::max(batch_bytes_, used)));
    // A frame longer than a batch, if it is held.
    const std::uint64_t first = used < head_bytes ? 0 : frame_bytes(batch.bytes.data());
    if (first > used && first <= most_held_ && !ended) {
      batch.bytes.resize(static_cast<std::size_t>(first) + batch_padding_bytes);
      TWINSET_ASSIGN(ended, fill(batch, used, static_cast<std::size_t>(first)));
    }
    std::size_t at = 0;
    while (used - at >= head_bytes) {
      const char* const begin = batch.bytes.data() + at;
      if (const std::uint64_t head = little_endian({begin, head_bytes}); (head & gap_mark) != 0) {
        // The record of the fault took one number.
        rows_ += std::max<std::uint64_t>(head & ~gap_mark, 1) - 1;
        at += head_bytes;
        offset_ += head_bytes;
        continue;
      }
      const std::uint64_t length = frame_bytes(begin);
      if (length > most_held_) {
        TWINSET_TRY(skip_long(batch, length, {begin, used - at}, at));
        continue;
      }
      if (length > used - at) break;
      add(batch, {begin, static_cast<std::size_t>(length)}, length);
      at += static_cast<std::size_t>(length);
    }
    if (ended) {
      finish(batch);
    } else {
      carried_.assign(batch.bytes, at, used - at);
    }
    batch.lines = rows_;
    batch.stored_bytes = bytes_->stored_bytes_read();
    return true;
  }

  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    decode_(fields, batch);
  }

 private:
  static std::uint64_t frame_bytes(const char* begin) {
    const std::uint64_t head = little_endian({begin, head_bytes});
    return (head & gap_mark) != 0 ? head_bytes : head_bytes + head;
  }

  /// Reads until `used` is `wanted`; true at the end or at a fault.
  Result<bool> fill(RecordBatch& batch, std::size_t& used, std::size_t wanted) {
    while (used < wanted) {
      TWINSET_ASSIGN(const std::size_t got, bytes_->read(batch.bytes.data() + used, wanted - used));
      if (got == 0) return true;
      used += got;
    }
    return false;
  }

  Record& add(RecordBatch& batch, std::string_view raw, std::uint64_t length) {
    Record& record = batch.records.emplace_back();
    record.number = ++rows_;
    record.offset = offset_;
    record.length = length;
    record.raw = raw;
    offset_ += length;
    return record;
  }

  /// Adds a record of which only the beginning is kept; `at` moves over its part of the batch, and
  /// the rest is read and dropped.
  Status skip_long(RecordBatch& batch, std::uint64_t length, std::string_view here,
                   std::size_t& at) {
    Record& record = add(batch, here.substr(0, kept_of_skipped_bytes), length);
    record.bad =
        length > limits_.max_record_bytes ? BadReason::record_too_long : BadReason::over_memory;
    const auto passed = static_cast<std::size_t>(std::min<std::uint64_t>(length, here.size()));
    at += passed;
    std::string dropped(batch_bytes_, '\0');
    for (std::uint64_t left = length - passed; left > 0;) {
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, dropped.size()));
      TWINSET_ASSIGN(const std::size_t got, bytes_->read(dropped.data(), wanted));
      if (got == 0) break;
      left -= got;
    }
    return {};
  }

  /// The stream has ended, or a fault is in it: then that is a record.
  void finish(RecordBatch& batch) {
    if (bytes_->fault().reason == BadReason::none) {
      finished_ = true;
      return;
    }
    Record& record = add(batch, {}, 0);
    record.bad = bytes_->fault().reason;
    record.detail = batch.scratch->keep(fault_words(bytes_->fault()));
    record.stored_offset = bytes_->fault().stored_offset;
    finished_ = !bytes_->resume();
  }

  const std::unique_ptr<ByteSource> bytes_;
  void (*const decode_)(const FieldNames&, RecordBatch&);
  const ReaderLimits limits_;
  const std::uint64_t most_held_;
  const std::size_t batch_bytes_;
  std::string carried_;       ///< the unfinished frame after the last batch
  std::uint64_t offset_ = 0;  ///< of the next frame in the stream
  std::uint64_t rows_ = 0;
  bool finished_ = false;
};

/// Takes `count` bytes from the front of `rest`; fewer if it ends.
std::string_view take(std::string_view& rest, std::uint64_t count) {
  const std::string_view taken =
      rest.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(count, rest.size())));
  rest.remove_prefix(taken.size());
  return taken;
}

std::uint64_t take_number(std::string_view& rest, unsigned count) {
  return little_endian(take(rest, count));
}

void decode_row(const FieldNames& fields, Record& record, RecordBatch& batch) {
  std::string_view rest = record.raw;
  take(rest, head_bytes);
  const bool has_text = take_number(rest, 1) != 0;
  const std::string_view text = take(rest, take_number(rest, 8));
  std::vector<std::string_view>& values = batch.scratch->fields;
  const std::size_t first = values.size();
  values.resize(first + fields.named.size());
  const std::uint32_t id = tag_of(fields.id);
  while (!rest.empty()) {
    const std::uint64_t tag = take_number(rest, 4);
    const bool is_string = take_number(rest, 1) != 0;
    std::string_view value = take(rest, take_number(rest, 4));
    if (is_string) value = string_token(value, batch);
    if (tag == id) record.id = value;
    for (std::size_t i = 0; i < fields.named.size(); ++i) {
      if (tag == tag_of(fields.named[i])) values[first + i] = value;
    }
  }
  record.fields = std::span(values).subspan(first);
  record.field_names = fields.named;
  if (!has_text) {
    record.bad = BadReason::text_not_string;
    record.detail = batch.scratch->keep("\"" + fields.text + "\" is null");
    return;
  }
  set_text_of_utf8(text, record, batch);
  check_features(fields, record, batch);
  record.markup = markup_of(record.markup, record.text);
}

void decode_rows(const FieldNames& fields, RecordBatch& batch) {
  batch.scratch->fields.clear();
  batch.scratch->fields.reserve(fields.named.size() * batch.records.size());
  for (Record& record : batch.records) {
    if (record.bad == BadReason::none) decode_row(fields, record, batch);
  }
}

std::unique_ptr<Reader> make_row_reader(std::unique_ptr<ByteSource> bytes,
                                        const ReaderLimits& limits) {
  return std::make_unique<FrameReader>(std::move(bytes), limits, decode_rows);
}

std::string_view text_of_row(std::string_view row) {
  take(row, head_bytes + 1);
  return take(row, take_number(row, head_bytes));
}

/// Copies rows by their numbers, as soon as a group of rows is complete.
class RowSink final : public ByteSink {
 public:
  RowSink(const RunContext& context, std::string from, std::string path)
      : context_(context),
        from_(std::move(from)),
        path_(std::move(path)),
        spool_(context_, "rows-" + std::to_string(checksum(path_))) {}

  Status write(std::string_view rows) override {
    while (!rows.empty()) {
      const std::uint64_t head = take_number(rows, head_bytes);
      const bool has_text = (head & row_text_mark) != 0;
      const std::string_view text =
          has_text ? take(rows, take_number(rows, head_bytes)) : std::string_view();
      const std::uint64_t number = head & ~row_text_mark;
      if (number == 0) {
        column_ = text;
        continue;
      }
      const std::uint64_t row = number - 1;
      TWINSET_TRY(explained(open()));
      while (row >= end_) {
        if (next_ == table_->groups()) return changed();
        if (next_ > first_ && (next_ - first_ >= context_.threads || stored_ >= copied_bytes)) {
          TWINSET_TRY(copy());
        }
        take_group();
      }
      // As far as rows are kept: how many a group has is the file's claim.
      const auto at = static_cast<std::size_t>((row - begin_) / 8);
      if (keep_.size() <= at) keep_.resize(at + 1);
      keep_[at] |= static_cast<std::uint8_t>(1U << (row - begin_) % 8);
      if (has_text) {
        head_.clear();
        append_row_number(head_, row - (end_ - table_->group_rows(next_ - 1)));
        append_row_number(head_, text.size());
        TWINSET_TRY(spool_.append(head_));
        TWINSET_TRY(spool_.append(text));
      }
    }
    return {};
  }

  Status finish() override {
    const Status opened = open();
    // Of a damaged file no row was read: it has no output.
    if (!opened.ok()) return opened.error().code == ErrorCode::io ? opened : Status();
    if (next_ > first_) TWINSET_TRY(copy());
    TWINSET_TRY(explained(copy_->finish()));
    return out_->finish();
  }

 private:
  Status open() {
    if (copy_ != nullptr) return {};
    TWINSET_ASSIGN(table_, ParquetTable::open(*context_.files, from_));
    TWINSET_ASSIGN(out_, create_bytes(*context_.files, path_, Compression::none));
    std::optional<std::uint64_t> edited;
    if (!column_.empty()) {
      TWINSET_ASSIGN(const std::vector<std::uint64_t> texts, find_texts(*table_, column_));
      edited = texts[0];
    }
    TWINSET_ASSIGN(copy_, table_->copy(context_, *out_, spool_, edited));
    return {};
  }

  /// The next group of rows may have kept ones.
  void take_group() {
    end_ += table_->group_rows(next_);
    stored_ += table_->group_bytes(next_);
    ++next_;
    texts_.push_back(spool_.size());
  }

  Status copy() {
    texts_.push_back(spool_.size());
    TWINSET_TRY(explained(copy_->add(first_, next_ - first_, keep_, texts_)));
    first_ = next_;
    begin_ = end_;
    stored_ = 0;
    keep_.clear();
    texts_.clear();
    return {};
  }

  Status explained(Status done) const {
    if (done.ok() || done.error().code != ErrorCode::usage) return done;
    return io_error(from_ + ": its rows cannot be copied: " + done.error().message +
                    "; leave the file out, or add " + option("emit", "ids"));
  }

  Status changed() const { return io_error(from_ + " has changed; run the same command again"); }

  const RunContext context_;
  const std::string from_;
  const std::string path_;
  Spool spool_;
  std::unique_ptr<ParquetTable> table_;
  std::unique_ptr<ByteSink> out_;
  std::unique_ptr<ParquetCopy> copy_;
  // The groups [first_, next_) are to be copied: rows [begin_, end_), marked in keep_.
  std::uint64_t first_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t stored_ = 0;
  std::vector<std::uint8_t> keep_;
  std::vector<std::uint64_t> texts_;  ///< where those of each group begin in the spool
  std::string head_;
  std::string column_;  ///< of the texts; empty: none changes
};

std::unique_ptr<ByteSink> make_row_sink(const RunContext& context, const std::string& from,
                                        const std::string& path) {
  return std::make_unique<RowSink>(context, from, path);
}

constexpr std::array<std::string_view, 2> extensions{".parquet", ".pq"};

constexpr FormatDeclaration declaration{.name = "parquet",
                                        .extensions = extensions,
                                        .summary = "Parquet: a row a record",
                                        .begins = "PAR1"};

constexpr RowFormat rows{
    .open = open_rows, .look = look_at_table, .copy = make_row_sink, .text = text_of_row};

}  // namespace

extern const FormatEntry parquet_format;
const FormatEntry parquet_format{&declaration, make_row_reader, decode_rows, &rows};

}  // namespace twinset
