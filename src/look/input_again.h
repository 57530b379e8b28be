// An input of a finished run, read again: the records asked for, in order, and at the end
// the answer whether the input is still what the run read.
//
//   InputAgain again(files, folder, input);
//   Result<const Record*> found = again.find(17);
//   Result<bool> same = again.same();
//
// What is given is never checked less than by the record's own fingerprint, if the run
// kept one: is_changed() says so.
//
// Threads: belongs to one.
#pragma once

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

namespace twinset {

class InputAgain {
 public:
  InputAgain(FileSystem& files, const OutputFolder& folder, const MadeInput& input)
      : files_(files), folder_(folder), input_(input) {}

  /// The next batch of records, not decoded; false at the end of what the run read.
  /// Errors: io (it cannot be opened or read; standard input cannot at all).
  Result<bool> next();
  RecordBatch& batch() { return batch_; }
  /// Sets text and id of the batch's records.
  void decode() { reader_->decode(folder_.fields, batch_); }
  /// The record of that number, not decoded, or nullptr; numbers asked for ascend.
  Result<const Record*> find(std::uint64_t number);
  /// Reads what is left: is all as the run read it?
  Result<bool> same();

 private:
  Status open();

  FileSystem& files_;
  const OutputFolder& folder_;
  const MadeInput& input_;
  std::unique_ptr<Reader> reader_;
  RunningChecksum checksum_;
  RecordBatch batch_;
  std::size_t at_ = 0;  ///< record of the batch that find() looks at next
  std::uint64_t lines_ = 0;
  bool ended_ = false;
};

/// Is a record, or what is there in its place (nullptr: nothing), not what the run read?
bool is_changed(const Record* record, std::uint64_t fingerprint);

/// A text, and why it is not there.
struct SeenText {
  std::optional<std::string> text;  ///< as a reader sees it, blank lines of pages squeezed
  std::string missing;              ///< a sentence; empty if it is there
};

/// The texts of records, each input read once; texts longer than `most_bytes` are cut at
/// a character. A text is shown only if its record is the one the run read: by its
/// fingerprint, or of a record without one by the whole input. Of an input in which one
/// of them is another now, none is shown.
Result<std::vector<SeenText>> read_texts(FileSystem& files, const OutputFolder& folder,
                                         std::span<const RecordPlace> places,
                                         std::size_t most_bytes);

/// "in.jsonl has changed since the run"
std::string changed_note(std::string_view file);

}  // namespace twinset
