#include "io/first_look.h"

#include <gtest/gtest.h>

#include <string>

#include "io/mail.h"
#include "io/parquet.h"
#include "support/streams.h"
#include "twinset/collection.h"

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
  // A name that says nothing contradicts nothing.
  EXPECT_EQ(look("part-00000", gzip).compression, Compression::gzip);
  EXPECT_EQ(look("part-00000", zstd, {"", true, false}).format, "jsonl");
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
  EXPECT_EQ(fault("a.json", "[\n [\"one\"],\n [\"two\"]\n]\n"),
            "is a JSON array, and JSON Lines is one object a line; jq -c '.[]' < a.json > a.jsonl");
  EXPECT_EQ(fault("d/a.jsonl", "[\n1, 2\n]"),
            "is a JSON array, and JSON Lines is one object a line; jq -c '.[]' < d/a.jsonl > "
            "d/a.lines.jsonl");
  EXPECT_EQ(fault("a.json.gz", compressed("{\n \"text\": \"one\"\n}\n", Compression::gzip)),
            "is JSON over several lines, and JSON Lines is one object a line; zcat a.json.gz | jq "
            "-c . | gzip > a.jsonl.gz");
  EXPECT_EQ(fault("a.jsonl", utf16(lines)),
            "is JSON Lines in UTF-16, which twinset does not read; iconv -f UTF-16 -t UTF-8 < "
            "a.jsonl > a.utf8.jsonl");
  EXPECT_EQ(fault("a.csv", "id,body\n1,one\n"), "has no column \"text\"; it has: id, body");
  EXPECT_EQ(fault("a.tsv", "id,text\n"), "has no column \"text\"; it has: id,text");
  // A damaged table is left to its reader.
  EXPECT_EQ(fault("a.parquet", "PAR1\x15"),
            reads_parquet() ? ""
                            : "is Parquet, which this build does not read; make build "
                              "PARQUET=1 reads it");
  EXPECT_EQ(fault("a.parquet", lines), "does not begin as parquet does");
  EXPECT_EQ(fault("a.parquet", ""), "");
  EXPECT_EQ(render_message(Door::command_line, fault("a.parquet", "PAR1\x15", {"jsonl"})),
            "is parquet; leave out --format jsonl");
  EXPECT_EQ(fault("a.txt", "PAR1\x15"), "is parquet; rename it to a.parquet");
  EXPECT_EQ(fault("a.parquet.gz", compressed("PAR1\x15", Compression::gzip)),
            "is parquet within gzip; unpack it once");
  EXPECT_EQ(fault("a.parquet", "PARE\x15"), "is encrypted Parquet, which twinset does not read");
  EXPECT_EQ(look("part-0", "PAR1\x15").format, "parquet");
  EXPECT_EQ(fault("a.jsonl.xz", "\xfd\x37zXZ\0"s),
            "is xz, which twinset does not read; xz -dc < a.jsonl.xz > a.jsonl");
  EXPECT_EQ(fault("a.jsonl.gz", compressed("\x1f\x8b\x08 twice", Compression::gzip)),
            "is gzip within gzip, which twinset does not read; unpack it once");
  EXPECT_EQ(fault("spool", "[[\"one\"]]", {"", false, true}),
            "is a JSON array, and JSON Lines is one object a line; send it through jq -c '.[]'");
}

TEST(FirstLook, CommandsNameFilesAsAShellReadsThem) {
  const auto command = [](const std::string& path, std::string_view bytes, LookOptions options) {
    const std::string all = fault(path, bytes, options);
    return all.substr(all.find("; ") + 2);
  };
  EXPECT_EQ(command("Our contract (2).pdf", "%PDF-1.7", {}),
            "pdftotext 'Our contract (2).pdf' 'Our contract (2).txt'");
  EXPECT_EQ(command("it's.rtf", "{\\rtf1 x}", {}),
            "soffice --headless --convert-to txt:Text 'it'\\''s.rtf'");
  EXPECT_EQ(command("a b.7z", "7z\xbc\xaf\x27\x1c", {}), "7z x 'a b.7z' '-oa b'");
  // The name is wrong, and the file stays.
  EXPECT_EQ(command("a.txt", "%PDF-1.7", {}), "pdftotext a.txt a.txt.txt");
  EXPECT_NE(command("$(x).feather", "ARROW1\0"s, {}).find("\" '$(x).feather' '$(x).jsonl'"),
            std::string::npos);
  LookOptions piped;
  piped.spooled = true;
  EXPECT_EQ(command("spool", "%PDF-1.7", piped), "with it in a file: pdftotext FILE FILE.txt");
  EXPECT_EQ(command("spool.json", "[[\"one\"]]", piped), "send it through jq -c '.[]'");
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
  EXPECT_EQ(look("a.jsonl", array + "{}]").format, "json");
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
  // LaTeX and templates begin with a brace, too.
  for (const char* text : {"{% extends %}", "{ x }"}) {
    EXPECT_EQ(look("a", text).format, "text") << text;
  }
}

