#include "io/json.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <limits>
#include <random>

namespace twinset {
namespace {

std::string as_json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(Json, EscapesWhatMustBe) {
  EXPECT_EQ(as_json(""), "\"\"");
  EXPECT_EQ(as_json("plain"), "\"plain\"");
  EXPECT_EQ(as_json("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
  EXPECT_EQ(as_json("\n\r\t\b\f"), "\"\\n\\r\\t\\u0008\\u000c\"");
  EXPECT_EQ(as_json(std::string_view("\0\x1b[2J\x7f", 6)), "\"\\u0000\\u001b[2J\\u007f\"");
  EXPECT_EQ(as_json("\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80"),
            "\"\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80\"");
}

TEST(Json, InvalidUtf8IsReplaced) {
  EXPECT_EQ(as_json("a\xff\"b"), "\"a\xef\xbf\xbd\\\"b\"");
  EXPECT_EQ(as_json("\xed\xa0\xbd"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
  EXPECT_EQ(as_json("\xe4\xb8"), "\"\xef\xbf\xbd\"");
}

TEST(Json, AnyBytesGiveValidJson) {
  std::mt19937_64 random(3);
  simdjson::dom::parser parser;
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::size_t i = random() % 30; i > 0; --i) text += static_cast<char>(random());
    simdjson::dom::element value;
    const simdjson::padded_string json(as_json(text));
    ASSERT_EQ(parser.parse(json).get(value), simdjson::SUCCESS);
    std::string_view back;
    ASSERT_EQ(value.get(back), simdjson::SUCCESS);
    if (simdjson::validate_utf8(text)) {
      ASSERT_EQ(back, text);
    }
  }
}

TEST(Json, RealsAreShort) {
  const auto real = [](double value) {
    std::string out;
    append_json_real(out, value);
    return out;
  };
  EXPECT_EQ(real(0), "0");
  EXPECT_EQ(real(-0.0), "0");
  EXPECT_EQ(real(1), "1");
  EXPECT_EQ(real(0.93), "0.93");
  EXPECT_EQ(real(1.0 / 3), "0.333333");
  EXPECT_EQ(real(-1e-9), "0");
  EXPECT_EQ(real(1e6), "1000000");
  EXPECT_EQ(real(1e20), "100000000000000000000");
  EXPECT_EQ(real(100.5), "100.5");
  EXPECT_EQ(real(std::nan("")), "null");
  EXPECT_EQ(real(std::numeric_limits<double>::infinity()), "null");
}

}  // namespace
}  // namespace twinset
