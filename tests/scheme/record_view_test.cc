// A view gives the parts of the current record, whatever was asked of the one before.
#include "scheme/record_view.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "io/reader.h"
#include "scheme/scheme.h"
#include "scheme/shingle_set.h"
#include "scheme/signer.h"
#include "support/archives.h"
#include "support/scratch_folder.h"
#include "template/learn_templates.h"
#include "text/shingler.h"

namespace twinset {
namespace {

Record record_of(std::string_view text, Markup markup = Markup::none) {
  Record record;
  record.text = text;
  record.markup = markup;
  return record;
}

class RecordViews : public ::testing::Test {
 protected:
  std::vector<std::uint64_t> shingles_of(std::string_view text, unsigned width) const {
    Analysis analysis;
    words_.analyze(text, Offsets::drop, analysis);
    std::vector<std::uint64_t> shingles;
    shingle(analysis.tokens, width, shingles);
    return shingles;
  }
  void expect_all_of(const RecordView& view, std::string_view visible) const {
    EXPECT_EQ(view.visible_text(), visible);
    EXPECT_EQ(view.visible().text, visible);
    Analysis analysis;
    words_.analyze(visible, Offsets::keep, analysis);
    EXPECT_EQ(view.analysis().tokens, analysis.tokens);
    EXPECT_EQ(view.visible().analysis.tokens, analysis.tokens);
    EXPECT_EQ(view.visible().analysis.offsets.size(), analysis.offsets.size());
    for (const unsigned width : {3U, 1U, 3U}) {
      const auto expected = shingles_of(visible, width);
      EXPECT_EQ(
          std::vector<std::uint64_t>(view.shingles(width).begin(), view.shingles(width).end()),
          expected);
    }
    const auto expected = shingles_of(visible, 3);
    EXPECT_EQ(view.shingles().size(), expected.size());
    EXPECT_EQ(view.distinct_shingles().size(),
              std::set<std::uint64_t>(expected.begin(), expected.end()).size());
  }

