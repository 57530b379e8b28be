// quarantine.jsonl: a line for each record that is not a document, with its place, the reason,
// and its first bytes. A run without an output folder only keeps the first of them, for its
// summary.
//
// Threads: as a Collector; the functions are pure.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collection/collection.h"
#include "io/record.h"
#include "run/collector.h"
#include "system/files.h"
#include "twinset/field.h"
#include "twinset/run.h"

namespace twinset {

/// Bytes of a bad record that are shown.
inline constexpr std::size_t quarantine_sample_bytes = 256;

/// A line of the file.
struct BadRecord {
  NamedDocument document;  ///< without its fingerprint
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string_view reason;
  std::string_view detail;
  std::string_view bytes;

  std::string why() const {
    return std::string(reason) + (detail.empty() ? "" : ": " + std::string(detail));
  }
};
std::vector<Field> fields_of(BadRecord& bad);

/// Appends one line for `record` of the input shown as `file`.
void append_quarantine_line(std::string& out, std::string_view file, const Record& record,
                            bool one_document = false);

struct QuarantineRows final : Collector::Rows {
  void begin(const BatchPlace&) override {
    lines.clear();
    first.clear();
  }
  void release_large() override {}
  std::string lines;
  std::vector<std::string> first;
};

class Quarantine final : public CollectorOf<QuarantineRows> {
 public:
  static constexpr std::size_t first_records = 5;

  /// Makes the file `path` for bad records of `collection`; none if `path` is empty.
  Quarantine(FileSystem& files, std::string path, const Collection& collection)
      : files_(files), path_(std::move(path)), collection_(collection) {}

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  Status take_over(const ShardFolder& shard) override;
  Status sync() { return file_ == nullptr ? Status() : file_->sync(); }

  /// The first bad records that this process has read: "file:record: reason, detail".
  const std::vector<std::string>& first() const { return first_; }

 private:
  Status take(const ReadRecord& record, QuarantineRows& rows) const override;
  Status put(QuarantineRows& rows) override;

  FileSystem& files_;
  std::string path_;
  const Collection& collection_;
  std::unique_ptr<File> file_;
  std::uint64_t bytes_ = 0;
  std::vector<std::string> first_;
};

}  // namespace twinset
