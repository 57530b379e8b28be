// WARC and WET.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "io/first_look.h"
#include "support/archives.h"
#include "support/real_data.h"
#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class Warc : public ::testing::Test {
 protected:
  ReadFile read(std::string_view bytes, const FieldNames& fields = {}) {
    return read_file(folder_.write("x.warc", bytes), "warc", Compression::none, {}, fields);
  }
  ReadRecord one(std::string_view bytes, const FieldNames& fields = {}) {
    const ReadFile file = read(bytes, fields);
    EXPECT_EQ(file.records.size(), 1U) << bytes;
    return file.records.empty() ? ReadRecord() : file.records[0];
  }
  ScratchFolder folder_;
};

TEST_F(Warc, PagesAreDocumentsAndOtherRecordsAreCarried) {
  const std::string response = http_response("Content-Type: text/html\r\n", "<p>page");
  const std::string http = "Content-Type: application/http; msgtype=response\r\n";
  const std::map<std::string, bool> documents{
      {warc_record("response", http, response), true},
      {warc_record("resource", "Content-Type: text/plain\r\n", "words"), true},
      {warc_record("conversion", "Content-Type: text/plain\r\n", "words"), true},
      {warc_record("revisit", http, response), true},
      {warc_record("revisit", http, http_response("Content-Type: text/html\r\n", "")), false},
      {warc_record("warcinfo", "Content-Type: application/warc-fields\r\n", "a: b\r\n"), false},
      {warc_record("request", "Content-Type: application/http; msgtype=request\r\n",
                   "GET / HTTP/1.1\r\n\r\n"),
       false},
      {warc_record("metadata", "Content-Type: text/plain\r\n", "words"), false},
      {warc_record("response", http + "WARC-Segment-Number: 1\r\n", response), false},
      {warc_record("continuation", "WARC-Segment-Number: 2\r\n", "more"), false},
      {warc_record("resource", "Content-Type: image/png\r\n", "\x89PNG"), false},
      {warc_record("response", "Content-Type: text/dns\r\n", "20080430204825\na.example."), false},
      {warc_record("something", http, response), false}};
  for (const auto& [record, document] : documents) {
    const ReadRecord got = one(record);
    EXPECT_EQ(got.carried, !document) << record;
    EXPECT_EQ(got.bad, BadReason::none) << record;
    EXPECT_EQ(got.raw, record);
  }
}