  const Analyzer& words_ = *find_analyzer("words");
  RecordView view_{{.analyzer = &words_, .shingle_tokens = 3}};
};

/// A page that was read before is looked at as one that is read now, and leaves nothing behind.
TEST_F(RecordViews, PageReadBeforeIsAsThePageItself) {
  const Record other = record_of("<p>Words of another page, quite a few of them.", Markup::html);
  const Record page =
      record_of("<p>Fish &amp; chips<li><a href=x>and \xff peas too</a>", Markup::html);
  RecordView reader({.analyzer = &words_, .shingle_tokens = 3, .reads_blocks = true});
  reader.look_at(page);
  PageTokens kept;
  kept.tokens = reader.whole_analysis().tokens;
  kept.blocks.assign(reader.blocks().begin(), reader.blocks().end());
  kept.replaced = reader.whole_analysis().replaced;
  EXPECT_EQ(kept.replaced, 1U);
  for (const bool alone : {false, true}) {
    PageTokens taken = kept;
    view_.look_at(other);
    EXPECT_FALSE(view_.shingles().empty());
    if (alone) {
      view_.look_at_page(taken);
    } else {
      view_.look_at(page);
      view_.take_page(taken);
      EXPECT_EQ(view_.lexical_fingerprint(), reader.lexical_fingerprint());
    }
    EXPECT_EQ(view_.whole_analysis().tokens, kept.tokens);
    EXPECT_EQ(view_.whole_analysis().replaced, 1U);
    EXPECT_EQ(std::vector(view_.blocks().begin(), view_.blocks().end()), kept.blocks);
    EXPECT_TRUE(std::ranges::equal(view_.shingles(), reader.shingles()));
    view_.look_at(other);
    EXPECT_EQ(view_.analysis().tokens.size(), 9U);
  }
}

TEST_F(RecordViews, GivesThePartsOfEachRecordInTurn) {
  const Record rose = record_of("a rose is a rose is a rose");
  view_.look_at(rose);
  EXPECT_EQ(&view_.record(), &rose);
  expect_all_of(view_, "a rose is a rose is a rose");
  const Record page = record_of("<title>T</title><p>Fish &amp; <b>chi</b>ps", Markup::html);
  view_.look_at(page);
  EXPECT_EQ(view_.text(), page.text);
  EXPECT_EQ(view_.markup(), Markup::html);
  expect_all_of(view_, view_.visible_text());
  EXPECT_NE(view_.visible_text().find("Fish & chips"), std::string_view::npos);
  const Record empty = record_of("");
  view_.look_at(empty);
  expect_all_of(view_, "");
  view_.look_at(rose);
  expect_all_of(view_, rose.text);
}

TEST_F(RecordViews, OfARecordComparedByBytesNothingElseIsLeft) {
  const Record one = record_of("One two\xff, three");
  const Record two = record_of("one two\xff three");
  std::vector<Fingerprint> lexical;
  for (const Record* record : {&one, &two, &one}) {
    view_.look_at(*record);
    EXPECT_EQ(view_.whole_analysis().tokens.size(), 3U);
    view_.compare_bytes_only();
    EXPECT_TRUE(view_.compares_bytes_only());
    EXPECT_TRUE(view_.whole_analysis().tokens.empty());
    EXPECT_TRUE(view_.analysis().tokens.empty());
    EXPECT_TRUE(view_.shingles().empty());
    EXPECT_EQ(view_.distinct_shingles().size(), 0U);
    lexical.push_back(view_.lexical_fingerprint());
  }
  EXPECT_EQ(lexical[0], lexical[2]);
  EXPECT_NE(lexical[0], lexical[1]);
  const Record rose = record_of("a rose is a rose is a rose");
  view_.look_at(rose);
  EXPECT_FALSE(view_.compares_bytes_only());
  expect_all_of(view_, rose.text);
}

TEST_F(RecordViews, FieldsOfAPageAreThoseOfItsVisibleText) {
  const Record page = record_of("<title>News</title><h1>A</h1><a href='/b'>see</a>", Markup::html);
  view_.look_at(page);
  const HtmlFields& fields = view_.html_fields();
  ASSERT_EQ(fields.links.size(), 1U);
  const TokenOffsets link = fields.links[0].text;
  EXPECT_EQ(view_.visible_text().substr(link.begin, link.end - link.begin), "see");
  const Record plain = record_of("<h1>A</h1><a href='/b'>see</a>");
  view_.look_at(plain);
  EXPECT_TRUE(view_.html_fields().links.empty());
}

// A set of very many shingles takes the list over; a later request makes the list again.
TEST_F(RecordViews, ListAndSetOfAHugeRecordAreBothThere) {
  std::string text;
  for (std::size_t i = 0; i < many_shingles + 10; ++i) text += std::to_string(i % 2000) + " ";
  const Record huge = record_of(text);
  view_.look_at(huge);
  const std::size_t all = view_.shingles().size();
  EXPECT_GE(all, many_shingles);
  EXPECT_EQ(view_.distinct_shingles().size(), 2000U);
  EXPECT_EQ(view_.shingles().size(), all);
  std::vector<std::uint64_t> taken;
  view_.take_shingles(taken);
  EXPECT_EQ(taken.size(), all);
  EXPECT_EQ(view_.shingles().size(), all);
  view_.release_large();
  view_.look_at(huge);
  EXPECT_EQ(view_.distinct_shingles().size(), 2000U);
}

// Fields of a line are those its reader was asked for; a page has its title and elements.
TEST_F(RecordViews, GivesTheValuesOfFields) {
  const auto values = [&](std::string_view name) {
    std::vector<std::string> out;
    view_.field(name, out);
    return out;
  };
  using Values = std::vector<std::string>;
  FieldNames fields;
  fields.named = {"title", "meta.people", "n", "empty", "object"};
  Input input;
  input.format = "jsonl";
  RecordBatch batch;
  decode_record(input,
                R"({"text": "t", "title": "A \"b\" \u00e9", "meta": {"people": ["x", 7, null, )"
                R"(["y", "z"], true]}, "n": -1.50, "empty": null, "object": {"k": 1}, "other": 1})",
                fields, batch);
  view_.look_at(batch.records.at(0));
  EXPECT_EQ(values("title"), (Values{"A \"b\" \xC3\xA9"}));
  EXPECT_EQ(values("meta.people"), (Values{"x", "7", R"(["y", "z"])", "true"}));
  EXPECT_EQ(values("n"), Values{"-1.50"});
  EXPECT_EQ(values("object"), Values{R"({"k": 1})"});
  EXPECT_EQ(values("empty"), Values{});
  EXPECT_EQ(values("other"), Values{});
  EXPECT_EQ(values("h1"), Values{});
  const Record page = record_of(
      "<title>T &amp; U</title><h1>one <i>two</i></h1><a href=x>link</a><h1></h1><h1>three</h1>",
      Markup::html);
  view_.look_at(page);
  EXPECT_EQ(values("title"), Values{"T & U"});
  EXPECT_EQ(values("h1"), (Values{"one two", "three"}));
  EXPECT_EQ(values("a"), Values{"link"});
  EXPECT_EQ(values("href"), Values{"x"});
  EXPECT_EQ(values("div"), Values{});
  Record plain = record_of("<h1>x</h1>");
  view_.look_at(plain);
  EXPECT_EQ(values("h1"), Values{});
}

/// A table of one site in which the first two words and the block "Home" stand in 100 pages.
TEST_F(RecordViews, TellsWhatItLeavesOut) {
  const std::string menu = "<li><a href=x>Home of fish</a><li><a href=y>Index of all words</a>";
  std::string own;
  for (int i = 0; i < 30; ++i) own += "own" + std::to_string(i) + " ";
  const std::string text = menu + "<p>" + own + "<p>Home of fish";
  const Record page = record_of(text, Markup::html);
  testing::ScratchFolder folder;
  RunContext context;
  context.files = &disk();
  TemplateLearner learner({&context, folder / "rows", 1 << 20, 1});
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(learner.note({site_hash(""), i, static_cast<std::uint32_t>(i), 0}).ok());
  }
  ASSERT_TRUE(learner.choose([](std::uint64_t) { return Result<std::string>(""); }).ok());
  TemplateKeys keys;
  Analysis analysis;
  std::vector<PageBlock> blocks;
  for (const bool counted : {false, true}) {
    for (std::uint32_t i = 0; i < 100; ++i) {
      read_page_blocks(words_, menu + "<p>text" + std::to_string(i), analysis, blocks);
      keys.make(site_hash(""), analysis.tokens, blocks);
      for (const auto* some : {&keys.windows, &keys.blocks}) {
        if (counted) {
          ASSERT_TRUE(learner.add(site_hash(""), i, *some).ok());
        } else {
          learner.expect(*some);
        }
      }
    }
  }
  ASSERT_TRUE(learner.freeze(folder / "table").ok());
  for (const bool reads_places : {false, true}) {
    RecordView view({.analyzer = &words_,
                     .shingle_tokens = 3,
                     .templates = TemplateTable::open(disk(), folder / "table", 1).value(),
                     .reads_places = reads_places});
    view.look_at(page);
    EXPECT_EQ(view.left_out(), (TokenRanges{{0, 7}, {37, 40}}));
    EXPECT_EQ(view.analysis().tokens.size(), 30U);
    EXPECT_EQ(view.visible().analysis.tokens, view.analysis().tokens);
    EXPECT_EQ(view.visible().analysis.offsets.size(), 30U);
    EXPECT_EQ(view.block_text(0), "Home of fish");
    EXPECT_EQ(view.block_pages(0), 100U);
    EXPECT_EQ(view.left_out_text(), "Home of fish\nIndex of all words\nHome of fish");
    EXPECT_EQ(view.compared_text(), own.substr(0, own.size() - 1));
    const Record plain = record_of("Home of fish");
    view.look_at(plain);
    EXPECT_TRUE(view.left_out().empty());
    EXPECT_EQ(view.compared_text(), "Home of fish");
    EXPECT_EQ(view.left_out_text(), "");
  }
}

/// Counts the texts that were analyzed.
class CountingAnalyzer final : public Analyzer {
 public:
  std::string_view name() const override { return words_.name(); }
  std::uint32_t version() const override { return words_.version(); }
  std::string_view summary() const override { return words_.summary(); }
  void analyze(std::string_view text, Offsets offsets, Analysis& out) const override {
    ++count;
    words_.analyze(text, offsets, out);
  }
  mutable int count = 0;

