// Several threads at once write blocks, each at the place that reserve() gave it, and read them
// back. The checksum of a block is that of its rows, seeded by the checksum of the header fields
// before it, which is seeded by the file's fingerprint: one number vouches for content, place and
// owner.
//
// This file's interface is rows/block_file.h; the rest is private.
#include "rows/block_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr std::uint32_t format_version = 1;
constexpr std::uint32_t block_magic = 0x6b6c6274;  // "tblk"

/// As it stands on disk, little-endian.
struct BlockHeader {
  std::uint32_t magic = block_magic;
  std::uint32_t rows = 0;
  std::uint32_t tag = 0;
  std::uint32_t row_bytes = 0;
  std::uint64_t offset = 0;  ///< of this header in the file
  std::uint64_t checksum = 0;
};
static_assert(sizeof(BlockHeader) == block_header_bytes);

std::string_view view(const std::byte* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

std::uint64_t block_checksum(const std::byte* block, std::size_t payload_bytes,
                             std::uint64_t fingerprint) {
  const std::uint64_t seed =
      checksum(view(block, block_header_bytes - sizeof(std::uint64_t)), fingerprint);
  return checksum(view(block + block_header_bytes, payload_bytes), seed);
}

/// Append mode would make a missing file; a file to be continued must exist.
Result<std::unique_ptr<File>> open_existing(FileSystem& files, const std::string& path,
                                            OpenMode mode) {
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind == FileStatus::Kind::regular) return files.open(path, mode);
  return io_error("cannot open " + path + ": there is no such file");
}

}  // namespace

Result<std::unique_ptr<BlockFile>> BlockFile::create(FileSystem& files, const std::string& path,
                                                     const BlockLayout& layout) {
  assert(layout.row_bytes > 0);
  TWINSET_TRY(remove_if_there(files, path));
  std::unique_ptr<BlockFile> made(new BlockFile(files, path, layout));
  TWINSET_ASSIGN(made->file_, files.open(path, OpenMode::create));
  TWINSET_TRY(made->write_header(unsealed));
  return made;
}

Result<std::unique_ptr<BlockFile>> BlockFile::open(FileSystem& files, const std::string& path,
                                                   const BlockLayout& layout, OpenMode mode) {
  assert(mode != OpenMode::create);
  std::unique_ptr<BlockFile> opened(new BlockFile(files, path, layout));
  TWINSET_ASSIGN(opened->file_, open_existing(files, path, mode));
  char bytes[file_header_bytes];
  TWINSET_ASSIGN(const std::size_t got, opened->file_->read_at(0, bytes, sizeof bytes));
  TWINSET_ASSIGN(
      const FileHeader header,
      decode_file_header(path, {bytes, got},
                         {layout.format, format_version, layout.row_bytes, layout.fingerprint}));
  TWINSET_ASSIGN(const std::uint64_t size, opened->file_->size());
  opened->sealed_rows_ = header.rows;
  opened->end_ = size;
  return opened;
}

Status BlockFile::write(std::uint64_t offset, std::byte* block, std::uint32_t tag,
                        std::uint32_t rows) {
  assert(rows > 0);
  const std::size_t payload_bytes = std::size_t{rows} * row_bytes_;
  BlockHeader header{.rows = rows, .tag = tag, .row_bytes = row_bytes_, .offset = offset};
  std::memcpy(block, &header, sizeof header);
  header.checksum = block_checksum(block, payload_bytes, fingerprint_);
  std::memcpy(block, &header, sizeof header);
  return file_->write_at(offset, view(block, block_header_bytes + payload_bytes));
}

Result<std::uint32_t> BlockFile::read(std::uint64_t offset, std::uint32_t tag, std::byte* block,
                                      std::uint32_t max_rows) const {
  const std::size_t room = static_cast<std::size_t>(block_bytes(max_rows, row_bytes_));
  TWINSET_ASSIGN(const std::size_t got,
                 file_->read_at(offset, reinterpret_cast<char*>(block), room));
  if (got < block_header_bytes) return damaged(offset, "is cut off");
  BlockHeader header;
  std::memcpy(&header, block, sizeof header);
  if (header.magic != block_magic || header.offset != offset || header.row_bytes != row_bytes_ ||
      header.tag != tag || header.rows == 0 || header.rows > max_rows) {
    return damaged(offset, "has a damaged header");
  }
  if (block_bytes(header.rows, row_bytes_) > got) return damaged(offset, "is cut off");
  const std::size_t payload_bytes = std::size_t{header.rows} * row_bytes_;
  if (block_checksum(block, payload_bytes, fingerprint_) != header.checksum) {
    return damaged(offset, "fails its checksum");
  }
  return header.rows;
}

