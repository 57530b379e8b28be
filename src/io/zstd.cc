// zstd, by its own library. The output depends only on the bytes and the level: jobs of one
// size for any number of threads, and input in blocks of one size however it came. The first block
// is handed over without saying that it is the last.
//
// This file's interface is io/codecs.h; the rest is private.
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "base/varint.h"
#include "io/block_sink.h"
#include "io/codecs.h"

namespace twinset {
namespace {

constexpr int largest_window_log = 31;  ///< zstd --long=31
constexpr int smallest_window_log = 10;
constexpr std::size_t longest_header = 18;
constexpr std::size_t block_bytes = std::size_t{512} << 10;
/// Records are handed to a thread together up to this size.
constexpr std::size_t record_bytes = std::size_t{1} << 20;
constexpr int job_bytes = 2 << 20;
constexpr unsigned most_threads = 16;  ///< each holds a few jobs' bytes

unsigned level_or_usual(unsigned level) { return level == 0 ? zstd_levels.usual : level; }

/// The logarithm of the next power of two, up to the largest.
int window_log(std::uint64_t max_window_bytes) {
  return std::clamp(static_cast<int>(std::bit_width(max_window_bytes - 1)), smallest_window_log,
                    largest_window_log);
}

/// The window that a frame's first bytes ask for (RFC 8878, section 3.1.1.1); 0 if they do not say.
std::uint64_t window_of(std::string_view head) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  if (head.size() < 6 || head.substr(0, 4) != "\x28\xb5\x2f\xfd") return 0;
  const unsigned descriptor = byte(4);
  const bool single_segment = (descriptor >> 5 & 1) != 0;
  if (!single_segment) {
    const std::uint64_t base = std::uint64_t{1} << (10 + (byte(5) >> 3));
    return base + base / 8 * (byte(5) & 7);
  }
  // The window is the content, whose size follows a dictionary's number.
  constexpr std::size_t number_bytes[] = {0, 1, 2, 4};
  const std::size_t begin = 5 + number_bytes[descriptor & 3];
  const std::size_t size_bytes = std::size_t{1} << (descriptor >> 6);
  if (head.size() < begin + size_bytes) return 0;
  const std::uint64_t size = little_endian(head.substr(begin, size_bytes));
  return size_bytes == 2 ? size + 256 : size;
}

/// A skippable frame of this magic holds the dictionary of the frames after it, as it is or
/// compressed: the files of Archive Team begin so.
constexpr std::string_view dictionary_frame = "\x5d\x2a\x4d\x18";
constexpr std::string_view dictionary_magic = "\x37\xa4\x30\xec";
constexpr std::size_t skippable_head = 8;  ///< magic and size
/// Of a dictionary; those of Archive Team have up to 1 MiB.
constexpr std::size_t most_dictionary_bytes = std::size_t{16} << 20;

class ZstdDecoder final : public FrameDecoder {
 public:
  explicit ZstdDecoder(std::uint64_t max_window_bytes)
      : max_window_bytes_(max_window_bytes), context_(ZSTD_createDCtx()) {
    if (context_) {
      ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, window_log(max_window_bytes));
    }
  }

  std::string_view name() const override { return "zstd"; }
  std::size_t magic_bytes() const override { return 4; }
  int first_byte() const override { return -1; }

  /// A frame, or a skippable one (RFC 8878, sections 3.1.1 and 3.1.2).
  bool may_begin(std::string_view bytes) const override {
    return bytes == "\x28\xb5\x2f\xfd" || (bytes.substr(1) == "\x2a\x4d\x18" &&
                                           (static_cast<unsigned char>(bytes[0]) & 0xf0) == 0x50);
  }

  void begin() override {
    if (context_) ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    head_.clear();
    held_.clear();
    holds_ = true;
  }

  std::uint64_t window_bytes() const override { return window_of(head_); }

  bool stands_alone() const override {
    return !uses_dictionary_ && head_.starts_with("\x28\xb5\x2f\xfd");
  }

