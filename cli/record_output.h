// Reserves standard output for records: everything printed goes to standard error.
//
//   RecordOutput records;                       // from here on prints go to standard error
//   dedup(options, RunControl{..., &records});
//   Status written = records.close();
//
// Threads: one at a time.
#pragma once

#include <string_view>

#include "twinset/run.h"

namespace twinset::cli {

class RecordOutput final : public RecordSink {
 public:
  RecordOutput();
  ~RecordOutput() override;
  RecordOutput(const RecordOutput&) = delete;
  RecordOutput& operator=(const RecordOutput&) = delete;

  Status write(std::string_view bytes) override;
  /// Errors of writing that only closing reveals.
  Status close();
  /// Has the reader, such as head, seen enough? That is not an error.
  bool reader_left() const { return reader_left_; }

 private:
  Status failed(int error);
  int descriptor_;
  bool reader_left_ = false;
};

}  // namespace twinset::cli
