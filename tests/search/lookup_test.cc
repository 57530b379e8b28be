// From a URL to its documents, to their clusters, to the documents of these, to their URLs.
#include "search/lookup.h"

#include <algorithm>
#include <ctime>
#include <set>

#include "search/search_testing.h"
#include "support_runs/cluster_testing.h"

namespace twinset::testing {
namespace {

std::string url_of(std::uint64_t page) {
  return "http://h" + std::to_string(page % 7) + "/" + std::to_string(page);
}

/// `versions` sweeps of `pages` pages in families of near copies; pages differ from sweep to sweep.
std::string sweep_lines(std::uint64_t pages, std::uint64_t versions) {
  std::string lines;
  for (std::uint64_t version = 0; version < versions; ++version) {
    for (std::uint64_t page = 0; page < pages; ++page) {
      std::string text = words_of(page / 3, 120);
      if (page % 3 != 0) text += " " + words_of(page * 100 + version, 10 + page % 3 * 30);
      lines += record_line(std::to_string(page) + "v" + std::to_string(version), text,
                           ", \"url\": \"" + url_of(page) + "\"");
    }
  }
  return lines;
}

std::set<std::string> ids_of(const std::vector<IndexDocument>& documents) {
  std::set<std::string> ids;
  for (const IndexDocument& document : documents) ids.insert(document.id);
  EXPECT_EQ(ids.size(), documents.size());
  return ids;
}

/// By id: the ids of its cluster, of those of several documents.
std::map<std::string, std::set<std::string>> clusters_by_id(const std::string& folder) {
  std::map<std::string, std::set<std::string>> cluster_of;
  for (const auto& [representative, members] : read_clusters(folder)) {
    std::set<std::string> all(members.begin(), members.end());
    all.insert(representative);
    for (const std::string& id : all) cluster_of[id] = all;
  }
  return cluster_of;
}

// B-16: the round trip of all URLs, against the clusters of a run over the index.
TEST(IndexLookup, EachUrlLeadsToItsClustersAndTheseToTheirUrls) {
  for (const bool texts : {false, true}) {
    SearchFolder index;
    index.options.settings.texts = texts;
    index.options.url = "url";
    ASSERT_TRUE(index.create().ok());
    ASSERT_TRUE(index.add(sweep_lines(60, 3)).ok());
    ASSERT_TRUE(index.remove({"4v1", "0v0"}).ok());
    ClusterOptions options;
    options.inputs = {index.options.index};
    options.output = index.folder / "groups";
    ASSERT_TRUE(cluster(options, quiet_control()).ok());
    std::map<std::string, std::set<std::string>> cluster_of = clusters_by_id(options.output);
    const Result<Index> opened = Index::open(index.options.index);
    ASSERT_TRUE(opened.ok());
    std::uint64_t documents = 0;
    for (std::uint64_t page = 0; page < 60; ++page) {
      const Result<IndexLookup> found = opened.value().lookup(url_of(page));
      ASSERT_TRUE(found.ok()) << found.error().message;
      EXPECT_EQ(found.value().name, url_of(page));
      EXPECT_EQ(found.value().documents.size(), page == 4 || page == 0 ? 2U : 3U);
      std::set<std::string> reached;
      for (const IndexCluster& each : found.value().clusters) {
        EXPECT_TRUE(each.whole);
        const std::set<std::string> ids = ids_of(each.documents);
        const std::string first = each.documents.front().id;
        EXPECT_EQ(ids, cluster_of.contains(first) ? cluster_of[first] : std::set{first});
        EXPECT_TRUE(std::ranges::any_of(each.documents, [&](const IndexDocument& document) {
          return document.url == url_of(page);
        }));
        for (const std::string& id : ids) EXPECT_TRUE(reached.insert(id).second);
        for (const IndexDocument& document : each.documents) {
          // And back from its URL.
          const Result<IndexLookup> back = opened.value().lookup(document.url);
          ASSERT_TRUE(back.ok());
          EXPECT_TRUE(std::ranges::any_of(back.value().clusters, [&](const IndexCluster& other) {
            return ids_of(other.documents) == ids;
          }));
        }
      }
      for (const IndexDocument& document : found.value().documents) {
        ++documents;
        EXPECT_EQ(document.url, url_of(page));
        EXPECT_TRUE(reached.contains(document.id));
        const Result<IndexLookup> by_id =
            opened.value().lookup(document.id.substr(1, document.id.size() - 2));
        ASSERT_TRUE(by_id.ok());
        ASSERT_EQ(by_id.value().documents.size(), 1U);
        EXPECT_EQ(by_id.value().documents[0].id, document.id);
      }
    }
    EXPECT_EQ(documents, 178U);
    EXPECT_GT(cluster_of.size(), 100U);
  }
}

TEST(IndexLookup, AnUnknownUrlIsToldAsUnknown) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  ASSERT_TRUE(index.add(record_line("a", words_of(1, 50))).ok());
  LookupOptions options;
  options.index = index.options.index;
  EXPECT_EQ(lookup(options, quiet_control()).error().code, ErrorCode::usage);
  options.names = {"http://never/", "a", ""};
  const auto found = lookup(options, quiet_control());
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found.value().size(), 3U);
  for (const std::size_t unknown : {0U, 2U}) {
    EXPECT_TRUE(found.value()[unknown].documents.empty());
    EXPECT_TRUE(found.value()[unknown].clusters.empty());
    EXPECT_NE(to_text(found.value()[unknown]).find("unknown"), std::string::npos);
  }
  ASSERT_EQ(found.value()[1].clusters.size(), 1U);
  EXPECT_EQ(found.value()[1].clusters[0].documents.size(), 1U);
}

