// quarantine.jsonl: a line for each record that is not a document, with its place, the reason,
// and its first bytes.
//
// Threads: as a Collector; the functions are pure.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "collection/collection.h"
#include "io/record.h"
#include "run/collector.h"
#include "system/files.h"

namespace twinset {

/// Bytes of a bad record that are shown.
inline constexpr std::size_t quarantine_sample_bytes = 256;

/// Appends one line for `record` of the input shown as `file`.
void append_quarantine_line(std::string& out, std::string_view file, const Record& record);

struct QuarantineRows final : Collector::Rows {
  void begin(const BatchPlace&) override { lines.clear(); }
  void release_large() override {}
  std::string lines;
};

class Quarantine final : public CollectorOf<QuarantineRows> {
 public:
  /// Makes the file `path` for bad records of `collection`.
  Quarantine(FileSystem& files, std::string path, const Collection& collection)
      : files_(files), path_(std::move(path)), collection_(collection) {}

  Status open(const StateFile* checkpoint) override;
  Status checkpoint(StateFile& file) override;
  Status sync() { return file_->sync(); }

 private:
  Status take(const ReadRecord& record, QuarantineRows& rows) const override;
  Status put(QuarantineRows& rows) override;

  FileSystem& files_;
  std::string path_;
  const Collection& collection_;
  std::unique_ptr<File> file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace twinset
