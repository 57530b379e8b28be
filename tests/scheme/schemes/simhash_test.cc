// tests src/scheme/schemes/simhash.cc through its spec. Its kernel, features and sums have tests of
// their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "scheme/record_documents.h"
#include "scheme/shingle_sets.h"
#include "stats/term_file.h"
#include "support/scratch_folder.h"
#include "support/tries.h"

namespace twinset {
namespace {

std::uint32_t distance(const Scheme& scheme, const Sketch& a, const Sketch& b) {
  const Comparison comparison = scheme.compare(a.stored, b.stored);
  EXPECT_TRUE(comparison.distance.has_value());
  EXPECT_EQ(comparison.distance->bits, scheme.facts().signature_bits);
  return comparison.distance->differ;
}

/// Chi-square of hashes over 256 bins, by the byte at `shift`.
double chi_square(const std::vector<std::uint64_t>& hashes, unsigned shift) {
  std::array<double, 256> bins{};
  for (const std::uint64_t hash : hashes) ++bins[hash >> shift & 255];
  const double expected = static_cast<double>(hashes.size()) / 256;
  double sum = 0;
  for (const double bin : bins) sum += (bin - expected) * (bin - expected) / expected;
  return sum;
}

/// A chi-square variable of 255 degrees of freedom is larger with probability 1e-8.
constexpr double chi_square_limit = 403;

// S-02, S Figure 3-2: "Hash value of over 800,000 features, split into 256 bins". The signature of
// a text of one word is the word's hash.
TEST(Statistics, SimhashFeatureHashesAreUniform) {
  constexpr std::size_t features = 800000;
  const auto scheme = must_make("simhash(bits=128)");
  std::array<std::vector<std::uint64_t>, 2> hashes;
  std::vector<std::uint64_t> first_byte;
  for (std::size_t i = 0; i < features; ++i) {
    const std::string word = "w" + std::to_string(i * 7919);
    const Sketch sketch = sketch_text(*scheme, word);
    for (std::size_t half = 0; half < 2; ++half) hashes[half].push_back(sketch.values[half]);
    first_byte.push_back(mix64(static_cast<unsigned char>(word[1])));
  }
  for (unsigned shift = 0; shift < 64; shift += 8) {
    for (const auto& half : hashes) EXPECT_LT(chi_square(half, shift), chi_square_limit) << shift;
    EXPECT_GT(chi_square(first_byte, shift), 1e6) << shift;
  }
}

TEST(Simhash, StoresAByteAndTheWords) {
  for (const unsigned bits : {64U, 128U}) {
    const auto scheme = must_make("simhash(bits=" + std::to_string(bits) + ")");
    EXPECT_EQ(scheme->facts().signature_bits, bits);
    const Sketch sketch = sketch_text(*scheme, "a rose is a rose is a rose");
    ASSERT_EQ(sketch.values.size(), bits / 64);
    ASSERT_EQ(sketch.stored.size(), 1 + bits / 8);
    EXPECT_EQ(sketch.stored[0], 1);
    for (std::size_t i = 0; i < bits / 8; ++i) {
      EXPECT_EQ(sketch.stored[1 + i], sketch.values[i / 8] >> i % 8 * 8 & 255);
    }
    EXPECT_TRUE(keys_of(*scheme, sketch).empty());
    EXPECT_EQ(distance(*scheme, sketch, sketch), 0U);
    Sketch other = sketch;
    other.stored[1] ^= 0x81;
    other.stored.back() ^= 0x10;
    EXPECT_EQ(distance(*scheme, sketch, other), 3U);
  }
}

TEST(Simhash, BrokenFormsAndNoFeaturesAreUnknown) {
  const auto scheme = must_make("simhash");
  const Sketch sketch = sketch_text(*scheme, "one");
  std::vector<std::uint8_t> broken = sketch.stored;
  broken[0] = 2;
  EXPECT_FALSE(scheme->compare(sketch.stored, broken).distance.has_value());
  broken = sketch.stored;
  broken.pop_back();
  EXPECT_FALSE(scheme->compare(broken, broken).distance.has_value());
  EXPECT_FALSE(scheme->compare({}, {}).distance.has_value());
  const Sketch empty = sketch_text(*scheme, "?!");
  EXPECT_TRUE(empty.empty);
  EXPECT_TRUE(empty.values.empty() && empty.stored.empty());
}

// "rose" has 3 of 5 votes, and with them every bit; with unit weights one of 3.
// S-01: words, and pairs of words.
TEST(Simhash, WeightsAreOccurrencesOrOne) {
  const auto tf = must_make("simhash");
  const auto unit = must_make("simhash(weights=unit)");
  const std::string_view text = "rose is a rose rose";
  EXPECT_EQ(sketch_text(*tf, text).values, sketch_text(*tf, "rose").values);
  EXPECT_EQ(sketch_text(*unit, text).values, sketch_text(*unit, "a rose is").values);
  EXPECT_EQ(sketch_text(*unit, text).values, sketch_text(*tf, "a rose is").values);
  EXPECT_NE(sketch_text(*unit, text).values, sketch_text(*unit, "rose").values);
  // Words in any order; bigrams not.
  EXPECT_EQ(sketch_text(*tf, text).values, sketch_text(*tf, "is a rose rose rose").values);
  const auto bigrams = must_make("simhash(shingle=2)");
  EXPECT_NE(sketch_text(*bigrams, "a rose is").values, sketch_text(*bigrams, "is a rose").values);
}

/// Words of which the first occur often.
std::string text_of(const std::vector<std::pair<std::string, int>>& counts) {
  std::string text;
  for (const auto& [word, count] : counts) {
    for (int i = 0; i < count; ++i) text += word + " ";
  }
  return text;
}

// S-10, S-11, S-15: each cut leaves the signature of the text that the rest makes.
TEST(Simhash, CutsLeaveTheRest) {
  const auto plain = must_make("simhash");
  const std::string text = text_of({{"ten", 10}, {"five", 5}, {"four", 4}, {"one", 1}});
  const auto cut = [&](const std::string& spec) {
    return sketch_text(*must_make("simhash(" + spec + ")"), text).values;
  };
  const auto rest = [&](const std::vector<std::pair<std::string, int>>& counts) {
    return sketch_text(*plain, text_of(counts)).values;
  };
  EXPECT_EQ(cut("least=.1"), rest({{"ten", 10}, {"five", 5}, {"four", 4}, {"one", 1}}));
  EXPECT_EQ(cut("least=.11"), rest({{"ten", 10}, {"five", 5}, {"four", 4}}));
  EXPECT_EQ(cut("least=.5"), rest({{"ten", 10}, {"five", 5}}));
  EXPECT_EQ(cut("least=.2, most=.5"), rest({{"five", 5}, {"four", 4}}));
  EXPECT_EQ(cut("top=1"), rest({{"ten", 10}}));
  EXPECT_EQ(cut("top=3"), rest({{"ten", 10}, {"five", 5}, {"four", 4}}));
  // Of four features 50 % are two, and 51 % three.
  EXPECT_EQ(cut("top=50%"), rest({{"ten", 10}, {"five", 5}}));
  EXPECT_EQ(cut("top=51%"), rest({{"ten", 10}, {"five", 5}, {"four", 4}}));
  EXPECT_EQ(cut("top=1%"), rest({{"ten", 10}}));
  EXPECT_EQ(cut("top=100%"), cut("top=0"));
  EXPECT_EQ(cut("clip=3"), rest({{"ten", 4}, {"five", 4}, {"four", 4}, {"one", 1}}));
  // Weights are clipped before they are cut.
  EXPECT_EQ(cut("clip=2, least=.8"), rest({{"ten", 5}, {"five", 5}, {"four", 4}}));
}

TEST(Simhash, TopIsACountOrAPercentage) {
  for (const char* wrong : {"ten", "101%", "10%%", "%", "-1", "4294967296", "5 %"}) {
    const auto made = make_scheme(std::string("simhash(top=\"") + wrong + "\")", 0.8);
    ASSERT_FALSE(made.ok()) << wrong;
    EXPECT_THAT(made.error().message, ::testing::HasSubstr("simhash: top")) << wrong;
  }
  EXPECT_THAT(must_make("simhash(top=10%)")->spec(), ::testing::HasSubstr(", top=10%,"));
  EXPECT_THAT(must_make("simhash(top=20)")->spec(), ::testing::HasSubstr(", top=20,"));
}

// S-01: the features of a text with their weights and votes, which make its signature.
TEST(Simhash, ListsItsFeatures) {
  const std::string line =
      R"({"text": "Rose is a ROSE is a rose tulip", "title": "On roses", "views": 3})";
  for (const char* parameters :
       {"", "bits=128, ", "shingle=2, ", "shingle=20, ", "weights=unit, ", "clip=2, ", "top=1, "}) {
    const JsonDocument document(line, {"title", "views"});
    const auto scheme =
        must_make("simhash(" + std::string(parameters) + "fields=title, counts=views)");
    const DocumentFeatures all = scheme->features(document.view(), SIZE_MAX);
    ASSERT_EQ(all.features, all.heaviest.size());
    const Sketch sketch = sketch_of(*scheme, document.view());
    const std::size_t bits = scheme->facts().signature_bits;
    std::vector<std::int64_t> sums(bits);
    double shares = 0;
    std::uint64_t before = UINT64_MAX;
    for (const WeightedFeature& feature : all.heaviest) {
      EXPECT_LE(feature.weight, before);
      before = feature.weight;
      shares += feature.share;
      ASSERT_EQ(feature.bits.size(), bits / 4);
      std::uint64_t agreeing = 0;
      for (std::size_t bit = 0; bit < bits; ++bit) {
        const bool votes_for =
            (std::stoul(feature.bits.substr(bit / 4, 1), nullptr, 16) >> (3 - bit % 4) & 1) != 0;
        const auto weight = static_cast<std::int64_t>(feature.weight);
        sums[bit] += votes_for ? weight : -weight;
        agreeing += votes_for == ((sketch.values[bit / 64] >> (63 - bit % 64) & 1) != 0) ? 1 : 0;
      }
      EXPECT_EQ(feature.agreeing, agreeing);
    }
    EXPECT_NEAR(shares, 1, 1e-9);
    for (std::size_t bit = 0; bit < bits; ++bit) {
      EXPECT_EQ(sums[bit] > 0, (sketch.values[bit / 64] >> (63 - bit % 64) & 1) != 0) << bit;
    }
    const DocumentFeatures first = scheme->features(document.view(), 1);
    EXPECT_EQ(first.features, all.features);
    ASSERT_EQ(first.heaviest.size(), 1U);
    EXPECT_EQ(first.heaviest[0].bits, all.heaviest[0].bits);
  }
}

std::map<std::string, std::uint64_t> weights_of(const Scheme& scheme,
                                                const DocumentView& document) {
  std::map<std::string, std::uint64_t> weights;
  for (const WeightedFeature& feature : scheme.features(document, SIZE_MAX).heaviest) {
    weights[feature.field + ":" + feature.text] = feature.weight;
  }
  return weights;
}

TEST(Simhash, NamesItsFeatures) {
  using Weights = std::map<std::string, std::uint64_t>;
  const JsonDocument document(
      R"({"text": "Rose is a ROSE, rose", "people": ["Ann", "Ken"], "rank": 0.25, "views": 3})",
      {"people", "rank", "views"});
  EXPECT_EQ(
      weights_of(
          *must_make("simhash(fields=people, extremes=rank, counts=views, field_weight=3200)"),
          document.view()),
      (Weights{{":rose", 3},
               {":is", 1},
               {":a", 1},
               {"people:Ann", 96},
               {"people:Ken", 96},
               {"rank:low", 48},
               {"views:3", 6}}));
  EXPECT_EQ(weights_of(*must_make("simhash(shingle=2)"), document.view()),
            (Weights{{":rose is", 1}, {":is a", 1}, {":a rose", 1}, {":rose rose", 1}}));
  EXPECT_EQ(weights_of(*must_make("simhash(shingle=9)"), document.view()),
            (Weights{{":rose is a rose rose", 1}}));
  const PageDocument page("<p>see <a href='/x?a=1&amp;b'>this</a> <a href='/y'>this</a>");
  EXPECT_EQ(weights_of(*must_make("simhash(fields=href)"), page.view()),
            (Weights{{":see", 1}, {":this", 2}, {"href:/x?a=1&b", 2}, {"href:/y", 2}}));
  EXPECT_EQ(must_make("simhash")->features(PageDocument("<p>?!").view(), 3).features, 0U);
}

TEST(Simhash, NothingLeftIsNoSignature) {
  const Sketch sketch = sketch_text(*must_make("simhash(most=0)"), "some words");
  EXPECT_TRUE(sketch.empty);
  EXPECT_TRUE(sketch.stored.empty());
}

/// A df file of 1,024 documents, by an analyzer so much newer than this build's.
std::string write_df(const testing::ScratchFolder& folder, const std::string& name,
                     std::uint64_t roses, std::uint32_t newer = 0) {
  TermTable table;
  table.documents = 1024;
  table.analyzer = "words";
  table.analyzer_version = find_analyzer("words")->version() + newer;
  RunContext context;
  context.files = &disk();
  TermWriter writer(context, folder / name, table);
  for (const auto& [text, documents] : std::map<std::string, std::uint64_t>{
           {"is", 512}, {"rose", roses}, {"the", 1024}, {"tulip", 128}}) {
    EXPECT_TRUE(writer.append({text, documents}).ok());
  }
  EXPECT_TRUE(writer.finish().ok());
  return folder / name;
}

// S-03: log2(1024 / df) is 1 for "is", 4 for "rose", 3 for "tulip" and 10 for words of no document;
// 1/df gives "rose" 8 times the weight of "is".
TEST(Simhash, TermsWeighByTheirDocuments) {
  const testing::ScratchFolder folder;
  const std::string df = write_df(folder, "a.df", 64);
  const auto plain = must_make("simhash");
  const auto log = must_make("simhash(weights=tfidf, df=" + df + ")");
  const std::string counts = text_of({{"is", 3}, {"rose", 4}, {"tulip", 6}, {"unheard", 10}});
  EXPECT_EQ(sketch_text(*log, "the is is rose the unheard tulip is tulip the").values,
            sketch_text(*plain, counts).values);
  const auto inverse = must_make("simhash(weights=tfidf, idf=inverse, df=" + df + ")");
  EXPECT_EQ(
      sketch_text(*inverse, "rose is is the tulip").values,
      sketch_text(*plain, text_of({{"rose", 16}, {"is", 4}, {"the", 1}, {"tulip", 8}})).values);
  // The table's words are those of its analyzer.
  EXPECT_TRUE(check_analyzer(*log, *find_analyzer("words")).ok());
  EXPECT_FALSE(check_analyzer(*log, *find_analyzer("code")).ok());
  EXPECT_TRUE(check_analyzer(*plain, *find_analyzer("code")).ok());
  const auto newer =
      must_make("simhash(weights=tfidf, df=" + write_df(folder, "newer.df", 64, 1) + ")");
  EXPECT_FALSE(check_analyzer(*newer, *find_analyzer("words")).ok());
  // A text of words that all documents have has no weight, and no signature.
  EXPECT_TRUE(sketch_text(*log, "the the").empty);
}

// S-05, A12: one table, one signature; another table, another fingerprint, so never compared.
TEST(Simhash, TablesOfTermsAreNeverMixed) {
  const testing::ScratchFolder folder;
  const std::string first = write_df(folder, "a.df", 64);
  const std::string same = write_df(folder, "b.df", 64);
  const std::string other = write_df(folder, "c.df", 65);
  const ViewRule rule{.analyzer = find_analyzer("words")};
  const auto fingerprint = [&](const std::string& path) {
    return scheme_fingerprint(*must_make("simhash(weights=tfidf, df=" + path + ")"), rule);
  };
  EXPECT_EQ(fingerprint(first), fingerprint(same));
  EXPECT_NE(fingerprint(first), fingerprint(other));
}

// S-08, S-09: blanked words have no votes.
TEST(Simhash, BlankedWordsDoNotCount) {
  const auto plain = must_make("simhash");
  const auto numbers = must_make("simhash(blank=numbers)");
  EXPECT_EQ(sketch_text(*numbers, "In December 2001 Japan's surplus was 791 billion yen").values,
            sketch_text(*plain, "in japans surplus was billion yen").values);
  const auto tables = must_make("simhash(blank=tables)");
  std::set<std::vector<std::uint64_t>> signatures;
  for (const char* month : {"January", "February", "March", "April", "May", "June", "July",
                            "August", "September", "October", "November", "December"}) {
    std::string page = std::string("<h1>Events in ") + month + " 2031</h1><table><tr>";
    for (const char* day : {"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"}) {
      page += std::string("<th>") + day;
    }
    for (int day = 1; day <= 28 + static_cast<int>(page.size()) % 4; ++day) {
      page += "<td>" + std::to_string(day);
    }
    signatures.insert(
        sketch_of(*tables, PageDocument(page + "</table><p>no events").view()).values);
  }
  EXPECT_EQ(signatures.size(), 1U);
  const std::string_view prose = "The index fell 1.5 percent to 8,601.69 points on 3 January 2003";
  EXPECT_EQ(sketch_text(*tables, prose).values, sketch_text(*plain, prose).values);
  // Nothing but numbers is no signature, and matches nothing.
  EXPECT_TRUE(sketch_text(*numbers, "1 2 3 January").empty);
}

// S-13.
TEST(Simhash, PositionsWeigh) {
  const testing::ScratchFolder folder;
  const auto plain = must_make("simhash");
  const auto listed = must_make("simhash(positions=" + folder.write("p", "3 2 0 1") + ")");
  EXPECT_EQ(sketch_text(*listed, "one two three four five").values,
            sketch_text(*plain, "one one one two two four five").values);
  // log(2)/2 = .347, log(3)/3 = .366, and then less: the votes of four words decide as the order of
  // these weights does.
  const auto front = must_make("simhash(position=inverse)");
  EXPECT_EQ(sketch_text(*front, "one two").values, sketch_text(*plain, "one").values);
  EXPECT_NE(sketch_text(*front, "one two three").values,
            sketch_text(*front, "three two one").values);
  // The cosine gives the middle of four no weight, its ends 1, 1 and 2: the last decides, but for
  // ties.
  const auto cosine = must_make("simhash(position=cosine)");
  EXPECT_EQ(sketch_text(*cosine, "one two three four").values,
            sketch_text(*plain, "one three four four").values);
  EXPECT_FALSE(make_scheme("simhash(position=log, positions=" + (folder / "p") + ")", 0.8).ok());
  const Result<std::unique_ptr<Scheme>> bad =
      make_scheme("simhash(positions=" + folder.write("bad", "1\n70000") + ")", 0.8);
  ASSERT_FALSE(bad.ok());
  EXPECT_THAT(bad.error().message, ::testing::HasSubstr("bad, line 2, byte 2: \"70000\""));
}

// S-14: a word in bold weighs 3 where others weigh 2.
TEST(Simhash, TagsBoost) {
  const auto plain = must_make("simhash");
  const auto boosted = must_make("simhash(tags=\"b,i,h1\")");
  const PageDocument page("<p>one <b>two</b> three");
  EXPECT_EQ(sketch_of(*boosted, page.view()).values,
            sketch_text(*plain, "one one two two two three three").values);
  const auto more = must_make("simhash(tags=a, boost=500)");
  EXPECT_EQ(sketch_of(*more, PageDocument("one <a>two</a> three").view()).values,
            sketch_text(*plain, "two").values);
  const Result<std::unique_ptr<Scheme>> bad = make_scheme("simhash(tags=\"b,div\")", 0.8);
  ASSERT_FALSE(bad.ok());
  EXPECT_THAT(bad.error().message, ::testing::HasSubstr("tags: \"div\" is none of a, b"));
}

/// S section 6.4.1: the two articles "Japan: Trade Surplus Expands", their abstracts as the text.
struct JapanArticles {
  explicit JapanArticles(const std::vector<std::string>& fields)
      : june(
            R"({"text": "Japan's merchandise trade surplus expanded 12.5 percent in May from the )"
            R"(month a year earlier as growth in exports outpaced the increase in imports. Though )"
            R"(Japan's surplus increased to 694 billion yen ($5.8 billion) in the month, exports )"
            R"(grew 3.5 percent, which was the slowest growth in 13 months. The effect of severe )"
            R"(acute respiratory syndrome, or SARS, in Asia was partly to blame.", )"
            R"("title": "World Business Briefing | Asia: Japan: Trade Surplus Expands", )"
            R"("slug": "MB231847", "day": 24, "month": 6, "year": 2003, "weekday": "Tuesday", )"
            R"("desk": "Business/Financial Desk", "page": 1, "section": "W", "column": 1, )"
            R"("online_sections": "Business", "classifiers": ["International Trade and World )"
            R"(Market", "Economic Conditions and Trends"], "byline": "By Ken Belson, NYT"})",
            fields),
        january(
            R"({"text": "Japan's trade surplus hit 791 billion yen ($6.7 billion) in December, )"
            R"(growing 19.9 percent compared with December 2001; trade surplus with US grew 18.6 )"
            R"(percent, to 624 billion yen.", )"
            R"("title": "World Business Briefing | Asia: Japan: Trade Surplus Expands", )"
            R"("slug": "MB231109", "day": 28, "month": 1, "year": 2003, "weekday": "Tuesday", )"
            R"("desk": "Business/Financial Desk", "page": 1, "section": "W", "column": 5, )"
            R"("online_sections": "Business", "classifiers": ["International Trade and World )"
            R"(Market", "Economic Conditions and Trends"], "byline": "By Ken Belson, NYT"})",
            fields) {}
  JsonDocument june;
  JsonDocument january;
};

