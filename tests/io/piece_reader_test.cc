// What all formats of pieces share, shown on a toy: words, each ended by a full stop; a word with a
// sign is none, and the next one is after a blank. tests/io/formats has the formats.
#include "io/piece_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "io/bytes.h"
#include "support/streams.h"

namespace twinset {
namespace {

class WordScanner final : public PieceScanner {
 public:
  RecordPiece next(std::string_view bytes, Rest rest) override {
    const std::size_t stop = std::min(bytes.find('.'), bytes.size());
    if (bytes.substr(0, stop).find('!') != std::string_view::npos) {
      return {0, RecordPiece::Kind::lost, BadReason::damaged_record, "a sign"};
    }
    if (stop == bytes.size() && rest != Rest::end) return {};
    const std::size_t end = std::min(stop + 1, bytes.size());
    return {end, bytes.starts_with('-')   ? RecordPiece::Kind::carried
                 : bytes.starts_with('.') ? RecordPiece::Kind::blank
                                          : RecordPiece::Kind::record};
  }
  Found find(std::string_view bytes, Rest) override {
    const std::size_t blank = bytes.find(' ');
    if (blank == std::string_view::npos) return {bytes.size(), false};
    return {blank + 1, true};
  }
};

/// "number@offset+length:raw" of each record.
std::string pieces(const std::string& bytes, std::uint64_t batch_bytes, std::uint64_t most = 100) {
  MemoryFiles files;
  EXPECT_TRUE(files.write("x", bytes).ok());
  ReaderLimits limits;
  limits.batch_bytes = batch_bytes;
  limits.max_record_bytes = most;
  const auto reader =
      make_piece_reader(open_bytes(files, "x", Compression::none, limits).value(), limits,
                        std::make_unique<WordScanner>(), [](const FieldNames&, RecordBatch&) {});
  std::string out;
  RecordBatch batch;
  while (reader->read(batch).value()) {
    for (const Record& record : batch.records) {
      out += (out.empty() ? "" : "|") + std::to_string(record.number) + "@" +
             std::to_string(record.offset) + "+" + std::to_string(record.length) + ":" +
             std::string(record.raw);
      if (record.carried) out += " carried";
      if (record.bad != BadReason::none) out += " " + std::string(reason_name(record.bad));
      if (!record.detail.empty()) out += " " + std::string(record.detail);
    }
  }
  return out;
}

TEST(PieceReader, PiecesDoNotDependOnBatches) {
  const std::string bytes = "one.-two..three! four. five.!six";
  const std::string whole = pieces(bytes, 1000);
  EXPECT_EQ(whole,
            "1@0+4:one.|2@4+5:-two. carried|4@10+7:three!  damaged_record a sign|5@17+5:four.|"
            "6@22+6: five.|7@28+4:!six damaged_record a sign");
  for (std::uint64_t i = 1; i < 40; ++i) EXPECT_EQ(pieces(bytes, i), whole) << i;
}

TEST(PieceReader, ALongPieceIsPassedOver) {
  const std::string bytes = "a.bcdefghijklm. no. o";
  const std::string whole = pieces(bytes, 1000, 5);
  EXPECT_EQ(whole, "1@0+2:a.|2@2+14:bcdefghijklm.  record_too_long|3@16+3:no.|4@19+2: o");
  // Where it ends is searched if it does not fit a batch: here at the next blank.
  EXPECT_EQ(pieces("abcdefg hi.", 2, 5), "1@0+8:abcdefg  record_too_long|2@8+3:hi.");
}

}  // namespace
}  // namespace twinset
