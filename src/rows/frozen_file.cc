// A file is its header, the parts, each from a multiple of 8 bytes on, and then, once they are
// known, the checksums of all blocks before, the list of the parts, and a footer of fixed size.
//
// A reader trusts only bytes that a checksum covers. Blocks count from the front of the file, so
// the header is in the first of them; the footer's own checksum covers the footer, which has one
// of the checksums and the list. All are seeded with the fingerprint.
//
// This file's interface is rows/frozen_file.h; the rest is private.
#include "rows/frozen_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/plain_bytes.h"
#include "system/clean_up.h"

namespace twinset {
namespace {

constexpr std::uint64_t part_alignment = 8;
constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
static_assert(buffer_bytes % FrozenFile::block_bytes == 0);

/// A line of the list of parts, little-endian.
struct ListedPart {
  char name[FrozenFile::most_name_bytes] = {};
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};
static_assert(sizeof(ListedPart) == 32);

/// The last bytes of the file, little-endian.
struct Footer {
  std::uint64_t body_end = 0;
  std::uint64_t parts = 0;
  Fingerprint hash;
  std::uint64_t index_checksum = 0;  ///< of everything from the checksums up to here
  std::uint64_t checksum = 0;        ///< of the footer before it
};
static_assert(sizeof(Footer) == 48);

std::uint64_t footer_checksum(const Footer& footer, std::uint64_t fingerprint) {
  return checksum(bytes_of(footer).substr(0, sizeof footer - sizeof footer.checksum), fingerprint);
}

constexpr std::uint64_t blocks_of(std::uint64_t bytes) {
  return bytes / FrozenFile::block_bytes + (bytes % FrozenFile::block_bytes != 0 ? 1 : 0);
}

/// Adds the list to the hash of the parts' bytes, and gives the whole.
Fingerprint hash_with(const Fingerprint& of_bytes, std::string_view list,
                      std::uint64_t fingerprint) {
  RunningFingerprint hash;
  hash.add(bytes_of(fingerprint));
  hash.add(bytes_of(of_bytes));
  hash.add(list);
  return hash.value();
}

}  // namespace

// Writing.

FrozenWriter::FrozenWriter(const RunContext& context, std::string path, const FrozenKind& kind)
    : context_(context),
      path_(std::move(path)),
      partial_(path_ + ".partial"),
      kind_(kind),
      format_(kind.format) {}

FrozenWriter::~FrozenWriter() {
  if (file_ == nullptr) return;
  file_.reset();
  // The next attempt would remove it anyway.
  clean_up([&] { return context_.files->remove_file(partial_); });
}

Status FrozenWriter::start() {
  TWINSET_ASSIGN(const FileStatus left_over, context_.files->status(partial_));
  if (left_over.kind != FileStatus::Kind::missing) {
    TWINSET_TRY(context_.files->remove_file(partial_));
  }
  TWINSET_ASSIGN(file_, context_.files->open(partial_, OpenMode::create));
  buffer_.reserve(buffer_bytes);
  return add(encode_file_header(
      {.format = format_, .version = kind_.version, .fingerprint = kind_.fingerprint}));
}

Status FrozenWriter::begin(std::string_view name) {
  assert(!name.empty() && name.size() <= FrozenFile::most_name_bytes);
  if (failed_) return io_error(path_ + " cannot be finished: writing it failed before");
  failed_ = true;  // Until it succeeds.
  if (file_ == nullptr) TWINSET_TRY(start());
  end_part();
  const std::uint64_t over = end_ % part_alignment;
  if (over != 0) TWINSET_TRY(add(std::string(part_alignment - over, '\0')));
  parts_.push_back({std::string(name), end_, 0});
  failed_ = false;
  return {};
}

void FrozenWriter::end_part() {
  if (!parts_.empty()) parts_.back().size = part_bytes();
}

Status FrozenWriter::append(std::string_view bytes) {
  assert(!parts_.empty());
  if (failed_) return io_error(path_ + " cannot be finished: writing it failed before");
  failed_ = true;  // Until it succeeds.
  TWINSET_TRY(add(bytes));
  failed_ = false;
  return {};
}

Status FrozenWriter::add(std::string_view bytes) {
  end_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t fits = std::min(bytes.size(), buffer_bytes - buffer_.size());
    buffer_ += bytes.substr(0, fits);
    bytes.remove_prefix(fits);
    if (buffer_.size() == buffer_bytes) TWINSET_TRY(flush());
  }
  return {};
}

