// Opening readers of the listed formats.
//
// This file's interface is io/reader.h; the rest is private.
#include "io/reader.h"

#include <cassert>

#include "io/bytes.h"
#include "io/format_list.h"
#include "io/scratch.h"

namespace twinset {

std::span<const FormatEntry* const> formats() { return listed_formats(); }

const FormatEntry* find_format(std::string_view name) {
  for (const FormatEntry* format : formats()) {
    if (format->declaration->name == name) return format;
  }
  return nullptr;
}

const FormatEntry* format_by_head(std::string_view head) {
  for (const FormatEntry* format : formats()) {
    const std::string_view begins = format->declaration->begins;
    if (!begins.empty() && head.starts_with(begins)) return format;
  }
  return nullptr;
}

const RowFormat* row_format(const Input& input) {
  const FormatEntry* format = find_format(input.format);
  return format == nullptr ? nullptr : format->rows;
}

void append_row_number(std::string& out, std::uint64_t row) {
  for (unsigned shift = 0; shift < 64; shift += 8) out += static_cast<char>(row >> shift);
}

void append_row_text(std::string& out, std::uint64_t row, std::string_view text) {
  append_row_number(out, row | row_text_mark);
  append_row_number(out, text.size());
  out += text;
}

bool keeps_format(const FormatDeclaration* forced, std::string_view format) {
  if (forced == nullptr) return true;
  const FormatEntry* found = find_format(format);
  return forced->one_document && forced->markup != Markup::none && found != nullptr &&
         !found->declaration->one_document;
}

bool is_one_document(const Input& input) {
  const FormatEntry* format = find_format(input.format);
  return format != nullptr && format->declaration->one_document;
}

bool is_framed(const Input& input) {
  const FormatEntry* format = find_format(input.format);
  return format != nullptr && (format->headed != nullptr || format->wrap != nullptr);
}

bool has_made_texts(const Input& input) {
  const FormatEntry* format = find_format(input.format);
  return format != nullptr && format->declaration->made_texts;
}

bool has_own_members(const Input& input) {
  const FormatEntry* format = find_format(input.format);
  return format != nullptr && format->declaration->own_members &&
         input.compression != Compression::none;
}

namespace {

/// Passes records on and sets the markup of each one's text, which the format's decode() may
/// change: formats of pages share the reader of another.
class MarkupReader final : public Reader {
 public:
  MarkupReader(std::unique_ptr<Reader> reader, const FormatEntry& format, Markup markup)
      : reader_(std::move(reader)), format_(format), markup_(markup) {}

  Result<bool> read(RecordBatch& batch) override {
    Result<bool> more = reader_->read(batch);
    for (Record& record : batch.records) record.markup = markup_;
    return more;
  }
  void decode(const FieldNames& fields, RecordBatch& batch) const override {
    format_.decode(fields, batch);
  }

 private:
  const std::unique_ptr<Reader> reader_;
  const FormatEntry& format_;
  const Markup markup_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_input(FileSystem& files, const Input& input,
                                               const ReaderLimits& limits) {
  if (input.stream != nullptr) {
    if (input.stream->rest == nullptr) return io_error(input.shown + " can be read only once");
    return plain_bytes(std::move(input.stream->rest), std::move(input.stream->head));
  }
  const RowFormat* rows = row_format(input);
  if (rows != nullptr) return rows->open(files, input, limits);
  return open_bytes(files, input.path, input.compression, limits);
}

Result<std::unique_ptr<Reader>> open_reader(FileSystem& files, const Input& input,
                                            const ReaderLimits& limits) {
  TWINSET_ASSIGN(std::unique_ptr<ByteSource> bytes, open_input(files, input, limits));
  return make_reader(input, std::move(bytes), limits);
}

Result<std::unique_ptr<Reader>> make_reader(const Input& input, std::unique_ptr<ByteSource> bytes,
                                            const ReaderLimits& limits) {
  const FormatEntry* format = find_format(input.format);
  if (format == nullptr) {
    return usage_error(input.shown + ": no format \"" + std::string(input.format) + "\"");
  }
  std::unique_ptr<Reader> reader = format->make(std::move(bytes), limits);
  if (input.markup == Markup::none) return reader;
  return std::unique_ptr<Reader>(
      std::make_unique<MarkupReader>(std::move(reader), *format, input.markup));
}

void decode_record(const Input& input, std::string_view raw, const FieldNames& fields,
                   RecordBatch& batch) {
  prepare_batch(batch, raw.size());
  batch.header = input.header;
  raw.copy(batch.bytes.data(), raw.size());
  Record& record = batch.records.emplace_back();
  record.length = raw.size();
  record.markup = input.markup;
  record.raw = std::string_view(batch.bytes).substr(0, raw.size());
  const FormatEntry* format = find_format(input.format);
  assert(format != nullptr);
  if (format != nullptr) format->decode(fields, batch);
}

}  // namespace twinset