TEST_F(Warc, FieldsByName) {
  const std::string record = warc_record(
      "response", "WARC-Target-URI: <http://a.example/\"x\">\r\nWARC-Truncated: length\r\n",
      http_response("Content-Type: Text/HTML; charset=utf-8\r\nLast-Modified: yesterday\r\n",
                    "<p>page", "203 x"));
  const std::map<std::string, std::string> wanted{
      {"url", R"("http://a.example/\"x\"")"},
      {"date", "\"2024-05-01T12:00:00Z\""},
      {"type", "\"response\""},
      {"status", "203"},
      {"mime", "\"text/html\""},
      {"record-id", "\"<urn:uuid:1>\""},
      {"truncated", "\"length\""},
      {"http.last-modified", "\"yesterday\""},
      {"http.Content-Type", "\"Text/HTML; charset=utf-8\""},
      {"warc.WARC-Type", "\"response\""},
      {"http.none", ""},
      {"text", ""}};
  for (const auto& [name, value] : wanted) {
    FieldNames fields;
    fields.id = name;
    fields.named = {name};
    const ReadRecord got = one(record, fields);
    EXPECT_EQ(got.field, value) << name;
    EXPECT_EQ(got.id, value) << name;
  }
  const ReadRecord got = one(record);
  EXPECT_EQ(got.id, "\"<urn:uuid:1>\"");
  EXPECT_EQ(got.url, "http://a.example/\"x\"");
  EXPECT_EQ(got.text, "<p>page");
}

TEST_F(Warc, OlderVersionsAndLineEnds) {
  std::string record = warc_page("http://a.example/", "<p>page");
  for (const char* version : {"WARC/0.17", "WARC/0.18", "WARC/1.0", "WARC/1.1", "WARC/2.0"}) {
    EXPECT_EQ(one(version + record.substr(8)).text, "<p>page") << version;
  }
  EXPECT_EQ(
      one("WARC/1.0\nContent-Length: 5\nWARC-Type:resource\nContent-Type: text/plain\n\nwords")
          .text,
      "words");
  EXPECT_EQ(one("WARC/1\r\n" + record.substr(10)).bad, BadReason::damaged_record);
}

TEST_F(Warc, FilesAreKnownByTheirNamesAndByTheirFirstBytes) {
  const std::string record = warc_page("http://a.example/", std::string("\0\1\2\3", 4));
  const auto format = [&](const std::string& name, std::string_view bytes, LookOptions options) {
    const FirstLook look = look_at(disk(), folder_.write(name, bytes), options);
    EXPECT_EQ(look.fault, "") << name;
    return std::string(look.format);
  };
  EXPECT_EQ(format("a.warc", record, {}), "warc");
  EXPECT_EQ(format("a.warc.gz", compressed(record, Compression::gzip), {}), "warc");
  EXPECT_EQ(format("a.warc.wet.zst", compressed(record, Compression::zstd), {}), "warc");
  EXPECT_EQ(format("a.warc.wat", record, {}), "warc");
  EXPECT_EQ(format("archive", record, {}), "warc");
  EXPECT_EQ(format("archive2", record, {"", true, false}), "warc");
  EXPECT_EQ(format("-", record, {"", false, true}), "warc");
  EXPECT_EQ(format("b.warc", record, {"html", false, false}), "warc");
  EXPECT_EQ(format("c.warc", "WARC/1.0 words", {"text", false, false}), "text");
  EXPECT_EQ(format("d.txt", "WARC/1.0 words", {}), "text");
  EXPECT_EQ(format("e", record, {"warc", false, false}), "warc");
}

/// What warcio (1.7) reads of a sample: its records, and a hash of their addresses, a line each.
struct Sample {
  const char* path;
  std::size_t records;
  std::size_t documents;  ///< by our own rule, checked by eye once
};

// Samples of five projects, counted with warcio (tools of another author) and read here.
TEST_F(Warc, SamplesOfOthers) {
  const std::string folder = real_data("warc-samples/");
  if (folder.empty()) GTEST_SKIP() << "warc-samples is not below TWINSET_DATA";
  for (const Sample& sample :
       {Sample{"chatnoir-eu_chatnoir-copycat/snapshot-wayback-topic-02.warc.gz", 129, 128},
        Sample{"chatnoir-eu_chatnoir-copycat/topic-1--20201003083220753-00000.warc.gz", 239, 232},
        Sample{"commoncrawl_ia-web-commons/IAH-urls-wget.warc", 36, 6},
        Sample{"commoncrawl_ia-web-commons/IAH-urls-wget.warc.gz", 36, 6},
        Sample{"commoncrawl_ia-web-commons/html-lang-attribute.warc", 5, 5},
        Sample{"commoncrawl_ia-web-commons/text-extraction-test.warc", 4, 1},
        Sample{"commoncrawl_whirlwind-python/whirlwind.warc", 4, 1},
        Sample{"commoncrawl_whirlwind-python/whirlwind.warc.gz", 4, 1},
        Sample{"commoncrawl_whirlwind-python/whirlwind.warc.wat.gz", 2, 0},
        Sample{"commoncrawl_whirlwind-python/whirlwind.warc.wet.gz", 2, 1},
        Sample{"iipc_jwarc/gzip_extra_sl.warc.gz", 1, 0},
        Sample{"webrecorder_pywb/dupes.warc.gz", 25, 1},
        Sample{"webrecorder_pywb/example-extra.warc", 6, 1},
        Sample{"webrecorder_pywb/example-wget-1-14.warc.gz", 6, 4},
        Sample{"webrecorder_pywb/iana.warc.gz", 343, 16},
        Sample{"webrecorder_pywb/post-test.warc.gz", 6, 0},
        Sample{"webrecorder_warcio/example-iana.org-chunked.warc", 3, 1},
        Sample{"webrecorder_warcio/example-trunc.warc", 4, 1},
        Sample{"webrecorder_warcio/example.warc.gz", 6, 1}}) {
    const std::string path = folder + sample.path;
    const ReadFile file =
        read_file(path, "warc", path.ends_with(".gz") ? Compression::gzip : Compression::none);
    std::size_t documents = 0;
    for (const ReadRecord& record : file.records) {
      EXPECT_EQ(record.bad, BadReason::none) << path << " " << record.detail;
      documents += record.carried ? 0 : 1;
    }
    EXPECT_EQ(file.records.size(), sample.records) << path;
    EXPECT_EQ(documents, sample.documents) << path;
  }
}

}  // namespace
}  // namespace twinset