std::uint32_t distance_of_articles(const std::string& spec) {
  const auto scheme = must_make(spec);
  const JapanArticles articles(scheme->record_fields());
  return distance(*scheme, sketch_of(*scheme, articles.june.view()),
                  sketch_of(*scheme, articles.january.view()));
}

// S-06: their texts have nothing in common; their headline, desk, section and classifiers do. The
// paper does not say at what share of the largest weight they counted: from three times on the
// articles are within its three bits.
TEST(Simhash, MetadataMakesArticlesMatch) {
  EXPECT_GT(distance_of_articles("simhash"), 20U);
  const auto at = [](int percent) {
    return distance_of_articles(
        "simhash(fields=\"title,desk,section,online_sections,classifiers,byline\", field_weight=" +
        std::to_string(percent) + ")");
  };
  EXPECT_GT(at(50), 20U);
  EXPECT_GT(at(100), 10U);
  EXPECT_GT(at(200), 3U);
  EXPECT_LE(at(300), 3U);
  EXPECT_EQ(at(1000), 0U);
  // Slug and day differ, so they hold them apart.
  EXPECT_GT(distance_of_articles("simhash(fields=\"slug,day,month\", field_weight=1000)"), 10U);
}

// S-01: the title of a page as a feature.
TEST(Simhash, FieldsOfPagesCount) {
  const auto titled = must_make("simhash(fields=title, field_weight=1000)");
  EXPECT_THAT(titled->record_fields(), ::testing::ElementsAre("title"));
  const auto sketch = [&](std::string_view title, std::string_view text) {
    return sketch_of(*titled, PageDocument("<title>" + std::string(title) +
                                           "</title><h1>News</h1><p>" + std::string(text))
                                  .view());
  };
  const Sketch a = sketch("Trade  surplus", "one two three four five");
  EXPECT_EQ(distance(*titled, a, sketch("TRADE surplus", "six seven eight nine ten")), 0U);
  EXPECT_GT(distance(*titled, a, sketch("Another title", "one two three four five")), 5U);
}

