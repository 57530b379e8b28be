// Brotli, which bodies of HTTP have; no file is a brotli stream, because nothing marks one.
//
// This file's interface is make_brotli_decoder() (io/codecs.h); the rest is private.
#include <brotli/decode.h>

#include "io/codecs.h"

namespace twinset {
namespace {

class BrotliDecoder final : public FrameDecoder {
 public:
  std::string_view name() const override { return "brotli"; }
  std::size_t magic_bytes() const override { return 0; }
  bool may_begin(std::string_view) const override { return false; }
  int first_byte() const override { return -1; }
  void begin() override { state_.reset(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)); }

  Step step(std::string_view in, char* out, std::size_t size) override {
    Step step;
    if (state_ == nullptr) return {0, 0, State::corrupt, "out of memory"};
    std::size_t in_left = in.size();
    std::size_t out_left = size;
    const auto* next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* next_out = reinterpret_cast<std::uint8_t*>(out);
    const BrotliDecoderResult result = BrotliDecoderDecompressStream(
        state_.get(), &in_left, &next_in, &out_left, &next_out, nullptr);
    step.consumed = in.size() - in_left;
    step.produced = size - out_left;
    if (result == BROTLI_DECODER_RESULT_ERROR) {
      step.state = State::corrupt;
      step.detail = "the data is damaged";
    } else if (result == BROTLI_DECODER_RESULT_SUCCESS) {
      step.state = State::frame_end;
    }
    return step;
  }

 private:
  struct Destroy {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  };
  std::unique_ptr<BrotliDecoderState, Destroy> state_;  ///< grows to the stream's window
};

}  // namespace

std::unique_ptr<FrameDecoder> make_brotli_decoder() { return std::make_unique<BrotliDecoder>(); }

}  // namespace twinset
