// The text of an HTML page as a reader sees it, and where in the page it stands.
//
//   HtmlText text;
//   extract_html("<p>Fish &amp; <b>chi</b>ps<script>x()</script>", Offsets::keep, text);
//   // text.view() == "Fish & chips"
//   std::vector<TokenOffsets> words{{7, 12}};
//   map_to_page(text, words);     // "chips": {17, 26}, from "chi" to "ps"
//
// Tags are read as the tokenizer of the HTML Standard reads them, and no tree is
// made: nothing is refused, nothing recurses, and time and memory are linear in
// the page however broken or deep it is. Of a page that declares shadow trees the elements
// are found as well (text/html_shadow.h), and its text may have another order than its bytes.
// docs/html.md says what is text.
//
// One busy core of a Xeon reads pages of manuals at 0.8 to 1.4 GB/s, of news with
// their scripts at 2; without SIMD at 0.4 to 1.
//
// Threads: pure functions; an HtmlText belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/markup.h"
#include "text/offsets.h"

namespace twinset {

/// Raised when a page gives another text than before; sketches depend on it.
inline constexpr std::uint32_t html_version = 3;

/// A stretch of the text, up to the next segment, and its bytes in the page.
struct HtmlSegment {
  std::uint32_t text_begin = 0;
  std::uint32_t page_begin = 0;
  /// 0: the text's bytes are the page's, one by one. Else all of it comes from so many bytes: a
  /// character reference, a tag that breaks the line, or an iframe with a page in its srcdoc.
  std::uint32_t page_bytes = 0;
};

/// Reuse one per thread: its buffers keep their capacity.
struct HtmlText {
  std::string_view view() const { return {bytes.data(), size}; }

  /// Frees the memory of a larger text at once: the next step needs it.
  void release_large() {
    if (bytes.capacity() > (std::size_t{16} << 20)) *this = {};
  }

  std::vector<char> bytes;
  std::size_t size = 0;               ///< of the text, in bytes
  std::vector<HtmlSegment> segments;  ///< in order of the text, if asked for; else empty
};

/// Replaces `out`. `page` is at most 4 GiB - 64 bytes, any bytes; they are copied unchanged, UTF-8
/// or not. The text is at most a fifth longer than the page (only two references make it longer),
/// and below 4 GiB - 64.
/// `markup` is one of a page.
void extract_html(std::string_view page, Offsets offsets, HtmlText& out,
                  Markup markup = Markup::html);

/// Replaces ranges of the text by those of the page, including tags in between: from the first byte
/// to the last, or the other way round where a page with shadow trees shows them so.
/// Ranges: begin < end <= text.size; begins and ends must not decrease; they may overlap. Segments
/// were kept. O(offsets + segments).
void map_to_page(const HtmlText& text, std::span<TokenOffsets> offsets);

}  // namespace twinset