// S-16: the filter is exact, and the other bits are those of the text.
TEST(Simhash, ReservedBitsAreAnExactFilter) {
  const auto plain = must_make("simhash");
  const auto reserved = must_make("simhash(reserve=access)");
  EXPECT_EQ(reserved->facts().reserved_bits, 8U);
  EXPECT_EQ(plain->facts().reserved_bits, 0U);
  EXPECT_THAT(reserved->record_fields(), ::testing::ElementsAre("access"));
  const auto sketch = [&](const std::string& access, const std::string& text) {
    return sketch_of(*reserved,
                     JsonDocument("{\"text\": \"" + text + "\"" + access + "}", {"access"}).view());
  };
  constexpr std::uint64_t others = UINT64_MAX >> 8;
  const std::string text = "a rose is a rose is a rose";
  const std::uint64_t whole = sketch_text(*plain, text).values[0];
  std::vector<Sketch> sketches;
  for (const int level : {0, 1, 2, 128, 255}) {
    sketches.push_back(sketch(", \"access\": " + std::to_string(level), text));
    EXPECT_EQ(sketches.back().values[0] >> 56, static_cast<std::uint64_t>(level));
    EXPECT_EQ(sketches.back().values[0] & others, whole & others);
    EXPECT_EQ(sketches.back().values,
              sketch(", \"access\": \"" + std::to_string(level) + "\"", text).values);
  }
  for (const Sketch& a : sketches) {
    for (const Sketch& b : sketches) {
      EXPECT_EQ(distance(*reserved, a, b), a.values == b.values ? 0U : 64U);
    }
  }
  EXPECT_EQ(sketch("", text).values, sketches[0].values);
  // 256 does not fit, and a word neither: eight bits of their hashes.
  EXPECT_NE(sketch(", \"access\": \"staff\"", text).values,
            sketch(", \"access\": \"boss\"", text).values);
  EXPECT_EQ(sketch(", \"access\": \"Staff\"", text).values,
            sketch(", \"access\": \"staff\"", text).values);
  EXPECT_EQ(sketch(", \"access\": 256", text).values[0] & others, whole & others);
  // Words that differ move the other bits alone.
  const Sketch other = sketch(", \"access\": 1", "a rose is a rose is a tulip");
  EXPECT_EQ(distance(*reserved, sketches[1], other),
            static_cast<std::uint32_t>(std::popcount(
                (whole ^ sketch_text(*plain, "a rose is a rose is a tulip").values[0]) & others)));
}

