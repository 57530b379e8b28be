// Postings: the documents of each key, against a multimap.
#include "rows/postings.h"

#include <map>
#include <set>

#include "rows/rows_testing.h"
#include "rows/sorted_rows.h"
#include "system/memory_files.h"

namespace twinset::testing {
namespace {

constexpr FrozenKind postings_kind{.format = "segment", .version = 1, .fingerprint = 5};
using Rows = std::set<Posting>;

/// The rows that `keys(document)` gives, as they are kept.
template <class Keys>
Rows rows_of_keys(std::uint64_t documents, const Keys& keys) {
  Rows rows;
  for (std::uint64_t document = 0; document < documents; ++document) {
    for (const std::uint64_t key : keys(document)) rows.insert({Posting::kept(key), document});
  }
  return rows;
}

class Given final : public RowCursor<Posting> {
 public:
  explicit Given(const Rows& rows) : rows_(rows.begin(), rows.end()) {}

 private:
  Result<bool> refill() override {
    this->show(rows_.data(), rows_.data() + rows_.size());
    return !std::exchange(shown_, true) && !rows_.empty();
  }
  std::vector<Posting> rows_;
  bool shown_ = false;
};

Result<Fingerprint> write_rows(FileSystem& files, const Rows& rows, std::uint64_t count,
                               std::uint64_t documents) {
  const RunContext context = context_on(files);
  FrozenWriter writer(context, "f", postings_kind);
  Given given(rows);
  TWINSET_TRY(write_postings(writer, "keys", given, count, documents));
  return writer.finish();
}

struct Opened {
  std::unique_ptr<const FrozenFile> file;
  Postings postings;
};
Result<Opened> open_rows(FileSystem& files, std::uint64_t documents) {
  Opened opened;
  TWINSET_ASSIGN(opened.file, FrozenFile::open(files, "f", postings_kind));
  TWINSET_ASSIGN(const FrozenPart part, opened.file->part("keys"));
  TWINSET_ASSIGN(opened.postings, Postings::open(part, documents));
  return opened;
}

Result<std::vector<std::uint64_t>> found(const Postings& postings, std::uint64_t key) {
  TWINSET_ASSIGN(const PostingRange range, postings.find(key));
  std::vector<std::uint64_t> documents;
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    TWINSET_ASSIGN(const std::uint64_t document, postings.document(i));
    documents.push_back(document);
  }
  return documents;
}

void expect_all_found(const Rows& rows, std::uint64_t documents, std::uint64_t absent_keys) {
  MemoryFiles files;
  ASSERT_TRUE(write_rows(files, rows, rows.size(), documents).ok());
  const auto opened = open_rows(files, documents);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  const Postings& postings = opened.value().postings;
  EXPECT_EQ(postings.count(), rows.size());
  std::map<std::uint64_t, std::vector<std::uint64_t>> by_key;
  for (const Posting& row : rows) by_key[row.key].push_back(row.document);
  for (const auto& [key, expected] : by_key) {
    // The lower bits of the key do not count.
    ASSERT_EQ(found(postings, key << 24 | (mix64(key) >> 40)).value(), expected) << key;
  }
  for (std::uint64_t i = 0; i < absent_keys; ++i) {
    const std::uint64_t key = mix64(i + 12345);
    if (by_key.contains(Posting::kept(key))) continue;
    ASSERT_EQ(postings.find(key).value().size(), 0U);
  }
  const std::vector<Posting> all(rows.begin(), rows.end());
  EXPECT_EQ(rows_of(postings.read()).value(), all);
}

TEST(Postings, FindTheDocumentsOfEachKey) {
  for (const std::uint64_t documents : {1, 2, 3, 31, 100, 5000, 70'000}) {
    expect_all_found(rows_of_keys(documents,
                                  [](std::uint64_t document) {
                                    return std::vector<std::uint64_t>{
                                        mix64(document), mix64(document / 3 + 1'000'000),
                                        mix64(document + 2'000'000)};
                                  }),
                     documents, 1000);
  }
}

TEST(Postings, OfNothingFindNothing) {
  expect_all_found({}, 0, 100);
  expect_all_found({}, 10, 100);
}

TEST(Postings, HoldKeysThatManyDocumentsHaveAndKeysAtBothEnds) {
  expect_all_found(rows_of_keys(20'000,
                                [](std::uint64_t document) {
                                  std::vector<std::uint64_t> keys{0, ~std::uint64_t{0}};
                                  if (document % 2 == 0) keys.push_back(mix64(7));
                                  keys.push_back(mix64(document % 10));
                                  // All in one bucket.
                                  keys.push_back(std::uint64_t{1} << 63 | document << 24);
                                  return keys;
                                }),
                   20'000, 1000);
}

TEST(Postings, TakeLittleMoreThanTheirBits) {
  MemoryFiles files;
  const Rows rows = rows_of_keys(20'000, [](std::uint64_t document) {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 10; ++i) keys.push_back(mix64(document * 10 + i));
    return keys;
  });
  ASSERT_TRUE(write_rows(files, rows, rows.size(), 20'000).ok());
  // 40 - 13 bits of key, 15 of document, 2 at most for the bucket, and the checksums.
  const double bits =
      8.0 * static_cast<double>(files.read("f").size()) / static_cast<double>(rows.size());
  EXPECT_LT(bits, 27 + 15 + 2.2);
}

TEST(Postings, RowsThatAreNotAsPromisedAreErrors) {
  MemoryFiles files;
  const Rows rows{{1, 0}, {1, 2}, {7, 1}};
  EXPECT_TRUE(write_rows(files, rows, 3, 3).ok());
  EXPECT_FALSE(write_rows(files, rows, 2, 3).ok());
  EXPECT_FALSE(write_rows(files, rows, 4, 3).ok());
  EXPECT_FALSE(write_rows(files, rows, 3, 2).ok());
  EXPECT_FALSE(write_rows(files, {{std::uint64_t{1} << 40, 0}}, 1, 1).ok());
  EXPECT_FALSE(write_rows(files, {}, std::uint64_t{1} << 32, 1).ok());
  ASSERT_TRUE(write_rows(files, rows, 3, 3).ok());
  EXPECT_FALSE(open_rows(files, 4).ok());
}

/// With right checksums, as a forger makes them.
TEST(Postings, BucketsThatGoBackAreAnError) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  const Rows rows = rows_of_keys(100, [](std::uint64_t document) {
    return std::vector<std::uint64_t>{mix64(document), mix64(document + 100)};
  });
  ASSERT_TRUE(write_rows(files, rows, rows.size(), 100).ok());
  const auto opened = open_rows(files, 100);
  const FrozenPart part = opened.value().file->part("keys").value();
  std::string bytes(part.read(0, part.size()).value());
  // The second of 9 buckets' ends, before the 24 bytes at the end.
  bytes[bytes.size() - 24 - 7 * 4 + 1] = static_cast<char>(0);
  bytes[bytes.size() - 24 - 7 * 4] = static_cast<char>(0);
  FrozenWriter writer(context, "f", postings_kind);
  ASSERT_TRUE(writer.begin("keys").ok());
  ASSERT_TRUE(writer.append(bytes).ok());
  ASSERT_TRUE(writer.finish().ok());
  const auto forged = open_rows(files, 100);
  ASSERT_TRUE(forged.ok()) << forged.error().message;
  EXPECT_FALSE(rows_of(forged.value().postings.read()).ok());
}

TEST(Postings, EveryDamagedByteIsAnErrorOrChangesNothing) {
  MemoryFiles files;
  const Rows rows = rows_of_keys(90, [](std::uint64_t document) {
    return std::vector<std::uint64_t>{mix64(document), mix64(document / 2)};
  });
  ASSERT_TRUE(write_rows(files, rows, rows.size(), 90).ok());
  const std::string whole = files.read("f");
  const std::vector<Posting> all(rows.begin(), rows.end());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 4);
    ASSERT_TRUE(files.write("f", bytes).ok());
    const auto opened = open_rows(files, 90);
    if (!opened.ok()) continue;
    const auto read = rows_of(opened.value().postings.read());
    if (read.ok()) {
      ASSERT_EQ(read.value(), all) << "byte " << i;
    }
  }
}

}  // namespace
}  // namespace twinset::testing