TEST(IndexLookup, ALargeClusterIsCutAndSaidToBe) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    // A chain: each is like its neighbors.
    lines += record_line("c" + std::to_string(i),
                         words_of(i, 60) + " " + words_of(i + 1, 60) + " " + words_of(i + 2, 60));
  }
  for (int i = 0; i < 30; ++i) lines += record_line("s" + std::to_string(i), words_of(900, 60));
  ASSERT_TRUE(index.add(lines).ok());
  const Result<Index> opened = Index::open(index.options.index);
  LookupSettings settings;
  settings.resemblance = Ratio(1, 3);
  const auto whole = opened.value().lookup("c20", settings);
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole.value().clusters[0].documents.size(), 40U);
  EXPECT_TRUE(whole.value().clusters[0].whole);
  for (const std::uint64_t top : {1U, 7U, 39U}) {
    settings.top = top;
    for (const char* id : {"c20", "s3"}) {
      const auto cut = opened.value().lookup(id, settings);
      ASSERT_TRUE(cut.ok());
      const IndexCluster& cluster = cut.value().clusters[0];
      EXPECT_EQ(cluster.documents.size(), id[0] == 's' ? std::min<std::size_t>(30, top) : top);
      EXPECT_EQ(cluster.whole, id[0] == 's' && top == 39);
    }
  }
  // The document that was asked for is there, too.
  settings.top = 3;
  const auto last = opened.value().lookup("c39", settings);
  ASSERT_TRUE(last.ok());
  EXPECT_TRUE(ids_of(last.value().clusters[0].documents).contains("\"c39\""));
  settings.resemblance = Ratio(0, 1);
  EXPECT_FALSE(opened.value().lookup("c20", settings).ok());
}