/// The signatures of a text with two values of a field.
std::pair<Sketch, Sketch> with_values(const Scheme& scheme, std::uint64_t stream, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) {
    text += "w" + std::to_string(mix64(stream * 1000 + static_cast<std::uint64_t>(i)) % 5000) + " ";
  }
  const auto with = [&](std::uint64_t value) {
    return sketch_of(scheme, JsonDocument("{\"text\": \"" + text + "\", \"security\": \"v" +
                                              std::to_string(value) + "\"}",
                                          {"security"})
                                 .view());
  };
  return {with(2 * stream), with(2 * stream + 1)};
}

// S-17. "If their weights were set to the minimum of the magnitudes of the final running sums", one
// bit is the metadata's alone, and of the changes of metadata a hash's bit sees half. With r bits
// all but 2^-r are seen: with 32, every one of these, and no other bit moves.
TEST(Simhash, EveryChangeOfMetadataFlipsABit) {
  const auto sure = must_make("simhash(fields=security, flip=32)");
  const auto one = must_make("simhash(fields=security, flip=1)");
  constexpr int changes = tries(10000);
  int seen = 0;
  for (int i = 1; i <= changes; ++i) {
    const auto [a, b] = with_values(*sure, static_cast<std::uint64_t>(i), 20 + i % 200);
    ASSERT_GE(distance(*sure, a, b), 1U) << i;
    // Ties widen the 32: a running sum of words is one of a few small integers.
    ASSERT_LE(distance(*sure, a, b), 64U);
    const auto [c, d] = with_values(*one, static_cast<std::uint64_t>(i), 200);
    seen += distance(*one, c, d) != 0 ? 1 : 0;
  }
  // More than half, because several sums are often the least.
  EXPECT_GT(seen, changes / 2);
  EXPECT_LT(seen, changes);
}