 private:
  const Analyzer& words_ = *find_analyzer("words");
};

// Whatever schemes sign it and whatever else is asked of it: a text is analyzed once.
TEST(RecordViewAnalyses, AreOneOfEachText) {
  const std::vector<std::string> more{R"(simhash(tags="b,h1", boost=200))", "simhash(blank=tables)",
                                      "simhash(blank=numbers, shingle=2)",
                                      "imatch(signatures=10, share=0.9)", "imatch(digest=sha1)"};
  std::string text = "<h1>A 5 year plan</h1> <p>in <b>May</b> 2004: ";
  for (int i = 0; i < 300; ++i)
    text += "word" + std::to_string(i * i % 97) + (i % 7 == 0 ? "\n" : " ");
  std::vector<std::string> specs = more;
  for (const SchemeDeclaration& scheme : known_schemes()) specs.emplace_back(scheme.name);
  CountingAnalyzer analyzer;
  ViewRule rule{.analyzer = &analyzer};
  std::vector<std::unique_ptr<Scheme>> schemes;
  for (const std::string& spec : specs) {
    schemes.push_back(make_scheme(spec, 0.8).value());
    rule.reads_places |= schemes.back()->facts().reads_places;
  }
  for (const Markup markup : {Markup::none, Markup::html}) {
    for (const bool blocks : {false, true}) {
      rule.reads_blocks = blocks;
      RecordView view(rule);
      RecordView apart({.analyzer = find_analyzer("words"), .reads_blocks = blocks});
      const Record record = record_of(text, markup);
      for (int round = 1; round <= 2; ++round) {
        analyzer.count = 0;
        view.look_at(record);
        apart.look_at(record);
        EXPECT_EQ(view.whole_analysis().tokens, apart.whole_analysis().tokens);
        EXPECT_EQ(view.lexical_fingerprint(), apart.lexical_fingerprint());
        EXPECT_EQ(view.visible().text, apart.visible().text);
        EXPECT_EQ(view.visible().analysis.tokens, apart.visible().analysis.tokens);
        ASSERT_EQ(view.visible().analysis.offsets.size(), apart.visible().analysis.offsets.size());
        for (std::size_t i = 0; i < view.visible().analysis.offsets.size(); ++i) {
          EXPECT_EQ(view.visible().analysis.offsets[i].begin,
                    apart.visible().analysis.offsets[i].begin);
        }
        for (const auto& scheme : schemes) {
          Sketch ours;
          Sketch theirs;
          scheme->sketch(view, ours);
          scheme->sketch(apart, theirs);
          EXPECT_EQ(ours.stored, theirs.stored) << scheme->spec();
        }
        EXPECT_EQ(analyzer.count, 1);
      }
    }
  }
}

// A scheme that looks at words where they stand says so, and the rule of a run has it.
TEST(RecordViewAnalyses, AreOfTheirSchemesRule) {
  const auto reads_places = [](const std::string& spec) {
    return Signer::make({.scheme = spec}, disk()).value().view.reads_places;
  };
  EXPECT_TRUE(reads_places("simhash(tags=b)"));
  EXPECT_TRUE(reads_places("simhash(blank=tables)"));
  EXPECT_TRUE(reads_places("datasketch"));
  EXPECT_FALSE(reads_places("simhash"));
  EXPECT_FALSE(reads_places("fss"));
}

TEST(RecordViewSites, AreHostsOfTheFieldOrElseOfThePagesOwnAddress) {
  FieldNames fields;
  fields.named = {"http.location"};
  Input input;
  input.format = "warc";
  RecordBatch batch;
  decode_record(
      input,
      twinset::testing::warc_page("http://A.example:80/x", "<p>words",
                                  "Content-Type: text/html\r\nLocation: http://b.example/y\r\n"),
      fields, batch);
  const auto site = [&](const std::string& url_field) {
    ViewRule rule;
    rule.analyzer = find_analyzer("words");
    rule.url_field = url_field;
    RecordView view(rule);
    view.look_at(batch.records.at(0));
    return view.site();
  };
  EXPECT_EQ(site(""), "a.example");
  EXPECT_EQ(site("http.location"), "b.example");
  EXPECT_EQ(site("none"), "");
}

}  // namespace
}  // namespace twinset
