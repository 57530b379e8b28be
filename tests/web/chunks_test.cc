// The ways of cutting that others' programs have are held against these programs' own steps, on
// pages put together at random; golden hashes are those of Python's hashlib and xxhash.
#include "web/chunks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/inputs.h"
#include "io/reader.h"
#include "support/real_data.h"
#include "system/files.h"

namespace twinset {
namespace {

std::string_view piece(std::string_view page, TokenOffsets bytes) {
  return page.substr(bytes.begin, bytes.end - bytes.begin);
}

std::vector<Chunk> read(std::string_view page, const ChunkRules& rules) {
  Chunker chunker(rules);
  std::vector<Chunk> chunks(3);
  chunker.read(page, chunks);
  return chunks;
}

using Pieces = std::vector<std::string>;

/// The pieces that all chunks are, short or not.
Pieces pieces(std::string_view page, ChunkRules rules = {}) {
  rules.least_characters = 0;
  Pieces found;
  std::uint32_t end = 0;
  for (const Chunk& chunk : read(page, rules)) {
    EXPECT_EQ(chunk.bytes.begin, end);
    found.emplace_back(piece(page, chunk.bytes));
    end = chunk.bytes.end;
  }
  EXPECT_EQ(end, page.size());
  return found;
}

Pieces contents(std::string_view page, ChunkRules rules = {}) {
  Chunker chunker(rules);
  Pieces found;
  for (const std::string& one : pieces(page, rules)) found.emplace_back(chunker.content(one));
  return found;
}

//
TEST(Chunks, AreCutBeforeParagraphsAndDivisions) {
  EXPECT_EQ(pieces("<title>T</title><p>Fish<p>Chips"),
            (Pieces{"<title>T</title>", "<p>Fish", "<p>Chips"}));
  EXPECT_EQ(pieces("<P>a</P><DIV CLASS='<p>'>b</div>c"),
            (Pieces{"<P>a</P>", "<DIV CLASS='<p>'>b</div>c"}));
  EXPECT_EQ(pieces(""), (Pieces{""}));
  EXPECT_EQ(pieces("x"), (Pieces{"x"}));
}

// a line end ends a name, too, which the authors' programs do not see.
TEST(Chunks, AreCutWhereverATagsNameEnds) {
  EXPECT_EQ(pieces("a<div\nclass=x>b<p\t>c<p\f>d<p/>e<p\r\n>f"),
            (Pieces{"a", "<div\nclass=x>b", "<p\t>c", "<p\f>d", "<p/>e", "<p\r\n>f"}));
  EXPECT_EQ(pieces("a<pre>b<param>c<divx>d</p>e<p"), (Pieces{"a<pre>b<param>c<divx>d</p>e<p"}));
}

//
TEST(Chunks, AreNotCutWhereABrowserSeesNoTag) {
  const std::string page =
      "<!-- <p> --><script>'<p>'</script><style><p></style><textarea><p></textarea>"
      "<template><p></template><noscript><p></noscript><a title='<p>'>";
  EXPECT_EQ(pieces(page), (Pieces{page}));
}

//
TEST(Chunks, AreCutAtOtherElementsIfAsked) {
  const std::string page = "<p>a<table>b<tr><td>c<TH>d<iframe>e</iframe><frame><div>f";
  const auto count = [&](std::uint8_t elements) {
    return pieces(page, {.elements = elements}).size();
  };
  EXPECT_EQ(count(chunk_elements::paragraphs), 1U);
  EXPECT_EQ(count(chunk_elements::divisions), 2U);
  EXPECT_EQ(count(chunk_elements::tables), 2U);
  EXPECT_EQ(count(chunk_elements::cells), 3U);
  EXPECT_EQ(count(chunk_elements::frames), 3U);
  EXPECT_EQ(count(0), 1U);
  EXPECT_EQ(count(31), 7U);
}

//
TEST(Chunks, HaveNormalizedWhiteSpace) {
  EXPECT_EQ(contents("\n <div\n  id=a>x \t y\r\n<p> </p>"),
            (Pieces{"", "<div id=a>x y", "<p> </p>"}));
  const auto one = read("<div\n\tid=a>x\n", {.least_characters = 1});
  const auto other = read("  <div id=a>x", {.least_characters = 1});
  ASSERT_EQ(one.size(), 1U);
  ASSERT_EQ(other.size(), 1U);
  EXPECT_EQ(one[0].hash, other[0].hash);
}

TEST(Chunks, MayKeepTheirWhiteSpace) {
  const ChunkRules kept{.white_space = ChunkWhiteSpace::keep, .least_characters = 1};
  const std::string page = "<p>x \t y\n<p>x y\n";
  const auto chunks = read(page, kept);
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[0].hash, hash_chunk("<p>x \t y\n", ChunkHash::xxh3));
  EXPECT_EQ(chunks[1].hash, hash_chunk("<p>x y\n", ChunkHash::xxh3));
  ChunkRules text = kept;
  text.content = ChunkContent::text;
  EXPECT_NE(read(page, text).at(0).hash, read(page, text).at(1).hash);
  text.white_space = ChunkWhiteSpace::normalize;
  EXPECT_EQ(read(page, text).at(0).hash, read(page, text).at(1).hash);
}

// the paper breaks "at the HTML delimiters"; its programs cut at start tags alone.
TEST(Chunks, EndWhereTheirElementsDoIfAsked) {
  const ChunkRules ends{.elements = ChunkRules().elements | chunk_elements::ends};
  EXPECT_EQ(pieces("a<p>b</p>c<div>d</DIV >e<span></span>", ends),
            (Pieces{"a", "<p>b", "</p>c", "<div>d", "</DIV >e<span></span>"}));
  EXPECT_EQ(contents("<p>b</p> \n</div></p >c<b>d</b></p></div>", ends),
            (Pieces{"<p>b", "", "", "c<b>d</b>", "", ""}))
      << "the end tags that a piece begins with are of what stands before it";
  // A paragraph whose end tag is left out ends at the next block, or with what it stands in.
  for (const char* const next :
       {"<ul><li>", "<H2>", "<table>", "</article>", "</td>", "</body>", "<footer>"}) {
    const std::string page = std::string("<p>b") + next + "c</p>";
    EXPECT_EQ(pieces(page, ends), (Pieces{"<p>b", next + std::string("c"), "</p>"})) << page;
  }
  for (const char* const next : {"<b>", "</b>", "<br>", "<img>", "</span>", "<td>", "<input>"}) {
    const std::string page = std::string("<p>b") + next + "c";
    EXPECT_EQ(pieces(page, ends), (Pieces{page}));
  }
  EXPECT_EQ(pieces("<ul>a</ul><p>b<ul>c</ul>d<ul>e", ends),
            (Pieces{"<ul>a</ul>", "<p>b", "<ul>c</ul>d<ul>e"}))
      << "only an open paragraph ends at a block";
  EXPECT_EQ(contents("<p>b</p>", ends)[0], contents("<p>b<footer>c", ends)[0]);
}

TEST(Chunks, MayLeaveOutAttributes) {
  const ChunkRules bare{.attributes = ChunkAttributes::ignore};
  EXPECT_EQ(
      contents("<p class=a id='>'>x <A\nhref=\"p>q\">y</A><br/><img src=1 alt='a b'/>&lt;<p>z",
               bare),
      (Pieces{"<p>x <A>y</A><br><img>&lt;", "<p>z"}));
  EXPECT_EQ(contents("<p>a<!-- <p id=b> --><script nonce=3>'<p id=c>'</script>", bare),
            (Pieces{"<p>a<!-- <p id=b> --><script>'<p id=c>'</script>"}))
      << "what is no tag stays";
  EXPECT_EQ(contents("<p a=1", bare), (Pieces{"<p a=1"})) << "a tag without an end is none";
  const auto hash = [&](std::string_view page) {
    return read(page, {.attributes = ChunkAttributes::ignore, .least_characters = 1}).at(0).hash;
  };
  EXPECT_EQ(hash("<p class=a data-t=12:03>Fish</p >"), hash("<p>Fish</p>"));
  EXPECT_NE(hash("<p>Fish"), hash("<p><b>Fish"));
}

TEST(Chunks, MayBeTheirText) {
  const ChunkRules text{.content = ChunkContent::text};
  EXPECT_EQ(contents("<title>T</title><p class=a>Fish &amp;\n<b>chi</b>ps<!--x--><p>y", text),
            (Pieces{"T", "Fish & chips", "y"}));
  EXPECT_EQ(contents("<div id=1><p>a</p>", text), contents("<div id=2><p >a", text));
}

TEST(Chunks, ThatAreShortAreCountedAndLeftOut) {
  Chunker chunker({.least_characters = 8});
  std::vector<Chunk> chunks;
  chunker.read(
      "<p>12345<p>1234<p>\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"
      "45<p>\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9",
      chunks);
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[0].bytes, (TokenOffsets{0, 8}));
  EXPECT_EQ(chunks[1].bytes, (TokenOffsets{15, 29}));
  EXPECT_EQ(chunker.short_chunks(), 2U);
}

