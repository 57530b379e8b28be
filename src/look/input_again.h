// Reads an input of a finished run again: the requested records in order, and at the end whether
// the input has changed since the run.
//
//   InputAgain again(files, folder, input, cancel);
//   Result<const Record*> found = again.find(17);
//   Result<bool> same = again.same();
//
// is_changed() compares a record with the fingerprint that the run kept of it.
//
// Threads: belongs to one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "look/asked_record.h"
#include "look/output_folder.h"
#include "twinset/result.h"
#include "words/left_out.h"

namespace twinset {

class InputAgain {
 public:
  /// Setting `cancel`, which may be null, ends every call that reads with an Error (interrupted).
  InputAgain(FileSystem& files, const OutputFolder& folder, const MadeInput& input,
             const std::atomic<bool>* cancel)
      : files_(files), folder_(folder), input_(input), cancel_(cancel) {}

  /// The next batch of records, not decoded; false at the end of the part that the run read.
  /// Errors: io (it cannot be opened or read; standard input cannot at all).
  Result<bool> next();
  RecordBatch& batch() { return batch_; }
  /// Sets text and id of the batch's records.
  void decode() { reader_->decode(folder_.fields, batch_); }
  /// Decodes one record of it into `out.records[0]`, whose number and offset are 0.
  void decode(const Record& record, RecordBatch& out) const;
  /// The first record if it is a frame, which outputs begin with; empty if not. To be asked before
  /// all records.
  Result<std::string> opening();
  /// The record of that number, not decoded, or nullptr; numbers must ascend.
  Result<const Record*> find(std::uint64_t number);
  /// Reads the rest. True if the whole input is as the run read it.
  Result<bool> same();

 private:
  Status open();

  FileSystem& files_;
  const OutputFolder& folder_;
  const MadeInput& input_;
  const std::atomic<bool>* const cancel_;
  std::unique_ptr<Reader> reader_;
  RunningChecksum checksum_;
  RecordBatch batch_;
  std::size_t at_ = 0;  ///< the record of the batch that find() looks at next
  std::uint64_t lines_ = 0;
  bool ended_ = false;
};

/// Has a record changed since the run? nullptr: the record no longer exists.
bool is_changed(const Record* record, std::uint64_t fingerprint);

/// A text, or the reason why it is missing.
struct SeenText {
  std::optional<std::string> text;  ///< as a reader sees it, blank lines of pages squeezed
  std::string missing;              ///< a sentence; empty if it is there
  /// Tokens that were not compared, being templates.
  TokenRanges left_out = {};
};

/// The texts of records; reads each input once and cuts texts longer than `most_bytes` at a
/// character. A text is shown only if its record has not changed since the run, by its
/// fingerprint, or by the checksum of the whole input if it has none. If one of an input's
/// records has changed, none of its texts is shown. With the run's rule, texts tell what it left
/// out. Error (interrupted): `cancel`, which may be null, was set.
Result<std::vector<SeenText>> read_texts(FileSystem& files, const OutputFolder& folder,
                                         std::span<const RecordPlace> places,
                                         std::size_t most_bytes, const std::atomic<bool>* cancel,
                                         const ViewRule* rule = nullptr);

/// "in.jsonl has changed since the run"
std::string changed_note(std::string_view file);

}  // namespace twinset
