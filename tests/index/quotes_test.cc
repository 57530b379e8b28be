// Who quotes a text: every planted quote is found, its place is told, and its host is listed.
#include "index/quotes.h"

#include <set>

#include "index/index_testing.h"
#include "join/common_runs_oracle.h"
#include "text/analyzer.h"
#include "web/url.h"

namespace twinset::testing {
namespace {

/// `words` words of so few kinds that texts have runs in common by chance.
std::string few_kinds(std::uint64_t seed, std::size_t words, std::uint64_t kinds) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    text += (i > 0 ? " w" : "w") + std::to_string(mix64(seed << 20 | i) % kinds);
  }
  return text;
}

/// The words [begin, begin + words) of a text.
std::string words_at(const std::string& text, std::size_t begin, std::size_t words) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < begin; ++i) at = text.find(' ', at) + 1;
  std::size_t end = at;
  for (std::size_t i = 0; i < words && end != std::string::npos; ++i) {
    end = text.find(' ', i == 0 ? end : end + 1);
  }
  return text.substr(at, end - at);
}

struct QuoteIndex {
  MemoryFiles files;
  std::optional<IndexSnapshot> snapshot;

  QuoteIndex(IndexSettings settings, const std::vector<AddedDocument>& documents) {
    EXPECT_TRUE(IndexWriter::create(files, "x", settings).ok());
    const std::size_t half = documents.size() / 2;
    const auto middle = documents.begin() + static_cast<std::ptrdiff_t>(half);
    EXPECT_TRUE(change(files, "x", {documents.begin(), middle}).ok());
    EXPECT_TRUE(change(files, "x", {middle, documents.end()}).ok());
    snapshot = IndexSnapshot::open(files, "x").value();
  }
  Result<IndexAnswer> ask(const std::string& text, QuerySettings query) {
    query.passages = true;
    TextView views(snapshot->signer());
    return IndexFinder(*snapshot).find(views.of(text), query);
  }
};

struct PlantedWeb {
  std::string ruling = made_text(9, 3000);
  std::vector<AddedDocument> pages;
  std::map<std::string, std::string> quote_of;         ///< by id
  std::map<std::string, std::uint64_t> pages_of_host;  ///< that quote

  PlantedWeb() {
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const std::string host = "h" + std::to_string(mix64(i) % 60) + ".org";
      std::string text = made_text(1000 + i, 200 + mix64(i + 1) % 800);
      const std::string id = quoted("p" + std::to_string(i));
      if (i % 10 == 3) {
        const std::size_t words = 50 + mix64(i + 2) % 30;
        quote_of[id] = words_at(ruling, mix64(i + 3) % (3000 - words), words);
        text += " " + quote_of[id] + " " + made_text(9000 + i, 400);
        ++pages_of_host[host];
      }
      pages.push_back({id, text, "http://" + host + "/" + std::to_string(i)});
    }
  }
};

// B-27, B-29: who has copies of a part of a text, and where; all planted quotes, and nothing else.
TEST(IndexQuotes, FindsEveryPlantedQuoteAndListsItsHost) {
  const PlantedWeb web;
  for (const bool texts : {true, false}) {
    QuoteIndex index({.scheme = {"mod(samples=64)", "winnow"}, .texts = texts}, web.pages);
    const auto answer = index.ask(web.ruling, {.top = 0});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer.value().sure_tokens, 50U);
    EXPECT_FALSE(answer.value().timed_out);
    std::set<std::string> found;
    for (const IndexHit& hit : answer.value().hits) {
      const auto planted = web.quote_of.find(hit.document.id);
      ASSERT_NE(planted, web.quote_of.end()) << hit.document.id;
      found.insert(hit.document.id);
      ASSERT_EQ(hit.passages.size(), 1U);
      const SharedPassage& passage = hit.passages[0];
      const std::string text = web.ruling.substr(passage.begin, passage.end - passage.begin);
      EXPECT_EQ(hit.exact, texts);
      EXPECT_EQ(hit.quoted, passage.tokens);
      if (!texts) {
        // From the first to the last key in it.
        EXPECT_NE(planted->second.find(text), std::string::npos);
        EXPECT_FALSE(passage.in_begin.has_value());
        continue;
      }
      EXPECT_NE(text.find(planted->second), std::string::npos);
      const auto& page = web.pages[std::stoul(hit.document.id.substr(2))].text;
      EXPECT_EQ(page.substr(*passage.in_begin, *passage.in_end - *passage.in_begin), text);
    }
    EXPECT_EQ(found.size(), web.quote_of.size());
    ASSERT_EQ(answer.value().hosts.size(), web.pages_of_host.size());
    for (const QuotingHost& host : answer.value().hosts) {
      EXPECT_EQ(host.documents, web.pages_of_host.at(host.host)) << host.host;
      EXPECT_EQ(host.passages, host.documents);
      EXPECT_GE(host.quoted, texts ? 50U : 17U);
    }
    // Hosts are those of all hits.
    const auto best = index.ask(web.ruling, {.top = 3});
    EXPECT_EQ(best.value().hits.size(), 3U);
    EXPECT_EQ(best.value().hosts.size(), web.pages_of_host.size());
    // Samples alone know nothing of a quote.
    QuoteIndex samples({.scheme = {"mod(samples=64)"}, .texts = texts}, web.pages);
    EXPECT_TRUE(samples.ask(web.ruling, {.top = 0}).value().hits.empty());
    EXPECT_FALSE(samples.ask(web.ruling, {}).value().sure_tokens.has_value());
  }
}

