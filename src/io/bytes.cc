// Plain bytes, and the choice of codec.
//
// This file's interface is io/bytes.h; the rest is private.
#include "io/bytes.h"

#include <algorithm>

#include "io/codecs.h"
#include "system/forwarding_file.h"

namespace twinset {
namespace {

constexpr std::size_t pending_bytes = std::size_t{1} << 20;
constexpr std::uint64_t early_bytes = std::uint64_t{8} << 20;  ///< between two starts of a sync

class PlainSource final : public ByteSource {
 public:
  PlainSource(std::unique_ptr<File> file, std::string head)
      : file_(std::move(file)), head_(std::move(head)) {}

  Result<std::size_t> read(char* out, std::size_t size) override {
    Result<std::size_t> got = read_ < head_.size()
                                  ? head_.copy(out, size, static_cast<std::size_t>(read_))
                                  : file_->read(out, size);
    if (got.ok()) read_ += got.value();
    return got;
  }
  const StreamFault& fault() const override { return no_fault_; }
  bool resume() override { return false; }
  std::uint64_t stored_bytes_read() const override { return read_; }

 private:
  const std::unique_ptr<File> file_;
  const std::string head_;
  const StreamFault no_fault_;
  std::uint64_t read_ = 0;
};

/// Its bytes go to the disk while more are written: nobody waits for all of them at the end.
class EarlyFile final : public ForwardingFile {
 public:
  using ForwardingFile::ForwardingFile;

  Status append(std::string_view bytes) override {
    TWINSET_TRY(below().append(bytes));
    waiting_ += bytes.size();
    if (waiting_ < early_bytes) return {};
    waiting_ = 0;
    below().start_sync();
    return {};
  }

 private:
  std::uint64_t waiting_ = 0;
};

class PlainSink final : public ByteSink {
 public:
  explicit PlainSink(std::unique_ptr<File> file) : file_(std::move(file)) {}

  Status write(std::string_view bytes) override {
    if (pending_.size() + bytes.size() > pending_bytes) {
      TWINSET_TRY(flush());
      if (bytes.size() > pending_bytes) return file_->append(bytes);
    }
    pending_ += bytes;
    return {};
  }

  Status finish() override { return flush(); }

 private:
  Status flush() {
    if (pending_.empty()) return {};
    const Status written = file_->append(pending_);
    pending_.clear();
    return written;
  }

  const std::unique_ptr<File> file_;
  std::string pending_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_bytes(FileSystem& files, const std::string& path,
                                               Compression compression,
                                               const ReaderLimits& limits) {
  TWINSET_ASSIGN(std::unique_ptr<File> file, files.open(path, OpenMode::read));
  std::unique_ptr<FrameDecoder> decoder;
  switch (compression) {
    case Compression::none:
      return plain_bytes(std::move(file));
    case Compression::gzip:
      decoder = make_gzip_decoder();
      break;
    case Compression::zstd:
      decoder = make_zstd_decoder(limits.max_window_bytes);
      break;
  }
  return make_coded_source(std::move(file), path, std::move(decoder), limits);
}

std::unique_ptr<ByteSource> plain_bytes(std::unique_ptr<File> file, std::string head) {
  return std::make_unique<PlainSource>(std::move(file), std::move(head));
}

Result<std::unique_ptr<ByteSink>> create_bytes(FileSystem& files, const std::string& path,
                                               Compression compression, unsigned threads,
                                               bool own_members, unsigned level) {
  TWINSET_ASSIGN(std::unique_ptr<File> made, files.open(path, OpenMode::create));
  std::unique_ptr<File> file = std::make_unique<EarlyFile>(std::move(made));
  switch (compression) {
    case Compression::gzip:
      return make_gzip_sink(std::move(file), path, threads, own_members, level);
    case Compression::zstd:
      return own_members ? make_zstd_record_sink(std::move(file), path, threads, level)
                         : make_zstd_sink(std::move(file), path, threads, level);
    case Compression::none:
      break;
  }
  return std::unique_ptr<ByteSink>(std::make_unique<PlainSink>(std::move(file)));
}

}  // namespace twinset