Result<std::optional<BlockFile::BlockPlace>> BlockFile::find(std::uint64_t offset,
                                                             std::vector<std::byte>& block) const {
  constexpr std::size_t usual_bytes = 4096;  // A small block takes one read.
  if (block.size() < usual_bytes) block.resize(usual_bytes);
  const auto read = [&](std::size_t from, std::size_t to) {
    return file_->read_at(offset + from, reinterpret_cast<char*>(block.data()) + from, to - from);
  };
  TWINSET_ASSIGN(std::size_t got, read(0, usual_bytes));
  const std::optional<BlockPlace> none;
  if (got < block_header_bytes) return none;
  BlockHeader header;
  std::memcpy(&header, block.data(), sizeof header);
  const std::uint64_t bytes = block_bytes(header.rows, row_bytes_);
  if (header.magic != block_magic || header.offset != offset || header.row_bytes != row_bytes_ ||
      header.rows == 0 || bytes > end_ - offset) {
    return none;
  }
  if (bytes > got) {
    if (block.size() < bytes) block.resize(static_cast<std::size_t>(bytes));
    TWINSET_ASSIGN(const std::size_t rest, read(got, static_cast<std::size_t>(bytes)));
    got += rest;
    if (got < bytes) return none;
  }
  const std::size_t payload_bytes = std::size_t{header.rows} * row_bytes_;
  if (block_checksum(block.data(), payload_bytes, fingerprint_) != header.checksum) return none;
  return std::optional(BlockPlace{offset, header.tag, header.rows});
}

Result<std::optional<BlockFile::BlockPlace>> BlockFile::find_from(
    std::uint64_t offset, std::vector<std::byte>& block) const {
  std::string chunk(std::size_t{64} << 10, '\0');
  const std::string_view magic = view(reinterpret_cast<const std::byte*>(&block_magic), 4);
  while (offset + block_header_bytes <= end_) {
    TWINSET_ASSIGN(const std::size_t got, file_->read_at(offset, chunk.data(), chunk.size()));
    if (got < block_header_bytes) break;
    const std::string_view held = std::string_view(chunk).substr(0, got);
    for (std::size_t at = held.find(magic); at != held.npos; at = held.find(magic, at + 1)) {
      TWINSET_ASSIGN(const std::optional<BlockPlace> found, find(offset + at, block));
      if (found.has_value()) return found;
    }
    offset += got - (magic.size() - 1);
  }
  return std::optional<BlockPlace>();
}

Status BlockFile::scan(const std::function<Status(const BlockPlace&)>& visit) const {
  const std::uint64_t end = bytes();
  std::uint64_t offset = file_header_bytes;
  while (offset < end) {
    BlockHeader header;
    TWINSET_ASSIGN(const std::size_t got,
                   file_->read_at(offset, reinterpret_cast<char*>(&header), sizeof header));
    if (got < sizeof header) return damaged(offset, "is cut off");
    if (header.magic != block_magic || header.offset != offset || header.row_bytes != row_bytes_ ||
        header.rows == 0) {
      return damaged(offset, "has a damaged header");
    }
    if (block_bytes(header.rows, row_bytes_) > end - offset) return damaged(offset, "is cut off");
    TWINSET_TRY(visit({offset, header.tag, header.rows}));
    offset += block_bytes(header.rows, row_bytes_);
  }
  return {};
}

Status BlockFile::truncate(std::uint64_t bytes) {
  if (bytes > end_ || bytes < file_header_bytes) {
    return io_error(path_ + " has " + std::to_string(end_) + " bytes where at least " +
                    std::to_string(bytes) + " were written; it can't be continued: start anew");
  }
  TWINSET_TRY(file_->truncate(bytes));
  end_ = bytes;
  return {};
}

Status BlockFile::seal(std::uint64_t rows) {
  TWINSET_TRY(write_header(rows));
  sealed_rows_ = rows;
  return {};
}

Status BlockFile::write_header(std::uint64_t rows) {
  return file_->write_at(0, encode_file_header({.format = format_,
                                                .version = format_version,
                                                .row_bytes = row_bytes_,
                                                .fingerprint = fingerprint_,
                                                .rows = rows}));
}

Error BlockFile::damaged(std::uint64_t offset, std::string_view how) const {
  return io_error(path_ + " is damaged: the block at byte " + std::to_string(offset) + " " +
                  std::string(how) + "; remove it and run again");
}

Status remove_if_there(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const FileStatus status, files.status(path));
  if (status.kind == FileStatus::Kind::missing) return {};
  return files.remove_file(path);
}

Result<std::unique_ptr<File>> reopen(FileSystem& files, const std::string& path,
                                     std::span<const PartLength> lengths, PartLength& length,
                                     OpenMode mode) {
  const auto found = std::ranges::find(lengths, path, &PartLength::path);
  if (found == lengths.end()) {
    return io_error("no length of " + path + " among the checkpoint's; start anew");
  }
  length = *found;
  TWINSET_ASSIGN(auto file, open_existing(files, path, mode));
  TWINSET_ASSIGN(const std::uint64_t size, file->size());
  if (size < length.bytes) {
    return io_error(path + " has " + std::to_string(size) + " bytes where " +
                    std::to_string(length.bytes) + " were written; start anew");
  }
  if (mode != OpenMode::read) TWINSET_TRY(file->truncate(length.bytes));
  return file;
}

}  // namespace twinset
