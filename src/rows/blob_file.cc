// One file holds the bytes of all blobs without a gap, the other an entry of 16 bytes for each: a
// blob is found by reading two entries, its own and the one before.
//
// This file's interface is rows/blob_file.h; the rest is private.
#include "rows/blob_file.h"

#include <algorithm>
#include <cassert>

#include "base/file_header.h"
#include "rows/block_file.h"

namespace twinset {
namespace {

constexpr std::uint32_t format_version = 1;
constexpr std::size_t pending_bytes = std::size_t{64} << 10;
constexpr std::size_t scanned_bytes = std::size_t{1} << 20;
constexpr std::size_t scanned_places = 4096;
constexpr std::uint64_t unsealed = ~std::uint64_t{0};
constexpr std::string_view bytes_format = "blobs";
constexpr std::string_view places_format = "places";

std::string_view view(const void* bytes, std::size_t size) {
  return {static_cast<const char*>(bytes), size};
}

}  // namespace

std::uint64_t BlobFile::places_bytes() const {
  return bytes_file_ == nullptr ? 0 : file_header_bytes + written_ * sizeof(Place);
}

Error BlobFile::damaged(const std::string& path, std::uint64_t offset) const {
  return io_error(path + " is damaged at byte " + std::to_string(offset) +
                  "; the disk or memory may be failing: remove it and run again");
}

// Adding.

Status BlobFile::write_header(File& file, std::string_view format, std::uint64_t count) {
  const std::uint32_t row_bytes = format == places_format ? sizeof(Place) : 0;
  return file.write_at(0, encode_file_header({.format = std::string(format),
                                              .version = format_version,
                                              .row_bytes = row_bytes,
                                              .fingerprint = fingerprint_,
                                              .rows = count}));
}

Status BlobFile::start() {
  if (sealed_) return io_error(blobs_path() + " is sealed; no blob can be added");
  if (places_file_ != nullptr) return {};
  for (const std::string& path : {blobs_path(), places_path()}) {
    TWINSET_TRY(remove_if_there(*context_->files, path));
  }
  TWINSET_ASSIGN(bytes_file_, context_->files->open(blobs_path(), OpenMode::create));
  TWINSET_TRY(write_header(*bytes_file_, bytes_format, unsealed));
  end_ = file_header_bytes;
  TWINSET_ASSIGN(auto places, context_->files->open(places_path(), OpenMode::create));
  TWINSET_TRY(write_header(*places, places_format, unsealed));
  places_file_ = std::move(places);
  return {};
}

std::uint32_t BlobFile::check_of(const Place& place, std::uint64_t number) const {
  const std::uint64_t words[] = {place.end, place.blob_check, number};
  return static_cast<std::uint32_t>(checksum(view(words, sizeof words), fingerprint_));
}

Status BlobFile::append(std::string_view blob) {
  TWINSET_TRY(start());
  const bool at_once = blob.size() >= pending_bytes;  // Without a copy.
  if (at_once) {
    TWINSET_TRY(flush());
    TWINSET_TRY(bytes_file_->write_at(end_, blob));
  }
  end_ += blob.size();
  Place place{end_, static_cast<std::uint32_t>(checksum(blob, fingerprint_)), 0};
  place.check = check_of(place, blobs_++);
  if (!at_once) pending_ += blob;
  pending_places_.push_back(place);
  const std::size_t pending = pending_.size() + pending_places_.size() * sizeof(Place);
  return pending < pending_bytes ? Status() : flush();
}

Status BlobFile::flush() {
  TWINSET_TRY(context_->check_cancelled());
  cached_bytes_.reset();
  cached_places_.reset();
  if (pending_places_.empty()) return {};
  if (!pending_.empty()) TWINSET_TRY(bytes_file_->write_at(end_ - pending_.size(), pending_));
  TWINSET_TRY(places_file_->write_at(
      places_bytes(), view(pending_places_.data(), pending_places_.size() * sizeof(Place))));
  written_ = blobs_;
  pending_.clear();
  pending_places_.clear();
  return {};
}

Status BlobFile::seal() {
  if (sealed_) return {};
  TWINSET_TRY(start());
  TWINSET_TRY(flush());
  TWINSET_TRY(write_header(*bytes_file_, bytes_format, end_ - file_header_bytes));
  TWINSET_TRY(write_header(*places_file_, places_format, blobs_));
  sealed_ = true;
  return {};
}

// Opening and going on.

Result<std::uint64_t> BlobFile::read_header(File& file, const std::string& path,
                                            std::string_view format) {
  char bytes[file_header_bytes];
  TWINSET_ASSIGN(const std::size_t got, file.read_at(0, bytes, sizeof bytes));
  const std::uint32_t row_bytes = format == places_format ? sizeof(Place) : 0;
  TWINSET_ASSIGN(
      const FileHeader header,
      decode_file_header(path, {bytes, got}, {format, format_version, row_bytes, fingerprint_}));
  return header.rows;
}

Status BlobFile::open_files(OpenMode mode) {
  for (const std::string& path : {blobs_path(), places_path()}) {
    TWINSET_ASSIGN(const FileStatus status, context_->files->status(path));
    if (status.kind != FileStatus::Kind::regular) {
      return io_error("cannot open " + path + ": there is no such file");
    }
    auto& file = path == blobs_path() ? bytes_file_ : places_file_;
    TWINSET_ASSIGN(file, context_->files->open(path, mode));
  }
  return {};
}

Result<std::unique_ptr<BlobFile>> BlobFile::open(const RunContext& context, const std::string& path,
                                                 std::uint64_t fingerprint) {
  auto opened = std::make_unique<BlobFile>(
      RowsOptions{.context = &context, .path = path, .fingerprint = fingerprint});
  TWINSET_TRY(opened->open_files(OpenMode::read));
  TWINSET_ASSIGN(const std::uint64_t bytes,
                 opened->read_header(*opened->bytes_file_, opened->blobs_path(), bytes_format));
  TWINSET_ASSIGN(opened->blobs_,
                 opened->read_header(*opened->places_file_, opened->places_path(), places_format));
  TWINSET_ASSIGN(const std::uint64_t bytes_size, opened->bytes_file_->size());
  TWINSET_ASSIGN(const std::uint64_t places_size, opened->places_file_->size());
  if (bytes == unsealed || opened->blobs_ == unsealed) {
    return io_error(path + ".blobs was never finished; remove it and run again");
  }
  if (bytes_size - file_header_bytes != bytes) {
    return opened->damaged(opened->blobs_path(), bytes_size);
  }
  if (opened->blobs_ != (places_size - file_header_bytes) / sizeof(Place) ||
      places_size % sizeof(Place) != 0) {
    return opened->damaged(opened->places_path(), places_size);
  }
  opened->end_ = bytes_size;
  opened->written_ = opened->blobs_;
  opened->sealed_ = true;
  return opened;
}

Status BlobFile::checkpoint(std::vector<PartLength>& out) {
  TWINSET_TRY(start());
  TWINSET_TRY(flush());
  TWINSET_TRY(bytes_file_->sync());
  TWINSET_TRY(places_file_->sync());
  out.push_back({blobs_path(), end_, blobs_});
  out.push_back({places_path(), places_bytes(), blobs_});
  return {};
}

Status BlobFile::restore(std::span<const PartLength> lengths) {
  assert(blobs_ == 0 && bytes_file_ == nullptr);
  const PartLength* parts[] = {nullptr, nullptr};
  for (const PartLength& length : lengths) {
    if (length.path == blobs_path()) parts[0] = &length;
    if (length.path == places_path()) parts[1] = &length;
  }
  if (parts[0] == nullptr || parts[1] == nullptr) {
    return io_error("no length of " + blobs_path() + " among the checkpoint's; start anew");
  }
  TWINSET_TRY(open_files(OpenMode::append));
  TWINSET_TRY(read_header(*bytes_file_, blobs_path(), bytes_format));
  TWINSET_TRY(read_header(*places_file_, places_path(), places_format));
  for (const PartLength* part : parts) {
    File& file = part == parts[0] ? *bytes_file_ : *places_file_;
    TWINSET_ASSIGN(const std::uint64_t size, file.size());
    if (size < part->bytes || part->bytes < file_header_bytes) {
      return io_error(part->path + " has " + std::to_string(size) + " bytes where " +
                      std::to_string(part->bytes) + " were written; start anew");
    }
    TWINSET_TRY(file.truncate(part->bytes));
  }
  end_ = parts[0]->bytes;
  blobs_ = written_ = parts[1]->rows;
  Place last{file_header_bytes, 0, 0};
  if (blobs_ > 0) TWINSET_TRY(read_places(blobs_ - 1, {&last, 1}));
  if (parts[1]->bytes != places_bytes() || last.end != end_) {
    return io_error(path_ + ".places is not that of the checkpoint; start anew");
  }
  return {};
}

Status BlobFile::discard() {
  bytes_file_.reset();
  places_file_.reset();
  TWINSET_TRY(remove_if_there(*context_->files, blobs_path()));
  return remove_if_there(*context_->files, places_path());
}

// Reading.

Status BlobFile::read_places(std::uint64_t first, std::span<Place> out) const {
  const std::uint64_t offset = file_header_bytes + first * sizeof(Place);
  char* const bytes = reinterpret_cast<char*>(out.data());
  TWINSET_ASSIGN(const std::size_t got,
                 cached_places_ != nullptr
                     ? cached_places_->read_at(offset, bytes, out.size_bytes())
                     : places_file_->read_at(offset, bytes, out.size_bytes()));
  if (got != out.size_bytes()) return damaged(places_path(), offset + got);
  std::uint64_t least = file_header_bytes;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].check != check_of(out[i], first + i) || out[i].end < least || out[i].end > end_) {
      return damaged(places_path(), offset + i * sizeof(Place));
    }
    least = out[i].end;
  }
  return {};
}

