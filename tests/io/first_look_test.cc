#include "io/first_look.h"

#include <gtest/gtest.h>

#include <string>

#include "support/streams.h"

namespace twinset {
namespace {

using testing::compressed;
using namespace std::string_literals;

constexpr std::string_view lines = "{\"text\": \"one\"}\n{\"text\": \"two\"}\n";

FirstLook look(const std::string& path, std::string_view bytes, const LookOptions& options = {}) {
  MemoryFiles files;
  [[maybe_unused]] const Status written = files.write(path, bytes);
  return look_at(files, path, options);
}

std::string fault(const std::string& path, std::string_view bytes,
                  const LookOptions& options = {}) {
  return look(path, bytes, options).fault;
}

std::string utf16(std::string_view text) {
  std::string out = "\xff\xfe";
  for (const char c : text) out += {c, '\0'};
  return out;
}

TEST(FirstLook, WhatIsInOrderIsRead) {
  EXPECT_EQ(fault("a.jsonl", lines), "");
  EXPECT_EQ(fault("a.jsonl.gz", compressed(lines, Compression::gzip)), "");
  EXPECT_EQ(look("a.jsonl.zst", compressed(lines, Compression::zstd)).compression,
            Compression::zstd);
  EXPECT_EQ(fault("a.txt", utf16("plain text")), "");
  EXPECT_EQ(look("a", utf16("plain text")).format, "text");
  EXPECT_EQ(fault("empty.jsonl", ""), "");
  EXPECT_EQ(fault("empty.csv", ""), "");
  EXPECT_EQ(fault("empty.jsonl.gz", ""), "");  // The reader says that it is cut off.
  EXPECT_EQ(fault("cut.jsonl.gz", "\x1f\x8b"), "");
}

TEST(FirstLook, TheNameMustNotSpeakOfAnotherCompression) {
  const std::string gzip = compressed(lines, Compression::gzip);
  const std::string zstd = compressed(lines, Compression::zstd);
  EXPECT_EQ(fault("a.jsonl.gz", zstd), "is zstd, not gzip; rename it to a.jsonl.zst");
  EXPECT_EQ(fault("a.jsonl.zst", gzip), "is gzip, not zstd; rename it to a.jsonl.gz");
  EXPECT_EQ(fault("a.jsonl.gz", lines), "is not gzip but plain; rename it to a.jsonl");
  EXPECT_EQ(fault("a.jsonl.gz", "PAR1" + std::string(100, '\0')), "is Parquet, not gzip");
  EXPECT_EQ(fault("a.jsonl.gz", std::string(100, '\1')),
            "is not gzip: it does not begin as gzip does");
  EXPECT_EQ(fault("my data.jsonl", gzip),
            "is gzip, which its name does not say; rename it to 'my data.jsonl.gz'");
  // In a folder a name that promises records is never skipped, an unknown one is.
  EXPECT_TRUE(look("a.jsonl", gzip, {"", true, false}).records);
  EXPECT_TRUE(look("a.txt", gzip, {"", true, false}).records);
  EXPECT_TRUE(look("a.data.gz", lines, {"", true, false}).records);
  EXPECT_FALSE(look("a.tgz", gzip, {"", true, false}).records);
  EXPECT_EQ(look("a.jsonl.gz", zstd).unread, Unread::wrong_extension);
  EXPECT_EQ(unread_name(Unread::wrong_extension), "wrong_extension");
}

TEST(FirstLook, OtherFormatsComeWithTheCommandThatConvertsThem) {
  EXPECT_EQ(fault("a.json", "[\n {\"text\": \"one\"},\n {\"text\": \"two\"}\n]\n"),
            "is a JSON array, and JSON Lines is one object a line; jq -c '.[]' < a.json > a.jsonl");
  EXPECT_EQ(fault("d/a.jsonl", "[{\"text\": \"one\"}, {\"text\": \"two\"}]"),
            "is a JSON array, and JSON Lines is one object a line; jq -c '.[]' < d/a.jsonl > "
            "d/a.lines.jsonl");
  EXPECT_EQ(fault("a.json.gz", compressed("{\n \"text\": \"one\"\n}\n", Compression::gzip)),
            "is JSON over several lines, and JSON Lines is one object a line; zcat a.json.gz | jq "
            "-c . | gzip > a.jsonl.gz");
  EXPECT_EQ(fault("a.jsonl", utf16(lines)),
            "is JSON Lines in UTF-16, which twinset does not read; iconv -f UTF-16 -t UTF-8 < "
            "a.jsonl > a.utf8.jsonl");
  EXPECT_NE(fault("a.csv", "id,text\n1,one\n").find("csv.DictReader(sys.stdin)"),
            std::string::npos);
  EXPECT_NE(fault("a.tsv", "id\ttext\n").find("delimiter"), std::string::npos);
  EXPECT_NE(fault("a.parquet", "PAR1\x15").find("read_parquet('a.parquet')) TO 'a.jsonl'"),
            std::string::npos);
  EXPECT_EQ(fault("a.jsonl.xz", "\xfd\x37zXZ\0"s),
            "is xz, which twinset does not read; xz -dc < a.jsonl.xz > a.jsonl");
  EXPECT_EQ(fault("a.jsonl.gz", compressed("\x1f\x8b\x08 twice", Compression::gzip)),
            "is gzip within gzip, which twinset does not read; unpack it once");
  EXPECT_EQ(fault("spool", "[{\"text\": \"one\"}]", {"", false, true}),
            "is a JSON array, and JSON Lines is one object a line; send it through jq -c '.[]'");
}

// A damaged first line is not another format: the lines after it may be good.
TEST(FirstLook, OneBadLineIsNoOtherFormat) {
  for (const char* first : {"{\"id\": 1,", "[", "[1, 2]", "{", "{\"text\": \"cut off",
                            "[{\"a\": 1}]", "{\"a\":", "{\"a\": [", "nonsense"}) {
    EXPECT_EQ(fault("a.jsonl", first + "\n"s + std::string(lines)), "") << first;
  }
  EXPECT_EQ(fault("a.jsonl", "{\"text\":\n\"one\"}\n" + std::string(lines)), "");
}

TEST(FirstLook, ValuesLongerThanTheLookAreKnownToo) {
  std::string array = "[";
  std::string spread = "{\n";
  std::string line = "{\"text\": \"";
  for (int i = 0; i < 20000; ++i) {
    array += "\n{\"text\": \"a record of the array\"},";
    spread += "\"field " + std::to_string(i) + "\": \"text\",\n";
    line += "words and ";
  }
  EXPECT_NE(fault("a.jsonl", array + "{}]"), "");
  EXPECT_NE(fault("a.jsonl", spread + "\"end\": 1}"), "");
  EXPECT_EQ(fault("a.jsonl", line + "\"}\n" + std::string(lines)), "");
}

TEST(FirstLook, AForcedFormatIsTakenAtItsWord) {
  EXPECT_EQ(fault("a.json", "[1, 2]\n", {"text", false, false}), "");
  EXPECT_EQ(fault("a.csv", "id,text\n", {"text", false, false}), "");
  EXPECT_EQ(look("a.jsonl", lines, {"text", false, false}).format, "text");
  EXPECT_EQ(look("a.jsonl", lines, {"html", false, false}).format, "jsonl");
  EXPECT_NE(fault("a.json", "[{}, {}]\n", {"jsonl", false, false}), "");
  EXPECT_NE(fault("a.png", "\x89PNG\r\n\x1a\n", {"text", false, false}), "");
}

TEST(FirstLook, WhatIsNoTextIsToldFromRecords) {
  const FirstLook picture = look("a.png", "\x89PNG\r\n\x1a\n", {"", true, false});
  EXPECT_EQ(picture.unread, Unread::binary);
  EXPECT_FALSE(picture.records);
  EXPECT_EQ(picture.fault, "is a PNG picture, which twinset does not read");
  EXPECT_EQ(fault("a.bin", std::string(5000, '\2')),
            "is not text: too much of it is NUL and control characters");
  EXPECT_EQ(fault("a.jsonl", std::string(5000, '\2')), "");
  EXPECT_TRUE(look("a.jsonl", "PAR1\x15", {"", true, false}).records);
  // LaTeX, templates and RTF begin with a brace, too.
  for (const char* text : {"{\\rtf1 text}", "{% extends %}", "{ x }"}) {
    EXPECT_EQ(look("a", text).format, "text") << text;
  }
}

TEST(FirstLook, AFileThatIsRefusedIsUnreadable) {
  MemoryFiles files;
  const FirstLook none = look_at(files, "gone.jsonl", {});
  EXPECT_EQ(none.unread, Unread::unreadable);
  EXPECT_EQ(none.fault.rfind("cannot be read: ", 0), 0U) << none.fault;
}

}  // namespace
}  // namespace twinset
