// The bytes of the frame that has not yet ended are pending as long as all of them stay. At its end
// they are dropped, and the frame is copied; or one of its bytes goes, and they are packed with
// what stays of the rest.
//
// This file's interface is collection/frame_copier.h; the rest is private.
#include "collection/frame_copier.h"

#include <algorithm>

#include "base/hash.h"
#include "collection/input_changed.h"

namespace twinset {
namespace {

constexpr std::size_t block_bytes = std::size_t{256} << 10;

}  // namespace

bool FrameCopier::can_copy(const Source& source, const ByteSink& sink) {
  return source.compression != Compression::none && !source.path.empty() && !source.rows &&
         sink.takes_frames();
}

FrameCopier::FrameCopier(FileSystem& files, const Source& source, ByteSink& sink)
    : files_(files), source_(source), sink_(sink) {}

Status FrameCopier::put(std::string_view kept, std::span<const KeptPiece> pieces,
                        std::span<const StoredFrame> frames, std::uint64_t reached) {
  frames_.insert(frames_.end(), frames.begin(), frames.end());
  for (const KeptPiece& piece : pieces) {
    std::string_view bytes = kept.substr(0, static_cast<std::size_t>(piece.size));
    kept.remove_prefix(bytes.size());
    std::uint64_t begin = piece.begin;
    const std::uint64_t end = begin + bytes.size();
    TWINSET_TRY(end_frames(begin));
    if (piece.altered) {
      TWINSET_TRY(pass_anew(bytes));
      continue;
    }
    while (!source_.own_members && !frames_.empty() && frames_.front().decoded_end < end) {
      const std::uint64_t frame_end = frames_.front().decoded_end;
      const std::string_view part = bytes.substr(0, static_cast<std::size_t>(frame_end - begin));
      TWINSET_TRY(add(begin, part, false));
      bytes.remove_prefix(part.size());
      begin = frame_end;
      TWINSET_TRY(end_frames(begin));
    }
    TWINSET_TRY(add(begin, bytes, !frames_.empty() && frames_.front().decoded_end < end));
  }
  return end_frames(reached);
}

Status FrameCopier::finish() {
  TWINSET_TRY(end_frames(UINT64_MAX));
  TWINSET_TRY(pass_pending());
  return pass_copied();
}

Status FrameCopier::end_frames(std::uint64_t reached) {
  for (; !frames_.empty() && frames_.front().decoded_end <= reached; frames_.pop_front()) {
    TWINSET_TRY(end_frame(frames_.front()));
  }
  return {};
}

/// `crosses`: a frame ends within the bytes.
Status FrameCopier::add(std::uint64_t begin, std::string_view bytes, bool crosses) {
  const bool next = source_.own_members ? pending_.empty() && begin == frame_begin_
                                        : begin == frame_begin_ + pending_.size();
  if (whole_ && next && !crosses && pending_.size() + bytes.size() <= most_frame_bytes) {
    pending_ += bytes;
    return {};
  }
  return pass_anew(bytes);
}

Status FrameCopier::pass_anew(std::string_view bytes) {
  TWINSET_TRY(pass_pending());
  whole_ = false;
  return write(bytes);
}

Status FrameCopier::end_frame(const StoredFrame& frame) {
  const bool stays = whole_ && frame.stands_alone && frame.decoded_begin == frame_begin_ &&
                     frame.decoded_end == frame_begin_ + pending_.size() &&
                     frame.end - frame.begin <= most_frame_bytes;
  if (stays) {
    pending_.clear();
    TWINSET_TRY(copy(frame));
  } else {
    TWINSET_TRY(pass_pending());
  }
  frame_begin_ = frame.decoded_end;
  whole_ = true;
  return {};
}

Status FrameCopier::copy(const StoredFrame& frame) {
  TWINSET_ASSIGN(const std::string_view bytes, stored(frame));
  if (checksum(bytes) != frame.checksum) return input_changed(source_);
  copied_ += bytes;
  return copied_.size() < block_bytes ? Status() : pass_copied();
}

/// The frame in the file. Small ones are read many at once.
Result<std::string_view> FrameCopier::stored(const StoredFrame& frame) {
  const auto size = static_cast<std::size_t>(frame.end - frame.begin);
  const bool here = frame.begin >= stored_at_ && frame.end <= stored_at_ + stored_.size();
  if (!here) {
    if (file_ == nullptr) {
      TWINSET_ASSIGN(file_, files_.open(source_.path, OpenMode::read));
    }
    stored_.resize(std::max(size, block_bytes));
    stored_at_ = frame.begin;
    std::size_t read = 0;
    while (read < size) {
      TWINSET_ASSIGN(
          const std::size_t got,
          file_->read_at(frame.begin + read, stored_.data() + read, stored_.size() - read));
      if (got == 0) return input_changed(source_);
      read += got;
    }
    stored_.resize(read);
  }
  return std::string_view(stored_).substr(static_cast<std::size_t>(frame.begin - stored_at_), size);
}

Status FrameCopier::pass_copied() {
  if (copied_.empty()) return {};
  TWINSET_TRY(sink_.add_frames(copied_));
  copied_.clear();
  return {};
}

Status FrameCopier::pass_pending() {
  if (pending_.empty()) return {};
  TWINSET_TRY(write(pending_));
  pending_.clear();
  return {};
}

Status FrameCopier::write(std::string_view bytes) {
  TWINSET_TRY(pass_copied());
  TWINSET_TRY(sink_.write(bytes));
  return sink_.end_record();
}

}  // namespace twinset
