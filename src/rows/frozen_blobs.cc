// Blobs are in groups of 64, one after the other; after those of a group come their lengths. So a
// writer holds no blob, and a blob is found by the place of its group's lengths, from which the
// lengths of the blob and of those after it in the group are taken off.
//
// This file's interface is rows/frozen_blobs.h; the rest is private.
#include "rows/frozen_blobs.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "base/plain_bytes.h"

namespace twinset {
namespace {

constexpr std::uint64_t group_blobs = 64;
constexpr std::string_view blobs_part = "blobs";
constexpr std::string_view groups_part = "groups";  ///< where the lengths of each begin; the count

std::uint64_t groups_of(std::uint64_t blobs) {
  return blobs / group_blobs + (blobs % group_blobs != 0 ? 1 : 0);
}

}  // namespace

Status FrozenBlobsWriter::start() {
  started_ = true;
  return file_.begin(blobs_part);
}

Status FrozenBlobsWriter::append(std::string_view blob) {
  if (!started_) TWINSET_TRY(start());
  if (blob.size() > std::numeric_limits<std::uint32_t>::max()) {
    return io_error("a document takes " + std::to_string(blob.size()) +
                    " bytes, and an index holds documents of less than 4 GiB; leave it out");
  }
  TWINSET_TRY(file_.append(blob));
  lengths_.push_back(static_cast<std::uint32_t>(blob.size()));
  ++count_;
  return lengths_.size() < group_blobs ? Status() : end_group();
}

Status FrozenBlobsWriter::end_group() {
  lengths_at_.push_back(file_.part_bytes());
  const Status written = file_.append(bytes_of(std::span<const std::uint32_t>(lengths_)));
  lengths_.clear();
  return written;
}

Result<Fingerprint> FrozenBlobsWriter::finish() {
  if (!started_) TWINSET_TRY(start());
  if (!lengths_.empty()) TWINSET_TRY(end_group());
  TWINSET_TRY(file_.begin(groups_part));
  lengths_at_.push_back(count_);
  TWINSET_TRY(file_.append(bytes_of(std::span<const std::uint64_t>(lengths_at_))));
  return file_.finish();
}

Result<FrozenBlobs> FrozenBlobs::open(FileSystem& files, const std::string& path,
                                      const FrozenKind& kind) {
  FrozenBlobs blobs;
  TWINSET_ASSIGN(blobs.file_, FrozenFile::open(files, path, kind));
  TWINSET_ASSIGN(blobs.blobs_, blobs.file_->part(blobs_part));
  TWINSET_ASSIGN(blobs.groups_, blobs.file_->part(groups_part));
  constexpr std::uint64_t word = sizeof(std::uint64_t);
  const std::uint64_t size = blobs.groups_.size();
  if (size < word) return blobs.groups_.damaged(0, "its list of groups is too short");
  TWINSET_ASSIGN(const std::string_view count, blobs.groups_.read(size - word, size));
  std::memcpy(&blobs.count_, count.data(), word);
  if (blobs.count_ / group_blobs > size || (groups_of(blobs.count_) + 1) * word != size) {
    return blobs.groups_.damaged(size - word, "its list of groups does not fit its blobs");
  }
  return blobs;
}

Result<std::string_view> FrozenBlobs::read(std::uint64_t number) const {
  if (number >= count_) {
    return io_error(file_->path() + " has no blob " + std::to_string(number) +
                    "; take a copy of it, or make it again");
  }
  constexpr std::uint64_t word = sizeof(std::uint64_t);
  constexpr std::uint64_t length_bytes = sizeof(std::uint32_t);
  const std::uint64_t group = number / group_blobs;
  TWINSET_ASSIGN(const std::string_view place, groups_.read(group * word, (group + 1) * word));
  std::uint64_t lengths_at = 0;
  std::memcpy(&lengths_at, place.data(), word);
  const std::uint64_t in_group = std::min(group_blobs, count_ - group * group_blobs);
  TWINSET_ASSIGN(const std::string_view lengths,
                 blobs_.read(lengths_at, lengths_at + in_group * length_bytes));
  std::uint64_t end = lengths_at;
  std::uint32_t length = 0;
  for (std::uint64_t i = in_group; i-- > number % group_blobs;) {
    end -= length;
    std::memcpy(&length, lengths.data() + i * length_bytes, length_bytes);
    if (length > end) return blobs_.damaged(lengths_at, "lengths of blobs are too large");
  }
  return blobs_.read(end - length, end);
}

}  // namespace twinset
