// Planted edits, which turn a copy into a near copy. Each is a pure function of (text, seed), works
// on any language and any bytes, and knows nothing of sketches; the oracle measures its effect on
// resemblance.
//
//   std::string copy = replace_words(text, 3, seed);
//   for (const Edit& edit : edits()) copies.push_back(edit.apply(text, seed));
//
// Words are found by white space (Unicode's); a text with hardly any, such as Chinese or Japanese,
// is edited by characters instead. A text too short for an edit (no words to replace, no second
// sentence) comes back unchanged: the oracle sees it.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace twinset {

/// Replaces `count` words (all, if there are fewer), each by a new word; the punctuation around
/// them stays. Words are runs with a letter or a digit.
std::string replace_words(std::string_view text, std::uint64_t count, std::uint64_t seed);

/// Replaces per_mille of each 1,000 words, rounded, at least one.
std::string replace_words_at_rate(std::string_view text, std::uint64_t per_mille,
                                  std::uint64_t seed);

/// Replaces per_mille of each 1,000 distinct words, rounded, at least one: all places of a word get
/// the same new word. Words that differ in the case of ASCII letters are one.
std::string replace_distinct_words(std::string_view text, std::uint64_t per_mille,
                                   std::uint64_t seed);

/// Adds a line of 10 to 40 new words in front.
std::string insert_header(std::string_view text, std::uint64_t seed);

/// Adds a line of 10 to 40 new words at the end.
std::string append_footer(std::string_view text, std::uint64_t seed);

/// Moves 10 to 30 % of the text, in one piece, to another place. Needs three words.
std::string move_passage(std::string_view text, std::uint64_t seed);

/// Removes the last 5 to 30 % of the words, at least one; needs two.
std::string cut_tail(std::string_view text, std::uint64_t seed);

/// Puts the whole text as a block inside `host`, between two of the host's words.
std::string embed_in(std::string_view text, std::string_view host, std::uint64_t seed);

/// Puts sentences and lines in another order, joined by single spaces.
std::string shuffle_sentences(std::string_view text, std::uint64_t seed);

/// Replaces every run of digits by another number of as many digits; nothing else changes.
std::string change_numbers(std::string_view text, std::uint64_t seed);

/// Makes ASCII letters all upper, all lower, or each word's first upper.
std::string change_case(std::string_view text, std::uint64_t seed);

/// Changes line ends: each run of ASCII white space becomes one space or one line end, at a width
/// of 40 to 100. No word changes.
std::string wrap_lines(std::string_view text, std::uint64_t seed);

/// Inserts 3 to 8 phrases of 2 to 6 new words: a spammer's hash busters.
std::string pad_with_spam(std::string_view text, std::uint64_t seed);

/// Misreads about 1 % of characters (l as 1, rn as m ...) or, outside ASCII, loses them.
std::string add_ocr_noise(std::string_view text, std::uint64_t seed);

/// Removes the marks of letters (e acute to e, sharp s to ss), of Latin ones up to U+017F, and all
/// combining marks; a text without any gets some: one in fifty of its vowels.
std::string change_accents(std::string_view text, std::uint64_t seed);

/// Writes the text as HTML that was never decoded: & < > " ' and non-ASCII characters as entities,
/// named, decimal or hexadecimal, and one space in fifty as &nbsp;. Bytes that are not UTF-8 stay.
std::string write_entities(std::string_view text, std::uint64_t seed);

/// Puts the text inside one of four page templates, whose words are the same whatever the text: two
/// texts in one template share its shingles and nothing else.
std::string wrap_in_template(std::string_view text, std::uint64_t seed);

/// Version `version` of a drifting text: version 0 is the text; each version
/// replaces 1 % (at least one) of the words of the one before it. O(version).
std::string chain_version(std::string_view text, std::uint64_t version, std::uint64_t seed);

/// `words` new words of the kind that `like` has: separated by spaces or, for texts edited by
/// characters, in one run.
std::string made_words(std::string_view like, std::uint64_t words, std::uint64_t seed);

/// An edit by name, as evaluations plant it and tables list it.
struct Edit {
  std::string_view name;  ///< "replace-3", "header", ...
  std::string (*apply)(std::string_view text, std::uint64_t seed);
};

/// All edits, in the order of tables; "exact", the unchanged copy, comes first.
std::span<const Edit> edits();

}  // namespace twinset
