// Files made durable while they are written, some megabytes at a time. One sync of gigabytes holds
// up the syncs of all others on the disk, such as those of a log of changes.
//
//   SteadyFiles steady(files);
//   TWINSET_TRY(write_large_file(steady, "x/keys"));
//
// Threads: as the files below.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "twinset/files.h"

namespace twinset {

class SteadyFiles final : public ForwardingFiles {
 public:
  /// A file is synced when so many bytes were written to it since.
  static constexpr std::uint64_t synced_bytes = std::uint64_t{8} << 20;

  using ForwardingFiles::ForwardingFiles;
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
};

}  // namespace twinset
