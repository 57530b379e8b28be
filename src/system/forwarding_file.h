// A file that passes every call on to another, as ForwardingFiles (twinset/files.h) does for a file
// system. Derive from it to change some.
//
// Threads: as the file below.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "twinset/files.h"

namespace twinset {

class ForwardingFile : public File {
 public:
  explicit ForwardingFile(std::unique_ptr<File> below) : below_(std::move(below)) {}

  Result<std::size_t> read(char* out, std::size_t size) override { return below_->read(out, size); }
  Result<std::size_t> read_at(std::uint64_t offset, char* out, std::size_t size) override {
    return below_->read_at(offset, out, size);
  }
  Status append(std::string_view bytes) override { return below_->append(bytes); }
  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    return below_->write_at(offset, bytes);
  }
  Status truncate(std::uint64_t size) override { return below_->truncate(size); }
  Status sync() override { return below_->sync(); }
  void start_sync() override { below_->start_sync(); }
  Result<std::uint64_t> size() override { return below_->size(); }
  std::unique_ptr<Mapping> map() override { return below_->map(); }

 protected:
  File& below() const { return *below_; }

 private:
  const std::unique_ptr<File> below_;
};

}  // namespace twinset