TEST(IndexQuotes, PassagesAreThoseOfDynamicProgramming) {
  std::vector<AddedDocument> documents;
  for (std::uint64_t i = 0; i < 150; ++i) {
    documents.push_back({quoted("d" + std::to_string(i)), few_kinds(i, 1 + mix64(i) % 90, 3)});
  }
  QuoteIndex index({.scheme = {"winnow(run=8)"}, .texts = true}, documents);
  std::uint64_t all = 0;
  for (std::uint64_t query = 500; query < 520; ++query) {
    const std::string text = few_kinds(query, 80, 3);
    const QuerySettings settings{
        .resemblance = {}, .top = 0, .max_group = 0, .min_tokens = query % 2 == 0 ? 8 : 11};
    const auto answer = index.ask(text, settings);
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value().sure_tokens, settings.min_tokens);
    const auto tokens = [](const std::string& of) {
      Analysis analysis;
      analyze(*find_analyzer("words"), of, Markup::none, Offsets::keep, analysis);
      return analysis;
    };
    const Analysis mine = tokens(text);
    std::map<std::string, std::vector<SharedPassage>> found;
    for (const IndexHit& hit : answer.value().hits) found[hit.document.id] = hit.passages;
    std::size_t quoting = 0;
    for (const AddedDocument& document : documents) {
      const Analysis other = tokens(document.text);
      const auto runs = by_dynamic_programming(mine.tokens, other.tokens,
                                               static_cast<unsigned>(*settings.min_tokens));
      quoting += runs.empty() ? 0 : 1;
      all += runs.size();
      const std::vector<SharedPassage>& passages = found[document.id];
      ASSERT_EQ(passages.size(), runs.size()) << document.id;
      for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(passages[i].tokens, runs[i].tokens);
        EXPECT_EQ(passages[i].begin, mine.offsets[runs[i].a].begin);
        EXPECT_EQ(passages[i].in_begin, other.offsets[runs[i].b].begin);
        EXPECT_EQ(passages[i].in_end, other.offsets[runs[i].b + runs[i].tokens - 1].end);
      }
    }
    EXPECT_EQ(answer.value().hits.size(), quoting);
  }
  EXPECT_GT(all, 300U);
}

TEST(IndexQuotes, SaysWhatTooManyHave) {
  const std::string form = made_text(1, 60);
  const std::string own = made_text(2, 60);
  std::vector<AddedDocument> documents;
  for (std::uint64_t i = 0; i < 10; ++i) {
    documents.push_back({quoted("d" + std::to_string(i)), made_text(10 + i, 100) + " " + form});
  }
  documents[4].text += " " + own;
  QuoteIndex index({.scheme = {"winnow"}, .texts = true}, documents);
  const std::string query = own + " " + form;
  const auto some = index.ask(query, {.max_group = 5});
  ASSERT_TRUE(some.ok());
  ASSERT_EQ(some.value().hits.size(), 1U);
  EXPECT_EQ(some.value().hits[0].document.id, quoted("d4"));
  EXPECT_EQ(some.value().hits[0].passages.size(), 2U);
  EXPECT_GT(some.value().skipped, 0U);
  EXPECT_FALSE(some.value().sure_tokens.has_value());
  ASSERT_EQ(some.value().common.size(), 1U);
  EXPECT_GE(some.value().common[0].begin, own.size());
  EXPECT_LE(some.value().common[0].end, query.size());
  const auto all = index.ask(query, {.max_group = 0});
  EXPECT_EQ(all.value().hits.size(), 10U);
  EXPECT_EQ(all.value().sure_tokens, 50U);
  ASSERT_EQ(all.value().hosts.size(), 1U);  // of documents without a URL
  EXPECT_EQ(all.value().hosts[0].host, "");
  EXPECT_EQ(all.value().hosts[0].quoted, 120U);
}

TEST(IndexQuotes, ATimeLimitEndsAQueryAndIsTold) {
  const PlantedWeb web;
  QuoteIndex index({.scheme = {"winnow"}}, web.pages);
  const auto none = index.ask(web.ruling, {.time_limit = 0});
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none.value().timed_out);
  EXPECT_TRUE(none.value().hits.empty());
  EXPECT_FALSE(none.value().sure_tokens.has_value());
  const auto ample = index.ask(web.ruling, {.top = 0, .time_limit = UINT64_MAX});
  EXPECT_FALSE(ample.value().timed_out);
  EXPECT_EQ(ample.value().hits.size(), web.quote_of.size());
}

TEST(IndexQuotes, RefusesPassagesOfNoLength) {
  QuoteIndex index({.scheme = {"winnow"}}, {{quoted("a"), "some words"}});
  for (const std::uint64_t tokens : {std::uint64_t{0}, std::uint64_t{10'001}}) {
    const auto refused = index.ask("some words", {.min_tokens = tokens});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
  }
  EXPECT_TRUE(index.ask("", {}).value().hits.empty());
}

}  // namespace
}  // namespace twinset::testing
