// The formats put to use.
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

bool is_one_document(const Input& input) {
  const FormatEntry* format = find_format(input.format);
  return format != nullptr && format->declaration->one_document;
}

Result<std::unique_ptr<Reader>> open_reader(FileSystem& files, const Input& input,
                                            const ReaderLimits& limits) {
  const FormatEntry* format = find_format(input.format);
  if (format == nullptr) {
    return usage_error(input.shown + ": no format \"" + std::string(input.format) + "\"");
  }
  Result<std::unique_ptr<ByteSource>> bytes =
      open_bytes(files, input.path, input.compression, limits);
  if (!bytes.ok()) return bytes.error();
  return format->make(std::move(bytes).value(), limits);
}

void decode_record(const Input& input, std::string_view raw, const FieldNames& fields,
                   RecordBatch& batch) {
  prepare_batch(batch, raw.size());
  raw.copy(batch.bytes.data(), raw.size());
  Record& record = batch.records.emplace_back();
  record.length = raw.size();
  record.raw = std::string_view(batch.bytes).substr(0, raw.size());
  const FormatEntry* format = find_format(input.format);
  assert(format != nullptr);
  if (format != nullptr) format->decode(fields, batch);
}

}  // namespace twinset
