// The records of a reader, as values to compare.
//
// Threads: one thread at a time.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "io/reader.h"

namespace twinset::testing {

/// A Record with bytes of its own.
struct ReadRecord {
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string raw;
  std::string text;
  std::string id;
  std::string field;  ///< the first of Record::fields
  BadReason bad = BadReason::none;
  std::string detail;
  bool carried = false;
  Markup markup = Markup::none;
  std::string url;
  bool operator==(const ReadRecord&) const = default;
};

inline void PrintTo(const ReadRecord& record, std::ostream* out) {
  *out << "{" << record.number << " at " << record.offset << "+" << record.length << " raw "
       << ::testing::PrintToString(record.raw.substr(0, 100)) << " text "
       << ::testing::PrintToString(record.text.substr(0, 100)) << " id " << record.id << " field "
       << record.field << " " << reason_name(record.bad) << " " << record.detail
       << (record.carried ? " carried" : "") << "}";
}

struct ReadFile {
  std::vector<ReadRecord> records;
  std::uint64_t lines = 0;
  std::size_t largest_batch_bytes = 0;
  std::string error;
};

inline ReadFile read_file(const std::string& path, std::string_view format,
                          Compression compression = Compression::none,
                          const ReaderLimits& limits = {}, const FieldNames& fields = {},
                          FileSystem& files = disk()) {
  ReadFile out;
  Input input;
  input.path = input.shown = path;
  input.format = format;
  if (const FormatEntry* found = find_format(format); found != nullptr) {
    input.markup = found->declaration->markup;
  }
  input.compression = compression;
  ReaderLimits with_fields = limits;
  with_fields.fields = &fields;
  Result<std::unique_ptr<Reader>> reader = open_reader(files, input, with_fields);
  if (!reader.ok()) {
    out.error = reader.error().message;
    return out;
  }
  RecordBatch batch;
  while (true) {
    const Result<bool> more = reader.value()->read(batch);
    if (!more.ok()) {
      out.error = more.error().message;
      return out;
    }
    out.lines = batch.lines;
    if (!more.value()) {
      EXPECT_TRUE(batch.records.empty());
      return out;
    }
    out.largest_batch_bytes = std::max(out.largest_batch_bytes, batch.bytes.capacity());
    reader.value()->decode(fields, batch);
    for (const Record& record : batch.records) {
      out.records.push_back({record.number, record.offset, record.length, std::string(record.raw),
                             std::string(record.text), std::string(record.id),
                             std::string(record.field(0)), record.bad, std::string(record.detail),
                             record.carried, record.markup, std::string(record.url)});
    }
  }
}

}  // namespace twinset::testing
