// Made-up crawls and labels for the tests of detection, and a slow, plain search of them that says
// what detection must find.
//
//   Crawl crawl = made_crawl(1, 300);
//   DetectOptions options = crawl.options(folder);
//   const FoundLists expected = search_plainly(crawl);
//   EXPECT_EQ(read_lists(options.output).pages, expected.pages);
//
// Threads: one at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "io/json.h"
#include "io/json_read.h"
#include "labels/label_file.h"
#include "support/json_object.h"
#include "support/scratch_folder.h"
#include "support_runs/job_testing.h"
#include "twinset/reuse.h"
#include "web/chunks.h"

namespace twinset::testing {

/// More than 100 characters that no other number gives.
inline std::string crawl_chunk(std::uint64_t number) {
  std::string text = "<p>Chunk " + std::to_string(number) + " begins";
  while (text.size() < 110) text += " and " + std::to_string(number * 31 + text.size());
  return text;
}

struct CrawlPage {
  std::string url;
  std::vector<std::string>
      chunks;  ///< with their tags; those of less than 101 characters are short

  std::string html() const {
    std::string all;
    for (const std::string& chunk : chunks) all += chunk;
    return all;
  }
};

/// Writes labels of chunks and of whole files. Each has a sample on the site known.org.
inline void write_labels(const std::string& path, const std::vector<std::string>& chunks,
                         const std::vector<std::string>& files = {}, const ChunkRules& rules = {}) {
  std::vector<Label> labels;
  const auto add = [&](LabelKind kind, const std::string& content) {
    Label label{.kind = kind, .hash = hash_chunk(content, rules.hash, rules.seed)};
    label.count = label.documents = 1;
    add_sample(label, {"http://known.org/" + std::to_string(labels.size()), 7, content.size()});
    add_text(label, content);
    labels.push_back(std::move(label));
  };
  for (const std::string& chunk : chunks) add(LabelKind::chunk, chunk);
  for (const std::string& file : files) add(LabelKind::file, file);
  std::ranges::sort(labels,
                    [](const Label& a, const Label& b) { return compare_labels(a, b) < 0; });
  RunContext context;
  context.files = &unsynced();
  LabelWriter writer(context, path, {to_text(rules), rules.hash});
  for (const Label& label : labels) ASSERT_TRUE(writer.append(label).ok());
  ASSERT_TRUE(writer.finish().ok());
}

struct Crawl {
  std::vector<CrawlPage> pages;
  std::vector<std::string> known_chunks;
  std::vector<std::string> known_files;

