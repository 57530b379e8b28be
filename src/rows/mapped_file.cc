// This file's interface is rows/mapped_file.h.
#include "rows/mapped_file.h"

namespace twinset {

Result<MappedFile> MappedFile::open(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind != FileStatus::Kind::regular) {
    return io_error("cannot open " + path + ": there is no such file");
  }
  MappedFile mapped;
  TWINSET_ASSIGN(const std::unique_ptr<File> file, files.open(path, OpenMode::read));
  mapped.mapping_ = file->map();
  if (mapped.mapping_ != nullptr) {
    mapped.bytes_ = mapped.mapping_->bytes();
    return mapped;
  }
  TWINSET_ASSIGN(const std::uint64_t size, file->size());
  TWINSET_ASSIGN(mapped.read_, Region::make(size));
  char* const bytes = reinterpret_cast<char*>(mapped.read_.data());
  TWINSET_ASSIGN(const std::size_t got, file->read_at(0, bytes, mapped.read_.size()));
  mapped.bytes_ = {bytes, got};
  return mapped;
}

}  // namespace twinset
