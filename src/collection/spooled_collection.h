// Makes a collection that can be read only once readable again: when its records are first read,
// they are written to files of the run, and later read from them.
//
//   SpooledCollection spooled(stream, job.context, job.spill + "once");
//
// Records keep their numbers and all else that their reader set, except the detail of a bad one;
// a record's offset is how many were spooled before it.
//
// Threads: as a Collection.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collection/collection.h"
#include "rows/blob_file.h"
#include "rows/fixed_file.h"
#include "system/context.h"
#include "twinset/result.h"

namespace twinset {

class SpooledCollection final : public Collection {
 public:
  /// Makes files whose names begin with `path` when the first record comes.
  SpooledCollection(std::shared_ptr<Collection> below, const RunContext& context,
                    const std::string& path);

  std::span<const Source> sources() const override { return below_->sources(); }
  std::string identity() const override { return below_->identity(); }
  std::span<const std::string> skipped() const override { return below_->skipped(); }
  std::span<const LeftOut> left_out() const override { return below_->left_out(); }
  /// The first reader of a source must have been read to its end before the second.
  Result<std::unique_ptr<Reader>> open(std::uint64_t source, const ReaderLimits& limits) override;
  Result<bool> is_lost(std::uint64_t source) override { return below_->is_lost(source); }
  Rereading rereading(std::uint64_t) const override { return Rereading::at_random; }
  Result<std::size_t> read_at(std::uint64_t, std::uint64_t offset, std::string& raw) override {
    TWINSET_TRY(raws_.read(offset, raw));
    return raw.size();
  }
  void decode(std::uint64_t source, std::uint64_t offset, std::string_view raw,
              const FieldNames& fields, RecordBatch& batch) const override {
    below_->decode(source, offset, raw, fields, batch);
  }
  bool has_changed(std::uint64_t) const override { return false; }
  Result<std::unique_ptr<ByteSink>> create_output(std::uint64_t source, const RunContext& context,
                                                  const std::string& root,
                                                  const std::string& folder) const override {
    return below_->create_output(source, context, root, folder);
  }

 private:
  class Spooling;
  class Spooled;
  /// A source's records, by how many were spooled before them.
  struct Span {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t lines = 0;
    bool whole = false;
  };

  const std::shared_ptr<Collection> below_;
  FixedFile heads_;  ///< what a reader set
  BlobFile raws_;    ///< raw records
  std::vector<Span> spans_;
};

}  // namespace twinset
