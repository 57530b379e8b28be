#include "phish/registered_domain.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

TEST(RegisteredDomain, IsWhatOneOwnerHas) {
  ASSERT_TRUE(knows_public_suffixes()) << "tests are built with libpsl";
  for (const auto& [host, domain] : {std::pair{"www.paypal.com", "paypal.com"},
                                     {"paypal.com", "paypal.com"},
                                     {"paypal.com.evil.net", "evil.net"},
                                     {"login.bank.co.uk", "bank.co.uk"},
                                     {"bank.co.uk", "bank.co.uk"},
                                     {"x.y.kawasaki.jp", "x.y.kawasaki.jp"},
                                     {"a.city.kawasaki.jp", "city.kawasaki.jp"},
                                     {"me.github.io", "me.github.io"},
                                     {"x.me.github.io", "me.github.io"},
                                     {"www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"},
                                     {"bank.unknown-suffix", "bank.unknown-suffix"},
                                     {"www.bank.unknown-suffix", "bank.unknown-suffix"}}) {
    EXPECT_EQ(registered_domain(host), domain);
  }
}

TEST(RegisteredDomain, HostsThatHaveNoneAreTheirOwn) {
  for (const char* host :
       {"127.0.0.1", "203.0.113.9", "[2001:db8::1]", "localhost", "github.io", "co.uk", "com"}) {
    EXPECT_EQ(registered_domain(host), host);
  }
  EXPECT_EQ(registered_domain(""), "");
}

TEST(RegisteredDomain, TheListHasAName) {
  const std::string list = public_suffix_list();
  EXPECT_EQ(list.size(), 40U) << list;
  EXPECT_EQ(list.find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
}  // namespace twinset
