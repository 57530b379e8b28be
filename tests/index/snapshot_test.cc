// IndexSnapshot: documents by id, URL and tokens; every damaged byte is told or harmless.
#include "index/snapshot.h"

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

const std::vector<AddedDocument> some_documents{
    {"\"a\"", "the first text of all", "http://a/", "2024-01-01"},
    {"\"b\"", "The first: text of ALL", "http://a/", "2024-02-01"},
    {"7", "a number is an id, too", "http://b/"},
    {"\"d\"", made_text(1, 100)}};

Status make_index(FileSystem& files) {
  IndexSettings settings = two_schemes;
  settings.texts = true;
  TWINSET_TRY(IndexWriter::create(files, "x", settings));
  TWINSET_TRY(change(files, "x", {some_documents.begin(), some_documents.begin() + 2}));
  TWINSET_TRY(seal(files, "x"));
  TWINSET_TRY(change(files, "x", {some_documents[2], {"\"e\"", "gone"}}));
  TWINSET_TRY(seal(files, "x"));
  TWINSET_TRY(change(files, "x", {}, {"\"e\""}));
  TWINSET_TRY(seal(files, "x"));
  // The rest is in the log.
  TWINSET_TRY(change(files, "x", {some_documents[3], {"\"f\"", "gone"}}));
  return change(files, "x", {}, {"\"f\""}).ok() ? Status() : Status(io_error("not removed"));
}

TEST(IndexSnapshot, FindsDocumentsByTheirNames) {
  MemoryFiles files;
  ASSERT_TRUE(make_index(files).ok());
  const IndexSnapshot snapshot = IndexSnapshot::open(files, "x").value();
  EXPECT_EQ(snapshot.documents(), 4U);
  using Place = std::optional<IndexPlace>;
  EXPECT_EQ(snapshot.find_id("\"a\"").value(), Place({0, 0}));
  EXPECT_EQ(snapshot.find_id("7").value(), Place({1, 0}));
  EXPECT_EQ(snapshot.find_id("\"7\"").value(), std::nullopt);
  EXPECT_EQ(snapshot.find_id("\"e\"").value(), std::nullopt);
  EXPECT_EQ(snapshot.find_url("http://a/").value(), (std::vector<IndexPlace>{{0, 0}, {0, 1}}));
  EXPECT_TRUE(snapshot.find_url("http://c/").value().empty());
  EXPECT_TRUE(snapshot.find_url("").value().empty());
  TextView views(snapshot.signer());
  EXPECT_EQ(snapshot.find_tokens(views.of("the first text of all").lexical_fingerprint()).value(),
            (std::vector<IndexPlace>{{0, 0}, {0, 1}}));
}

/// All that a reader can ask for.
Result<std::string> everything(FileSystem& files) {
  TWINSET_ASSIGN(const IndexSnapshot snapshot, IndexSnapshot::open(files, "x"));
  TextView views(snapshot.signer());
  IndexFinder finder(snapshot);
  std::string all;
  for (const AddedDocument& document : some_documents) {
    TWINSET_ASSIGN(const auto place, snapshot.find_id(document.id));
    TWINSET_ASSIGN(const auto urls, snapshot.find_url(document.url));
    all += place ? "+" : "-";
    all += std::to_string(urls.size());
    TWINSET_ASSIGN(const IndexAnswer answer,
                   finder.find(views.of(document.text), {.resemblance = Ratio(0, 1)}));
    for (const IndexHit& hit : answer.hits) {
      all += " " + hit.document.id + hit.document.url + std::to_string(hit.resemblance->value);
    }
  }
  return all;
}

TEST(IndexSnapshot, EveryDamagedByteIsToldOrHarmless) {
  MemoryFiles files;
  ASSERT_TRUE(make_index(files).ok());
  const std::string whole = everything(files).value();
  std::uint64_t told = 0;
  bool met_log = false;
  bool met_deletions = false;
  std::uint64_t flipped = 0;
  for (const std::string& folder : files.list("x").value()) {
    std::vector<std::string> paths{"x/" + folder};
    if (files.status(paths[0]).value().kind == FileStatus::Kind::directory) {
      paths.clear();
      for (const std::string& name : files.list("x/" + folder).value()) {
        paths.push_back("x/" + folder + "/" + name);
      }
    }
    for (const std::string& path : paths) {
      if (path == "x/lock") continue;
      met_log = met_log || path.starts_with("x/log.");
      met_deletions = met_deletions || path.find("/deleted.") != path.npos;
      const std::string bytes = files.read(path);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ 1 << i % 8);
        ASSERT_TRUE(files.write(path, damaged).ok());
        const auto read = everything(files);
        ++flipped;
        if (read.ok()) {
          ASSERT_EQ(read.value(), whole) << path << ", byte " << i;
        } else {
          ++told;
          EXPECT_NE(read.error().message.find("x/"), std::string::npos) << read.error().message;
        }
      }
      ASSERT_TRUE(files.write(path, bytes).ok());
    }
  }
  EXPECT_EQ(everything(files).value(), whole);
  EXPECT_TRUE(met_log && met_deletions);
  EXPECT_GT(flipped, 5000U);
  // But for bytes of documents that nothing asks for.
  EXPECT_GT(told, flipped * 9 / 10);
}

TEST(IndexSnapshot, OfOtherFilesThanTheManifestSaysIsRefused) {
  MemoryFiles files;
  ASSERT_TRUE(make_index(files).ok());
  const std::string first =
      IndexSnapshot::open(files, "x").value().manifest().segments.front().folder("x");
  for (const std::string& name : files.list(first).value()) {
    ASSERT_TRUE(files.remove_file(first + "/" + name).ok());
  }
  EXPECT_FALSE(IndexSnapshot::open(files, "x").ok());
  MemoryFiles other;
  EXPECT_NE(IndexSnapshot::open(other, "x").error().message.find("there is no index x"),
            std::string::npos);
}

}  // namespace
}  // namespace twinset::testing
