// Splitting archives: good ones, and every way in which one can be damaged. The rules hold for any
// syntax; they are shown with WARC, whose records are easy to tell apart.
#include "io/archive_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "support/archives.h"
#include "support/records.h"
#include "support/streams.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

using namespace twinset::testing;

constexpr std::string_view record_bad = "damaged_record";

class ArchiveSplitting : public ::testing::Test {
 protected:
  ReadFile read(std::string_view bytes, const ReaderLimits& limits = {},
                Compression compression = Compression::none) {
    return read_file(folder_.write("x", bytes), "warc", compression, limits);
  }

  /// Reads in batches of several sizes, which must give the same records; their lengths must add
  /// up to the whole.
  std::vector<ReadRecord> records(const std::string& bytes, ReaderLimits limits = {}) {
    const ReadFile whole = read(bytes, limits);
    EXPECT_EQ(whole.error, "");
    for (const std::uint64_t batch_bytes : {1, 7, 100, 1000, 5000}) {
      limits.batch_bytes = batch_bytes;
      EXPECT_EQ(read(bytes, limits).records, whole.records) << batch_bytes;
    }
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < whole.records.size(); ++i) {
      EXPECT_EQ(whole.records[i].number, i + 1);
      EXPECT_EQ(whole.records[i].offset, at);
      at += whole.records[i].length;
    }
    EXPECT_EQ(at, bytes.size());
    return whole.records;
  }

  ScratchFolder folder_;
};

std::vector<std::string> pages(std::size_t count, std::size_t bytes = 300) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    all.push_back(warc_page("http://a.example/" + number,
                            "<p>" + number + " " + sample_text(bytes + i % 50, i + 1)));
  }
  return all;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

TEST_F(ArchiveSplitting, RecordsWithTheirPlaces) {
  const std::vector<std::string> wanted = pages(20);
  const std::vector<ReadRecord> got = records(joined(wanted));
  ASSERT_EQ(got.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(got[i].raw, wanted[i]);
    EXPECT_EQ(got[i].bad, BadReason::none);
  }
}

TEST_F(ArchiveSplitting, EmptyFilesHaveNoRecords) {
  EXPECT_TRUE(records("").empty());
  const std::vector<ReadRecord> blank = records("\r\n\n");
  ASSERT_EQ(blank.size(), 1U);
  EXPECT_TRUE(blank[0].carried);
}

TEST_F(ArchiveSplitting, EndsOfRecordsThatWritersGetWrong) {
  const std::vector<std::string> all = pages(3);
  std::string middle = all[1];
  for (const char* end : {"", "\n", "\r\n", "\n\n", "\r\n\r\n\r\n", "\r\n\r\n\r\n\r\n"}) {
    middle.replace(all[1].size() - 4, std::string::npos, end);
    const std::vector<ReadRecord> got = records(all[0] + middle + all[2]);
    ASSERT_EQ(got.size(), 3U) << ::testing::PrintToString(end);
    EXPECT_EQ(got[1].raw, middle);
    EXPECT_EQ(got[1].bad, BadReason::none);
    const std::vector<ReadRecord> last = records(all[0] + middle);
    ASSERT_EQ(last.size(), 2U) << ::testing::PrintToString(end);
    EXPECT_EQ(last[1].bad, BadReason::none);
  }
}

TEST_F(ArchiveSplitting, ALengthThatIsWrongHarmsItsRecordAlone) {
  const std::vector<std::string> all = pages(5);
  const std::size_t length = all[2].size() - all[2].find("HTTP/1.1") - 4;
  const std::string right = "Content-Length: " + std::to_string(length);
  for (const char* wrong :
       {"0", "1", "17", "299", "1000", "2000", "999999", "99999999999", "1000000000000000000", "-1",
        "-300", "", "1e3", "0x10", "99999999999999999999999999"}) {
    std::string bad = all[2];
    bad.replace(bad.find(right), right.size(), "Content-Length: " + std::string(wrong));
    const std::vector<ReadRecord> got = records(all[0] + all[1] + bad + all[3] + all[4]);
    std::vector<std::string> good;
    std::uint64_t skipped = 0;
    for (const ReadRecord& record : got) {
      if (record.bad == BadReason::none) good.push_back(record.raw);
      if (record.bad != BadReason::none) skipped += record.length;
    }
    EXPECT_EQ(good, (std::vector<std::string>{all[0], all[1], all[3], all[4]})) << wrong;
    EXPECT_EQ(skipped, bad.size()) << wrong;
    ASSERT_EQ(got.size(), 5U) << wrong;
    EXPECT_EQ(reason_name(got[2].bad), record_bad) << wrong;
    EXPECT_NE(got[2].detail, "") << wrong;
  }
}