// The paper's three lengths, on both sides of each.
//
TEST(Chunks, HaveTheLeastLengthsOfThePaper) {
  for (const auto& [least, longest_short] :
       {std::pair(least_characters_of_web, 100U), std::pair(least_characters_of_phish, 25U),
        std::pair(30U, 29U), std::pair(least_characters_of_auntietuna, 28U)}) {
    for (const char* const character : {"x", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
      std::string page = "<p>";
      for (std::size_t i = 3; i < longest_short; ++i) page += character;
      EXPECT_EQ(read(page, {.least_characters = least}).size(), 0U) << least << character;
      page += character;
      EXPECT_EQ(read(page, {.least_characters = least}).size(), 1U) << least << character;
      EXPECT_EQ(read(page + "   \n", {.least_characters = least + 1}).size(), 0U)
          << "white space at the end says nothing";
    }
  }
}

TEST(Chunks, OfPlainTextAreItsParagraphs) {
  const ChunkRules rules{.cuts = ChunkCuts::paragraphs};
  EXPECT_EQ(pieces("\n\none\ntwo\n \t\nthree <p>\n\n\n\nfour\n\n", rules),
            (Pieces{"\n\none\ntwo\n \t\n", "three <p>\n\n\n\n", "four\n\n"}));
  EXPECT_EQ(pieces("one\r\n\r\ntwo", rules), (Pieces{"one\r\n\r\n", "two"}));
  EXPECT_EQ(pieces("one", rules), (Pieces{"one"}));
  EXPECT_EQ(pieces("\n\n", rules), (Pieces{"\n\n"}));
  EXPECT_EQ(contents("  one\n\ttwo\n\nthree", rules), (Pieces{"one two", "three"}));
}

// Line by line, in place of white space.
TEST(Chunks, OfPlainTextBeginAfterBlankLines) {
  std::mt19937 random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::size_t i = random() % 40; i > 0; --i) {
      text += std::array{"a", "b c", "\n", "\n", "\r\n", " ", "\t"}[random() % 7];
    }
    Pieces expected{""};
    bool words = false;
    bool blank = false;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      const std::string line = text.substr(begin, end - begin);
      const bool is_blank = line.find_first_not_of(" \t\n\r") == std::string::npos;
      if (!is_blank && words && blank) expected.emplace_back();
      expected.back() += line;
      words = words || !is_blank;
      blank = is_blank;
      begin = end;
    }
    ASSERT_EQ(pieces(text, {.cuts = ChunkCuts::paragraphs, .least_characters = 0}), expected);
  }
}

