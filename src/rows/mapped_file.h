// A file that no longer changes, as bytes in memory: mapped, or read if the system refuses a map.
//
//   TWINSET_ASSIGN(const MappedFile file, MappedFile::open(files, path));
//   use(file.bytes());
//
// Mapped pages are read when they are first touched, and the system can take them back.
// system/files.h says how a mapped file can end the process.
//
// Threads: as any value; the bytes are read by all.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "rows/region.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

class MappedFile {
 public:
  /// Error (io): there is no such file, or it cannot be read.
  static Result<MappedFile> open(FileSystem& files, const std::string& path);

  std::string_view bytes() const { return bytes_; }
  /// Takes the pages of bytes [begin, end) out of the memory of this process, until they are used
  /// again.
  void release(std::size_t begin, std::size_t end) const {
    if (mapping_ != nullptr && begin < end) mapping_->release(begin, end);
  }

 private:
  std::unique_ptr<Mapping> mapping_;
  Region read_;  ///< the bytes, if they could not be mapped
  std::string_view bytes_;
};

}  // namespace twinset
