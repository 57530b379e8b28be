// A file is its header, the rows without a gap, and then, once they are known, the index, the texts
// and a footer of fixed size that says where everything is.
//
// A reader trusts only bytes that a checksum covers: the header and the footer have
// their own, the footer's covers index and texts, and the index has one for each block of
// rows. All of them are seeded with the table's fingerprint.
//
// This file's interface is rows/table.h; the rest is private.
#include "rows/table.h"

#include <cassert>
#include <cstring>
#include <string_view>

#include "base/file_header.h"
#include "system/clean_up.h"

namespace twinset {
namespace {

constexpr std::uint32_t format_version = 1;
constexpr std::size_t least_buffer_bytes = std::size_t{64} << 10;

/// The last bytes of the file, little-endian.
struct Footer {
  std::uint32_t block_rows = 0;
  std::uint32_t key_bytes = 0;
  std::uint32_t kind_version = 0;
  std::uint32_t name_bytes = 0;
  std::uint64_t description_bytes = 0;
  Fingerprint hash;
  std::uint64_t index_checksum = 0;  ///< of everything from the index up to here
  std::uint64_t checksum = 0;        ///< of the footer before it
};
static_assert(sizeof(Footer) == 56);

std::string_view view(const void* bytes, std::size_t size) {
  return {static_cast<const char*>(bytes), size};
}

std::uint64_t footer_checksum(const Footer& footer, std::uint64_t fingerprint) {
  return checksum(view(&footer, sizeof footer - sizeof footer.checksum), fingerprint);
}

/// The key at the front of a row; a key of 8 bytes is the first word.
Fingerprint key_of(const std::byte* row, std::uint32_t key_bytes) {
  Fingerprint key;
  std::memcpy(&key, row, key_bytes);
  return key;
}

/// Begins a table's hash with everything it covers except the rows.
void add_head(RunningFingerprint& hash, const TableKind& kind, const std::string& description,
              RowShape shape) {
  const std::uint64_t numbers[] = {kind.version,    kind.fingerprint, shape.row_bytes,
                                   shape.key_bytes, kind.name.size(), description.size()};
  hash.add(view(numbers, sizeof numbers));
  hash.add(kind.name);
  hash.add(description);
}

}  // namespace

// Writing.

TableFileWriter::TableFileWriter(const RunContext& context, std::string path, TableKind kind,
                                 std::string description, RowShape shape, std::uint32_t block_bytes)
    : context_(context),
      path_(std::move(path)),
      partial_(path_ + ".partial"),
      kind_(std::move(kind)),
      description_(std::move(description)),
      shape_(shape),
      block_rows_(std::max<std::size_t>(block_bytes / shape.row_bytes, 1)),
      buffer_rows_(std::max<std::size_t>(least_buffer_bytes / (block_rows_ * shape.row_bytes), 1) *
                   block_rows_) {
  add_head(hash_, kind_, description_, shape_);
}

TableFileWriter::~TableFileWriter() {
  if (file_ == nullptr) return;
  file_.reset();
  // The next attempt would remove it anyway.
  clean_up([&] { return context_.files->remove_file(partial_); });
}

Status TableFileWriter::start() {
  TWINSET_ASSIGN(const FileStatus left_over, context_.files->status(partial_));
  if (left_over.kind != FileStatus::Kind::missing) {
    TWINSET_TRY(context_.files->remove_file(partial_));
  }
  TWINSET_ASSIGN(file_, context_.files->open(partial_, OpenMode::create));
  end_ = file_header_bytes;
  buffer_.reserve(buffer_rows_ * shape_.row_bytes);
  return {};
}

Status TableFileWriter::append(const std::byte* rows, std::size_t count) {
  if (failed_) return io_error(path_ + " can't be finished: writing it failed before");
  failed_ = true;  // Until it succeeds.
  if (file_ == nullptr) TWINSET_TRY(start());
  while (count > 0) {
    const std::size_t room = buffer_rows_ - buffer_.size() / shape_.row_bytes;
    const std::size_t fits = std::min(count, room);
    for (std::size_t i = 0; i < fits; ++i) {
      const Fingerprint key = key_of(rows + i * shape_.row_bytes, shape_.key_bytes);
      if (key < last_key_) {
        return io_error("the rows of " + path_ + " are not in the order of their keys: row " +
                        std::to_string(rows_ + i) + " has a key before that of the row before it");
      }
      last_key_ = key;
    }
    buffer_.insert(buffer_.end(), rows, rows + fits * shape_.row_bytes);
    rows_ += fits;
    rows += fits * shape_.row_bytes;
    count -= fits;
    if (fits == room) TWINSET_TRY(flush());
  }
  failed_ = false;
  return {};
}

/// Writes the buffered rows, in full blocks except the last of the table, and notes their index.
Status TableFileWriter::flush() {
  TWINSET_TRY(context_.check_cancelled());
  const std::size_t block_bytes = block_rows_ * shape_.row_bytes;
  for (std::size_t at = 0; at < buffer_.size(); at += block_bytes) {
    const std::byte* const block = buffer_.data() + at;
    keys_ += view(block, shape_.key_bytes);
    const std::uint64_t sum =
        checksum(view(block, std::min(block_bytes, buffer_.size() - at)), kind_.fingerprint);
    checksums_ += view(&sum, sizeof sum);
  }
  const std::string_view bytes = view(buffer_.data(), buffer_.size());
  hash_.add(bytes);
  TWINSET_TRY(write(bytes));
  buffer_.clear();
  return {};
}

Status TableFileWriter::write(std::string_view bytes) {
  TWINSET_TRY(file_->write_at(end_, bytes));
  end_ += bytes.size();
  return {};
}

Status TableFileWriter::write_end() {
  RunningChecksum index;
  index.add(view(&kind_.fingerprint, sizeof kind_.fingerprint));
  for (const std::string* part : {&keys_, &checksums_, &kind_.name, &description_}) {
    index.add(*part);
    TWINSET_TRY(write(*part));
  }
  Footer footer{.block_rows = static_cast<std::uint32_t>(block_rows_),
                .key_bytes = shape_.key_bytes,
                .kind_version = kind_.version,
                .name_bytes = static_cast<std::uint32_t>(kind_.name.size()),
                .description_bytes = description_.size(),
                .hash = hash_.value(),
                .index_checksum = index.value()};
  footer.checksum = footer_checksum(footer, kind_.fingerprint);
  return write(view(&footer, sizeof footer));
}

Result<Fingerprint> TableFileWriter::finish() {
  TWINSET_TRY(append(nullptr, 0));
  failed_ = true;
  TWINSET_TRY(flush());
  TWINSET_TRY(write_end());
  TWINSET_TRY(file_->write_at(0, encode_file_header({.format = "table",
                                                     .version = format_version,
                                                     .row_bytes = shape_.row_bytes,
                                                     .fingerprint = kind_.fingerprint,
                                                     .rows = rows_})));
  TWINSET_TRY(file_->sync());
  TWINSET_TRY(context_.files->rename(partial_, path_));
  file_.reset();
  return hash_.value();
}

// Reading.

Result<TableFile> TableFile::open(FileSystem& files, const std::string& path, const TableKind& kind,
                                  RowShape shape) {
  TableFile table;
  table.path_ = path;
  TWINSET_ASSIGN(table.file_, MappedFile::open(files, path));
  table.bytes_ = table.file_.bytes();
  TWINSET_TRY(table.decode(kind, shape));
  return table;
}

Error TableFile::damaged(std::uint64_t offset, const std::string& how) const {
  return io_error(path_ + " is damaged: " + how + " at byte " + std::to_string(offset) +
                  "; make it again, or take a copy of it");
}

Status TableFile::decode(const TableKind& kind, RowShape shape) {
  const ExpectedHeader expected{"table", format_version, shape.row_bytes, kind.fingerprint};
  TWINSET_ASSIGN(const FileHeader header, decode_any_file_header(path_, bytes_));
  if (header.format != expected.format || header.version != expected.version) {
    return decode_file_header(path_, bytes_, expected).error();
  }

  const std::size_t size = bytes_.size();
  if (size < file_header_bytes + sizeof(Footer)) return damaged(size, "it is cut off");
  const std::size_t footer_at = size - sizeof(Footer);
  Footer footer;
  std::memcpy(&footer, bytes_.data() + footer_at, sizeof footer);
  if (footer.checksum != footer_checksum(footer, header.fingerprint)) {
    return damaged(footer_at, "it is cut off, or its footer fails its checksum");
  }
  // Wide enough for any counts: a forged file with correct checksums may hold any.
  using Wide = unsigned __int128;
  const Wide row_bytes = Wide{header.rows} * header.row_bytes;
  const std::uint64_t blocks = header.rows / std::max(footer.block_rows, 1U) +
                               (header.rows % std::max(footer.block_rows, 1U) != 0 ? 1 : 0);
  const Wide index_at = file_header_bytes + row_bytes;
  const Wide texts_at = index_at + Wide{blocks} * (footer.key_bytes + sizeof(std::uint64_t));
  if ((footer.key_bytes != 8 && footer.key_bytes != 16) || footer.key_bytes > header.row_bytes ||
      footer.block_rows == 0 ||
      texts_at + footer.name_bytes + footer.description_bytes != footer_at) {
    return damaged(footer_at, "its footer does not fit its size,");
  }
  const std::string_view index = bytes_.substr(static_cast<std::size_t>(index_at),
                                               footer_at - static_cast<std::size_t>(index_at));
  RunningChecksum sum;
  sum.add(view(&header.fingerprint, sizeof header.fingerprint));
  sum.add(index);
  if (sum.value() != footer.index_checksum) {
    return damaged(static_cast<std::uint64_t>(index_at), "the index fails its checksum");
  }

  const std::string_view name =
      bytes_.substr(static_cast<std::size_t>(texts_at), footer.name_bytes);
  if (name != kind.name) {
    return io_error(path_ + " is a table of kind \"" + std::string(name) + "\" where \"" +
                    kind.name + "\" should be; give another file");
  }
  if (footer.kind_version != kind.version) {
    return io_error(path_ + " is of \"" + kind.name + "\" version " +
                    std::to_string(footer.kind_version) + "; this twinset reads version " +
                    std::to_string(kind.version) + ": make it again");
  }
  TWINSET_TRY(decode_file_header(path_, bytes_, expected));
  if (footer.key_bytes != shape.key_bytes) {
    return io_error(path_ + " has keys of " + std::to_string(footer.key_bytes) + " bytes where " +
                    std::to_string(shape.key_bytes) + " are expected");
  }

  kind_ = kind;
  shape_ = shape;
  description_ = bytes_.substr(footer_at - static_cast<std::size_t>(footer.description_bytes),
                               static_cast<std::size_t>(footer.description_bytes));
  hash_ = footer.hash;
  rows_ = header.rows;
  block_rows_ = footer.block_rows;
  row_data_ = reinterpret_cast<const std::byte*>(bytes_.data()) + file_header_bytes;
  keys_ = row_data_ + static_cast<std::size_t>(row_bytes);
  checksums_ = keys_ + blocks * shape_.key_bytes;
  checked_ = std::vector<std::atomic<bool>>(static_cast<std::size_t>(blocks));
  return {};
}

std::size_t TableFile::rows_in(std::uint64_t block) const {
  return static_cast<std::size_t>(std::min(block_rows_, rows_ - block * block_rows_));
}

const std::byte* TableFile::block_data(std::uint64_t block) const {
  return row_data_ + static_cast<std::size_t>(block * block_rows_) * shape_.row_bytes;
}

Status TableFile::check(std::uint64_t block) const {
  if (is_checked(block)) return {};
  const std::byte* const data = block_data(block);
  std::uint64_t sum = 0;
  std::memcpy(&sum, checksums_ + block * sizeof sum, sizeof sum);
  if (checksum(view(data, rows_in(block) * shape_.row_bytes), kind_.fingerprint) != sum) {
    return damaged(static_cast<std::uint64_t>(data - row_data_) + file_header_bytes,
                   "a block of rows fails its checksum");
  }
  checked_[static_cast<std::size_t>(block)].store(true, std::memory_order_relaxed);
  return {};
}

void TableFile::release(std::uint64_t begin, std::uint64_t end) const {
  const auto offset = [&](std::uint64_t block) {
    return file_header_bytes +
           static_cast<std::size_t>(std::min(block * block_rows_, rows_)) * shape_.row_bytes;
  };
  file_.release(offset(begin), offset(end));
}

Status TableFile::verify(const RunContext& context) const {
  RunningFingerprint hash;
  add_head(hash, kind_, description_, shape_);
  Fingerprint last;
  for (std::uint64_t block = 0; block < blocks(); ++block) {
    TWINSET_TRY(context.check_cancelled());
    TWINSET_TRY(check(block));
    const std::byte* const data = block_data(block);
    if (std::memcmp(data, keys_ + block * shape_.key_bytes, shape_.key_bytes) != 0) {
      return damaged(static_cast<std::uint64_t>(data - row_data_) + file_header_bytes,
                     "a block is not the one in the index");
    }
    for (std::size_t i = 0; i < rows_in(block); ++i) {
      const Fingerprint key = key_of(data + i * shape_.row_bytes, shape_.key_bytes);
      if (key < last) {
        return damaged(
            static_cast<std::uint64_t>(data - row_data_) + i * shape_.row_bytes + file_header_bytes,
            "a row is out of order");
      }
      last = key;
    }
    hash.add(view(data, rows_in(block) * shape_.row_bytes));
  }
  if (hash.value() != hash_) {
    return damaged(bytes_.size() - sizeof(Footer), "its rows do not have the hash noted");
  }
  return {};
}

}  // namespace twinset
