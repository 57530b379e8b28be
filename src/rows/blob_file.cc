// One file holds the bytes of all blobs without a gap, the other a place for each (fixed_file.h): a
// blob is found by reading two places, its own and the one before.
//
// This file's interface is rows/blob_file.h; the rest is private.
#include "rows/blob_file.h"

#include <algorithm>
#include <cassert>

#include "rows/block_file.h"

namespace twinset {
namespace {

constexpr std::size_t pending_bytes = std::size_t{64} << 10;
constexpr std::size_t scanned_bytes = std::size_t{1} << 20;
constexpr std::size_t scanned_places = 4096;

template <class Row>
std::span<char> bytes_of(std::span<Row> rows) {
  return {reinterpret_cast<char*>(rows.data()), rows.size_bytes()};
}

}  // namespace

BlobFile::BlobFile(const RowsOptions& options)
    : context_(options.context),
      path_(options.path),
      fingerprint_(options.fingerprint),
      places_({options.context, options.path + ".places", 0, options.fingerprint}, "places",
              sizeof(Place)) {}

// Adding.

Status BlobFile::start() {
  if (sealed_) return io_error(blobs_path() + " is sealed; no blob can be added");
  if (bytes_file_ != nullptr) return {};
  TWINSET_TRY(places_.start());
  TWINSET_TRY(remove_if_there(*context_->files, blobs_path()));
  TWINSET_ASSIGN(bytes_file_, context_->files->open(blobs_path(), OpenMode::create));
  return {};
}

std::uint32_t BlobFile::check_of(std::string_view blob) const {
  return static_cast<std::uint32_t>(checksum(blob, fingerprint_));
}

Status BlobFile::append(std::string_view blob) {
  TWINSET_TRY(start());
  const bool at_once = blob.size() >= pending_bytes;  // Without a copy.
  if (at_once) {
    TWINSET_TRY(flush());
    TWINSET_TRY(bytes_file_->write_at(end_, blob));
  }
  end_ += blob.size();
  if (!at_once) pending_ += blob;
  pending_places_.push_back({end_, check_of(blob), 0});
  const std::size_t pending = pending_.size() + pending_places_.size() * sizeof(Place);
  return pending < pending_bytes ? Status() : flush();
}

Status BlobFile::flush() {
  TWINSET_TRY(context_->check_cancelled());
  cached_bytes_.reset();
  places_.drop_held();
  if (pending_places_.empty()) return {};
  if (!pending_.empty()) TWINSET_TRY(bytes_file_->write_at(end_ - pending_.size(), pending_));
  TWINSET_TRY(places_.append(bytes_of(std::span(pending_places_))));
  pending_.clear();
  pending_places_.clear();
  return {};
}

Status BlobFile::seal() {
  if (sealed_) return {};
  TWINSET_TRY(start());
  TWINSET_TRY(flush());
  sealed_ = true;
  return {};
}

Status BlobFile::checkpoint(std::vector<PartLength>& out) {
  TWINSET_TRY(start());
  TWINSET_TRY(flush());
  TWINSET_TRY(bytes_file_->sync());
  out.push_back({blobs_path(), end_, places_.rows()});
  return places_.checkpoint(out);
}

Status BlobFile::restore(std::span<const PartLength> lengths, OpenMode mode) {
  assert(bytes_file_ == nullptr);
  PartLength length;
  TWINSET_ASSIGN(bytes_file_, reopen(*context_->files, blobs_path(), lengths, length, mode));
  TWINSET_TRY(places_.restore(lengths, mode));
  end_ = length.bytes;
  Place last;
  if (places_.rows() > 0) TWINSET_TRY(read_places(places_.rows() - 1, {&last, 1}));
  if (last.end == end_) return {};
  return io_error(path_ + ".places is not that of the checkpoint; start anew");
}

Status BlobFile::take_over(const std::string& path, std::span<const PartLength> lengths) {
  BlobFile other({context_, path, 0, fingerprint_});
  TWINSET_TRY(other.restore(lengths, OpenMode::read));
  TWINSET_TRY(other.for_each([&](std::uint64_t, std::string_view blob) { return append(blob); }));
  return flush();
}

Status BlobFile::discard() {
  bytes_file_.reset();
  TWINSET_TRY(places_.discard());
  return remove_if_there(*context_->files, blobs_path());
}

// Reading.

Status BlobFile::read_places(std::uint64_t first, std::span<Place> out) const {
  TWINSET_TRY(places_.read(first, bytes_of(out)));
  std::uint64_t least = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].end < least || out[i].end > end_) return places_.damaged(first + i);
    least = out[i].end;
  }
  return {};
}

Status BlobFile::read_bytes(std::uint64_t begin, std::uint64_t end, std::string& out) const {
  out.resize(static_cast<std::size_t>(end - begin));
  TWINSET_ASSIGN(const std::size_t got, cached_bytes_ != nullptr
                                            ? cached_bytes_->read_at(begin, out.data(), out.size())
                                            : bytes_file_->read_at(begin, out.data(), out.size()));
  if (got != out.size()) return damaged_file(blobs_path(), begin + got);
  return {};
}

Status BlobFile::read(std::uint64_t number, std::string& out) const {
  if (number >= places_.rows()) {
    return io_error(blobs_path() + " has no blob " + std::to_string(number) + " of " +
                    std::to_string(places_.rows()));
  }
  Place places[2];
  const std::size_t before = number == 0 ? 0 : 1;
  TWINSET_TRY(read_places(number - before, std::span(places).subspan(1 - before)));
  TWINSET_TRY(read_bytes(places[0].end, places[1].end, out));
  if (check_of(out) == places[1].blob_check) return {};
  return damaged_file(blobs_path(), places[0].end);
}

Status BlobFile::for_each(
    std::uint64_t first, std::uint64_t end,
    const std::function<Status(std::uint64_t number, std::string_view blob)>& use) const {
  std::vector<Place> places;
  std::string bytes;
  end = std::min(end, places_.rows());
  if (first >= end) return {};
  Place before;
  if (first > 0) TWINSET_TRY(read_places(first - 1, {&before, 1}));
  std::uint64_t begin = before.end;
  for (; first < end; first += places.size()) {
    TWINSET_TRY(context_->check_cancelled());
    places.resize(static_cast<std::size_t>(std::min<std::uint64_t>(scanned_places, end - first)));
    TWINSET_TRY(read_places(first, places));
    if (places[0].end < begin) return places_.damaged(first);
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
        if (check_of(blob) != places[i].blob_check) return damaged_file(blobs_path(), begin);
        TWINSET_TRY(use(first + i, blob));
        begin = places[i].end;
      }
    }
  }
  return {};
}

Status BlobFile::hold(std::uint64_t memory_bytes) {
  if (end_ == 0) return hold_places(memory_bytes);
  // If memory is short, both files get a proportional share. One block more holds a short last
  // block.
  const double part =
      std::min(1.0, static_cast<double>(memory_bytes) / static_cast<double>(stored_bytes()));
  const auto share = [&](std::uint64_t bytes) {
    return static_cast<std::uint64_t>(part * static_cast<double>(bytes)) + CachedFile::block_bytes;
  };
  TWINSET_TRY(places_.cache(share(places_.stored_bytes())));
  TWINSET_ASSIGN(cached_bytes_, CachedFile::make(*bytes_file_, end_, share(end_)));
  return {};
}

Status BlobFile::hold_places(std::uint64_t memory_bytes) {
  cached_bytes_.reset();
  return places_.cache(memory_bytes);
}

}  // namespace twinset