  Step step(std::string_view in, char* out, std::size_t size) override {
    Step step;
    if (!context_) {
      step.state = State::window_too_large;
      return step;
    }
    if (holds_ && hold(in, step)) return step;
    if (head_.size() < longest_header) {
      head_ += in.substr(0, longest_header - head_.size());
      // The library only takes limits that are powers of two.
      if (window_bytes() > max_window_bytes_) {
        step.state = State::window_too_large;
        return step;
      }
    }
    ZSTD_outBuffer output{out, size, 0};
    if (!held_.empty()) {
      // A frame of that magic that is too long for a dictionary: its head, then the rest.
      ZSTD_inBuffer begun{held_.data(), held_.size(), 0};
      ZSTD_decompressStream(context_.get(), &output, &begun);
      held_.clear();
    }
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &output, &input);
    step.consumed = input.pos;
    step.produced = output.pos;
    if (ZSTD_isError(result)) {
      const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
      const bool memory =
          code == ZSTD_error_frameParameter_windowTooLarge || code == ZSTD_error_memory_allocation;
      step.state = memory ? State::window_too_large : State::corrupt;
      step.detail = code == ZSTD_error_checksum_wrong ? "checksum differs"
                    : code == ZSTD_error_dictionary_wrong
                        ? "needs a dictionary, and the file holds none"
                        : ZSTD_getErrorString(code);
    } else if (result == 0) {
      step.state = State::frame_end;
    }
    return step;
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  /// Takes bytes of a frame that holds a dictionary; false if the frame is another one.
  bool hold(std::string_view in, Step& step) {
    const std::string_view begins = in.substr(0, dictionary_frame.size());
    if (held_.empty() && begins != dictionary_frame) {
      holds_ = false;
      return false;
    }
    std::size_t wanted = skippable_head;
    if (held_.size() < skippable_head) {
      step.consumed = std::min(in.size(), skippable_head - held_.size());
      held_ += in.substr(0, step.consumed);
      if (held_.size() < skippable_head) return true;
    }
    const std::uint64_t size = little_endian(std::string_view(held_).substr(4, 4));
    if (size > most_dictionary_bytes) {
      holds_ = false;
      return step.consumed > 0;  // The rest comes with the next step.
    }
    wanted += static_cast<std::size_t>(size);
    const std::string_view rest = in.substr(step.consumed);
    const std::size_t taken = std::min(rest.size(), wanted - held_.size());
    held_ += rest.substr(0, taken);
    step.consumed += taken;
    if (held_.size() < wanted) return true;
    use_dictionary(std::string_view(held_).substr(skippable_head));
    std::string().swap(held_);
    step.state = State::frame_end;
    return true;
  }

  /// Frames from here on are decoded with it. Bytes that are no dictionary are passed over.
  void use_dictionary(std::string_view content) {
    std::optional<std::string> unpacked;
    if (content.starts_with("\x28\xb5\x2f\xfd")) {
      unpacked = decompressed(content);
      if (!unpacked) return;
      content = *unpacked;
    }
    if (!content.starts_with(dictionary_magic)) return;
    ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
    ZSTD_DCtx_loadDictionary(context_.get(), content.data(), content.size());
    uses_dictionary_ = true;
  }

  /// Nothing if it does not decode, or to more than a dictionary has.
  static std::optional<std::string> decompressed(std::string_view packed) {
    const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    if (!context) return std::nullopt;
    std::string out;
    ZSTD_inBuffer input{packed.data(), packed.size(), 0};
    while (out.size() <= most_dictionary_bytes) {
      const std::size_t used = out.size();
      out.resize(used + ZSTD_DStreamOutSize());
      ZSTD_outBuffer output{out.data() + used, out.size() - used, 0};
      const std::size_t left = ZSTD_decompressStream(context.get(), &output, &input);
      out.resize(used + output.pos);
      if (ZSTD_isError(left) || (output.pos == 0 && left != 0)) return std::nullopt;
      if (left == 0) return out;
    }
    return std::nullopt;
  }

  const std::uint64_t max_window_bytes_;
  const std::unique_ptr<ZSTD_DCtx, Free> context_;
  std::string head_;   ///< the frame's first bytes
  std::string held_;   ///< of a frame that may hold a dictionary
  bool holds_ = true;  ///< the frame may be such
  bool uses_dictionary_ = false;
};