TEST(ChunkRules, HaveATextThatTellsThemApart) {
  EXPECT_EQ(to_text(ChunkRules{}), "html(p,div) markup xxh3(seed=0) least=101");
  EXPECT_EQ(to_text(hadoop_chunks()), "hadoop sha1 least=0");
  EXPECT_EQ(to_text(auntietuna_chunks()), "auntietuna sha256 least=29");
  std::set<std::string> texts;
  std::size_t made = 0;
  for (const ChunkCuts cuts : {ChunkCuts::html, ChunkCuts::paragraphs}) {
    for (const ChunkHash hash : {ChunkHash::xxh3, ChunkHash::sha1, ChunkHash::sha256,
                                 ChunkHash::blake3, ChunkHash::blake3_128}) {
      for (const std::uint32_t least : {0U, 1U}) {
        texts.insert(to_text({.cuts = cuts, .hash = hash, .least_characters = least}));
        ++made;
      }
    }
  }
  for (const int bit : {0, 1, 2, 3, 4, 5}) {
    const auto elements = static_cast<std::uint8_t>(1 << bit);
    texts.insert(to_text({.elements = elements}));
    texts.insert(to_text({.elements = elements, .attributes = ChunkAttributes::ignore}));
    texts.insert(to_text({.elements = elements, .content = ChunkContent::text}));
    texts.insert(to_text({.elements = elements, .white_space = ChunkWhiteSpace::keep}));
    made += 4;
  }
  texts.insert(to_text({.seed = 1}));
  EXPECT_EQ(texts.size(), made + 1);
}

