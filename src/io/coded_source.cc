// After a fault, the search for the next frame begins a little before the place where the decoder
// stopped, because a broken frame may be read past its end. A candidate is first decoded on trial
// for some kilobytes: three or four magic bytes also occur by chance.
//
// This file's interface is io/coded_source.h; the rest is private.
#include "io/coded_source.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "base/hash.h"

namespace twinset {
namespace {

constexpr std::size_t input_bytes = std::size_t{256} << 10;
constexpr std::size_t smallest_input_bytes = std::size_t{4} << 10;
constexpr std::uint64_t step_back_bytes = std::uint64_t{64} << 10;
constexpr std::size_t trial_input_bytes = std::size_t{64} << 10;
constexpr std::size_t trial_output_bytes = std::size_t{32} << 10;
/// Bounds the search in a file full of beginnings of frames that do not decode.
constexpr unsigned max_faults = 1000;

class CodedSource final : public ByteSource {
 public:
  CodedSource(std::unique_ptr<File> file, std::string path, std::unique_ptr<FrameDecoder> decoder,
              const ReaderLimits& limits)
      : file_(std::move(file)),
        path_(std::move(path)),
        decoder_(std::move(decoder)),
        limits_(limits) {}

  Result<std::size_t> read(char* out, std::size_t size) override {
    if (broken_) return *broken_;
    if (size == 0) return std::size_t{0};
    while (fault_.reason == BadReason::none && !finished_) {
      if (!in_frame_) {
        TWINSET_TRY(begin_frame());
        continue;
      }
      const FrameDecoder::Step step = decoder_->step(pending(), out, size);
      if (checksum_.has_value()) checksum_->add(pending().substr(0, step.consumed));
      begin_ += step.consumed;
      position_ += step.consumed;
      decoded_ += step.produced;
      switch (step.state) {
        case FrameDecoder::State::more:
          if (step.consumed == 0 && step.produced == 0) {
            TWINSET_ASSIGN(const bool more, refill());
            if (!more) {
              set_fault(BadReason::truncated_stream, "ends within a frame");
            }
          }
          break;
        case FrameDecoder::State::frame_end:
          in_frame_ = false;
          log_frame();
          break;
        case FrameDecoder::State::corrupt:
          set_fault(BadReason::corrupt_stream, step.detail);
          break;
        case FrameDecoder::State::window_too_large:
          return window_too_large();
      }
      if (step.produced > 0) {
        check_caps();
        return step.produced;
      }
    }
    return std::size_t{0};
  }

  const StreamFault& fault() const override { return fault_; }

  bool resume() override {
    if (fault_.reason == BadReason::none || fault_.reason == BadReason::decompression_bomb ||
        finished_ || broken_) {
      return false;
    }
    std::uint64_t from = position_ + 1;
    if (in_frame_) {
      from = std::max(frame_begin_ + 1,
                      position_ - std::min<std::uint64_t>(position_, step_back_bytes));
    }
    if (++faults_ < max_faults) {
      const Result<std::optional<std::uint64_t>> next = find_frame(from);
      if (!next.ok()) {
        // The next read() reports it.
        broken_ = next.error();
        fault_ = {};
        return true;
      }
      if (next.value()) {
        fault_ = {};
        in_frame_ = false;
        seek(*next.value());
        return true;
      }
    }
    finish();
    return false;
  }

  std::uint64_t stored_bytes_read() const override { return position_; }

  std::uint64_t window_bytes() const override {
    return decoder_ == nullptr ? 0 : decoder_->window_bytes();
  }

 private:
  Error window_too_large() const {
    const std::uint64_t wanted = decoder_->window_bytes();
    std::string message = path_ + ": the " + std::string(decoder_->name()) + " frame at byte " +
                          std::to_string(frame_begin_) + " asks for a window of " +
                          std::to_string(wanted) + " bytes; ";
    if (limits_.window_remedy != nullptr && wanted <= widest_window_bytes) {
      return usage_error(message + limits_.window_remedy(wanted));
    }
    const std::uint64_t most = std::min(limits_.max_window_bytes, widest_window_bytes);
    return io_error(message + "at most " + std::to_string(most) + " are allowed");
  }

  /// Nothing more is decoded: frees the window's memory for the next file.
  void finish() {
    finished_ = true;
    decoder_.reset();
  }

  std::string_view pending() const { return {input_.data() + begin_, end_ - begin_}; }

  void seek(std::uint64_t position) {
    position_ = position;
    begin_ = end_ = 0;
  }