class ZstdSink final : public ByteSink {
 public:
  ZstdSink(std::unique_ptr<File> file, std::string path, unsigned threads, unsigned level)
      : file_(std::move(file)),
        path_(std::move(path)),
        threads_(std::min(threads, most_threads)),
        context_(ZSTD_createCCtx()) {
    if (context_) {
      ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, static_cast<int>(level));
      ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
      if (threads_ > 0) {
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_nbWorkers, static_cast<int>(threads_));
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_jobSize, job_bytes);
      }
    }
  }

  Status write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::size_t taken = std::min(bytes.size(), block_bytes - pending_.size());
      pending_ += bytes.substr(0, taken);
      bytes.remove_prefix(taken);
      if (pending_.size() < block_bytes) continue;
      TWINSET_TRY(compress(ZSTD_e_continue));
      begun_ = true;
    }
    return {};
  }

  bool takes_frames() const override { return true; }

  Status add_frames(std::string_view stored) override {
    TWINSET_TRY(end_frame());
    added_ = true;
    return file_->append(stored);
  }

  Status finish() override { return added_ ? end_frame() : end_stream(); }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  /// Ends the frame that has been begun, if there is one.
  Status end_frame() {
    if (!begun_ && pending_.empty()) return {};
    begun_ = false;
    return end_stream();
  }

  Status end_stream() {
    // With threads the end is always a block of its own: otherwise it would depend on their load
    // whether a last job that is just full was already begun.
    TWINSET_TRY(compress(threads_ > 0 ? ZSTD_e_flush : ZSTD_e_continue));
    return compress(ZSTD_e_end);
  }

  Status compress(ZSTD_EndDirective directive) {
    if (!context_) return io_error("cannot write " + path_ + ": out of memory");
    if (coded_.empty()) coded_.resize(ZSTD_CStreamOutSize());
    ZSTD_inBuffer input{pending_.data(), pending_.size(), 0};
    while (true) {
      ZSTD_outBuffer output{coded_.data(), coded_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context_.get(), &output, &input, directive);
      if (ZSTD_isError(left)) {
        return io_error("cannot write " + path_ + ": zstd says " + ZSTD_getErrorName(left));
      }
      if (output.pos > 0) {
        TWINSET_TRY(file_->append(std::string_view(coded_).substr(0, output.pos)));
      }
      const bool done = directive == ZSTD_e_continue ? input.pos == input.size : left == 0;
      if (done) break;
    }
    pending_.clear();
    return {};
  }

  const std::unique_ptr<File> file_;
  const std::string path_;
  const unsigned threads_;
  const std::unique_ptr<ZSTD_CCtx, Free> context_;
  std::string pending_;
  std::string coded_;
  bool begun_ = false;  ///< a frame, by bytes that are no longer pending
  bool added_ = false;  ///< a whole frame
};

/// Encodes a record as one frame. Each thread has its own.
class FrameEncoder final : public BlockEncoder {
 public:
  explicit FrameEncoder(unsigned level) : context_(ZSTD_createCCtx()) {
    if (!context_) return;
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, static_cast<int>(level));
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  Status encode(std::string_view block, std::string& out) override {
    if (!context_) return io_error("out of memory");
    out.resize(ZSTD_compressBound(block.size()));
    const std::size_t size =
        ZSTD_compress2(context_.get(), out.data(), out.size(), block.data(), block.size());
    if (ZSTD_isError(size)) return io_error(std::string("zstd says ") + ZSTD_getErrorName(size));
    out.resize(size);
    return {};
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  const std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

std::unique_ptr<FrameDecoder> make_zstd_decoder(std::uint64_t max_window_bytes) {
  return std::make_unique<ZstdDecoder>(max_window_bytes);
}

std::unique_ptr<ByteSink> make_zstd_sink(std::unique_ptr<File> file, std::string path,
                                         unsigned threads, unsigned level) {
  return std::make_unique<ZstdSink>(std::move(file), std::move(path), threads,
                                    level_or_usual(level));
}

std::unique_ptr<ByteSink> make_zstd_record_sink(std::unique_ptr<File> file, std::string path,
                                                unsigned threads, unsigned level) {
  return make_block_sink(
      std::move(file), std::move(path), {Blocks::of_records, record_bytes}, threads,
      [level = level_or_usual(level)] { return std::make_unique<FrameEncoder>(level); });
}

std::unique_ptr<BlockEncoder> make_zstd_encoder() {
  return std::make_unique<FrameEncoder>(zstd_levels.usual);
}

std::optional<std::string> unpack_zstd(std::string_view frame, std::uint64_t bytes) {
  // A forged size could ask for any memory.
  if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != bytes) return std::nullopt;
  std::string text(static_cast<std::size_t>(bytes), '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) || size != text.size()) return std::nullopt;
  return text;
}

}  // namespace twinset