TEST(Chunks, RulesAreReadFromTheirText) {
  std::size_t read = 0;
  for (const ChunkCuts cuts :
       {ChunkCuts::html, ChunkCuts::hadoop, ChunkCuts::auntietuna, ChunkCuts::paragraphs}) {
    for (std::uint8_t elements = 0; elements < 64; ++elements) {
      for (const auto& [content, attributes] :
           {std::pair(ChunkContent::markup, ChunkAttributes::keep),
            std::pair(ChunkContent::markup, ChunkAttributes::ignore),
            std::pair(ChunkContent::text, ChunkAttributes::keep)}) {
        for (const ChunkHash hash : {ChunkHash::xxh3, ChunkHash::sha1, ChunkHash::sha256,
                                     ChunkHash::blake3, ChunkHash::blake3_128}) {
          for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
            for (const std::uint32_t least : {0U, 1U, 101U, ~std::uint32_t{0}}) {
              // A way of cutting or a hash has only some of the numbers.
              if (cuts != ChunkCuts::html &&
                  (elements != ChunkRules().elements || content != ChunkContent::markup ||
                   attributes != ChunkAttributes::keep)) {
                continue;
              }
              if (hash != ChunkHash::xxh3 && seed != 0) continue;
              for (const ChunkWhiteSpace space :
                   {ChunkWhiteSpace::normalize, ChunkWhiteSpace::keep}) {
                if (space == ChunkWhiteSpace::keep &&
                    (cuts == ChunkCuts::hadoop || cuts == ChunkCuts::auntietuna)) {
                  continue;
                }
                const ChunkRules rules{cuts,  elements, content, attributes,
                                       space, hash,     seed,    least};
                EXPECT_EQ(parse_chunk_rules(to_text(rules)), rules) << to_text(rules);
                ++read;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(read, ((64 * 3 + 1) * 2 + 2) * (3 + 4) * 4);
}

TEST(Chunks, OtherTextsAreNoRules) {
  for (const char* const text : {"",
                                 "html",
                                 "html(",
                                 "html(p",
                                 "html(p,div",
                                 "html(p,div)",
                                 "html(p,div) markup",
                                 "html(p,div) markup xxh3",
                                 "html(p,div) markup xxh3 least=101",
                                 "html(p,div) markup xxh3(seed=0)",
                                 "html(p,div) markup xxh3(seed=0) least=",
                                 "html(p,div) markup xxh3(seed=) least=101",
                                 "html(p,div) markup xxh3(seed=-1) least=101",
                                 "html(p,div) markup xxh3(seed=00) least=101",
                                 "html(div,p) markup xxh3(seed=0) least=101",
                                 "html(p,p,div) markup xxh3(seed=0) least=101",
                                 "html(p,div,) markup xxh3(seed=0) least=101",
                                 "html(p;div) markup xxh3(seed=0) least=101",
                                 "html(td) markup xxh3(seed=0) least=101",
                                 "html(p,div) text xxh3(seed=0) least=101",
                                 "html(p,div) text=0 xxh3(seed=0) least=101",
                                 "html(p,div) text=3 attributes=0 xxh3(seed=0) least=101",
                                 "hadoop space=keep sha1 least=0",
                                 "html(p,div) space=keep markup xxh3(seed=0) least=101",
                                 "html(ends,p,div) markup xxh3(seed=0) least=101",
                                 "html(p,div) markup xxh3(seed=0) least=101 ",
                                 " html(p,div) markup xxh3(seed=0) least=101",
                                 "html(p,div)  markup xxh3(seed=0) least=101",
                                 "HTML(p,div) markup xxh3(seed=0) least=101",
                                 "html(p,div) markup xxh3(seed=0) least=4294967296",
                                 "html(p,div) markup xxh3(seed=18446744073709551616) least=101",
                                 "html(p,div) markup md5 least=101",
                                 "html(p,div) markup sha1(seed=0) least=101",
                                 "hadoop markup sha1 least=0",
                                 "hadoop sha1",
                                 "hadoopsha1 least=0",
                                 "paragraphs least=1"}) {
    EXPECT_FALSE(parse_chunk_rules(text).has_value()) << text;
  }
  // Any one byte taken away or changed, too.
  const std::string good = to_text(ChunkRules{});
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad.erase(at, 1);
    const auto shorter = parse_chunk_rules(bad);
    EXPECT_TRUE(!shorter.has_value() || to_text(*shorter) == bad) << bad;
    bad = good;
    bad[at] = '#';
    EXPECT_FALSE(parse_chunk_rules(bad).has_value()) << bad;
  }
}

// ---- Golden hashes ----

constexpr std::string_view golden_page =
    "<!DOCTYPE html>\n<html><head><title>Tide tables</title></head>\n<body class=\"page\">\n"
    "<div class=\"menu\">\n  <a href=\"/\">Home</a> |\t<a href=\"/ports\">Ports</a>\n</div>\n"
    "<p>High water at Brest is at 04:12 and 16:38.</p>\n"
    "<p>High water at Cork   is\nat 05:40 and\n18:02.\n\n"
    "<div\nid=note>Times are in UTC."
    "<P STYLE=\"color:red\">Do not use for navigation.</P>"
    "<div><span>&copy; 2019 Harbor&nbsp;Office</span>\r\n"
    "<p>\303\251\346\270\257</p>\n"
    "<p/>"
    "<p> </p>\n</body></html>\n";

struct Golden {
  TokenOffsets bytes;
  std::string_view xxh3;
  std::string_view sha1;
  std::string_view sha256;
};

constexpr Golden golden[] = {
    {{0, 82},
     "7872070a057f0698a355e90f0a6db8db",
     "45a332d550bebad07649686c708ed715e0fd705b",
     "e056c4efd43ef78d8ae32f6d847be2cfe1ec082fd66bdf427cdc9d98a910f0eb"},
    {{82, 160},
     "0e4925e2eff6786c999a26d4aedbbe72",
     "64cd7ea139257f3f0f2e669a35c3e01ed26dd8bb",
     "df1647c5fcf581b255755bb0e9f6768d2ec55a2a5f86453a33d6baea44b2e03a"},
    {{160, 210},
     "175fe11ea9a62c84285be770957de496",
     "d7ee4a8125c0129f35d0477286416431fdd6bf52",
     "478813b90a6e084ed84ef68a4ce06cb810b42bd17dd72daa1762df5ef0e17ace"},
    {{210, 258},
     "370fa4437046d6aa0dda5de655a6969e",
     "d8ce531f489a87229e143d821da8d45e58ff7f46",
     "fc51848b818f8c852b4dc850237c93cfbfd16586e4c7bcc858c7c81e57a6efa1"},
    {{258, 288},
     "74727168d4c2f140d5560fcc87e21c47",
     "7a5944e3c6a9ae74d7517fddd616adee380ec492",
     "97eb75925bbe7f8859ca00a6bba6b78e3a8d06a91a7b03e5fe10b86220afe599"},
    {{288, 339},
     "db61115f8ed500600babe51c38a344c5",
     "da486f2671a75de4f2a804c2406f211ea3e9cc33",
     "3238ccfdadacd5506be8e65fb98d082b25eda92e6663368392977cd9f7192c05"},
    {{339, 389},
     "2c47389e916d3c26dfe87ee2805fb39b",
     "882e99dc514908ca77a6f7da2bcbc4c0cb1772da",
     "b920ad6a7acce4dc88d65a575a3f5180fa5a3ed7218ded14046a51a30376a3c4"},
    {{389, 402},
     "a91fd7782739dba44d2c88b9d7f0cea3",
     "6f7cadcb7bcef75179c32bf381fe1423bab643a5",
     "f91a6da0bdd888faf32f54f9f0d96cad5f364869f0eb4baf981c12299d566af0"},
    {{402, 406},
     "75694efb11e57a0d476aaae3a1b787f7",
     "f849504d3837df680b267728a411e45a20b5af6d",
     "b0ce1a82db7de32dcb040d8b810b05752736534cac3341ce0ee526480b0ed5c3"},
    {{406, 430},
     "d11d402521394e2a165df03fb2a21482",
     "69bf2980e25f597749ad3a99ce6dff5c2e73799c",
     "7b6ab42b706f6d1c8ba1c2e7392699b2d77347ae4f553d8f9a78e33e8bab78ff"},
};

// each chunk in order, by three hashes.
TEST(Chunks, HaveGoldenHashes) {
  for (const ChunkHash hash : {ChunkHash::xxh3, ChunkHash::sha1, ChunkHash::sha256}) {
    const auto chunks = read(golden_page, {.hash = hash, .least_characters = 0});
    ASSERT_EQ(chunks.size(), std::size(golden));
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const std::string_view expected = hash == ChunkHash::xxh3   ? golden[i].xxh3
                                        : hash == ChunkHash::sha1 ? golden[i].sha1
                                                                  : golden[i].sha256;
      EXPECT_EQ(chunks[i].bytes, golden[i].bytes) << i;
      EXPECT_EQ(to_hex(chunks[i].hash, hash), expected) << i;
    }
  }
  const auto seeded = read(golden_page, {.seed = 7, .least_characters = 0});
  EXPECT_EQ(to_hex(seeded[2].hash, ChunkHash::xxh3), "0b511861cafb13ef12604d877f1e3447");
}

// ---- Others' programs ----

/// A page of pieces that matter to those who look for tags in bytes.
std::string random_page(std::mt19937& random) {
  static const Pieces parts{"<p>",
                            "<P ",
                            "<p\t",
                            "<p/",
                            "<p\n",
                            "<p",
                            "<\np>",
                            "<div>",
                            "<DIV",
                            "<d\niv ",
                            "/",
                            ">",
                            " ",
                            "\t",
                            "\n",
                            "\r\n",
                            "word",
                            "\xC3\xA9",
                            "<",
                            "<!-- <p> ",
                            "-->",
                            "p",
                            "=\"a\"",
                            "<script>",
                            "</script>",
                            "\xF0\x9F\x98\x80",
                            "thirty characters or more, "};
  std::string page = "<";
  const std::size_t size = random() % 40;
  for (std::size_t i = 0; i < size; ++i) page += parts[random() % parts.size()];
  return page + ">";
}

// The Hadoop program looks for eight strings, sorts the places, and puts 0 before them if it is
// not there.
//
TEST(Chunks, OfHadoopAreTheProgramsOwn) {
  std::mt19937 random(1);
  std::size_t cuts = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string page = random_page(random);
    std::set<std::size_t> places{0};
    for (const char* const pattern : {"<P ", "<P>", "<P\t", "<P/", "<p ", "<p>", "<p\t", "<p/"}) {
      for (std::size_t at = 0; (at = page.find(pattern, at)) != std::string::npos; ++at) {
        places.insert(at);
      }
    }
    places.insert(page.size());
    std::vector<Chunk> expected;
    for (auto place = places.begin(); std::next(place) != places.end(); ++place) {
      const TokenOffsets bytes{static_cast<std::uint32_t>(*place),
                               static_cast<std::uint32_t>(*std::next(place))};
      expected.push_back({hash_chunk(piece(page, bytes), ChunkHash::sha1), bytes});
    }
    ASSERT_EQ(read(page, hadoop_chunks()), expected) << page;
    cuts += expected.size();
  }
  EXPECT_GT(cuts, 20'000U);
}

std::size_t utf16_units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 || byte >= 0xC0) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

// The extension replaces /[ \t]+/g and /[\r\n]+/g, then cuts at
// /<(([pP])|([dD][iI][vV]))[ /\t>]/g, and takes what has (end - begin + 1) >= 30.
//
TEST(Chunks, OfAuntieTunaAreTheExtensionsOwn) {
  const std::regex blanks("[ \\t]+");
  const std::regex line_ends("[\\r\\n]+");
  const std::regex tags("<(([pP])|([dD][iI][vV]))[ /\\t>]");
  std::mt19937 random(2);
  std::size_t found = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string page = random_page(random);
    const std::string cleaned =
        std::regex_replace(std::regex_replace(page, blanks, " "), line_ends, "");
    std::vector<std::size_t> places{0};
    for (std::sregex_iterator match(cleaned.begin(), cleaned.end(), tags), end; match != end;
         ++match) {
      places.push_back(static_cast<std::size_t>(match->position()));
    }
    places.push_back(cleaned.size());
    Pieces expected;
    for (std::size_t place = 0; place + 1 < places.size(); ++place) {
      const std::string_view content =
          std::string_view(cleaned).substr(places[place], places[place + 1] - places[place]);
      if (utf16_units(content) + 1 < 30) continue;
      expected.push_back(to_hex(hash_chunk(content, ChunkHash::sha256), ChunkHash::sha256));
    }
    Pieces ours;
    for (const Chunk& chunk : read(page, auntietuna_chunks())) {
      ours.push_back(to_hex(chunk.hash, ChunkHash::sha256));
    }
    ASSERT_EQ(ours, expected) << page;
    found += expected.size();
  }
  EXPECT_GT(found, 3'000U);
}

// Of the extension's own test page its own list has this hash. The page is the test string of virus
// scanners, put together here lest one of them takes this file for a virus.
TEST(Chunks, OfAuntieTunaHaveTheHashOfItsList) {
  const std::string page = std::string("<p>X5O!P%@AP[4\\PZX54(P^)7CC)7}") + "$EICAR-STANDARD-" +
                           "ANTIVIRUS-TEST-FILE!$H+H*</p>\n<p></p>\n";
  const auto chunks = read(page, auntietuna_chunks());
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(to_hex(chunks[0].hash, ChunkHash::sha256),
            "8394eaf6060547d4f348b644583d3dcc3299082d29946b7e1e2690bf1948d515");
}

// ---- Real pages ----

std::string by_words(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool space = std::string_view(" \t\n\f\r").find(c) != std::string_view::npos;
    if (!space) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

/// The places of "<p" and "<div" outside of comments, scripts, styles and noscript, found the slow
/// way.
std::vector<std::uint32_t> slow_cuts(std::string_view page) {
  std::string small(page);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  std::vector<std::uint32_t> cuts;
  for (std::size_t at = 0; (at = small.find('<', at)) != std::string::npos;) {
    const std::string_view rest = std::string_view(small).substr(at);
    std::string_view until;
    if (rest.starts_with("<!--")) until = "-->";
    if (rest.starts_with("<script")) until = "</script";
    if (rest.starts_with("<style")) until = "</style";
    if (rest.starts_with("<noscript")) until = "</noscript";
    if (!until.empty()) {
      at = small.find(until, at);
      if (at == std::string::npos) break;
      ++at;
      continue;
    }
    for (const std::string_view name : {"<p", "<div"}) {
      if (!rest.starts_with(name) || rest.size() == name.size()) continue;
      const char after = rest[name.size()];
      if (after == '>' || after == '/' || by_words(std::string(1, after)).empty()) {
        cuts.push_back(static_cast<std::uint32_t>(at));
      }
    }
    at = std::min(small.find('>', at), small.size());
  }
  return cuts;
}

TEST(Chunks, OfManualsMapBackToTheirBytes) {
  const std::string path = testing::real_data("llvm-docs-html/pages.jsonl.zst");
  if (path.empty()) GTEST_SKIP() << "llvm-docs-html is not below TWINSET_DATA";
  const Result<InputList> list = expand_inputs(disk(), {{path}, {}, "html", ""});
  ASSERT_TRUE(list.ok());
  const auto reader = open_reader(disk(), list.value().inputs[0], {});
  ASSERT_TRUE(reader.ok());
  ChunkRules text_rules;
  text_rules.content = ChunkContent::text;
  Chunker markup({});
  Chunker text(text_rules);
  std::size_t pages = 0;
  std::size_t found = 0;
  std::vector<Chunk> chunks;
  RecordBatch batch;
  HtmlText whole;
  while (true) {
    const Result<bool> more = reader.value()->read(batch);
    ASSERT_TRUE(more.ok());
    if (!more.value()) break;
    reader.value()->decode({.text = "html", .id = "id", .named = {}}, batch);
    for (const Record& record : batch.records) {
      const std::string page(record.text);
      ++pages;
      std::vector<std::uint32_t> borders = slow_cuts(page);
      borders.push_back(static_cast<std::uint32_t>(page.size()));
      if (borders[0] != 0) borders.insert(borders.begin(), 0);
      std::vector<Chunk> expected;
      std::size_t left_out = 0;
      for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        const TokenOffsets bytes{borders[i], borders[i + 1]};
        const std::string content = by_words(piece(page, bytes));
        const auto characters = std::ranges::count_if(
            content, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
        if (characters <= 100) {
          ++left_out;
        } else {
          const Fingerprint hash = fingerprint_bytes(content);
          expected.push_back({{}, bytes});
          for (int byte = 0; byte < 8; ++byte) {
            const int shift = 56 - 8 * byte;
            expected.back().hash.bytes[byte] = static_cast<std::uint8_t>(hash.high >> shift);
            expected.back().hash.bytes[8 + byte] = static_cast<std::uint8_t>(hash.low >> shift);
          }
        }
      }
      markup.read(page, chunks);
      ASSERT_EQ(chunks, expected) << pages;
      ASSERT_EQ(markup.short_chunks(), left_out);
      found += chunks.size();

      // The texts of all pieces are the page's.
      std::string joined;
      for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        joined += std::string(text.content(piece(page, {borders[i], borders[i + 1]}))) + " ";
      }
      extract_html(page, Offsets::drop, whole);
      ASSERT_EQ(by_words(joined), by_words(whole.view())) << pages;
    }
  }
  EXPECT_EQ(pages, 3053U);
  EXPECT_GT(found, 100'000U);
}

}  // namespace
}  // namespace twinset