// Each document's cluster is that of a run over the index: with many copies, which count once where
// a key is common; and with few keys, on which containment does not rest.
TEST(IndexLookup, IsTheClusterOfARunAlsoWithCopiesAndShortTexts) {
  struct Case {
    const char* scheme;
    bool texts;
    std::optional<Ratio> containment;
  };
  std::string lines;
  for (std::uint64_t i = 0; i < 120; ++i) {
    const std::string family = words_of(i % 4, 40 + i % 4 * 30);
    const std::string text = i < 80 ? family : family + " " + words_of(i + 100, i % 7 * 20);
    lines += record_line(std::to_string(i), text);
  }
  for (std::uint64_t i = 120; i < 240; ++i) {
    lines += record_line(std::to_string(i),
                         words_of(i / 3, 12 + i % 7) + " " + words_of(i + 1000, i % 3 * 60));
  }
  const Case cases[] = {{"mod(samples=64)", false, {}},
                        {"mod(samples=64)", true, {}},
                        {"mod(modulus=16)", false, Ratio(4, 5)},
                        {"mod(modulus=16)", true, Ratio(4, 5)},
                        {"fss", false, {}},
                        {"simhash", false, {}}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.scheme);
    SearchFolder index;
    index.options.settings = {.scheme = {each.scheme}, .texts = each.texts};
    ASSERT_TRUE(index.create().ok());
    ASSERT_TRUE(index.add(lines).ok());
    ASSERT_TRUE(index.remove({"0", "1", "7"}).ok());
    ClusterOptions options;
    options.inputs = {index.options.index};
    options.output = index.folder / "groups";
    options.containment = each.containment;
    options.max_group = 12;
    const auto made = cluster(options, quiet_control());
    ASSERT_TRUE(made.ok()) << made.error().message;
    std::map<std::string, std::set<std::string>> cluster_of = clusters_by_id(options.output);
    EXPECT_GT(cluster_of.size(), 80U);
    const Result<Index> opened = Index::open(index.options.index);
    LookupSettings settings;
    settings.containment = each.containment;
    settings.max_group = 12;
    for (int i = 0; i < 240; ++i) {
      const std::string name = std::to_string(i);
      const auto found = opened.value().lookup(name, settings);
      ASSERT_TRUE(found.ok());
      if (found.value().documents.empty()) continue;
      const std::string id = found.value().documents[0].id;
      EXPECT_EQ(ids_of(found.value().clusters[0].documents),
                cluster_of.contains(id) ? cluster_of[id] : std::set{id});
    }
  }
}

TEST(IndexLookup, ACutClusterIsToldOnceForAllVersionsOfAPage) {
  SearchFolder index;
  index.options.url = "url";
  ASSERT_TRUE(index.create().ok());
  std::string lines;
  for (int i = 0; i < 300; ++i) {
    lines += record_line(std::to_string(i), words_of(1, 200) + " " + words_of(i + 10, 10),
                         ", \"url\": \"http://a/\"");
  }
  ASSERT_TRUE(index.add(lines).ok());
  const Result<Index> opened = Index::open(index.options.index);
  LookupSettings settings;
  settings.top = 20;
  const auto found = opened.value().lookup("http://a/", settings);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().documents.size(), 300U);
  ASSERT_EQ(found.value().clusters.size(), 1U);
  EXPECT_EQ(found.value().clusters[0].documents.size(), 20U);
  EXPECT_FALSE(found.value().clusters[0].whole);
}

// Work that grows with the square of them took 200 seconds.
TEST(IndexLookup, ManyCopiesAreAskedForOnce) {
  SearchFolder index;
  ASSERT_TRUE(index.create().ok());
  std::string lines;
  for (int i = 0; i < 40'000; ++i) {
    lines += record_line(std::to_string(i), i % 2 == 0 ? "..." : "a b c d e f g h");
  }
  ASSERT_TRUE(index.add(lines).ok());
  const Result<Index> opened = Index::open(index.options.index);
  LookupSettings settings;
  settings.top = 0;
  const std::clock_t begin = std::clock();
  const auto found = opened.value().lookup("1", settings);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().clusters[0].documents.size(), 20'000U);
  ClusterOptions options;
  options.inputs = {index.options.index};
  options.output = index.folder / "groups";
  const auto made = cluster(options, quiet_control());
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value().largest, 20'000U);
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 15);
}

// Without texts the bands of a document are only in the postings: to read all of them for each
// version of a page took a minute here.
TEST(IndexLookup, TheKeysOfManyVersionsAreReadTogether) {
  SearchFolder index;
  index.options.settings.scheme = {"fss"};
  index.options.url = "url";
  ASSERT_TRUE(index.create().ok());
  std::string lines;
  constexpr int versions = 8'000;
  for (int i = 0; i < versions; ++i) {
    lines += record_line(std::to_string(i), words_of(i / 2, 40), ", \"url\": \"http://a/\"");
  }
  ASSERT_TRUE(index.add(lines).ok());
  const Result<Index> opened = Index::open(index.options.index);
  const std::clock_t begin = std::clock();
  const auto found = opened.value().lookup("http://a/", LookupSettings());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().clusters.size(), versions / 2);
  for (const IndexCluster& cluster : found.value().clusters) {
    EXPECT_EQ(cluster.documents.size(), 2U);
  }
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 10);
}

}  // namespace
}  // namespace twinset::testing
