// The words of a document that a scheme of weighted features looks at: all of them, or those that
// are left when numbers and dates are blanked (S sections 4.2 and 6.4.2), and how much each counts
// for the tags around it (S section 5.4).
//
//   DocumentWords words;
//   read_words(document, Blanking::numbers, words);
//   weigh_tags(document, {html::Tag::b, html::Tag::h1}, 150, words, weights);   // 150 or 100 each
//
// Dates are recognized by their English names.
//
// Threads: pure functions, except for their outputs; a DocumentView belongs to one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheme/document_view.h"
#include "text/html_elements.h"

namespace twinset {

enum class Blanking : std::uint8_t {
  none,
  tables,  ///< calendars and tables of numbers; numbers in prose stay
  numbers  ///< every word with a digit, and every date
};
inline constexpr std::array<std::string_view, 3> blanking_names{"none", "tables", "numbers"};

/// Neighboring tokens, [begin, end), that make a word.
struct WordTokens {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct DocumentWords {
  /// As an analyzer makes them of tokens: those of the document, or `made`.
  std::span<const std::uint64_t> hashes;
  std::vector<std::uint64_t> made;
  /// In document.visible().analysis; empty if the document was not asked for offsets.
  std::vector<WordTokens> places;
};

/// Replaces `out`. With Blanking::numbers tokens on both sides of an apostrophe are one word, as in
/// the paper: "japan's" is "japans". `places`: are they wanted? A blanked text has them anyway. A
/// document without an analyzer has its tokens as words.
void read_words(const DocumentView& document, Blanking blanking, bool places, DocumentWords& out);

/// The canonical form of a word, as its hash covers it.
std::string word_text(const DocumentView& document, const WordTokens& word);

/// Appends 100 for each word, and `percent` for one that begins in an element of `tags`, in however
/// many. The words must have places.
void weigh_tags(const DocumentView& document, std::span<const html::Tag> tags,
                std::uint64_t percent, const DocumentWords& words, std::vector<std::uint64_t>& out);

}  // namespace twinset
