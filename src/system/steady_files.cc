// This file's interface is system/steady_files.h; the rest is private.
#include "system/steady_files.h"

#include <utility>

#include "system/forwarding_file.h"

namespace twinset {
namespace {

class SteadyFile final : public ForwardingFile {
 public:
  using ForwardingFile::ForwardingFile;

  Status append(std::string_view bytes) override {
    TWINSET_TRY(below().append(bytes));
    return count(bytes.size());
  }
  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    TWINSET_TRY(below().write_at(offset, bytes));
    return count(bytes.size());
  }
  Status sync() override {
    unsynced_ = 0;
    return below().sync();
  }

 private:
  Status count(std::uint64_t bytes) {
    unsynced_ += bytes;
    return unsynced_ < SteadyFiles::synced_bytes ? Status() : sync();
  }

  std::uint64_t unsynced_ = 0;
};

}  // namespace

Result<std::unique_ptr<File>> SteadyFiles::open(const std::string& path, OpenMode mode) {
  TWINSET_ASSIGN(std::unique_ptr<File> file, below().open(path, mode));
  if (mode == OpenMode::read) return file;
  return std::unique_ptr<File>(std::make_unique<SteadyFile>(std::move(file)));
}

}  // namespace twinset
