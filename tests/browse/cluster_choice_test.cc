// Random questions against all clusters, looked at one by one.
#include "browse/cluster_choice.h"

#include "browse/browse_testing.h"
#include "look/output_folder.h"

namespace twinset {
namespace {

using namespace twinset::testing;

struct PlainCluster {
  std::uint32_t number = 0;
  std::uint64_t documents = 0;
  std::uint64_t sources = 0;
  unsigned least = UINT32_MAX;
};

std::string small(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return text;
}

/// By definition.
std::vector<std::uint32_t> plain_choice(const MadeFolder& made, const ClustersOptions& asked) {
  std::vector<PlainCluster> found;
  for (std::size_t i = 0; i < made.clusters.size(); ++i) {
    const MadeCluster& cluster = made.clusters[i];
    PlainCluster plain{static_cast<std::uint32_t>(i), cluster.size(), 0, UINT32_MAX};
    std::set<std::size_t> sources;
    bool of_kind = !asked.kind.has_value();
    bool has_text = asked.search.empty();
    bool of_source = asked.source.empty();
    for (std::size_t j = 0; j < cluster.size(); ++j) {
      const MadeMember& member = cluster[j];
      sources.insert(member.file);
      of_source = of_source || made.files[member.file] == asked.source;
      const std::string searched = small(asked.search);
      has_text = has_text || small(member.id).find(searched) != std::string::npos ||
                 small(made.files[member.file]).find(searched) != std::string::npos;
      if (j == 0) continue;
      of_kind = of_kind || member.kind == asked.kind;
      plain.least = std::min(plain.least, member.millionths);
    }
    plain.sources = sources.size();
    const bool in_size = plain.documents >= asked.min_documents &&
                         plain.documents <= asked.max_documents.value_or(UINT64_MAX);
    const auto in_units = [](const Ratio& ratio) {
      return static_cast<unsigned>(ratio.value() * 1e6 + 0.5);
    };
    const bool in_band =
        (!asked.resemblance.least || plain.least >= in_units(*asked.resemblance.least)) &&
        (!asked.resemblance.most || plain.least <= in_units(*asked.resemblance.most));
    if (of_kind && has_text && of_source && in_size && in_band) found.push_back(plain);
  }
  std::stable_sort(found.begin(), found.end(), [&](const PlainCluster& a, const PlainCluster& b) {
    if (asked.sort == ClusterSort::documents) return a.documents > b.documents;
    if (asked.sort == ClusterSort::resemblance) return a.least < b.least;
    if (asked.sort == ClusterSort::sources) return a.sources > b.sources;
    return false;
  });
  std::vector<std::uint32_t> numbers;
  for (const PlainCluster& plain : found) numbers.push_back(plain.number);
  if (asked.reverse) std::reverse(numbers.begin(), numbers.end());
  return numbers;
}

TEST(ClusterChoice, IsThatOfASlowLoop) {
  MadeFolder made;
  made.draw(11, 400);
  made.write();
  const Result<OutputFolder> folder = open_output_folder(unsynced(), made.out);
  ASSERT_TRUE(folder.ok());
  const Result<ClusterTable> table =
      ClusterTable::read(unsynced(), folder.value(), {UINT64_MAX, made.folder.path(), nullptr});
  ASSERT_TRUE(table.ok());
  std::mt19937_64 random(5);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  const std::string searches[] = {"doc-1", "PAGE/2", "news/b", "\xc3\xa9", "<B>", ".jsonl", "no"};
  std::size_t some = 0;
  for (int tries = 0; tries < 400; ++tries) {
    ClustersOptions asked;
    asked.sort = static_cast<ClusterSort>(below(4));
    asked.reverse = below(2) == 0;
    if (below(3) == 0) asked.min_documents = below(6);
    if (below(3) == 0) asked.max_documents = asked.min_documents + below(200);
    if (below(4) == 0) asked.source = made.files[below(3)];
    if (below(3) == 0) asked.kind = static_cast<RemovalKind>(below(5));
    if (below(3) == 0)
      asked.resemblance.least = Ratio(static_cast<std::uint32_t>(6 + below(4)), 10);
    if (below(4) == 0) {
      asked.resemblance.most = Ratio(static_cast<std::uint32_t>(9 + below(2)), 10);
    }
    if (below(3) == 0) asked.search = searches[below(std::size(searches))];
    const Result<RowOrder> chosen = choose_clusters(table.value(), asked);
    ASSERT_TRUE(chosen.ok()) << chosen.error().message;
    const std::vector<std::uint32_t> plain = plain_choice(made, asked);
    EXPECT_EQ(chosen.value().rows, plain);
    std::uint64_t documents = 0;
    for (const std::uint32_t i : plain) documents += made.clusters[i].size();
    EXPECT_EQ(chosen.value().documents, documents);
    some += plain.empty() ? 0 : 1;
  }
  EXPECT_GT(some, 200U);
}

TEST(ClusterChoice, RefusesWhatContradictsItself) {
  MadeFolder made;
  made.draw(1, 5);
  made.write();
  const RunBrowser run = made.browse();
  ClustersOptions asked;
  asked.min_documents = 5;
  asked.max_documents = 4;
  EXPECT_EQ(run.clusters(asked).error().code, ErrorCode::usage);
  asked = {};
  asked.resemblance = {Ratio(9, 10), Ratio(8, 10)};
  EXPECT_EQ(run.clusters(asked).error().code, ErrorCode::usage);
  asked = {};
  asked.source = "no such file";
  EXPECT_NE(run.clusters(asked).error().text().find("'no such file' is none of the run's inputs"),
            std::string::npos);
}

TEST(ClusterChoice, ItsKeyTellsAllButThePage) {
  ClustersOptions a;
  ClustersOptions b;
  b.offset = 50;
  b.limit = 7;
  b.words = false;
  EXPECT_EQ(choice_key(a), choice_key(b));
  b.search = "x";
  EXPECT_NE(choice_key(a), choice_key(b));
  a.source = "x";
  EXPECT_NE(choice_key(a), choice_key(b));
}

TEST(ClusterChoice, LettersOfAsciiAreTheSame) {
  std::string room;
  EXPECT_TRUE(has_text("The Library", lowered("LIBR"), room));
  EXPECT_FALSE(has_text("The Library", lowered("libs"), room));
  EXPECT_TRUE(has_text("", "", room));
}

}  // namespace
}  // namespace twinset
