// Charsets, held against iconv, which reads them from tables of its own.
#include "text/charset.h"

#include <gtest/gtest.h>
#include <iconv.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "text/charset_tables.h"

namespace twinset {
namespace {

using namespace std::string_literals;

std::string as_utf8(Charset charset, std::string_view bytes) {
  std::string out;
  append_utf8(charset, bytes, out);
  return out;
}

/// By iconv; nothing if it does not know the bytes, or makes something else than characters of
/// them.
std::optional<std::string> by_iconv(const char* name, std::string_view bytes) {
  const iconv_t converter = iconv_open("UTF-8", name);
  if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  std::string in(bytes);
  std::string out(4 * bytes.size() + 16, '\0');
  char* from = in.data();
  char* to = out.data();
  std::size_t from_left = in.size();
  std::size_t to_left = out.size();
  const bool good = iconv(converter, &from, &from_left, &to, &to_left) == 0 && from_left == 0;
  // Some decoders keep a letter back, for an accent that may follow.
  iconv(converter, nullptr, nullptr, &to, &to_left);
  iconv_close(converter);
  if (!good) return std::nullopt;
  out.resize(out.size() - to_left);
  return out;
}

struct Judged {
  std::size_t equal = 0;
  std::size_t differ = 0;
  std::string differing;
};

/// Compares every sequence of `bytes` bytes that both know as one character.
Judged judge(Charset charset, const char* name, const std::vector<std::string>& sequences) {
  Judged judged;
  for (const std::string& bytes : sequences) {
    const std::optional<std::string> wanted = by_iconv(name, bytes);
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    if (!wanted.has_value() || std::count_if(wanted->begin(), wanted->end(), begins) != 1) continue;
    const std::string got = as_utf8(charset, bytes);
    ++(got == *wanted ? judged.equal : judged.differ);
    if (got != *wanted) judged.differing += ::testing::PrintToString(bytes) + got + *wanted + " ";
  }
  return judged;
}

std::vector<std::string> single_bytes() {
  std::vector<std::string> all;
  for (int byte = 1; byte < 256; ++byte) all.emplace_back(1, static_cast<char>(byte));
  return all;
}

std::vector<std::string> pairs() {
  std::vector<std::string> all;
  for (int lead = 0x81; lead < 0xff; ++lead) {
    for (int trail = 0x40; trail < 0xff; ++trail) {
      all.push_back({static_cast<char>(lead), static_cast<char>(trail)});
    }
  }
  return all;
}

TEST(Charset, EveryByteOfTheCharsetsOfOneByte) {
  if (!by_iconv("WINDOWS-1252", "a")) GTEST_SKIP() << "iconv has no tables here";
  const std::map<Charset, const char*> names{{Charset::windows_1250, "WINDOWS-1250"},
                                             {Charset::windows_1251, "WINDOWS-1251"},
                                             {Charset::windows_1252, "WINDOWS-1252"},
                                             {Charset::windows_1253, "WINDOWS-1253"},
                                             {Charset::windows_1254, "WINDOWS-1254"},
                                             {Charset::windows_1255, "WINDOWS-1255"},
                                             {Charset::windows_1256, "WINDOWS-1256"},
                                             {Charset::windows_1257, "WINDOWS-1257"},
                                             {Charset::iso_8859_2, "ISO-8859-2"},
                                             {Charset::iso_8859_3, "ISO-8859-3"},
                                             {Charset::iso_8859_4, "ISO-8859-4"},
                                             {Charset::iso_8859_5, "ISO-8859-5"},
                                             {Charset::iso_8859_6, "ISO-8859-6"},
                                             {Charset::iso_8859_8, "ISO-8859-8"},
                                             {Charset::iso_8859_10, "ISO-8859-10"},
                                             {Charset::iso_8859_13, "ISO-8859-13"},
                                             {Charset::iso_8859_14, "ISO-8859-14"},
                                             {Charset::iso_8859_15, "ISO-8859-15"},
                                             {Charset::iso_8859_16, "ISO-8859-16"},
                                             {Charset::koi8_r, "KOI8-R"},
                                             {Charset::koi8_u, "KOI8-U"},
                                             {Charset::ibm866, "IBM866"}};
  for (const auto& [charset, name] : names) {
    const Judged judged = judge(charset, name, single_bytes());
    EXPECT_EQ(judged.differ, 0U) << name << judged.differing;
    EXPECT_GT(judged.equal, 200U) << name;
  }
}

// The tables differ from those of glibc in a few signs that vendors map in different ways, such as
// the wave dash, and 68 characters that Big5-HKSCS got in 2008.
TEST(Charset, EveryPairOfTheCharsetsOfTwoBytes) {
  if (!by_iconv("CP932", "a")) GTEST_SKIP() << "iconv has no tables here";
  struct Case {
    Charset charset;
    const char* name;
    std::size_t least_equal;
    std::size_t most_differ;
  };
  for (const Case& each :
       {Case{Charset::shift_jis, "CP932", 9000, 10}, Case{Charset::euc_jp, "EUC-JP", 6800, 20},
        Case{Charset::gb18030, "GB18030", 23800, 100}, Case{Charset::big5, "BIG5-HKSCS", 18000, 70},
        Case{Charset::euc_kr, "CP949", 17000, 5}}) {
    const Judged judged = judge(each.charset, each.name, pairs());
    EXPECT_GE(judged.equal, each.least_equal) << each.name;
    EXPECT_LE(judged.differ, each.most_differ) << each.name << judged.differing;
  }
}

TEST(Charset, FourBytesOfGb18030) {
  if (!by_iconv("GB18030", "a")) GTEST_SKIP() << "iconv has no tables here";
  std::vector<std::string> some;
  for (int first : {0x81, 0x82, 0x83, 0x84, 0x90, 0xe3}) {
    for (int second = 0x30; second < 0x3a; ++second) {
      for (int third = 0x81; third < 0xff; third += 3) {
        some.push_back({static_cast<char>(first), static_cast<char>(second),
                        static_cast<char>(third), static_cast<char>(0x30 + third % 10)});
      }
    }
  }
  const Judged judged = judge(Charset::gb18030, "GB18030", some);
  EXPECT_GT(judged.equal, 1300U);
  EXPECT_LE(judged.differ, 10U);
}

TEST(Charset, WordsOfSeveralLanguages) {
  EXPECT_EQ(as_utf8(Charset::windows_1252, "caf\xe9 \x80 \x93q\x94"),
            "caf\xc3\xa9 \xe2\x82\xac \xe2\x80\x9cq\xe2\x80\x9d");
  EXPECT_EQ(as_utf8(Charset::windows_1251, "\xcf\xf0\xe8\xe2\xe5\xf2"),
            "\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82");
  EXPECT_EQ(as_utf8(Charset::shift_jis, "\x93\xfa\x96\x7b\xb1 a"),
            "\xe6\x97\xa5\xe6\x9c\xac\xef\xbd\xb1 a");
  EXPECT_EQ(as_utf8(Charset::euc_jp, "\xc6\xfc\xcb\xdc\x8e\xb1"),
            "\xe6\x97\xa5\xe6\x9c\xac\xef\xbd\xb1");
  EXPECT_EQ(as_utf8(Charset::iso_2022_jp, "a\x1b$BF|K\\\x1b(Bb"),
            "a\xe6\x97\xa5\xe6\x9c\xac"
            "b");
  EXPECT_EQ(as_utf8(Charset::gb18030, "\xd6\xd0\xce\xc4"), "\xe4\xb8\xad\xe6\x96\x87");
  EXPECT_EQ(as_utf8(Charset::big5, "\xa4\xa4\xa4\xe5"), "\xe4\xb8\xad\xe6\x96\x87");
  EXPECT_EQ(as_utf8(Charset::euc_kr, "\xc7\xd1\xb1\xdb"), "\xed\x95\x9c\xea\xb8\x80");
  EXPECT_EQ(as_utf8(Charset::utf16_le, "\xff\xfeh\0i\0\x3d\xd8\x00\xde"s), "hi\xf0\x9f\x98\x80");
  EXPECT_EQ(as_utf8(Charset::utf16_be, "\0h\0i"s), "hi");
  EXPECT_EQ(as_utf8(Charset::utf8, "\xef\xbb\xbf\xff h"), "\xff h");
}

/// A byte that means nothing, as decoded text has it.
std::string escaped(unsigned char byte) {
  return {'\xed', static_cast<char>(0xb0 + byte / 64), static_cast<char>(0x80 + byte % 64)};
}

TEST(Charset, BytesThatMeanNothingStayApartAndAsciiAfterThemStays) {
  EXPECT_EQ(as_utf8(Charset::shift_jis, "\x81 a"), escaped(0x81) + " a");
  EXPECT_EQ(as_utf8(Charset::euc_jp, "\xc6<b>"), escaped(0xc6) + "<b>");
  EXPECT_EQ(as_utf8(Charset::gb18030, "\xff<\xd6"), escaped(0xff) + "<" + escaped(0xd6));
  EXPECT_EQ(as_utf8(Charset::big5, "\xa4"), escaped(0xa4));
  EXPECT_EQ(as_utf8(Charset::euc_kr, "\xc7\x0a"), escaped(0xc7) + "\n");
  EXPECT_EQ(as_utf8(Charset::windows_1253, "a\xd2"), "a" + escaped(0xd2));
  EXPECT_EQ(as_utf8(Charset::utf16_le, "h\0\x00\xd8i"s), "h\xed\xa0\x80" + escaped('i'));
  EXPECT_EQ(as_utf8(Charset::utf32_be, "\0\0\0h\xff\0\0\0\x80"s),
            "h" + escaped(0xff) + escaped(0) + escaped(0) + escaped(0) + escaped(0x80));
  EXPECT_EQ(as_utf8(Charset::iso_2022_jp, "\x1b$BF"), escaped('F'));
  // Two that UTF-8 would take for a letter stay two.
  EXPECT_EQ(as_utf8(Charset::shift_jis, "\xff\xfe"), escaped(0xff) + escaped(0xfe));
}

TEST(Charset, TextsThatDifferInBytesThatMeanNothingDiffer) {
  for (int i = 1; i < static_cast<int>(charset_count); ++i) {
    const auto charset = static_cast<Charset>(i);
    if (charset == Charset::iso_2022_jp || is_utf16(charset) || charset >= Charset::utf32_le) {
      continue;
    }
    std::vector<std::string> all;
    for (int byte = 0x80; byte < 0x100; ++byte) {
      all.push_back(as_utf8(charset, "a" + std::string(1, static_cast<char>(byte)) + " b"));
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << charset_name(charset);
  }
}

TEST(Charset, LongTextsAreDecodedAsShortOnes) {
  for (const auto& [charset, word] :
       {std::pair<Charset, std::string>{Charset::windows_1251, "\xcf\xf0\xe8\xe2\xe5\xf2, x "},
        {Charset::shift_jis, "\x93\xfa\x96\x7b\xb1 a"},
        {Charset::gb18030, "\xd6\xd0\x81\x30\x81\x30 plain ascii words "}}) {
    std::string bytes;
    std::string wanted;
    for (int i = 0; i < 3000; ++i) {
      bytes += word;
      wanted += as_utf8(charset, word);
    }
    for (std::size_t cut = 0; cut < 4; ++cut) {
      EXPECT_EQ(as_utf8(charset, std::string(cut, 'x') + bytes), std::string(cut, 'x') + wanted);
    }
  }
}

TEST(Charset, PlacesAreFoundAgainInTheBytes) {
  std::vector<std::uint64_t> offsets{0, 1, 3, 6, 7};
  EXPECT_TRUE(find_in_charset(Charset::windows_1252, "a\xe9\x80z", offsets));
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  offsets = {1, 4, 7};
  EXPECT_TRUE(find_in_charset(Charset::gb18030, "a\xd6\xd0\xff", offsets));
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{1, 3, 4}));
  offsets = {2};
  EXPECT_TRUE(find_in_charset(Charset::utf8, "abc", offsets));
  EXPECT_EQ(offsets.front(), 2U);
  EXPECT_FALSE(find_in_charset(Charset::utf16_le, "a\0b\0", offsets));
}

TEST(Charset, Labels) {
  EXPECT_EQ(charset_of_label(" UTF-8\n"), Charset::utf8);
  EXPECT_EQ(charset_of_label("ISO-8859-1"), Charset::windows_1252);
  EXPECT_EQ(charset_of_label("latin1"), Charset::windows_1252);
  EXPECT_EQ(charset_of_label("x-sjis"), Charset::shift_jis);
  EXPECT_EQ(charset_of_label("GB2312"), Charset::gb18030);
  EXPECT_EQ(charset_of_label("none"), Charset::unknown);
  EXPECT_EQ(charset_of_label(""), Charset::unknown);
  EXPECT_EQ(charset_of_label(std::string(100, 'a')), Charset::unknown);
  EXPECT_EQ(charset_name(Charset::unknown), "unknown");
  EXPECT_EQ(charset_name(Charset::mac_cyrillic), "x-mac-cyrillic");
  // A name is a label of its charset, but for those that browsers read as another.
  for (int i = 1; i <= static_cast<int>(Charset::mac_cyrillic); ++i) {
    const auto charset = static_cast<Charset>(i);
    EXPECT_EQ(charset_of_label(charset_name(charset)), charset) << charset_name(charset);
  }
}

TEST(Charset, WhatAPageSaysOfItself) {
  EXPECT_EQ(charset_in_page("<html><meta charset=shift_jis>"), Charset::shift_jis);
  EXPECT_EQ(charset_in_page("<META http-equiv='Content-Type' CONTENT=\"text/html; charset = "
                            "windows-1251\">"),
            Charset::windows_1251);
  EXPECT_EQ(charset_in_page("<?xml version=\"1.0\" encoding=\"euc-jp\"?><html>"), Charset::euc_jp);
  EXPECT_EQ(charset_in_page("<!-- <meta charset=big5> --><meta charset=\"gbk\" />"),
            Charset::gb18030);
  EXPECT_EQ(charset_in_page("<meta charset=utf-16>"), Charset::utf8);
  EXPECT_EQ(charset_in_page("<meta name=x content='no-charset=big5'>"), Charset::unknown);
  EXPECT_EQ(charset_in_page("<metal charset=big5>"), Charset::unknown);
  EXPECT_EQ(charset_in_page("<meta charset"), Charset::unknown);
  EXPECT_EQ(charset_in_page(std::string(1100, ' ') + "<meta charset=big5>"), Charset::unknown);
  EXPECT_EQ(charset_in_page("<!-- <meta charset=big5>"), Charset::unknown);
  EXPECT_EQ(charset_in_page(""), Charset::unknown);
}

TEST(Charset, CountsCharactersForAGuess) {
  const CharacterCounts counts =
      count_characters(Charset::euc_kr, "\xc7\xd1 \xb1\xdb a \xca\xa1\xff");
  EXPECT_EQ(counts.common, 2U);
  EXPECT_EQ(counts.uncommon, 1U);
  EXPECT_EQ(counts.faults, 1U);
}

}  // namespace
}  // namespace twinset