Status BlobFile::read_bytes(std::uint64_t begin, std::uint64_t end, std::string& out) const {
  out.resize(static_cast<std::size_t>(end - begin));
  TWINSET_ASSIGN(const std::size_t got, cached_bytes_ != nullptr
                                            ? cached_bytes_->read_at(begin, out.data(), out.size())
                                            : bytes_file_->read_at(begin, out.data(), out.size()));
  if (got != out.size()) return damaged(blobs_path(), begin + got);
  return {};
}

Status BlobFile::read(std::uint64_t number, std::string& out) const {
  if (number >= written_) {
    return io_error(blobs_path() + " has no blob " + std::to_string(number) + " of " +
                    std::to_string(written_));
  }
  // The entry before the first blob's would end where the header does.
  Place places[2] = {{file_header_bytes, 0, 0}, {}};
  const std::size_t before = number == 0 ? 0 : 1;
  TWINSET_TRY(read_places(number - before, std::span(places).subspan(1 - before)));
  TWINSET_TRY(read_bytes(places[0].end, places[1].end, out));
  if (static_cast<std::uint32_t>(checksum(out, fingerprint_)) != places[1].blob_check) {
    return damaged(blobs_path(), places[0].end);
  }
  return {};
}

Status BlobFile::for_each(
    std::uint64_t first, std::uint64_t end,
    const std::function<Status(std::uint64_t number, std::string_view blob)>& use) const {
  std::vector<Place> places;
  std::string bytes;
  end = std::min(end, written_);
  if (first >= end) return {};
  Place before{file_header_bytes, 0, 0};
  if (first > 0) TWINSET_TRY(read_places(first - 1, {&before, 1}));
  std::uint64_t begin = before.end;
  for (; first < end; first += places.size()) {
    TWINSET_TRY(context_->check_cancelled());
    places.resize(static_cast<std::size_t>(std::min<std::uint64_t>(scanned_places, end - first)));
    TWINSET_TRY(read_places(first, places));
    if (places[0].end < begin) return damaged(places_path(), file_header_bytes);
    for (std::size_t i = 0; i < places.size();) {
      // As many blobs as fit into scanned_bytes, at least one.
      std::size_t last = i;
      while (last + 1 < places.size() && places[last + 1].end - begin <= scanned_bytes) ++last;
      const std::uint64_t read_from = begin;
      TWINSET_TRY(read_bytes(begin, places[last].end, bytes));
      for (; i <= last; ++i) {
        const std::string_view blob =
            std::string_view(bytes).substr(static_cast<std::size_t>(begin - read_from),
                                           static_cast<std::size_t>(places[i].end - begin));
        if (static_cast<std::uint32_t>(checksum(blob, fingerprint_)) != places[i].blob_check) {
          return damaged(blobs_path(), begin);
        }
        TWINSET_TRY(use(first + i, blob));
        begin = places[i].end;
      }
    }
  }
  return {};
}

Status BlobFile::hold(std::uint64_t memory_bytes) {
  if (places_file_ == nullptr) return {};
  // If memory is short, both files get a proportional share. One block more holds a short last
  // block.
  const double part =
      std::min(1.0, static_cast<double>(memory_bytes) / static_cast<double>(places_bytes() + end_));
  const auto make = [&](File& file, std::uint64_t bytes) {
    const auto share = static_cast<std::uint64_t>(part * static_cast<double>(bytes));
    return CachedFile::make(file, bytes, share + CachedFile::block_bytes);
  };
  TWINSET_ASSIGN(cached_places_, make(*places_file_, places_bytes()));
  TWINSET_ASSIGN(cached_bytes_, make(*bytes_file_, end_));
  return {};
}

Status BlobFile::hold_places(std::uint64_t memory_bytes) {
  if (places_file_ == nullptr) return {};
  cached_bytes_.reset();
  TWINSET_ASSIGN(cached_places_, CachedFile::make(*places_file_, places_bytes(), memory_bytes));
  return {};
}

}  // namespace twinset