// The one place that knows a file by its content, whatever asks: a file that is named, one in a
// folder, one that is packed.
TEST(FirstLook, FirstBytesTellTheFormat) {
  struct Case {
    const char* name;
    std::string bytes;
    std::string named;   ///< the format, or "!" and a part of the fault
    std::string walked;  ///< the same in a folder; empty: as named
    bool guessed = false;
  };
  const std::string two = "{\"text\": \"one\"}\n{\"text\": \"two\"}\n";
  const std::string page = "<!DOCTYPE html><p>words";
  const std::string spread = "{\n \"text\": \"one\"\n}\n";
  const std::string array = "[\n {\"text\": \"one\"},\n {\"text\": \"two\"}\n]\n";
  const std::string other = "{\"name\": \"x\"}\n{\"name\": \"y\"}\n";
  const std::string mail = "From a@b Tue May  5 10:00:00 2026\nTo: c@d\n\nwords\n";
  const std::vector<Case> cases{
      {"a.jsonl", two, "jsonl", ""},
      {"a.ndjson", two, "jsonl", ""},
      {"a.json", two, "jsonl", "", true},
      {"part-00000", two, "jsonl", "", true},
      {"part-00000-abc.c000", two, "jsonl", "", true},
      {"RC_2010-01", two, "jsonl", "", true},
      {"a.txt", two, "jsonl", "", true},
      {"a.TXT", two, "jsonl", "", true},
      {"a.log", two, "jsonl", "", true},
      {"a.jsonl.2024-05-01", two, "jsonl", "", true},
      {"a.jsonl.1", two, "jsonl", "", true},
      {"bom", "\xef\xbb\xbf" + two, "jsonl", "", true},
      {"blank", "\n\n  " + two, "jsonl", "", true},
      {"crlf", "{\"text\": \"one\"}\r\n{\"text\": \"two\"}\r\n", "jsonl", "", true},
      {"one", "{\"text\": \"one\"}", "jsonl", "", true},
      {"nan", "{\"score\": NaN, \"text\": \"one\"}\n", "jsonl", "", true},
      {"damaged", "{\"text\": \"cut o\n" + two, "jsonl", "", true},
      {"broken.txt", "{\"text\": \"cut o\n", "text", ""},
      {"a.html", "no tag", "html", ""},
      {"a.htm", page, "html", ""},
      {"about", page, "html", "", true},
      {"index.php?id=3", page, "html", "", true},
      {"foo.asp", "\n<html>\n", "html", "", true},
      {"page.aspx", "\xef\xbb\xbf\r\n<!doctype html>", "html", "", true},
      {"saved.txt", "<!-- saved from url=(1)x -->\n<HTML>", "html", "", true},
      {"notes.txt", "<title>x</title> words on tags", "text", ""},
      {"notes", "<title>x</title> words", "html", "", true},
      {"saved.text", page, "html", "", true},
      {"a.cgi", "<?xml version='1.0'?><!DOCTYPE html><html>", "html", "", true},
      {"index.html?a=1", page, "html", "", true},
      {"utf16", utf16("<html><p>x"), "html", "", true},
      {"a.php", "<?php echo '<html>'; ?>", "text", ""},
      {"app.vue", "<script setup>\nlet x\n</script>", "text", ""},
      {"README.md", "<h1 align=center>x</h1>\n", "text", ""},
      {"feed", "<?xml version='1.0'?><rss>", "text", ""},
      {"a.svg", "<svg xmlns='x'/>", "text", ""},
      {"a.warc", "WARC/1.0\r\n", "warc", ""},
      {"crawl-00000", "WARC/1.0\r\nWARC-Type: warcinfo\r\n", "warc", "", true},
      {"old", "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 3\nabc\n", "arc", "", true},
      {"empty", "", "jsonl", ""},
      {"empty.txt", "", "text", ""},
      {"_", "\n\n", "jsonl", ""},
      {"package.json", spread, "!over several lines", ""},
      {"n.ipynb", spread, "!over several lines", ""},
      {"settings", spread, "!over several lines", ""},
      {"notes.txt", spread, "text", ""},
      {"list.json", array, "json", "", true},
      {"list", array, "json", "", true},
      {"list.jsonl", array, "json", "", true},
      {"m.json", "[{\"name\": \"x\"}]", "json", "!without a field \"text\"; it has: name", true},
      {"none.json", "[]\n", "json", "", true},
      {"reut2-000.sgm", "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n<REUTERS NEWID=\"1\">", "sgml", ""},
      {"ft911_1", "<DOC>\n<DOCNO>FT911-1</DOCNO>\n<TEXT>", "sgml", "", true},
      {"book.sgml", "<!DOCTYPE book>\n<book><title>One", "text", ""},
      {"story.xml", "<?xml version=\"1.0\"?>\n<nitf><head>", "nitf", "", true},
      {"feed.xml", "<?xml version=\"1.0\"?>\n<rss>", "text", ""},
      {"numbers", "[1, 2, 3]", "text", ""},
      {"footnotes", "[1] Smith and others, 1997.", "text", ""},
      {"m.json", other, "jsonl", "!without a field \"text\"; it has: name", true},
      {"m", other, "jsonl", "!without a field \"text\"", true},
      {"m.jsonl", other, "jsonl", ""},
      {"a.csv", "id,text\n1,one\n", "csv", ""},
      {"a.tsv", "id\ttext\n1\tone\n", "tsv", ""},
      {"a.csv", "id,body\n1,one\n", "!has no column", ""},
      {"a.md", "# A text", "text", ""},
      {"Makefile", "all:\n\tcc x.c\n", "text", ""},
      {"brace", "{ x }", "text", ""},
      {"a.tex", "{\\bf words}", "text", ""},
      {"letter", "{\\rtf1\\ansi words}", "!an RTF document", ""},
      {"letter.txt", "{\\rtf1\\ansi words}", "!an RTF document", ""},
      {"list.mbox", mail, reads_mail() ? "mbox" : "!is mail", ""},
      {"list", mail, reads_mail() ? "mbox" : "!is mail", "", true},
      {"0001.7c53", mail.substr(mail.find('\n') + 1), "text", ""},
      {"0001.7c53", "From: a@b\n" + mail.substr(mail.find('\n') + 1), "text", ""},
      {"0001.7c53", "From: a@b\nDate: x\n" + mail.substr(mail.find('\n') + 1),
       reads_mail() ? "eml" : "!is mail", "", true},
      {"x.eml", "words", reads_mail() ? "eml" : "!is mail", ""},
      {"page.mhtml", "MIME-Version: 1.0\nContent-Type: multipart/related; a=b\n\n", "!MHTML", ""},
      {"a.docx", "PK\x03\x04" + std::string(26, '\0') + "word/document.xml", "!a Word document",
       ""},
      {"a.pdf", "%PDF-1.7", "!a PDF document", ""},
      {".a.txt.crc", "crc\0\0\0\2\0\xff\1\2\3"s, "!is not text", ""},
      {"x.bin", std::string(50, '\1'), "!is not text", ""}};
  EXPECT_GE(cases.size(), 60U);
  const auto seen = [](const FirstLook& look) {
    return look.unread == Unread::none ? std::string(look.format) : look.fault;
  };
  const auto check = [&](const Case& the, const FirstLook& look, const std::string& wanted) {
    if (wanted.starts_with('!')) {
      EXPECT_NE(seen(look).find(wanted.substr(1)), std::string::npos)
          << the.name << ": " << seen(look);
      return;
    }
    EXPECT_EQ(seen(look), wanted) << the.name;
    EXPECT_EQ(look.guessed, the.guessed) << the.name;
  };
  for (const Case& the : cases) {
    const LookOptions in_folder{"", true, false};
    const std::string& walked = the.walked.empty() ? the.named : the.walked;
    check(the, look(the.name, the.bytes), the.named);
    check(the, look(the.name, the.bytes, in_folder), walked);
    const std::string name = the.name + ".zst"s;
    const std::string packed = compressed(the.bytes, Compression::zstd);
    check(the, look(name, packed), the.named);
    check(the, look(name, packed, in_folder), walked);
    // What is found in a folder never ends a run, unless its name promises records.
    const FirstLook found = look(the.name, the.bytes, in_folder);
    const std::string_view named = the.name;
    EXPECT_EQ(found.records, named.ends_with(".jsonl") || named.ends_with(".ndjson") ||
                                 named.ends_with(".warc") || named.ends_with(".sgm") ||
                                 named.ends_with(".mbox"))
        << the.name;
  }
}

