#include "io/decoded_text.h"

#include <gtest/gtest.h>

#include <string>

#include "io/reader.h"

namespace twinset {
namespace {

using namespace std::string_literals;
using Why = FoundCharset::Why;

/// A record of the bytes in `format`, decoded.
struct Decoded {
  Decoded(std::string_view bytes, std::string_view format, Markup markup = Markup::none) {
    Input input;
    input.format = format;
    input.markup = markup;
    decode_record(input, bytes, {}, batch);
  }
  const Record& record() const { return batch.records.front(); }
  std::string text() const { return std::string(record().text); }
  RecordBatch batch;
};

const std::string hello = "\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0, \xe8 \xee\xf2\xe2\xe5\xf2";
const std::string hello_utf8 =
    "\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82, \xd0\xbc\xd0\xb8\xd1\x80, \xd0\xb8 "
    "\xd0\xbe\xd1\x82\xd0\xb2\xd0\xb5\xd1\x82";

TEST(DecodedText, OfFiles) {
  const Decoded utf8(hello_utf8, "text");
  EXPECT_EQ(utf8.text(), hello_utf8);
  EXPECT_EQ(utf8.record().text.data(), utf8.record().raw.data()) << "nothing is copied";
  const Decoded guessed(hello, "text");
  EXPECT_EQ(guessed.text(), hello_utf8);
  EXPECT_EQ(guessed.record().raw, hello);
  EXPECT_EQ(guessed.record().charset.charset, Charset::windows_1251);
  EXPECT_EQ(guessed.record().charset.why, Why::guess);
  const Decoded marked("\xff\xfe\0\0h\0\0\0"s, "text");
  EXPECT_EQ(marked.text(), "h");
  EXPECT_EQ(marked.record().charset.why, Why::mark);
}

TEST(DecodedText, APageMayNameItsCharsetAndATextMayNot) {
  const std::string page = "<meta charset=koi8-r>" + hello;
  EXPECT_EQ(Decoded(page, "html", Markup::html).record().charset.charset, Charset::koi8_r);
  EXPECT_EQ(Decoded(page, "text").record().charset.charset, Charset::windows_1251);
}

TEST(DecodedText, OfJsonLines) {
  const auto line = [](const std::string& text) { return "{\"text\":\"" + text + "\",\"x\":1}\n"; };
  EXPECT_EQ(Decoded(line(hello), "jsonl").text(), hello_utf8);
  EXPECT_EQ(Decoded(line(hello_utf8), "jsonl").text(), hello_utf8);
  EXPECT_EQ(Decoded(line(hello + "\\n\\\"" + hello), "jsonl").text(),
            hello_utf8 + "\n\"" + hello_utf8);
  // A stray byte in UTF-8 stays one, and so does another field's charset.
  EXPECT_EQ(Decoded(line(hello_utf8 + "\xff"), "jsonl").text(), hello_utf8 + "\xff");
  EXPECT_EQ(Decoded("{\"text\":\"caf\xc3\xa9\",\"x\":\"" + hello + "\"}", "jsonl").text(),
            "caf\xc3\xa9");
}

// The second byte of the character in Shift_JIS, 5C, is a backslash.
TEST(DecodedText, OfJsonLinesInCharsetsWithBackslashesInLetters) {
  const std::string table = "\x82\xb1\x82\xea\x82\xcd\x95\x5c\x82\xc5\x82\xb7";
  const std::string table_utf8 =
      "\xe3\x81\x93\xe3\x82\x8c\xe3\x81\xaf\xe8\xa1\xa8\xe3\x81\xa7\xe3\x81\x99";
  const std::string end = "\x82\xb1\x82\xea\x82\xcd\x95\x5c";
  const std::string end_utf8 = "\xe3\x81\x93\xe3\x82\x8c\xe3\x81\xaf\xe8\xa1\xa8";
  EXPECT_EQ(Decoded("{\"text\":\"" + table + "n\"}", "jsonl").text(), table_utf8 + "n");
  EXPECT_EQ(Decoded("{\"text\":\"" + end + "n\"}", "jsonl").text(), end_utf8 + "n");
  const Decoded closed("{\"text\":\"" + end + "\"}", "jsonl");
  EXPECT_EQ(closed.record().bad, BadReason::none);
  EXPECT_EQ(closed.text(), end_utf8);
  EXPECT_EQ(closed.record().charset.charset, Charset::shift_jis);
  EXPECT_EQ(Decoded("{\"text\":\"" + hello + "\\\"}", "jsonl").record().bad,
            BadReason::invalid_json);
}

}  // namespace
}  // namespace twinset