  /// Reads more input after the pending bytes; false at the end of the file.
  Result<bool> refill() {
    if (input_.empty()) {
      TWINSET_ASSIGN(const std::uint64_t size, file_->size());
      // Many files are small.
      input_.resize(static_cast<std::size_t>(
          std::clamp<std::uint64_t>(size, smallest_input_bytes, input_bytes)));
    }
    if (begin_ > 0) {
      std::memmove(input_.data(), input_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    // A decoder that wants more than the whole buffer will never have enough.
    if (end_ == input_.size()) return false;
    TWINSET_ASSIGN(const std::size_t got,
                   file_->read_at(position_ + end_, input_.data() + end_, input_.size() - end_));
    end_ += got;
    return got > 0;
  }

  /// Between frames: goes to the next one, to the end, or to a fault.
  Status begin_frame() {
    while (end_ - begin_ < decoder_->magic_bytes()) {
      TWINSET_ASSIGN(const bool more, refill());
      if (!more) break;
    }
    if (frames_ > 0) {
      const std::string_view bytes = pending();
      const std::size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
      if (zeros > 0) {
        begin_ += zeros;
        position_ += zeros;
        return {};
      }
    }
    const std::string_view bytes = pending();
    // A file of no bytes holds nothing, as a shard that nothing was written to.
    if (bytes.empty()) {
      finish();
    } else if (bytes.size() < decoder_->magic_bytes()) {
      set_fault(BadReason::truncated_stream, "ends within a frame");
    } else if (!decoder_->may_begin(bytes.substr(0, decoder_->magic_bytes()))) {
      set_fault(BadReason::corrupt_stream, "no frame begins here");
    } else {
      decoder_->begin();
      in_frame_ = true;
      frame_begin_ = position_;
      frame_decoded_ = decoded_;
      if (limits_.frames != nullptr) checksum_.emplace();
      ++frames_;
    }
    return {};
  }

  void log_frame() {
    if (limits_.frames == nullptr) return;
    limits_.frames->push_back({frame_begin_, position_, frame_decoded_, decoded_,
                               checksum_->value(), decoder_->stands_alone()});
  }

  void set_fault(BadReason reason, std::string_view detail) {
    fault_.reason = reason;
    fault_.stored_offset = position_;
    fault_.frame_offset = in_frame_ ? frame_decoded_ : decoded_;
    fault_.detail = std::string(decoder_->name()) + ": " + std::string(detail);
  }

  void check_caps() {
    if (limits_.is_bomb(decoded_, position_)) {
      set_fault(BadReason::decompression_bomb,
                std::to_string(decoded_) + " bytes out of " + std::to_string(position_));
    }
  }

  /// The offset of the first frame at or after `from` that decodes.
  Result<std::optional<std::uint64_t>> find_frame(std::uint64_t from) {
    const std::size_t magic = decoder_->magic_bytes();
    std::vector<char> window(input_bytes);
    while (true) {
      TWINSET_ASSIGN(const std::size_t got, file_->read_at(from, window.data(), window.size()));
      if (got < magic) return std::optional<std::uint64_t>{};
      const std::string_view bytes(window.data(), got);
      const std::size_t last = bytes.size() - magic;
      for (std::size_t i = 0; i <= last; ++i) {
        if (decoder_->first_byte() >= 0) {
          i = bytes.find(static_cast<char>(decoder_->first_byte()), i);
          if (i > last) break;
        }
        if (!decoder_->may_begin(bytes.substr(i, magic))) continue;
        TWINSET_ASSIGN(const bool good, decodes_at(from + i));
        if (good) return std::optional<std::uint64_t>{from + i};
      }
      from += last + 1;
    }
  }

  /// Do the bytes at `offset` decode, as far as a trial goes?
  Result<bool> decodes_at(std::uint64_t offset) {
    std::vector<char> input(trial_input_bytes);
    std::vector<char> output(trial_output_bytes);
    TWINSET_ASSIGN(const std::size_t got, file_->read_at(offset, input.data(), input.size()));
    std::string_view bytes(input.data(), got);
    std::size_t produced = 0;
    decoder_->begin();
    while (true) {
      const FrameDecoder::Step step =
          decoder_->step(bytes, output.data() + produced, output.size() - produced);
      bytes.remove_prefix(step.consumed);
      produced += step.produced;
      if (step.state == FrameDecoder::State::corrupt) return false;
      if (decoder_->window_bytes() > widest_window_bytes) return false;
      if (step.state != FrameDecoder::State::more || produced == output.size()) return true;
      if (step.consumed == 0 && step.produced == 0) {
        return produced > 0 || got == input.size();
      }
    }
  }

  const std::unique_ptr<File> file_;
  const std::string path_;
  std::unique_ptr<FrameDecoder> decoder_;  ///< null when finished
  const ReaderLimits limits_;
  std::vector<char> input_;
  std::size_t begin_ = 0;  ///< of what is pending in input_
  std::size_t end_ = 0;
  std::uint64_t position_ = 0;  ///< of input_[begin_] in the file
  std::uint64_t decoded_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t frame_begin_ = 0;
  std::uint64_t frame_decoded_ = 0;          ///< decoded before it
  std::optional<RunningChecksum> checksum_;  ///< of the frame as stored, if frames are logged
  unsigned faults_ = 0;
  bool in_frame_ = false;
  bool finished_ = false;
  StreamFault fault_;
  std::optional<Error> broken_;  ///< an error while resuming
};

}  // namespace

std::unique_ptr<ByteSource> make_coded_source(std::unique_ptr<File> file, std::string path,
                                              std::unique_ptr<FrameDecoder> decoder,
                                              const ReaderLimits& limits) {
  return std::make_unique<CodedSource>(std::move(file), std::move(path), std::move(decoder),
                                       limits);
}

}  // namespace twinset
