// Shared by the targets of web archives and of tables: any bytes as one, and some made of the
// bytes. The records must not depend on the ends of batches, their lengths must add up to the input
// but for blank lines of tables, and a record must decode by itself as it does in its batch.
//
// Threads: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "io/bytes.h"
#include "io/reader.h"
#include "system/memory_files.h"

namespace twinset::fuzzing {

struct KeptRecord {
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string raw, text, id, url, field;
  BadReason bad = BadReason::none;
  bool carried = false;
  Markup markup = Markup::none;
  bool operator==(const KeptRecord&) const = default;
};

inline KeptRecord kept_record(const Record& record) {
  return {record.number,
          record.offset,
          record.length,
          std::string(record.raw),
          std::string(record.text),
          std::string(record.id),
          std::string(record.url),
          std::string(record.field(0)),
          record.bad,
          record.carried,
          record.markup};
}

inline std::vector<KeptRecord> read_archive(FileSystem& files, const Input& input,
                                            const ReaderLimits& limits, const FieldNames& fields) {
  const std::unique_ptr<Reader> reader = open_reader(files, input, limits).value();
  std::vector<KeptRecord> all;
  RecordBatch batch;
  while (reader->read(batch).value()) {
    reader->decode(fields, batch);
    for (const Record& record : batch.records) {
      require(record.text.size() <= 4 * (limits.max_record_bytes + record.length));
      all.push_back(kept_record(record));
    }
  }
  return all;
}

/// `between`: bytes that may be in no record. `begin` is put before some of the input's bytes, so
/// that heads are found early.
inline void fuzz_records(FuzzInput input, std::string_view format, std::string_view begin,
                         const std::string& field, std::string_view between = {}) {
  ReaderLimits limits;
  limits.max_record_bytes = input.below(4000) + 1;
  const std::size_t batch_bytes = input.below(300) + 1;
  const bool with_begin = input.below(2) == 1;
  const std::string bytes = (with_begin ? std::string(begin) : "") + std::string(input.rest());
  MemoryFiles files;
  require(files.write("x", bytes).ok());
  Input archive;
  archive.path = archive.shown = "x";
  archive.format = format;
  archive.markup = find_format(format)->declaration->markup;
  const HeaderFormat* const headed = find_format(format)->headed;
  if (headed != nullptr) archive.header = headed->find(bytes, true);
  FieldNames fields;
  fields.named = {field};
  limits.batch_bytes = 1 << 16;
  const std::vector<KeptRecord> whole = read_archive(files, archive, limits, fields);
  std::uint64_t at = 0;
  for (const KeptRecord& kept : whole) {
    for (; at < kept.offset; ++at) require(between.find(bytes[at]) != between.npos);
    require(kept.offset == at);
    at += kept.length;
    require(kept.raw == std::string_view(bytes).substr(kept.offset, kept.raw.size()));
    if (kept.bad != BadReason::none || kept.carried) continue;
    require(kept.raw.size() == kept.length);
    RecordBatch batch;
    decode_record(archive, kept.raw, fields, batch);
    KeptRecord again = kept_record(batch.records[0]);
    again.number = kept.number;
    again.offset = kept.offset;
    require(again == kept);
  }
  for (; at < bytes.size(); ++at) require(between.find(bytes[at]) != between.npos);
  require(at == bytes.size());
  limits.batch_bytes = batch_bytes;
  require(read_archive(files, archive, limits, fields) == whole);
}

}  // namespace twinset::fuzzing
