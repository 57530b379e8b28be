// Frozen blobs: bytes of any length, numbered from 0 as they are added, in a frozen file
// (rows/frozen_file.h).
//
//   FrozenBlobsWriter writer(context, path, kind);
//   writer.append("alpha");                                 // number 0
//   TWINSET_ASSIGN(const Fingerprint hash, writer.finish());
//
//   TWINSET_ASSIGN(const FrozenBlobs blobs, FrozenBlobs::open(files, path, kind));
//   TWINSET_ASSIGN(const std::string_view alpha, blobs.read(0));   // lives as long as `blobs`
//
// A blob takes 4.1 bytes beside its own, and is shorter than 4 GiB (docs/formats/index_folder.md).
// Memory while writing: 1/8 of a byte a blob beside the writer's.
//
// Threads: a FrozenBlobs any; a writer one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rows/frozen_file.h"
#include "twinset/result.h"

namespace twinset {

class FrozenBlobsWriter {
 public:
  FrozenBlobsWriter(const RunContext& context, const std::string& path, const FrozenKind& kind)
      : file_(context, path, kind) {}

  /// Error (io): writing fails, or the blob is too long.
  Status append(std::string_view blob);
  std::uint64_t blobs() const { return count_; }
  /// Syncs the file, gives it its name, and returns its hash.
  Result<Fingerprint> finish();

 private:
  Status start();
  Status end_group();

  FrozenWriter file_;
  bool started_ = false;
  std::uint64_t count_ = 0;
  std::vector<std::uint32_t> lengths_;     ///< of the blobs of the current group
  std::vector<std::uint64_t> lengths_at_;  ///< of each finished group
};

class FrozenBlobs {
 public:
  /// Errors (io): as FrozenFile::open(); the file holds no blobs.
  static Result<FrozenBlobs> open(FileSystem& files, const std::string& path,
                                  const FrozenKind& kind);

  std::uint64_t size() const { return count_; }
  /// Error (io): there is no such blob, or it is damaged.
  Result<std::string_view> read(std::uint64_t number) const;

  const FrozenFile& file() const { return *file_; }

 private:
  std::unique_ptr<const FrozenFile> file_;
  FrozenPart blobs_;
  FrozenPart groups_;
  std::uint64_t count_ = 0;
};

}  // namespace twinset
