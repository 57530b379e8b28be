// gzip: read by ISA-L, written by libdeflate.
//
// ISA-L's own compressor is faster, and its bytes depend on the CPU: at level 3 those of three
// kinds of x86 differ, at levels 1 and 2 of two. libdeflate's do not. libdeflate compresses whole
// buffers, so the output is one member for each mebibyte, which every gzip reader takes for one
// stream, or one for each record.
//
// This file's interface is io/codecs.h; the rest is private.
#include <isa-l/igzip_lib.h>
#include <libdeflate.h>

#include <algorithm>
#include <limits>

#include "io/block_sink.h"
#include "io/codecs.h"

namespace twinset {
namespace {

constexpr std::size_t member_bytes = std::size_t{1} << 20;

std::string_view inflate_failure(int code) {
  switch (code) {
    case ISAL_INVALID_BLOCK:
      return "invalid block";
    case ISAL_INVALID_SYMBOL:
      return "invalid symbol";
    case ISAL_INVALID_LOOKBACK:
      return "reaches back before its beginning";
    case ISAL_INVALID_WRAPPER:
    case ISAL_UNSUPPORTED_METHOD:
      return "invalid header";
    case ISAL_INCORRECT_CHECKSUM:
      return "checksum differs";
    default:
      return "does not decode";
  }
}

class GzipDecoder final : public FrameDecoder {
 public:
  /// `wrapper`: ISA-L's name for what stands around the deflate stream.
  explicit GzipDecoder(std::string_view name, std::uint32_t wrapper)
      : name_(name), wrapper_(wrapper), state_(std::make_unique<inflate_state>()) {
    begin();
  }

  std::string_view name() const override { return name_; }
  std::size_t magic_bytes() const override { return 4; }
  int first_byte() const override { return 0x1f; }

  /// ID1, ID2, deflate, and no reserved flag (RFC 1952).
  bool may_begin(std::string_view bytes) const override {
    return bytes.substr(0, 3) == "\x1f\x8b\x08" &&
           (static_cast<unsigned char>(bytes[3]) & 0xe0) == 0;
  }

  void begin() override {
    isal_inflate_init(state_.get());
    state_->crc_flag = wrapper_;
  }

  Step step(std::string_view in, char* out, std::size_t size) override {
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    const auto in_size = static_cast<std::uint32_t>(std::min(in.size(), most));
    const auto out_size = static_cast<std::uint32_t>(std::min(size, most));
    // ISA-L does not write to its input.
    state_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(in.data()));
    state_->avail_in = in_size;
    state_->next_out = reinterpret_cast<std::uint8_t*>(out);
    state_->avail_out = out_size;
    const int code = isal_inflate(state_.get());
    Step step;
    // At an invalid symbol ISA-L may count a byte more than it was given.
    step.consumed = std::min(in_size - state_->avail_in, in_size);
    step.produced = out_size - state_->avail_out;
    if (code < 0 || code == ISAL_NEED_DICT) {
      step.state = State::corrupt;
      step.detail = inflate_failure(code);
    } else if (state_->block_state == ISAL_BLOCK_FINISH) {
      step.state = State::frame_end;
    }
    return step;
  }

 private:
  const std::string_view name_;
  const std::uint32_t wrapper_;
  std::unique_ptr<inflate_state> state_;  ///< 87 KiB
};

/// Encodes a mebibyte or a record as one member. Each thread has its own.
class MemberEncoder final : public BlockEncoder {
 public:
  explicit MemberEncoder(unsigned level)
      : compressor_(libdeflate_alloc_compressor(static_cast<int>(level))) {}

  Status encode(std::string_view block, std::string& out) override {
    if (!compressor_) return io_error("out of memory");
    out.resize(libdeflate_gzip_compress_bound(compressor_.get(), block.size()));
    const std::size_t size = libdeflate_gzip_compress(compressor_.get(), block.data(), block.size(),
                                                      out.data(), out.size());
    if (size == 0) return io_error("gzip failed to compress");
    out.resize(size);
    return {};
  }

 private:
  struct FreeCompressor {
    void operator()(libdeflate_compressor* compressor) const {
      libdeflate_free_compressor(compressor);
    }
  };
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor_;
};

}  // namespace

std::unique_ptr<FrameDecoder> make_gzip_decoder() {
  return std::make_unique<GzipDecoder>("gzip", ISAL_GZIP);
}

std::unique_ptr<FrameDecoder> make_zlib_decoder() {
  return std::make_unique<GzipDecoder>("zlib", ISAL_ZLIB);
}

std::unique_ptr<FrameDecoder> make_deflate_decoder() {
  return std::make_unique<GzipDecoder>("deflate", ISAL_DEFLATE);
}

std::unique_ptr<ByteSink> make_gzip_sink(std::unique_ptr<File> file, std::string path,
                                         unsigned threads, bool own_members, unsigned level) {
  if (level == 0) level = gzip_levels.usual;
  return make_block_sink(std::move(file), std::move(path),
                         {own_members ? Blocks::of_records : Blocks::of_size, member_bytes},
                         threads, [level] { return std::make_unique<MemberEncoder>(level); });
}

}  // namespace twinset
