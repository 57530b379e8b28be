// Suffixes that have been on the list since it began, so that no version of it changes them.
#include "web/registered_domain.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(RegisteredDomain, IsTheSuffixAndOneLabel) {
  EXPECT_EQ(registered_domain("www.news.bbc.co.uk"), "bbc.co.uk");
  EXPECT_EQ(registered_domain("bbc.co.uk"), "bbc.co.uk");
  EXPECT_EQ(registered_domain("a.b.example.org"), "example.org");
  EXPECT_EQ(registered_domain("www.city.kawasaki.jp"), "city.kawasaki.jp");
  EXPECT_EQ(registered_domain("a.b.c.unlisted"), "c.unlisted");
}

TEST(RegisteredDomain, IsAPartOfTheHost) {
  const std::string_view host = "www.example.org";
  EXPECT_EQ(registered_domain(host).data(), host.data() + 4);
}

TEST(RegisteredDomain, NothingIfThereIsNone) {
  EXPECT_EQ(registered_domain(""), "");
  EXPECT_EQ(registered_domain("co.uk"), "");
  EXPECT_EQ(registered_domain("org"), "");
  EXPECT_EQ(registered_domain("192.168.0.1"), "");
  EXPECT_EQ(registered_domain("[::1]"), "");
  EXPECT_EQ(registered_domain(std::string_view("a\0.org", 6)), "");
  EXPECT_EQ(registered_domain(std::string(300, 'a') + ".org"), "");
}

TEST(PublicSuffixList, HasAName) { EXPECT_EQ(public_suffix_list().size(), 40U); }

}  // namespace
}  // namespace twinset
