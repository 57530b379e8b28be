#include "web/host.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace twinset {
namespace {

std::optional<std::string> host(std::string_view written, bool special = true) {
  std::string out = "before ";
  if (!append_host(written, special, out)) return std::nullopt;
  EXPECT_TRUE(out.starts_with("before "));
  return out.substr(7);
}

// The samples of RFC 3492, 7.1, in letters that folding leaves alone.
TEST(AppendHost, WritesPunycode) {
  EXPECT_EQ(host("\xE4\xBB\x96\xE4\xBB\xAC\xE4\xB8\xBA\xE4\xBB\x80\xE4\xB9\x88\xE4\xB8\x8D\xE8\xAF"
                 "\xB4\xE4\xB8\xAD\xE6\x96\x87"),
            "xn--ihqwcrb4cv8a8dqg056pqjye");
  EXPECT_EQ(host("\xD0\xBF\xD0\xBE\xD1\x87\xD0\xB5\xD0\xBC\xD1\x83\xD0\xB6\xD0\xB5\xD0\xBE\xD0\xBD"
                 "\xD0\xB8\xD0\xBD\xD0\xB5\xD0\xB3\xD0\xBE\xD0\xB2\xD0\xBE\xD1\x80\xD1\x8F\xD1\x82"
                 "\xD0\xBF\xD0\xBE\xD1\x80\xD1\x83\xD1\x81\xD1\x81\xD0\xBA\xD0\xB8"),
            "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l");
  EXPECT_EQ(host("porqu\xC3\xA9nopuedensimplementehablarenespa\xC3\xB1ol"),
            "xn--porqunopuedensimplementehablarenespaol-fmd56a");
  EXPECT_EQ(host("3\xE5\xB9\xB4"
                 "b\xE7\xB5\x84\xE9\x87\x91\xE5\x85\xAB\xE5\x85\x88\xE7\x94\x9F"),
            "xn--3b-ww4c5e180e575a65lsy2b");
}

TEST(AppendHost, FoldsWhatDomainsFold) {
  EXPECT_EQ(host("A.B\xC3\x9C"), "a.xn--b-eha");
  EXPECT_EQ(host("\xCE\xA3.gr"), host("\xCF\x83.gr"));
  EXPECT_NE(host("\xCF\x82.gr"), host("\xCF\x83.gr"));
  EXPECT_NE(host("stra\xC3\x9F"
                 "e.de"),
            host("strasse.de"));
}

TEST(AppendHost, RefusesLabelsThatCostTooMuch) {
  std::string label;
  for (std::size_t i = 0; i < longest_label_code_points; ++i) label += "\xC3\xA9";
  EXPECT_TRUE(host(label));
  EXPECT_FALSE(host(label + "\xC3\xA9"));
}

TEST(AppendHost, OfOtherSchemesIsKept) {
  EXPECT_EQ(host("A%4a%7c\xC3\xA9", false), "aj%7C%C3%A9");
  EXPECT_EQ(host("1.2.3.4.5", false), "1.2.3.4.5");
  EXPECT_FALSE(host("a b", false));
  EXPECT_FALSE(host("", false));
  EXPECT_FALSE(host("[x]", false));
}

/// The bytes of an IPv6 address as the C library reads it.
std::optional<std::array<unsigned char, 16>> library_reads(const std::string& address) {
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET6, address.c_str(), bytes.data()) != 1) return std::nullopt;
  return bytes;
}

// Addresses made of likely parts, right and wrong: the same ones are taken as the C library takes,
// and what is written is the same address.
TEST(AppendHost, ReadsIpv6AsTheCLibraryDoes) {
  constexpr std::string_view parts[] = {":",     "::",  ":",   "0",       "1",       "fFfF",
                                        "12345", "a:",  "b:",  "0:",      "::1",     "1.2",
                                        ".3.4",  "255", "256", "1.2.3.4", "01",      "g",
                                        ".",     "-1",  "0x1", "+",       "0.0.0.0", "c:d:e:f:"};
  std::mt19937_64 random(61);
  int right = 0;
  for (int round = 0; round < 400'000; ++round) {
    std::string address;
    for (std::uint64_t n = 1 + random() % 9; n > 0; --n) {
      address += parts[random() % std::size(parts)];
    }
    if (address.size() < 2 || address.size() > 45) continue;
    const auto expected = library_reads(address);
    const std::optional<std::string> written = host("[" + address + "]");
    ASSERT_EQ(written.has_value(), expected.has_value()) << address;
    if (!written) continue;
    ++right;
    ASSERT_EQ(library_reads(written->substr(1, written->size() - 2)), expected) << address;
  }
  EXPECT_GT(right, 1000);
}

TEST(PercentByte, NeedsTwoDigits) {
  EXPECT_EQ(percent_byte("a%4a", 1), 0x4A);
  EXPECT_EQ(percent_byte("%fF", 0), 0xFF);
  EXPECT_EQ(percent_byte("%f", 0), -1);
  EXPECT_EQ(percent_byte("%fg", 0), -1);
  EXPECT_EQ(percent_byte("%", 0), -1);
  EXPECT_EQ(percent_byte("a", 0), -1);
}

}  // namespace
}  // namespace twinset
