#include "io/background_sink.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

/// Keeps what it is given, or fails after so many bytes.
class MemorySink final : public ByteSink {
 public:
  MemorySink(std::string& bytes, bool& finished, std::size_t room)
      : bytes_(bytes), finished_(finished), room_(room) {}
  Status write(std::string_view bytes) override {
    if (bytes_.size() + bytes.size() > room_) return io_error("full");
    bytes_ += bytes;
    return {};
  }
  Status finish() override {
    finished_ = true;
    return {};
  }

 private:
  std::string& bytes_;
  bool& finished_;
  std::size_t room_;
};

TEST(BackgroundSink, WritesTheSameBytesInOrder) {
  std::string written;
  std::string expected;
  bool finished = false;
  auto sink = write_in_background(std::make_unique<MemorySink>(written, finished, SIZE_MAX));
  for (std::size_t i = 0; i < 400; ++i) {
    const std::string piece(i * 97 % 20'011, static_cast<char>('a' + i % 26));
    expected += piece;
    ASSERT_TRUE(sink->write(piece).ok());
  }
  ASSERT_TRUE(sink->finish().ok());
  EXPECT_TRUE(finished);
  EXPECT_TRUE(written == expected);
}

TEST(BackgroundSink, HandsTheFirstErrorOn) {
  std::string written;
  bool finished = false;
  auto sink = write_in_background(std::make_unique<MemorySink>(written, finished, 3 << 20));
  const std::string piece(1 << 20, 'x');
  bool failed = false;
  for (int i = 0; i < 20 && !failed; ++i) failed = !sink->write(piece).ok();
  EXPECT_TRUE(failed || !sink->finish().ok());
  EXPECT_FALSE(finished);
}

TEST(BackgroundSink, MayBeDroppedUnfinished) {
  std::string written;
  bool finished = false;
  auto sink = write_in_background(std::make_unique<MemorySink>(written, finished, SIZE_MAX));
  ASSERT_TRUE(sink->write(std::string(5 << 20, 'y')).ok());
  sink.reset();
  EXPECT_FALSE(finished);
}

}  // namespace
}  // namespace twinset
