// tests/io/http_test.cc decodes whole bodies.
#include <gtest/gtest.h>

#include <string>

#include "io/codecs.h"

namespace twinset {
namespace {

/// "ab" a hundred times, by brotli 1.0.9.
constexpr char stored[] = "\x1f\xc7\x00\x00\xa4\xc2\xc4\x62\xb2\x30\x00\x02";

std::string decoded(std::string_view in, std::size_t room, FrameDecoder::State& state) {
  const auto decoder = make_brotli_decoder();
  decoder->begin();
  std::string out;
  std::string buffer(room, '\0');
  for (;;) {
    const FrameDecoder::Step step = decoder->step(in, buffer.data(), buffer.size());
    in.remove_prefix(step.consumed);
    out.append(buffer, 0, step.produced);
    state = step.state;
    if (step.state != FrameDecoder::State::more || step.consumed + step.produced == 0) return out;
  }
}

TEST(Brotli, DecodesInStepsOfAnySize) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "ab";
  for (const std::size_t room : {1U, 7U, 200U, 4096U}) {
    FrameDecoder::State state{};
    EXPECT_EQ(decoded({stored, sizeof stored - 1}, room, state), text) << room;
    EXPECT_EQ(state, FrameDecoder::State::frame_end);
  }
}

TEST(Brotli, TellsWhatIsCutOffFromWhatIsDamaged) {
  FrameDecoder::State state{};
  decoded({stored, sizeof stored - 2}, 64, state);
  EXPECT_EQ(state, FrameDecoder::State::more);
  EXPECT_EQ(decoded("<p>words", 64, state), "");
  EXPECT_EQ(state, FrameDecoder::State::corrupt);
}

}  // namespace
}  // namespace twinset