TEST_F(ArchiveSplitting, BytesBetweenRecordsAreOneBadRecord) {
  const std::vector<std::string> all = pages(3);
  for (const std::size_t size : {1UL, 20UL, 3000UL, 200'000UL}) {
    std::string junk = sample_text(size, 7);
    junk[0] = 'x';
    const std::vector<ReadRecord> got = records(junk + all[0] + all[1] + junk + all[2] + junk);
    ASSERT_EQ(got.size(), 6U) << size;
    for (const std::size_t i : {0, 3, 5}) {
      EXPECT_EQ(reason_name(got[i].bad), record_bad);
      EXPECT_EQ(got[i].detail, "no record begins here");
      EXPECT_EQ(got[i].length, size);
      EXPECT_EQ(got[i].raw, junk.substr(0, 256));
    }
    EXPECT_EQ(got[1].raw, all[0]);
    EXPECT_EQ(got[2].raw, all[1]);
    EXPECT_EQ(got[4].raw, all[2]);
  }
}

TEST_F(ArchiveSplitting, AnArchiveWithinARecordIsPartOfIt) {
  const std::vector<std::string> all = pages(3);
  const std::string outer = warc_page("http://a.example/x.warc", joined(all));
  const std::vector<ReadRecord> got = records(all[0] + outer + all[1]);
  ASSERT_EQ(got.size(), 3U);
  EXPECT_EQ(got[1].raw, outer);
}

TEST_F(ArchiveSplitting, ATruncatedRecordSaysWhatIsMissing) {
  const std::vector<std::string> all = pages(2);
  for (const std::size_t kept : {30UL, 100UL, 250UL, all[1].size() - 10}) {
    const std::vector<ReadRecord> got = records(all[0] + all[1].substr(0, kept));
    ASSERT_EQ(got.size(), 2U) << kept;
    EXPECT_EQ(got[0].bad, BadReason::none);
    EXPECT_EQ(got[1].bad, BadReason::truncated_stream);
    EXPECT_TRUE(got[1].detail.find("ends within") != std::string::npos) << got[1].detail;
  }
}

TEST_F(ArchiveSplitting, ALongRecordIsSkippedWithoutBeingHeld) {
  const std::vector<std::string> all = pages(4);
  ReaderLimits limits;
  limits.max_record_bytes = 2000;
  const std::string large = warc_page("http://a.example/large", sample_text(300'000));
  const std::vector<ReadRecord> got = records(all[0] + large + all[1] + large + all[2], limits);
  ASSERT_EQ(got.size(), 5U);
  for (const std::size_t i : {1, 3}) {
    EXPECT_EQ(got[i].bad, BadReason::record_too_long);
    EXPECT_EQ(got[i].length, large.size());
    EXPECT_EQ(got[i].raw, large.substr(0, 256));
  }
  EXPECT_EQ(got[4].raw, all[2]);
  limits.batch_bytes = 1000;
  EXPECT_LT(read(all[0] + large + all[1], limits).largest_batch_bytes, 100'000U);
  // Only too long for the memory: the run ends.
  limits.max_record_bytes = 1 << 20;
  limits.max_held_bytes = 2000;
  EXPECT_EQ(read(all[0] + large + all[1], limits).records[1].bad, BadReason::over_memory);
  EXPECT_EQ(read(all[0] + large.substr(0, 5000), limits).records[1].bad,
            BadReason::truncated_stream);
}

// A file of records that all promise more than there is: each is found, and memory and time stay
// those of the file.
TEST_F(ArchiveSplitting, ManyWrongLengthsAreNotReadAgainForEach) {
  std::string bytes;
  for (int i = 0; i < 20'000; ++i) {
    std::string record = warc_page("http://a.example/", "<p>words");
    record.replace(record.find("Content-Length: "), 18, "Content-Length: 60000000");
    bytes += record;
  }
  const ReadFile file = read(bytes);
  ASSERT_EQ(file.records.size(), 20'000U);
  EXPECT_EQ(reason_name(file.records[0].bad), record_bad);
  EXPECT_LT(file.largest_batch_bytes, 20'000'000U);
}

// ---- Hostile archives cost what good ones cost ----

/// Bytes that heads were looked for and read in.
std::uint64_t looked_at = 0;

/// As `syntax`, and counts.
template <const ArchiveSyntax& syntax>
ArchiveSyntax counting() {
  ArchiveSyntax counted = syntax;
  counted.read_head = [](std::string_view bytes, bool strict) {
    const ArchiveHead head = syntax.read_head(bytes, strict);
    looked_at += head.looked_at;
    return head;
  };
  counted.find_head = [](std::string_view bytes, std::size_t from) {
    const std::size_t at = syntax.find_head(bytes, from);
    looked_at += std::min(at, bytes.size()) - std::min(from, bytes.size());
    return at;
  };
  return counted;
}

/// The bytes looked at for each byte of the file.
template <const ArchiveSyntax& syntax>
double cost(const std::string& bytes) {
  static const ArchiveSyntax counted = counting<syntax>();
  MemoryFiles files;
  EXPECT_TRUE(create_bytes(files, "x", Compression::none).value()->write(bytes).ok());
  std::uint64_t most = 0;
  for (const std::uint64_t batch_bytes : {std::uint64_t{1} << 16, std::uint64_t{1} << 22}) {
    ReaderLimits limits;
    limits.batch_bytes = batch_bytes;
    const std::unique_ptr<Reader> reader = make_archive_reader(
        open_bytes(files, "x", Compression::none, limits).value(), limits, counted);
    RecordBatch batch;
    looked_at = 0;
    while (reader->read(batch).value()) {
    }
    most = std::max(most, looked_at);
  }
  return static_cast<double>(most) / static_cast<double>(bytes.size());
}

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += part;
  return all;
}

/// A page after a record whose length is wrong.
std::string after_damage(const std::string& body) {
  std::string damaged = warc_page("http://a.example/0", sample_text(300, 1));
  const std::size_t length = damaged.find("Content-Length: ") + 16;
  damaged.replace(length, damaged.find('\r', length) - length, "5");
  return damaged + warc_page("http://a.example/1", "<p>" + body);
}

TEST_F(ArchiveSplitting, AHeadThatNeverEndsIsNotReadAgainForEachOfItsLines) {
  constexpr std::size_t bytes = 1'000'000;
  const std::string version = "WARC/1.0\r\n";
  const std::string begun = version + "WARC-Type: response\r\nContent-Length: 1\r\n";
  const auto head_of = [](const std::string& length) {
    return "WARC/1.0\r\nWARC-Type: x\r\nWARC-Date: x\r\nContent-Length: " + length + "\r\n\r\n";
  };
  const std::vector<std::string> parts{version,
                                       begun,
                                       "x" + version,
                                       "a: " + version,
                                       "WARC/1.0 \n\r" + version,
                                       "\r" + begun + "\r\r\r\n",
                                       version + "\n" + version,
                                       "WARC/",
                                       "WARC/1.0 WARC/1.",
                                       begun + "\r\n" + begun + std::string(500, 'y') + "\r\n",
                                       head_of("300") + "\r\n\r\n" + version,
                                       head_of("3000"),
                                       head_of("3000000"),
                                       head_of("3000000000000")};
  for (const std::string& part : parts) {
    const std::string many = repeated(part, bytes);
    EXPECT_LT(cost<warc_syntax>(many), 10) << ::testing::PrintToString(part);
    EXPECT_LT(cost<warc_syntax>(after_damage(many)), 10) << ::testing::PrintToString(part);
    EXPECT_LT(cost<warc_syntax>(after_damage("") + many), 10) << ::testing::PrintToString(part);
  }
  for (const char* part :
       {"http://a.example/ 192.0.2.1 20080430204825 text/html 300\n", "http://a.example/ ",
        "http://a.example/\n", "http://a.example/ 192.0.2.1 20080430204825 text/html 3000000\n",
        "\nhttp:"}) {
    EXPECT_LT(cost<arc_syntax>(arc_begin() + repeated(part, bytes)), 10) << part;
  }
}

// In a file with damage, too, heads within a page whose own length is right are text.
TEST_F(ArchiveSplitting, APageThatQuotesHeadsIsNotCut) {
  const std::vector<std::string> all = pages(3);
  for (const std::string& quoted : {repeated("WARC/1.0\r\n", 50'000), joined(all)}) {
    const std::string good = warc_page("http://a.example/1", "<p>" + quoted);
    const std::vector<ReadRecord> got = records(after_damage(quoted) + all[0]);
    ASSERT_EQ(got.size(), 3U);
    EXPECT_EQ(reason_name(got[0].bad), record_bad);
    EXPECT_EQ(got[1].raw, good);
    EXPECT_EQ(got[1].bad, BadReason::none);
    EXPECT_EQ(got[2].raw, all[0]);
    EXPECT_EQ(records(after_damage(quoted)).back().raw, good);
  }
}

// A header's value may look like the first line of a head.
TEST_F(ArchiveSplitting, AHeadWithTheNameOfTheFormatInAValue) {
  const std::string odd = warc_record("response", "X-Format: WARC/1.0\r\n",
                                      http_response("", "<p>" + sample_text(300, 1)));
  const std::vector<ReadRecord> got = records(odd + odd);
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[1].raw, odd);
  EXPECT_EQ(got[1].bad, BadReason::none);
}

// A head that is cut off by the next one harms its record alone.
TEST_F(ArchiveSplitting, AHeadThatRunsIntoTheNextIsNone) {
  const std::vector<std::string> all = pages(3);
  const std::vector<ReadRecord> got =
      records(all[0] + "WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 3\r\n" + all[1]);
  ASSERT_EQ(got.size(), 3U);
  EXPECT_EQ(reason_name(got[1].bad), record_bad);
  EXPECT_EQ(got[2].raw, all[1]);
}

// Some of the bytes are flipped, in runs, as broken disks do. Every record without a changed byte
// must come out as it was, and the ranges must add up.
TEST_F(ArchiveSplitting, EveryGoodRecordIsFoundAmongDamage) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 40; ++round) {
    const std::vector<std::string> all = pages(60, 200 + random() % 800);
    std::string bytes = joined(all);
    std::vector<bool> changed(bytes.size());
    for (std::size_t left = bytes.size() / 100; left > 0;) {
      const std::size_t run = std::min<std::size_t>(left, random() % 60 + 1);
      const std::size_t at = random() % (bytes.size() - run);
      for (std::size_t i = at; i < at + run; ++i) {
        bytes[i] = static_cast<char>(bytes[i] ^ (1 + random() % 255));
        changed[i] = true;
      }
      left -= run;
    }
    std::vector<std::string> good;
    std::size_t at = 0;
    for (const std::string& page : all) {
      const auto begin = changed.begin() + static_cast<std::ptrdiff_t>(at);
      if (std::find(begin, begin + static_cast<std::ptrdiff_t>(page.size()), true) ==
          begin + static_cast<std::ptrdiff_t>(page.size())) {
        good.push_back(page);
      }
      at += page.size();
    }
    ASSERT_GT(good.size(), 10U);
    const std::vector<ReadRecord> got = records(bytes);
    std::size_t found = 0;
    for (const ReadRecord& record : got) {
      // A neighbor's damaged end may be part of the record.
      if (found < good.size() && record.bad == BadReason::none && record.raw == good[found])
        ++found;
    }
    EXPECT_EQ(found, good.size()) << round;
  }
}

TEST_F(ArchiveSplitting, AMemberARecord) {
  const std::vector<std::string> all = pages(30);
  std::string stored;
  for (const std::string& page : all) stored += compressed(page, Compression::gzip);
  const ReadFile good = read(stored, {}, Compression::gzip);
  ASSERT_EQ(good.records.size(), 30U);
  std::vector<std::string> raws;
  for (const ReadRecord& record : good.records) raws.push_back(record.raw);
  EXPECT_EQ(raws, all);
  EXPECT_EQ(read(compressed(joined(all), Compression::gzip), {}, Compression::gzip).records,
            good.records);
  EXPECT_EQ(read(compressed(joined(all), Compression::zstd), {}, Compression::zstd).records,
            good.records);
}

// Each byte of one member in turn is damaged; the other records must stay, and the file's name for
// the place must be one within or after the member.
TEST_F(ArchiveSplitting, ADamagedMemberHarmsItsRecordAlone) {
  const std::vector<std::string> all = pages(6);
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    std::vector<std::string> members;
    for (const std::string& page : all) members.push_back(compressed(page, compression));
    const std::size_t first = members[0].size() + members[1].size();
    std::size_t unharmed = 0;
    for (std::size_t i = 0; i < members[2].size(); ++i) {
      std::string stored = joined(members);
      stored[first + i] ^= 0x20;
      for (const std::uint64_t batch_bytes : {300, 1 << 19}) {
        ReaderLimits limits;
        limits.batch_bytes = batch_bytes;
        const ReadFile file = read(stored, limits, compression);
        std::vector<std::string> good;
        for (const ReadRecord& record : file.records) {
          if (record.bad == BadReason::none) good.push_back(record.raw);
        }
        // A header has bytes, such as the time, that no decoder checks.
        if (good == all) {
          ++unharmed;
          continue;
        }
        EXPECT_EQ(good, (std::vector<std::string>{all[0], all[1], all[3], all[4], all[5]}))
            << i << " " << batch_bytes;
      }
    }
    EXPECT_LT(unharmed, 20U);
  }
}

TEST_F(ArchiveSplitting, AMemberThatIsCutOff) {
  const std::vector<std::string> all = pages(3);
  std::string stored;
  for (const std::string& page : all) stored += compressed(page, Compression::gzip);
  const ReadFile file = read(stored.substr(0, stored.size() - 30), {}, Compression::gzip);
  ASSERT_EQ(file.records.size(), 3U);
  EXPECT_EQ(file.records[1].raw, all[1]);
  EXPECT_EQ(file.records[2].bad, BadReason::truncated_stream);
  EXPECT_NE(file.records[2].detail.find("byte "), std::string::npos);
  EXPECT_NE(file.records[2].detail.find("; nothing after it was read"), std::string::npos);
}

// ClueWeb09: carriage returns were removed, and the lengths count them still.
std::string without_returns(const std::string& record) {
  std::string out;
  for (const char c : record) {
    if (c != '\r') out += c;
  }
  while (out.ends_with('\n')) out.pop_back();
  return out + '\n';
}

TEST_F(ArchiveSplitting, LengthsThatCountLostLineEndsAreMended) {
  std::string bytes;
  for (int i = 0; i < 5; ++i) {
    bytes += without_returns(
        warc_page("http://a.example/" + std::to_string(i),
                  "<p>words of page " + std::to_string(i) + "\r\nin lines\r\nof their own\r\n"));
  }
  const std::vector<ReadRecord> all = records(bytes);
  ASSERT_EQ(all.size(), 5U);
  for (const ReadRecord& record : all) {
    EXPECT_EQ(record.bad, BadReason::none) << record.number;
    EXPECT_TRUE(record.raw.ends_with("of their own\n")) << record.raw;
  }
}

TEST_F(ArchiveSplitting, OtherLengthsThatAreTooLargeAreNot) {
  // Carriage returns in the head: none was removed.
  const std::string page = warc_page("http://a.example/", "<p>words\nin\nlines\n");
  const std::string longer = [&] {
    std::string out = page;
    const std::size_t at = out.find("Content-Length: ") + 16;
    return out.replace(at, 2, std::to_string(std::stoi(out.substr(at, 2)) + 9));
  }();
  EXPECT_EQ(records(longer + page)[0].bad, BadReason::damaged_record);
  // More bytes than it has lines.
  const std::string bare = without_returns(page);
  std::string far = bare;
  const std::size_t at = far.find("Content-Length: ") + 16;
  far.replace(at, 2, "99");
  EXPECT_EQ(records(far + bare)[0].bad, BadReason::damaged_record);
  // The last record of a file whose other lengths are right.
  EXPECT_EQ(records(page + bare).back().bad, BadReason::truncated_stream);
}

}  // namespace
}  // namespace twinset
