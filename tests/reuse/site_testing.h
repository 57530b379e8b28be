// Made-up sites for the tests of discovery and detection, and what a slow loop finds in them.
//
//   MadeSite site;
//   site.add("http://a.org/x/1", {"one ...", "two ..."});
//   const std::string input = site.write(folder, "site.jsonl");
//   site.chunks().at("<p>one ...").count
//
// A page is its paragraphs, each a chunk "<p>TEXT", and nothing before the first.
//
// Threads: one at a time.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/json.h"
#include "support/json_object.h"
#include "support/scratch_folder.h"

namespace twinset::testing {

struct MadePage {
  std::string url;
  std::vector<std::string> paragraphs;

  std::string html() const {
    std::string page;
    for (const std::string& paragraph : paragraphs) page += "<p>" + paragraph;
    return page;
  }
};

/// A paragraph of more than 100 characters that no other number gives.
inline std::string made_paragraph(std::uint64_t number) {
  std::string text = "Paragraph " + std::to_string(number) + " says";
  for (std::uint64_t i = 0; text.size() < 120; ++i) text += " " + std::to_string(number * 7 + i);
  return text;
}

/// Where and how often something was seen.
struct MadeCounts {
  std::uint64_t count = 0;
  std::set<std::size_t> pages;
  std::set<std::string> sites;
};

class MadeSite {
 public:
  std::vector<MadePage> pages;

  void add(std::string url, std::vector<std::string> paragraphs) {
    pages.push_back({std::move(url), std::move(paragraphs)});
  }

  /// JSON Lines with "url" and "text" of pages [first, end).
  std::string lines(std::size_t first = 0, std::size_t end = SIZE_MAX) const {
    std::string out;
    for (std::size_t i = first; i < pages.size() && i < end; ++i) {
      JsonObject(out).string("url", pages[i].url).string("text", pages[i].html()).end();
      out += '\n';
    }
    return out;
  }
  std::string write(const ScratchFolder& folder, const std::string& name, std::size_t first = 0,
                    std::size_t end = SIZE_MAX) const {
    return folder.write(name, lines(first, end));
  }

  /// Of chunks by their normalized content, those of at least so many bytes.
  std::map<std::string, MadeCounts> chunks(std::size_t least = 101) const {
    std::map<std::string, MadeCounts> seen;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      for (const std::string& paragraph : pages[i].paragraphs) {
        const std::string chunk = "<p>" + paragraph;
        if (chunk.size() >= least) note(seen[chunk], i);
      }
    }
    return seen;
  }
  std::map<std::string, MadeCounts> files() const {
    std::map<std::string, MadeCounts> seen;
    for (std::size_t i = 0; i < pages.size(); ++i) note(seen[pages[i].html()], i);
    return seen;
  }

  /// "a.org" of "http://a.org/x".
  static std::string host(const std::string& url) {
    const std::size_t begin = url.find("//") + 2;
    return url.substr(begin, url.find('/', begin) - begin);
  }

 private:
  void note(MadeCounts& counts, std::size_t page) const {
    ++counts.count;
    counts.pages.insert(page);
    counts.sites.insert(host(pages[page].url));
  }
};

}  // namespace twinset::testing
