// Files as a collection: the inputs and outputs of `twinset VERB FILE...`.
//
//   auto found = FileCollection::find(files, {.inputs = {"a.jsonl", "folder"}});
//
// Compressed files are read at random only while they are held in memory, decoded; see
// Collection::hold_decoded().
//
// Threads: as a Collection.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "collection/collection.h"
#include "collection/held_bytes.h"
#include "io/inputs.h"
#include "system/files.h"
#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

/// How the inputs of a run are found. `spool`: InputOptions::spool.
InputOptions input_options(const std::vector<std::string>& inputs, const InputSettings& settings,
                           const std::string& spool);

/// What is read of records, without named fields.
FieldNames fields_read(const InputSettings& settings);

class FileCollection final : public Collection {
 public:
  /// Errors: as expand_inputs().
  static Result<std::unique_ptr<FileCollection>> find(FileSystem& files,
                                                      const InputOptions& options);
  /// `marked_up` false: no text is a page, whatever its file's name.
  FileCollection(FileSystem& files, InputList list, bool marked_up = true);
  ~FileCollection() override;

  std::span<const Source> sources() const override { return sources_; }
  std::string identity() const override;
  std::span<const std::string> skipped() const override { return list_.skipped; }
  std::span<const LeftOut> left_out() const override { return list_.left_out; }
  Result<std::unique_ptr<Reader>> open(std::uint64_t source, const ReaderLimits& limits) override;
  Result<bool> is_lost(std::uint64_t source) override;
  Rereading rereading(std::uint64_t source) const override;
  Result<std::size_t> read_at(std::uint64_t source, std::uint64_t offset,
                              std::string& raw) override;
  void decode(std::uint64_t source, std::uint64_t offset, std::string_view raw,
              const FieldNames& fields, RecordBatch& batch) const override;
  bool has_changed(std::uint64_t source) const override;
  void hold_decoded(std::uint64_t most_bytes) override { most_held_ = most_bytes; }
  std::uint64_t held_bytes() const override;
  void drop_held() override;
  Result<std::unique_ptr<ByteSink>> create_output(std::uint64_t source, const RunContext& context,
                                                  const std::string& root,
                                                  const std::string& folder) const override;

 private:
  class HoldingBytes;
  struct OpenFile {
    std::uint64_t source = 0;
    std::unique_ptr<File> file;
  };

  /// A whole source, decoded. The bytes of a table are those of the fields that were read.
  struct Held {
    std::string fields;
    std::shared_ptr<const HeldBytes> bytes;
    std::shared_ptr<const std::vector<StoredFrame>> frames;
  };

  const HeldBytes* held(std::uint64_t source) const;

  FileSystem& files_;
  InputList list_;
  std::vector<Source> sources_;
  std::uint64_t most_held_ = 0;
  std::map<std::uint64_t, Held> held_;  ///< by the source's number
  std::shared_mutex open_mutex_;        ///< shared while a file is read
  /// A few files kept open, latest last, however many there are.
  std::deque<OpenFile> open_files_;
};

}  // namespace twinset
