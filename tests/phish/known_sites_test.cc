#include "phish/known_sites.h"

#include <gtest/gtest.h>

namespace twinset {
namespace {

using Found = std::vector<std::pair<std::string, std::string>>;

Found sites_of(const PhishOptions& options, std::vector<LabelSample> samples) {
  const Result<KnownSites> sites = KnownSites::make(options);
  EXPECT_TRUE(sites.ok());
  Label label;
  for (LabelSample& sample : samples) add_sample(label, std::move(sample));
  Found found;
  const bool any = sites.value().of_label(
      label,
      [&](const std::string& site, const std::string& page) { found.emplace_back(site, page); });
  EXPECT_EQ(any, !found.empty());
  return found;
}

TEST(KnownSites, OfLabelsAreThoseOfTheirPages) {
  PhishOptions options;
  EXPECT_EQ(
      sites_of(options, {{"https://login.bank.co.uk/x", 5, 30}, {"http://b.example/", 0, 9}}),
      (Found{{"b.example", "http://b.example/"}, {"bank.co.uk", "https://login.bank.co.uk/x"}}));
  // A list of AuntieTuna has domains without places.
  EXPECT_EQ(sites_of(options, {{"www.paypal.com", 0, 0}}),
            (Found{{"paypal.com", "www.paypal.com"}}));
  // Paths of files, which look like hosts, are none.
  EXPECT_EQ(sites_of(options, {{"known.jsonl:3", 0, 30}, {"saved/bank.html", 0, 30}}), Found{});
  EXPECT_EQ(sites_of(options, {}), Found{});
  options.site = "https://Bank.co.uk/login";
  EXPECT_EQ(sites_of(options, {{"saved/bank.html", 0, 30}}),
            (Found{{"bank.co.uk", "https://Bank.co.uk/login"}}));
  EXPECT_EQ(sites_of(options, {{"http://b.example/", 0, 9}, {"b.html", 0, 9}}),
            (Found{{"b.example", "http://b.example/"}}));
}

TEST(KnownSites, OfPagesAreThoseOfTheirUrls) {
  EXPECT_EQ(KnownSites::of_page("HTTPS://user@WWW.Bank.Co.UK.:8443/login?x#y"), "bank.co.uk");
  EXPECT_EQ(KnownSites::of_page("http://0x7f.1/"), "127.0.0.1");
  EXPECT_EQ(KnownSites::of_page("http://b\xc3\xbc"
                                "cher.example/"),
            "xn--bcher-kva.example");
  for (const char* none : {"", "bank.co.uk/login", "mailto:a@bank.co.uk", "http://[", "data:x",
                           "file:///bank.co.uk/x"}) {
    EXPECT_EQ(KnownSites::of_page(none), "") << none;
  }
}

TEST(KnownSites, WhatIsTypedMustBeAHost) {
  PhishOptions options;
  options.allow = {"a.bank.co.uk", "http://b.example/x"};
  const Result<KnownSites> sites = KnownSites::make(options);
  ASSERT_TRUE(sites.ok());
  EXPECT_TRUE(sites.value().allows("bank.co.uk"));
  EXPECT_TRUE(sites.value().allows("b.example"));
  EXPECT_FALSE(sites.value().allows("example"));
  EXPECT_FALSE(sites.value().allows(""));
  for (const char* none : {"", "bank", "a b.example", "http://["}) {
    options.allow = {none};
    const Result<KnownSites> refused = KnownSites::make(options);
    ASSERT_FALSE(refused.ok()) << none;
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
    EXPECT_NE(refused.error().text(Door::command_line).find("--allow"), std::string::npos);
  }
}

}  // namespace
}  // namespace twinset