TEST(FirstLook, JsonInAFolderMayHaveItsTextUnderAnotherName) {
  const std::string body = "{\"body\": \"one\"}\n";
  LookOptions options{"", true, false, "body"};
  EXPECT_EQ(look("part-00000", body, options).format, "jsonl");
  options.text = "title,body";
  EXPECT_EQ(fault("part-00000", body, options), "");
  options.text = "text";
  EXPECT_NE(fault("part-00000", body, options), "");
}

TEST(FirstLook, StandardInputMayBeAPage) {
  const LookOptions input{"", false, true};
  EXPECT_EQ(look("spool", "<!DOCTYPE html><p>x", input).format, "html");
  EXPECT_EQ(look("spool", lines, input).format, "jsonl");
  EXPECT_EQ(look("spool", "words", input).format, "jsonl");
}

TEST(FirstLook, TellsTheWindowThatAFrameAsksFor) {
  EXPECT_EQ(look("a.jsonl", lines).window_bytes, 0U);
  // Magic, an empty descriptor, a window of 2 GiB, and one raw block, the last.
  const std::string wide = "\x28\xb5\x2f\xfd\0\xa8\x11\0\0{}"s;
  EXPECT_EQ(look("a.jsonl.zst", wide).window_bytes, std::uint64_t{1} << 31);
}

TEST(FirstLook, InputsAreKnownByTheEndsOfTheirNames) {
  for (const char* name :
       {"a.jsonl", "A.JSONL", "dir/a.html", "a.warc.gz", "x.zst", "t.parquet", "a.csv", "a.TSV"}) {
    EXPECT_TRUE(is_input_name(name)) << name;
  }
  for (const char* name : {"", "jsonl", "a sentence.", "gz", "a.jsonl.bak"}) {
    EXPECT_FALSE(is_input_name(name)) << name;
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
