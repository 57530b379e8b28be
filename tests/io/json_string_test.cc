#include "io/json_string.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/simd_levels.h"

namespace twinset {
namespace {

using namespace std::string_view_literals;
using testing::for_each_simd_level;

struct Decoded {
  bool valid = false;
  std::string text;
  std::size_t end = 0;
  bool escaped = false;
  std::size_t fault_at = 0;
  std::string fault;
  bool operator==(const Decoded&) const = default;
};

using Reader = JsonString (*)(const char*, const char*, char*);

Decoded decode(std::string_view body, Reader reader = read_json_string) {
  // A heap block of just this size, so that a sanitizer sees any step past it.
  const std::string exact(body);
  std::string out(body.size() + json_string_slack, '#');
  const JsonString string = reader(exact.data(), exact.data() + exact.size(), out.data());
  Decoded decoded;
  decoded.valid = string.end != nullptr;
  if (decoded.valid) {
    decoded.text = out.substr(0, string.decoded_bytes);
    decoded.end = static_cast<std::size_t>(string.end - exact.data());
    decoded.escaped = string.escaped;
  } else {
    decoded.fault_at = static_cast<std::size_t>(string.fault_at - exact.data());
    decoded.fault = string.fault;
  }
  // Checking without decoding must give the same result.
  const JsonString checked = reader(exact.data(), exact.data() + exact.size(), nullptr);
  EXPECT_EQ(checked.end, string.end);
  EXPECT_EQ(checked.fault_at, string.fault_at);
  EXPECT_EQ(checked.decoded_bytes, string.decoded_bytes);
  EXPECT_EQ(checked.escaped, string.escaped);
  return decoded;
}

void expect_text(std::string_view body, std::string_view text) {
  for (const std::size_t before : {0U, 15U, 16U, 31U, 32U, 63U, 64U, 100U}) {
    const std::string padding(before, 'x');
    const Decoded decoded = decode(padding + std::string(body) + "\" and more, to fill vectors up");
    EXPECT_TRUE(decoded.valid) << body;
    EXPECT_EQ(decoded.text, padding + std::string(text)) << body;
    EXPECT_EQ(decoded.end, before + body.size() + 1) << body;
  }
}

void expect_fault(std::string_view body, std::size_t at, std::string_view fault) {
  for (const std::size_t before : {0U, 15U, 16U, 31U, 32U, 63U, 64U, 100U}) {
    const Decoded decoded = decode(std::string(before, 'x') + std::string(body));
    EXPECT_FALSE(decoded.valid) << body;
    EXPECT_EQ(decoded.fault_at, before + at) << body;
    EXPECT_EQ(decoded.fault, fault) << body;
  }
}

TEST(JsonString, DecodesEscapes) {
  for_each_simd_level([] {
    expect_text("", "");
    expect_text("plain", "plain");
    expect_text(R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t");
    expect_text(R"(\n\n\n\u0041\n)", "\n\n\nA\n");
    expect_text(R"(\u0000)", "\0"sv);
    expect_text(R"(\u00e9\u00E9\u4e2d\uffff)", "\xc3\xa9\xc3\xa9\xe4\xb8\xad\xef\xbf\xbf");
    expect_text(R"(\ud83d\ude00)", "\xf0\x9f\x98\x80");
    expect_text("\x7f", "\x7f");
  });
}

TEST(JsonString, KeepsLoneSurrogatesApart) {
  for_each_simd_level([] {
    expect_text(R"(\ud83d)", "\xed\xa0\xbd");
    expect_text(R"(\ude00)", "\xed\xb8\x80");
    expect_text(R"(\ud83dx)", "\xed\xa0\xbdx");
    expect_text(R"(\ud83d\n)", "\xed\xa0\xbd\n");
    expect_text(R"(\ud83d\u0041)",
                "\xed\xa0\xbd"
                "A");
    expect_text(R"(\ud83d\ud83d\ude00)", "\xed\xa0\xbd\xf0\x9f\x98\x80");
    expect_text(R"(\ude00\ud83d)", "\xed\xb8\x80\xed\xa0\xbd");
  });
}

TEST(JsonString, KeepsBytesThatAreNoUtf8) {
  for_each_simd_level([] {
    std::string high;
    for (int byte = 0x80; byte < 0x100; ++byte) high += static_cast<char>(byte);
    expect_text(high, high);
    expect_text("\xff\\n\xc3", "\xff\n\xc3");
  });
}

TEST(JsonString, SaysWhatIsWrongAndWhere) {
  for_each_simd_level([] {
    expect_fault("", 0, "string without its closing quote");
    expect_fault("abc", 3, "string without its closing quote");
    expect_fault("abc\\\"", 5, "string without its closing quote");
    expect_fault("ab\\", 2, "invalid escape in a string");
    expect_fault("ab\\x\"", 2, "invalid escape in a string");
    expect_fault("ab\\u12g4\"", 2, "invalid escape in a string");
    expect_fault("ab\\u123", 2, "invalid escape in a string");
    expect_fault("a\\n\\n\\u\"", 5, "invalid escape in a string");
    for (char control = 0; control < 0x20; ++control) {
      expect_fault(std::string("ab") + control + "\"", 2, "control character in a string");
    }
    // The second half of what looked like a pair is judged by itself.
    expect_fault("\\ud83d\\u12\"", 6, "invalid escape in a string");
  });
}

TEST(JsonString, EveryLevelSaysWhatThePortableOneSays) {
  for_each_simd_level([] {
    std::mt19937_64 random(7);
    constexpr std::string_view pieces[] = {
        "a",       "bc",        "\xc3\xa9", "\xff",
        "\\n",     "\\n\\n\\n", "\\\\",     "\\\"",
        "\\u0041", "\\ud83d",   "\\ude00",  "\"",
        "\\",      "\n",        "\\u00",    "a run of plain words without anything in it "};
    for (int round = 0; round < 20'000; ++round) {
      std::string body;
      const std::size_t plain_only = random() % 2;
      for (std::size_t i = random() % 20; i > 0; --i) {
        body += pieces[random() % (std::size(pieces) - 5 * plain_only)];
      }
      ASSERT_EQ(decode(body), decode(body, read_json_string_portable)) << body;
    }
  });
}

// The place of each character in the body, found by decoding the part before it.
TEST(JsonString, PlacesInTheTextArePlacesAsWritten) {
  const std::vector<std::string> parts = {
      "a", "\\n", "\\u00e9", "\xc3\xa9", "\\ud83d\\ude00", "\\ud83d", "\\\"", "\xff"};
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    std::string body;
    std::vector<std::uint64_t> written;
    std::vector<std::uint64_t> offsets;
    for (int i = 0; i < 20; ++i) {
      const std::string& part = parts[random() % parts.size()];
      // Two halves of a pair that meet are one character.
      if (part.starts_with("\\ud83d") && body.ends_with("\\ud83d")) continue;
      written.push_back(body.size());
      offsets.push_back(decode(body + "\"").text.size());
      body += part;
    }
    written.push_back(body.size());
    offsets.push_back(decode(body + "\"").text.size());
    find_as_written(body, offsets);
    EXPECT_EQ(offsets, written) << body;
  }
}

TEST(AppendJsonTokenValue, DecodesStringsTakesNumbersAndNothingElse) {
  const auto value = [](std::string_view token) {
    std::string out = "before ";
    append_json_token_value(out, token);
    EXPECT_EQ(out.substr(0, 7), "before ");
    return out.substr(7);
  };
  EXPECT_EQ(value("12"), "12");
  EXPECT_EQ(value("-1.5e3"), "-1.5e3");
  EXPECT_EQ(value("\"2024-01-05\""), "2024-01-05");
  EXPECT_EQ(value("\"a\\u00e9\\n\\\"\""), "a\xc3\xa9\n\"");
  EXPECT_EQ(value("\"\""), "");
  for (const char* token : {"", "true", "false", "null", "{\"a\":1}", "[1]"}) {
    EXPECT_EQ(value(token), "") << token;
  }
}

}  // namespace
}  // namespace twinset
