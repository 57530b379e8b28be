// ARC.
#include <gtest/gtest.h>

#include <string>

#include "support/archives.h"
#include "support/real_data.h"
#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class Arc : public ::testing::Test {
 protected:
  ReadFile read(std::string_view bytes, const FieldNames& fields = {},
                const ReaderLimits& limits = {}) {
    return read_file(folder_.write("x.arc", bytes), "arc", Compression::none, limits, fields);
  }
  ScratchFolder folder_;
};

const std::string page = http_response("Content-Type: text/html\r\n", "<p>page");

TEST_F(Arc, RecordsOfBothVersions) {
  const std::string second =
      "http://a.example/2 192.0.2.1 20080430204826 text/html 200 - - 1234 x.arc " +
      std::to_string(page.size()) + "\n" + page + "\n";
  const std::string picture = arc_record("http://a.example/p.png", "\x89PNG", "image/png");
  FieldNames fields;
  fields.id = "url";
  fields.named = {"date"};
  const ReadFile file =
      read(arc_begin() + arc_record("http://a.example/1", page) + second + picture, fields);
  ASSERT_EQ(file.records.size(), 4U);
  EXPECT_TRUE(file.records[0].carried);
  EXPECT_EQ(file.records[1].id, "\"http://a.example/1\"");
  EXPECT_EQ(file.records[1].url, "http://a.example/1");
  EXPECT_EQ(file.records[1].field, "\"2008-04-30T20:48:25Z\"");
  EXPECT_EQ(file.records[1].text, "<p>page");
  EXPECT_EQ(file.records[1].markup, Markup::html);
  EXPECT_EQ(file.records[2].field, "\"2008-04-30T20:48:26Z\"");
  EXPECT_EQ(file.records[2].text, "<p>page");
  EXPECT_TRUE(file.records[3].carried);
}

TEST_F(Arc, AddressesWithSpacesAndContentWithoutHeaders) {
  FieldNames fields;
  fields.id = "url";
  const ReadFile file = read(arc_record("http://a.example/a b  c", page) +
                                 arc_record("http://a.example/t", "words", "text/plain") +
                                 arc_record("dns:a.example", "192.0.2.1", "text/dns"),
                             fields);
  ASSERT_EQ(file.records.size(), 3U);
  EXPECT_EQ(file.records[0].id, "\"http://a.example/a b  c\"");
  EXPECT_EQ(file.records[1].text, "words");
  EXPECT_EQ(file.records[1].markup, Markup::none);
  EXPECT_TRUE(file.records[2].carried);
}

TEST_F(Arc, DamageHarmsItsRecordAlone) {
  std::string bytes = arc_begin();
  std::vector<std::string> all;
  for (int i = 0; i < 20; ++i) {
    const std::string url = "http://a.example/" + std::to_string(i);
    all.push_back(arc_record(url, http_response("Content-Type: text/html\r\n",
                                                sample_text(500, static_cast<std::uint64_t>(i)))));
  }
  std::string wrong = all[5];
  wrong.replace(wrong.find(" text/html "), 14, " text/html 999");
  std::string none = all[10];
  none.replace(none.find("20080430204825"), 14, "2008?????????5");
  for (int i = 0; i < 20; ++i) {
    bytes += i == 5 ? wrong : i == 10 ? none : all[static_cast<std::size_t>(i)];
  }
  const ReadFile whole = read(bytes);
  std::uint64_t at = 0;
  std::size_t good = 0;
  std::size_t bad = 0;
  for (const ReadRecord& record : whole.records) {
    EXPECT_EQ(record.offset, at);
    at += record.length;
    if (record.bad != BadReason::none) ++bad;
    if (record.bad != BadReason::none || record.carried) continue;
    while (good < all.size() && all[good] != record.raw) ++good;
    EXPECT_LT(good, all.size());
  }
  EXPECT_EQ(at, bytes.size());
  EXPECT_EQ(bad, 2U);
  EXPECT_EQ(whole.records.size(), 21U);
  for (const std::uint64_t batch_bytes : {1, 50, 700}) {
    ReaderLimits limits;
    limits.batch_bytes = batch_bytes;
    EXPECT_EQ(read(bytes, {}, limits).records, whole.records) << batch_bytes;
  }
}

// Counted with the tools of Common Crawl and by eye: warcio reads the second line of these files'
// first record otherwise, and stops.
TEST_F(Arc, SamplesOfOthers) {
  const std::string folder = real_data("warc-samples/");
  if (folder.empty()) GTEST_SKIP() << "warc-samples is not below TWINSET_DATA";
  const ReadFile example = read_file(folder + "webrecorder_warcio/example.arc", "arc");
  EXPECT_EQ(example.records.size(), 2U);
  const ReadFile packed =
      read_file(folder + "webrecorder_warcio/example.arc.gz", "arc", Compression::gzip);
  EXPECT_EQ(packed.records, example.records);
  const ReadFile large =
      read_file(folder + "chatnoir-eu_chatnoir-copycat/small-sample-1213893279526_0.arc", "arc");
  std::size_t documents = 0;
  for (const ReadRecord& record : large.records) {
    EXPECT_EQ(record.bad, BadReason::none) << record.detail;
    documents += record.carried ? 0 : 1;
  }
  EXPECT_EQ(documents, 133U);
}

}  // namespace
}  // namespace twinset
