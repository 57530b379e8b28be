#include "twinset/phish.h"

#include <gtest/gtest.h>

#include <random>

#include "phish/phish_testing.h"
#include "phish/registered_domain.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// A host and the registered domain that a person reads off it.
struct NamedHost {
  std::string host;
  std::string domain;
};
const std::vector<NamedHost> hosts = {{"bank.co.uk", "bank.co.uk"},
                                      {"login.bank.co.uk", "bank.co.uk"},
                                      {"bank.co.uk.evil.example", "evil.example"},
                                      {"mybank.co.uk", "mybank.co.uk"},
                                      {"a.github.io", "a.github.io"},
                                      {"b.github.io", "b.github.io"},
                                      {"203.0.113.9", "203.0.113.9"},
                                      {"shop.example", "shop.example"},
                                      {"www.shop.example", "shop.example"}};

/// Pages of sites that have paragraphs of their own and of others.
MadeSite made_pages(std::mt19937_64& random, std::size_t pages, std::uint64_t paragraphs) {
  MadeSite made;
  for (std::size_t i = 0; i < pages; ++i) {
    std::vector<std::string> text;
    for (std::uint64_t left = random() % 6; left > 0; --left) {
      text.push_back(made_paragraph(random() % paragraphs));
    }
    made.add("http://" + hosts[random() % hosts.size()].host + "/" + std::to_string(i), text);
  }
  return made;
}

std::string domain_of(const std::string& url) {
  const std::string host = url.substr(7, url.find('/', 7) - 7);
  for (const NamedHost& each : hosts) {
    if (each.host == host) return each.domain;
  }
  return "?";
}

/// The plain way: URL, imitated site, chunks, labeled; ranked.
using Line = std::tuple<double, std::uint64_t, std::string, std::string, std::uint64_t>;
std::vector<Line> search_plainly(const MadeSite& known, const MadeSite& pages) {
  std::map<std::string, std::set<std::string>> sites_of;
  for (const MadePage& page : known.pages) {
    for (const std::string& text : page.paragraphs) sites_of[text].insert(domain_of(page.url));
  }
  std::vector<Line> lines;
  for (const MadePage& page : pages.pages) {
    std::map<std::string, std::uint64_t> counts;
    for (const std::string& text : page.paragraphs) {
      const auto found = sites_of.find(text);
      if (found == sites_of.end() || found->second.contains(domain_of(page.url))) continue;
      for (const std::string& site : found->second) ++counts[site];
    }
    const std::pair<const std::string, std::uint64_t>* best = nullptr;
    for (const auto& each : counts) {
      if (best == nullptr || each.second > best->second) best = &each;
    }
    if (best == nullptr) continue;
    const std::uint64_t chunks = page.paragraphs.size();
    lines.emplace_back(-static_cast<double>(best->second) / static_cast<double>(chunks),
                       UINT64_MAX - best->second, page.url, best->first, chunks);
  }
  std::ranges::sort(lines);
  return lines;
}

// the central check finds what a plain search finds, for any threads.
TEST(PhishOracle, PagesOfManySites) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    std::mt19937_64 random(seed);
    // At most ten pages have a paragraph, so that their labels know all of them.
    const MadeSite known = made_pages(random, 12, 400);
    const MadeSite pages = made_pages(random, 300, 400);
    const ScratchFolder folder;
    PhishOptions options = phish_options(folder, known, pages);
    options.top = 1000;
    options.resources.threads = 1 + static_cast<unsigned>(seed % 2);
    const Result<PhishSummary> done = phish(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    std::vector<Line> lines;
    for (const PhishPage& page : done.value().found) {
      lines.emplace_back(-page.contains(), UINT64_MAX - page.labeled, page.url, page.site,
                         page.chunks);
      EXPECT_EQ(domain_of(page.imitates), page.site);
      EXPECT_EQ(page.parts.size(), page.labeled);
    }
    ASSERT_EQ(lines, search_plainly(known, pages)) << "seed " << seed;
    EXPECT_EQ(done.value().pages, pages.pages.size());
    EXPECT_EQ(done.value().imitations, lines.size());
    found += lines.size();
    // The first of them alone.
    options.top = 3;
    const Result<PhishSummary> first = phish(options, quiet_control());
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(first.value().imitations, lines.size());
    ASSERT_EQ(first.value().found.size(), std::min<std::size_t>(3, lines.size()));
    for (std::size_t i = 0; i < first.value().found.size(); ++i) {
      EXPECT_EQ(first.value().found[i].url, std::get<2>(lines[i]));
    }
  }
  EXPECT_GT(found, 300U);
}

