// Pages that are hard on a reader of HTML: pieces of markup, whole and broken, put together, cut
// and mutated.
//
// Threads: an HtmlSamples belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_samples.h"

namespace twinset {

/// The strings on which the tokenizer's states depend, and names with a meaning.
inline const std::vector<std::string>& html_pieces() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> some{"<",
                                  ">",
                                  "/",
                                  "=",
                                  "\"",
                                  "'",
                                  "&",
                                  "!",
                                  "-",
                                  "--",
                                  "?",
                                  " ",
                                  "\n",
                                  "\t",
                                  "\f",
                                  "\r",
                                  ";",
                                  "#",
                                  "x",
                                  "]",
                                  "]]>",
                                  "</",
                                  "<!",
                                  "<!-",
                                  "<!--",
                                  "-->",
                                  "--!>",
                                  "->",
                                  "<?",
                                  "</ ",
                                  "</>",
                                  "<>",
                                  "/>",
                                  "<![CDATA[",
                                  "<!DOCTYPE html>",
                                  "<template shadowrootmode=open>",
                                  "<x-a>",
                                  "<x-a><template shadowrootmode=closed>",
                                  "</x-a>",
                                  "<slot>",
                                  "<slot name=s>",
                                  "</slot>",
                                  "<em slot=s>",
                                  "<iframe srcdoc='",
                                  "<iframe srcdoc=\"a<p>b&lt;i&amp;amp;\">",
                                  "<!doctyp",
                                  "&#",
                                  "&#x",
                                  "&#65;",
                                  "&#x41",
                                  "&#0;",
                                  "&#128;",
                                  "&#xD800;",
                                  "&#9999999",
                                  "&amp;",
                                  "&lt",
                                  "&notit;",
                                  "&notin;",
                                  "&nGt;",
                                  "&nLt;",
                                  "&copy",
                                  "&ampx",
                                  "&CounterClockwiseContourIntegral;",
                                  "&hellip;",
                                  "&nosuch;",
                                  "a",
                                  "word",
                                  "Two words",
                                  "\xC3\xA4",
                                  "\xE6\xBC\xA2",
                                  "\xFF",
                                  " a=b",
                                  " a = 'b'",
                                  " a=\"b>\"",
                                  " =c",
                                  " d==e",
                                  " f=\"g\"h",
                                  " i=j/",
                                  "<b>",
                                  "</b>",
                                  "<p class=\"x y\">",
                                  "</p>",
                                  "<br/>",
                                  "<a href='?a=1&b=2'>",
                                  "</a>",
                                  "<A HREF=x&amp;y>",
                                  "<a b href>",
                                  "<SCRIPT>",
                                  "</Script >",
                                  "<script/>",
                                  "</scriptx>",
                                  "<style/>",
                                  "<title/>",
                                  "<svg/>"};
    some.push_back(std::string(1, '\0'));
    for (const char* name :
         {"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes",
          "noscript", "template", "svg", "math", "div", "p", "td", "i", "span", "figcaption"}) {
      some.push_back("<" + std::string(name) + ">");
      some.push_back("</" + std::string(name) + ">");
      some.push_back(name);
    }
    return some;
  }();
  return all;
}

class HtmlSamples {
 public:
  explicit HtmlSamples(std::uint64_t seed) : samples_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return samples_.below(bound); }

  /// So many pieces, with runs of letters between some.
  std::string page(std::size_t pieces) {
    std::string page;
    for (std::size_t i = 0; i < pieces; ++i) {
      page += html_pieces()[below(html_pieces().size())];
      if (below(8) == 0) page += std::string(below(70), static_cast<char>('a' + below(26)));
      if (below(300) == 0) page += "<plaintext>";
    }
    return page;
  }

  /// The page with some of its bytes removed, doubled, moved or changed.
  std::string mutated(std::string page) {
    for (std::size_t edits = 1 + below(6); edits > 0 && !page.empty(); --edits) {
      const std::size_t at = below(page.size());
      switch (below(4)) {
        case 0:
          page.erase(at, 1 + below(20));
          break;
        case 1:
          page.insert(at, html_pieces()[below(html_pieces().size())]);
          break;
        case 2:
          page[at] = "<>&/\"'=-! \n;a"[below(13)];
          break;
        default:
          page.insert(below(page.size()), page.substr(at, below(40)));
      }
    }
    return page;
  }

 private:
  Samples samples_;
};

}  // namespace twinset