TEST(Simhash, RefusesSettingsThatContradict) {
  const auto refusal = [](const std::string& spec) {
    const Result<std::unique_ptr<Scheme>> made = make_scheme("simhash(" + spec + ")", 0.8);
    return made.ok() ? std::string("made") : made.error().text(Door::command_line);
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(refusal("weights=tfidf"), HasSubstr("twinset lexicon count"));
  const testing::ScratchFolder folder;
  const std::string df = "df=" + write_df(folder, "a.df", 64);
  EXPECT_THAT(refusal(df), HasSubstr("only weights=tfidf uses it"));
  EXPECT_THAT(refusal("weights=tfidf, shingle=2, " + df), HasSubstr("of single words"));
  EXPECT_THAT(refusal("flip=1"), HasSubstr("flip: name the fields that decide"));
  EXPECT_THAT(refusal("flip=65, fields=a"), HasSubstr("more bits than the signature has"));
  EXPECT_EQ(refusal("flip=65, fields=a, bits=128"), "made");
  EXPECT_THAT(refusal("flip=1, fields=a, counts=b"), HasSubstr("leave them out"));
  EXPECT_THAT(refusal("fields=\"a,,b\""), HasSubstr("fields: an empty name"));
  EXPECT_THAT(refusal("counts=\"a,b,a\""), HasSubstr("counts: \"a\" is named twice"));
  std::string many = "a0";
  for (int i = 1; i < 25; ++i) many += ",a" + std::to_string(i);
  EXPECT_THAT(refusal("fields=\"" + many + "\""), HasSubstr("more than 24 fields"));
}

// A document whose words are replaced by others moves as far as the angle between the two says:
// random signs of many features, S section 2.4.2 and Charikar.
TEST(SimhashStatistics, DistanceFollowsTheAngle) {
  const auto scheme = must_make("simhash(weights=unit)");
  constexpr std::size_t words = 400;
  constexpr double pi = 3.14159265358979323846;
  for (const std::size_t shared : {0, 200, 300, 380}) {
    double sum = 0;
    constexpr int pairs = 2000;
    for (int i = 0; i < pairs; ++i) {
      const SetPair pair =
          make_pair_of_sets(mix64(static_cast<std::uint64_t>(i) * 1000 + shared), words, shared);
      sum +=
          distance(*scheme, sketch_of_tokens(*scheme, pair.a), sketch_of_tokens(*scheme, pair.b));
    }
    const double cosine = static_cast<double>(shared) / words;
    const double expected = std::acos(cosine) / pi;
    // 128,000 bits, of which those of a pair are independent: Hoeffding at 1e-8; and the angle is
    // a limit, which 400 features miss by 0.001 at cosine 1/2 (0.3318 for 200: A11).
    EXPECT_NEAR(sum / (64.0 * pairs), expected, 0.0087 + 0.003) << shared;
  }
}

}  // namespace
}  // namespace twinset