MadeSite bank() {
  MadeSite known;
  known.add("https://bank.co.uk/login", {made_paragraph(1), made_paragraph(2), made_paragraph(3)});
  known.add("https://bank.co.uk/help", {made_paragraph(3), made_paragraph(4)});
  return known;
}

TEST(Phish, APartIsQuotedWhereItStands) {
  MadeSite pages;
  pages.add("http://evil.example/", {made_paragraph(9), made_paragraph(2), made_paragraph(3)});
  const ScratchFolder folder;
  const Result<PhishSummary> done = phish(phish_options(folder, bank(), pages), quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  ASSERT_EQ(done.value().found.size(), 1U);
  const PhishPage& page = done.value().found[0];
  EXPECT_EQ(page.imitates, "https://bank.co.uk/login") << "has two of its parts, the other one";
  EXPECT_EQ(page.record, 1U);
  const std::string text = pages.pages[0].html();
  ASSERT_EQ(page.parts.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string part = text.substr(page.parts[i].offset, page.parts[i].length);
    EXPECT_EQ(part, "<p>" + made_paragraph(2 + i));
    EXPECT_EQ(page.parts[i].text, made_paragraph(2 + i));
  }
}

// copies are found as they are and with other white space; edits in each part, and pages of
// one's own, are not.
TEST(Phish, CopiesAreFoundThroughWhiteSpaceAndNoOtherPageIs) {
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
    return text;
  };
  MadeSite pages;
  for (std::uint64_t i = 0; i < 35; ++i) {
    pages.add("http://direct.example/" + std::to_string(i),
              {made_paragraph(20 + i), made_paragraph(1 + i % 4)});
  }
  for (std::uint64_t i = 0; i < 8; ++i) {
    pages.add("http://spaced.example/" + std::to_string(i),
              {changed(made_paragraph(1 + i % 4), " ", i % 2 == 0 ? "\r\n\t" : "   ")});
    pages.add("http://edited.example/" + std::to_string(i),
              {changed(made_paragraph(1 + i % 4), "says", "say5")});
  }
  for (std::uint64_t i = 0; i < 200; ++i) {
    pages.add("http://other.example/" + std::to_string(i), {made_paragraph(100 + i)});
  }
  const ScratchFolder folder;
  const Result<PhishSummary> done = phish(phish_options(folder, bank(), pages), quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  std::map<std::string, int> found;
  for (const PhishPage& page : done.value().found) ++found[page.url.substr(0, 13)];
  EXPECT_EQ(found, (std::map<std::string, int>{{"http://direct", 35}, {"http://spaced", 8}}));
}

TEST(Phish, TheStricterRulesAreExact) {
  MadeSite pages;
  pages.add("http://one.example/", {made_paragraph(1), made_paragraph(8)});
  pages.add("http://two.example/",
            {made_paragraph(1), made_paragraph(2), made_paragraph(8), made_paragraph(9)});
  pages.add("http://three.example/", {made_paragraph(1), made_paragraph(8), made_paragraph(9)});
  const ScratchFolder folder;
  PhishOptions options = phish_options(folder, bank(), pages);
  const auto found = [&] {
    const Result<PhishSummary> done = phish(options, quiet_control());
    EXPECT_TRUE(done.ok());
    std::vector<std::string> urls;
    for (const PhishPage& page : done.value().found) urls.push_back(page.url);
    return urls;
  };
  using Urls = std::vector<std::string>;
  EXPECT_EQ(found(), (Urls{"http://two.example/", "http://one.example/", "http://three.example/"}));
  options.min_share = Ratio(1, 2);
  EXPECT_EQ(found(), (Urls{"http://two.example/", "http://one.example/"}));
  options.min_share = Ratio(500'001, 1'000'000);
  EXPECT_EQ(found(), Urls{});
  options.min_share = {};
  options.min_parts = 2;
  EXPECT_EQ(found(), (Urls{"http://two.example/"}));
  options.min_parts = 1;
  options.allow = {"www.one.example", "https://two.example/x"};
  EXPECT_EQ(found(), (Urls{"http://three.example/"}));
}

TEST(Phish, ThePageAsAWholeAndStopChunksAccuseNobody) {
  // Known and other pages have one short file in common, and a notice.
  MadeSite known = bank();
  known.add("https://bank.co.uk/empty", {"short"});
  MadeSite pages;
  pages.add("http://other.example/", {"short"});
  pages.add("http://notice.example/", {made_paragraph(4), made_paragraph(7)});
  MadeSite notice;
  notice.add("https://anywhere.example/", {made_paragraph(4)});
  const ScratchFolder folder;
  const PhishOptions stops = phish_options(folder, notice, pages);
  std::filesystem::rename(stops.labels, folder / "stop.labels");
  PhishOptions options = phish_options(folder, known, pages);
  Result<PhishSummary> done = phish(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  ASSERT_EQ(done.value().found.size(), 1U);
  EXPECT_EQ(done.value().found[0].url, "http://notice.example/");
  options.stop = folder / "stop.labels";
  done = phish(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().imitations, 0U);
  EXPECT_EQ(done.value().stop_chunks, 1U);
}

TEST(Phish, APageWithoutAHostIsOfNoSite) {
  MadeSite pages;
  for (const char* url : {"", "http://[", "mailto:me@bank.co.uk", "file:///bank.co.uk/x"}) {
    pages.add(url, {made_paragraph(1)});
  }
  pages.add("HTTPS://Login.Bank.CO.UK:444/", {made_paragraph(1)});
  const ScratchFolder folder;
  const Result<PhishSummary> done = phish(phish_options(folder, bank(), pages), quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().pages_without_site, 4U);
  EXPECT_TRUE(done.value().first_without_site.ends_with("pages.jsonl:1"));
  EXPECT_EQ(done.value().imitations, 4U);
  EXPECT_EQ(done.value().own_pages, 1U);
  ASSERT_EQ(done.value().warnings.size(), 1U);
}

// A page of 2 MB, all of whose parts are known, and a URL as long: neither is held whole.
TEST(Phish, WhatIsToldOfAHostilePageIsBounded) {
  MadeSite pages;
  pages.add("http://long.example/" + std::string(100'000, 'x'),
            std::vector<std::string>(15'000, made_paragraph(1)));
  const ScratchFolder folder;
  const Result<PhishSummary> done = phish(phish_options(folder, bank(), pages), quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  ASSERT_EQ(done.value().found.size(), 1U);
  EXPECT_EQ(done.value().found[0].labeled, 15'000U);
  EXPECT_EQ(done.value().found[0].parts.size(), 20U);
  EXPECT_EQ(done.value().found[0].url.size(), 2048U);
}

TEST(Phish, BadOptionsAreOneError) {
  const ScratchFolder folder;
  MadeSite pages;
  pages.add("http://one.example/", {made_paragraph(1)});
  const PhishOptions options = phish_options(folder, bank(), pages);
  const auto message = [&](const PhishOptions& tried, ErrorCode code) {
    const Result<PhishSummary> done = phish(tried, quiet_control());
    EXPECT_FALSE(done.ok());
    if (done.ok()) return std::string();
    EXPECT_EQ(done.error().code, code) << done.error().message;
    return done.error().text(Door::command_line);
  };
  PhishOptions tried = options;
  tried.inputs.clear();
  EXPECT_NE(message(tried, ErrorCode::usage).find("no input"), std::string::npos);
  tried = options;
  tried.labels.clear();
  EXPECT_NE(message(tried, ErrorCode::usage).find("no labels"), std::string::npos);
  tried.labels = folder.write("pages.txt", "not labels");
  EXPECT_NE(message(tried, ErrorCode::io).find("pages.txt"), std::string::npos);
  std::string bytes = folder.read("known.labels");
  bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 1);
  tried.labels = folder.write("damaged.labels", bytes);
  EXPECT_NE(message(tried, ErrorCode::io).find("damaged.labels"), std::string::npos);
  tried = options;
  tried.site = "no host";
  EXPECT_NE(message(tried, ErrorCode::usage).find("--site"), std::string::npos);
  tried = options;
  tried.min_parts = 0;
  EXPECT_NE(message(tried, ErrorCode::usage).find("--min-parts"), std::string::npos);
  tried = options;
  tried.top = std::uint64_t{1} << 40;
  EXPECT_NE(message(tried, ErrorCode::usage).find("--memory"), std::string::npos);
  std::atomic<bool> stop = true;
  RunControl control = quiet_control();
  control.cancel = &stop;
  EXPECT_EQ(phish(options, control).error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace twinset