  /// JSON Lines of pages [first, end).
  std::string lines(std::size_t first = 0, std::size_t end = SIZE_MAX) const {
    std::string out;
    for (std::size_t i = first; i < std::min(end, pages.size()); ++i) {
      JsonObject(out).string("url", pages[i].url).string("text", pages[i].html()).end();
      out += '\n';
    }
    return out;
  }
  /// Writes labels and pages.
  DetectOptions options(const ScratchFolder& folder) const {
    write_labels(folder / "known.labels", known_chunks, known_files);
    DetectOptions options;
    options.inputs = {folder.write("crawl.jsonl", lines())};
    options.input.format = "html";
    options.labels = folder / "known.labels";
    options.output = folder / "out";
    return options;
  }
};

/// Pages of a few sites, some of which copy known chunks, whole known files, or nothing.
inline Crawl made_crawl(std::uint64_t seed, std::size_t pages) {
  std::mt19937_64 random(seed);
  Crawl crawl;
  for (std::uint64_t i = 0; i < 30; ++i) crawl.known_chunks.push_back(crawl_chunk(1000 + i));
  for (std::uint64_t i = 0; i < 3; ++i) {
    crawl.known_files.push_back(crawl_chunk(2000 + i) + crawl_chunk(3000 + i));
  }
  for (std::size_t i = 0; i < pages; ++i) {
    CrawlPage page;
    const std::uint64_t site = random() % 12;
    page.url = "http://s" + std::to_string(site) + ".net/";
    for (std::uint64_t depth = random() % 4; depth > 0; --depth) {
      page.url += "f" + std::to_string(depth) + std::to_string(random() % 3) + "/";
    }
    page.url += "page" + std::to_string(i) + (random() % 9 == 0 ? "?x=/a/b" : "");
    if (random() % 40 == 0) {
      page.url = "http://s3.net/x/y/x/y/x/y/" + std::to_string(i);
    }
    if (random() % 10 == 0) page.chunks.push_back("<title>Short</title>");
    const bool copies = site < 4 && random() % 2 == 0;
    for (std::uint64_t left = random() % 9; left > 0; --left) {
      const bool is_known = copies && random() % 3 == 0;
      page.chunks.push_back(is_known ? crawl.known_chunks[random() % crawl.known_chunks.size()]
                                     : crawl_chunk(10'000 + random() % 5000));
      if (random() % 8 == 0) page.chunks.push_back("<div>short</div>");
    }
    if (random() % 25 == 0) {
      const std::uint64_t file = random() % 3;
      page.chunks = {crawl_chunk(2000 + file), crawl_chunk(3000 + file)};
    }
    crawl.pages.push_back(std::move(page));
  }
  return crawl;
}

/// The numbers of the lists, in their order.
struct FoundLists {
  /// URL, record, chunks, labeled, is the file a label
  using Page = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, bool>;
  /// URL, offset, length, kind, hash, URL of the label's sample
  using Match =
      std::tuple<std::string, std::uint64_t, std::uint64_t, std::string, std::string, std::string>;
  /// prefix, pages, labeled pages, chunks, labeled
  using Sums = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

  std::vector<Page> pages;
  std::vector<Match> matches;
  std::vector<Sums> neighborhoods;
  std::vector<double> badness;  ///< of neighborhoods; plainly searched lists alone have it
  std::vector<std::string> bad_pages;
  std::vector<std::string> bad_neighborhoods;
  std::vector<std::string> recursion_errors;
};

inline std::vector<JsonNode> json_lines(const std::string& text) {
  std::vector<JsonNode> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const Result<JsonNode> read =
        read_json(std::string_view(text).substr(begin, end - begin), "line");
    EXPECT_TRUE(read.ok());
    if (read.ok()) lines.push_back(read.value());
    begin = end + 1;
  }
  return lines;
}

/// Reads what detection wrote.
inline FoundLists read_lists(const std::string& folder) {
  FoundLists lists;
  const auto number = [](const JsonNode& line, const char* name) {
    EXPECT_TRUE(line[name].integer().has_value()) << name;
    return line[name].integer().value_or(0);
  };
  const std::string pages = get_file(folder + "/pages.jsonl.zst");
  for (const JsonNode& line : json_lines(pages)) {
    lists.pages.emplace_back(line["url"].text(), number(line, "record"), number(line, "chunks"),
                             number(line, "labeled"), line["file_label"].boolean().value_or(false));
    if (line["bad"].boolean().value_or(false)) lists.bad_pages.push_back(line["url"].text());
  }
  const std::string matches = get_file(folder + "/matches.jsonl.zst");
  for (const JsonNode& line : json_lines(matches)) {
    lists.matches.emplace_back(line["url"].text(), number(line, "offset"), number(line, "length"),
                               line["kind"].text(), line["hash"].text(),
                               line["label"]["url"].text());
  }
  const std::string sums = get_file(folder + "/neighborhoods.jsonl.zst");
  for (const JsonNode& line : json_lines(sums)) {
    lists.neighborhoods.emplace_back(line["prefix"].text(), number(line, "pages"),
                                     number(line, "labeled_pages"), number(line, "chunks"),
                                     number(line, "labeled"));
    if (line["bad"].boolean().value_or(false)) {
      lists.bad_neighborhoods.push_back(line["prefix"].text());
    }
  }
  const std::string errors = get_file(folder + "/recursion.jsonl.zst");
  for (const JsonNode& line : json_lines(errors)) {
    lists.recursion_errors.push_back(line["url"].text());
  }
  return lists;
}

/// The folders of an http URL, from its site down.
inline std::vector<std::string> plain_prefixes(const std::string& url) {
  const std::string address =
      url.substr(7, url.find('?') == url.npos ? url.npos : url.find('?') - 7);
  std::vector<std::string> prefixes;
  for (std::size_t i = 0; i < address.size(); ++i) {
    if (address[i] == '/') prefixes.push_back(address.substr(0, i + 1));
  }
  return prefixes;
}

/// The mean and one standard deviation of shares.
inline double plain_threshold(const std::vector<double>& shares) {
  double mean = 0;
  for (const double share : shares) mean += share / static_cast<double>(shares.size());
  double variance = 0;
  for (const double share : shares) {
    variance += (share - mean) * (share - mean) / static_cast<double>(shares.size());
  }
  return shares.empty() ? 0 : mean + std::sqrt(variance);
}

/// What detection must find: one page after the other, with maps and doubles.
inline FoundLists search_plainly(const Crawl& crawl, Badness badness) {
  const std::set<std::string> chunks(crawl.known_chunks.begin(), crawl.known_chunks.end());
  const std::set<std::string> files(crawl.known_files.begin(), crawl.known_files.end());
  std::map<std::string, std::string> samples;
  for (std::size_t i = 0; i < crawl.known_chunks.size() + crawl.known_files.size(); ++i) {
    const bool is_chunk = i < crawl.known_chunks.size();
    samples[is_chunk ? crawl.known_chunks[i] : crawl.known_files[i - crawl.known_chunks.size()]] =
        "http://known.org/" + std::to_string(i);
  }
  struct Sums {
    std::uint64_t pages = 0, labeled_pages = 0, chunks = 0, labeled = 0;
    double contains = 0;
    double badness(Badness by) const {
      if (by == Badness::pages) return contains / static_cast<double>(pages);
      return chunks == 0 ? 0 : static_cast<double>(labeled) / static_cast<double>(chunks);
    }
  };
  FoundLists lists;
  std::map<std::string, Sums> sums;
  std::vector<double> shares;
  std::map<std::string, std::vector<FoundLists::Match>> matches;
  for (std::size_t i = 0; i < crawl.pages.size(); ++i) {
    const CrawlPage& page = crawl.pages[i];
    if (page.url.find("/x/y/x/y/x/y/") != page.url.npos) {
      lists.recursion_errors.push_back(page.url);
      continue;
    }
    std::uint64_t seen = 0;
    std::uint64_t labeled = 0;
    std::size_t offset = 0;
    std::vector<FoundLists::Match>& found = matches[page.url];
    const auto add = [&](const char* kind, std::size_t at, const std::string& content) {
      found.emplace_back(page.url, at, content.size(), kind,
                         to_hex(hash_chunk(content, ChunkHash::xxh3), ChunkHash::xxh3),
                         samples.at(content));
    };
    const bool is_label = files.contains(page.html());
    if (is_label) add("file", 0, page.html());
    for (const std::string& chunk : page.chunks) {
      if (chunk.size() > 100) ++seen;
      if (chunks.contains(chunk)) {
        ++labeled;
        add("chunk", offset, chunk);
      }
      offset += chunk.size();
    }
    const double share = seen == 0 ? 0 : static_cast<double>(labeled) / static_cast<double>(seen);
    if (seen > 0) shares.push_back(share);
    if (is_label || labeled > 0) lists.pages.emplace_back(page.url, i + 1, seen, labeled, is_label);
    for (const std::string& prefix : plain_prefixes(page.url)) {
      Sums& of = sums[prefix];
      ++of.pages;
      of.labeled_pages += is_label || labeled > 0 ? 1 : 0;
      of.chunks += seen;
      of.labeled += labeled;
      of.contains += share;
    }
  }
  const auto share_of = [](const FoundLists::Page& page) {
    return std::get<2>(page) == 0
               ? 0.0
               : static_cast<double>(std::get<3>(page)) / static_cast<double>(std::get<2>(page));
  };
  std::ranges::sort(lists.pages, [&](const FoundLists::Page& a, const FoundLists::Page& b) {
    return std::make_tuple(-share_of(a), UINT64_MAX - std::get<3>(a), std::get<0>(a)) <
           std::make_tuple(-share_of(b), UINT64_MAX - std::get<3>(b), std::get<0>(b));
  });
  const double page_threshold = plain_threshold(shares);
  for (const FoundLists::Page& page : lists.pages) {
    if (share_of(page) > page_threshold) lists.bad_pages.push_back(std::get<0>(page));
    for (const FoundLists::Match& match : matches[std::get<0>(page)])
      lists.matches.push_back(match);
  }
  std::vector<std::tuple<double, std::uint64_t, std::string>> order;
  std::vector<double> of_neighborhoods;
  for (const auto& [prefix, of] : sums) {
    order.emplace_back(-of.badness(badness), UINT64_MAX - of.labeled, prefix);
    if (of.chunks > 0) of_neighborhoods.push_back(of.badness(badness));
  }
  std::ranges::sort(order);
  const double threshold = plain_threshold(of_neighborhoods);
  for (const auto& [minus_badness, rest, prefix] : order) {
    const Sums& of = sums[prefix];
    lists.neighborhoods.emplace_back(prefix, of.pages, of.labeled_pages, of.chunks, of.labeled);
    lists.badness.push_back(-minus_badness);
    if (-minus_badness > threshold) lists.bad_neighborhoods.push_back(prefix);
  }
  std::ranges::sort(lists.recursion_errors);
  return lists;
}

/// A budget in which some stores spill.
inline void set_small(DetectOptions& options, unsigned threads, std::uint64_t more = 0) {
  DedupOptions like;
  set_small_memory(like, threads, more);
  options.resources = like.resources;
  options.input.max_record = like.input.max_record;
}

}  // namespace twinset::testing