/// Writes the buffered bytes, in whole blocks except the last of the file.
Status FrozenWriter::flush() {
  TWINSET_TRY(context_.check_cancelled());
  for (std::size_t at = 0; at < buffer_.size(); at += FrozenFile::block_bytes) {
    const std::uint64_t sum =
        checksum(std::string_view(buffer_).substr(at, FrozenFile::block_bytes), kind_.fingerprint);
    checksums_ += bytes_of(sum);
  }
  hash_.add(buffer_);
  TWINSET_TRY(file_->write_at(written_, buffer_));
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<Fingerprint> FrozenWriter::finish() {
  if (failed_) return io_error(path_ + " cannot be finished: writing it failed before");
  failed_ = true;
  if (file_ == nullptr) TWINSET_TRY(start());
  end_part();
  TWINSET_TRY(flush());

  std::string list;
  for (const Part& part : parts_) {
    ListedPart listed{.begin = part.begin, .size = part.size};
    std::memcpy(listed.name, part.name.data(), part.name.size());
    list += bytes_of(listed);
  }
  Footer footer{.body_end = written_,
                .parts = parts_.size(),
                .hash = hash_with(hash_.value(), list, kind_.fingerprint)};
  std::string end = checksums_ + list;
  footer.index_checksum = checksum(end, kind_.fingerprint);
  footer.checksum = footer_checksum(footer, kind_.fingerprint);
  end += bytes_of(footer);
  TWINSET_TRY(file_->write_at(written_, end));
  TWINSET_TRY(file_->sync());
  TWINSET_TRY(context_.files->rename(partial_, path_));
  file_.reset();
  return footer.hash;
}

// Reading.

Error FrozenPart::damaged(std::uint64_t offset, const std::string& how) const {
  return file_->damaged(begin_ + offset, how);
}

Error FrozenFile::damaged(std::uint64_t offset, const std::string& how) const {
  return io_error(path_ + " is damaged: " + how + " at byte " + std::to_string(offset) +
                  "; take a copy of the file, or make it again");
}

Result<std::unique_ptr<const FrozenFile>> FrozenFile::open(FileSystem& files,
                                                           const std::string& path,
                                                           const FrozenKind& kind) {
  auto file = std::make_unique<FrozenFile>();
  file->path_ = path;
  TWINSET_ASSIGN(file->file_, MappedFile::open(files, path));
  file->bytes_ = file->file_.bytes();
  TWINSET_TRY(file->decode(kind));
  return std::unique_ptr<const FrozenFile>(std::move(file));
}

Status FrozenFile::decode(const FrozenKind& kind) {
  TWINSET_ASSIGN(const FileHeader header, decode_file_header(path_, bytes_,
                                                             {.format = kind.format,
                                                              .version = kind.version,
                                                              .fingerprint = kind.fingerprint}));
  fingerprint_ = header.fingerprint;
  if (bytes_.size() < file_header_bytes + sizeof(Footer)) {
    return damaged(bytes_.size(), "it is cut off");
  }
  const std::uint64_t footer_at = bytes_.size() - sizeof(Footer);
  Footer footer;
  std::memcpy(&footer, bytes_.data() + footer_at, sizeof footer);
  if (footer.checksum != footer_checksum(footer, fingerprint_)) {
    return damaged(footer_at, "it is cut off, or its footer fails its checksum");
  }
  // Wide enough for any counts: a forged file with correct checksums may hold any.
  using Wide = unsigned __int128;
  const Wide list_at =
      Wide{footer.body_end} + Wide{blocks_of(footer.body_end)} * sizeof(std::uint64_t);
  if (footer.body_end < file_header_bytes ||
      list_at + Wide{footer.parts} * sizeof(ListedPart) != footer_at) {
    return damaged(footer_at, "its footer does not fit its size,");
  }
  body_end_ = footer.body_end;
  checksums_ = bytes_.data() + body_end_;
  if (checksum(bytes_.substr(body_end_, footer_at - body_end_), fingerprint_) !=
      footer.index_checksum) {
    return damaged(body_end_, "its list of parts fails its checksum");
  }
  hash_ = footer.hash;
  for (std::uint64_t i = 0; i < footer.parts; ++i) {
    ListedPart listed;
    const std::uint64_t at = static_cast<std::uint64_t>(list_at) + i * sizeof listed;
    std::memcpy(&listed, bytes_.data() + at, sizeof listed);
    if (listed.begin % part_alignment != 0 || listed.begin > body_end_ ||
        listed.size > body_end_ - listed.begin) {
      return damaged(at, "a part is outside the file, as the list says");
    }
    parts_.push_back({std::string(listed.name, strnlen(listed.name, sizeof listed.name)),
                      listed.begin, listed.size});
  }
  checked_ = std::vector<std::atomic<bool>>(static_cast<std::size_t>(blocks_of(body_end_)));
  return {};
}

Result<FrozenPart> FrozenFile::part(std::string_view name) const {
  for (const Entry& entry : parts_) {
    if (entry.name != name) continue;
    FrozenPart part;
    part.file_ = this;
    part.begin_ = entry.begin;
    part.size_ = entry.size;
    return part;
  }
  return io_error(path_ + " has no part \"" + std::string(name) + "\"; make it again");
}

std::string_view FrozenFile::block(std::uint64_t number) const {
  const std::uint64_t begin = number * block_bytes;
  return bytes_.substr(begin, std::min(block_bytes, body_end_ - begin));
}

Status FrozenFile::check(std::uint64_t number) const {
  std::uint64_t sum = 0;
  std::memcpy(&sum, checksums_ + number * sizeof sum, sizeof sum);
  if (checksum(block(number), fingerprint_) != sum) {
    return damaged(number * block_bytes, "a block fails its checksum");
  }
  checked_[number].store(true, std::memory_order_relaxed);
  return {};
}

Status FrozenFile::verify(const RunContext& context) const {
  RunningFingerprint hash;
  for (std::uint64_t number = 0; number < checked_.size(); ++number) {
    if (number % 1024 == 0) TWINSET_TRY(context.check_cancelled());
    TWINSET_TRY(check(number));
    hash.add(block(number));
  }
  const std::size_t list_bytes = parts_.size() * sizeof(ListedPart);
  const std::size_t footer_at = bytes_.size() - sizeof(Footer);
  if (hash_with(hash.value(), bytes_.substr(footer_at - list_bytes, list_bytes), fingerprint_) !=
      hash_) {
    return damaged(footer_at, "its parts do not have the hash noted");
  }
  return {};
}

}  // namespace twinset
