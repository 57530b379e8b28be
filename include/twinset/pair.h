// Two texts compared, exactly.
//
//   const double r = resemblance(a, b).value().value;   // of two strings: 0.94
//   const double c = containment(a, b).value().value;   // the share of a that is in b
//   const ComparedTexts both = compare_texts(a, b).value();
//   for (const Passage& passage : both.passages.a) {
//     if (!passage.shared) use(both.text_a.substr(passage.begin, passage.end - passage.begin));
//   }
//   std::fputs(to_text(both).c_str(), stdout);
//
// Texts are compared by their sets of shingles (B section 2), by default as dedup() verifies
// its pairs. Any bytes are a text: invalid UTF-8 is read as U+FFFD. A text without a token has
// no shingle. Its share of anything is 0 / 0: unknown, except that of its equals, byte for byte,
// which is 1.
//
// Threads: pure functions; compare() reads files. Each thread keeps some buffers for
// the next call, at most a few MB.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/collection.h"
#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

struct Field;

/// How a text becomes the set of shingles that is compared; the defaults are those of dedup().
struct Shingling {
  std::string analyzer = "words";                    ///< one of known_analyzers()
  std::optional<std::uint64_t> shingle_tokens = {};  ///< 1 to 64; unset: 5, of features 1
  bool html = false;  ///< the texts are pages; markup is not compared
};

/// An exact share of shingles: value = shared / total.
struct ExactShare {
  double value = 0;  ///< in [0, 1]; 0 if it is not known
  std::uint64_t shared = 0;
  std::uint64_t total = 0;  ///< 0 if there is no token; then the value is 1 for equal texts

  /// False for 0 / 0 of texts that differ.
  bool known() const { return total > 0 || value == 1; }
};

/// The sizes of the sets of shingles of two texts, A and B, and of their common part.
struct ShingleCounts {
  std::uint64_t shingles_a = 0;       ///< distinct shingles of A
  std::uint64_t shingles_b = 0;       ///< distinct shingles of B
  std::uint64_t shared_shingles = 0;  ///< distinct shingles of both
  /// Neither text has a token, and their bytes are the same.
  bool same_without_tokens = false;

  std::uint64_t all_shingles() const { return shingles_a + shingles_b - shared_shingles; }
  /// Exact, in [0, 1], as the shares below; nullopt, "unknown", of 0 / 0, except that texts of the
  /// same bytes are all of each other.
  std::optional<double> resemblance() const { return share_of(all_shingles()); }
  std::optional<double> containment_a_in_b() const { return share_of(shingles_a); }
  std::optional<double> containment_b_in_a() const { return share_of(shingles_b); }

 private:
  std::optional<double> share_of(std::uint64_t whole) const {
    if (whole > 0) return static_cast<double>(shared_shingles) / static_cast<double>(whole);
    return same_without_tokens ? std::optional(1.0) : std::nullopt;
  }
};

/// Counts the shingles of two texts. O(|a| + |b|): two English texts of 5 kB take about 12
/// microseconds. Errors: usage (an unknown analyzer; shingle_tokens out of range; html with
/// an analyzer of features; a text of more than 4 GiB - 64 bytes), io (out of memory).
Result<ShingleCounts> count_shingles(std::string_view a, std::string_view b,
                                     const Shingling& shingling = {});

/// The shingles in both texts, as a share of those in either (B section 2); not known if neither
/// has one. Errors as count_shingles().
Result<ExactShare> resemblance(std::string_view a, std::string_view b,
                               const Shingling& shingling = {});

/// The shingles in both texts, as a share of those in `a`: 1 if `b` contains all of `a`; not known
/// if `a` has none. Errors as count_shingles().
Result<ExactShare> containment(std::string_view a, std::string_view b,
                               const Shingling& shingling = {});

inline constexpr std::uint32_t no_match = std::numeric_limits<std::uint32_t>::max();

/// A maximal stretch of one text whose tokens are all shared in one way, or all not shared.
struct Passage {
  /// Bytes [begin, end): from the first token's begin to the last token's end, cut where tokens
  /// overlap, because passages never do. May be empty: a letter that only the other text has.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t context = 0;     ///< tokens at either end that a short view shows
  std::uint32_t head_end = 0;    ///< byte where its first `context` tokens end
  std::uint32_t tail_begin = 0;  ///< byte where its last `context` tokens begin
  std::uint32_t first_token = 0;
  std::uint32_t tokens = 0;
  std::uint32_t match = no_match;  ///< index into Passages::matches
  bool shared = false;
  bool repeat = false;  ///< shared, but its counterpart is paired with another passage
};

/// A passage of A and the passage of B that equals it token for token.
struct PassageMatch {
  std::uint32_t a = 0;  ///< index into Passages::a
  std::uint32_t b = 0;  ///< index into Passages::b
  std::uint32_t tokens = 0;
  bool moved = false;  ///< not on the heaviest chain of matches that both texts have in order
};

/// The common part of two texts, passage by passage and in exact numbers. A token is shared if
/// it lies in a shingle that the other text has too.
struct Passages : ShingleCounts {
  std::vector<Passage> a;             ///< in order of A's text
  std::vector<Passage> b;             ///< in order of B's text
  std::vector<PassageMatch> matches;  ///< in order of A's text
  std::uint64_t tokens_a = 0;
  std::uint64_t tokens_b = 0;
  std::uint64_t shared_tokens_a = 0;  ///< tokens of A in a shared shingle
  std::uint64_t shared_tokens_b = 0;  ///< tokens of B in a shared shingle
  std::uint32_t shingle_tokens = 0;   ///< of a shingle

  /// Has the document fewer tokens than a shingle, so that all of it counts as one?
  bool short_a() const { return tokens_a > 0 && tokens_a < shingle_tokens; }
  bool short_b() const { return tokens_b > 0 && tokens_b < shingle_tokens; }
};

/// Bytes [begin, end) of a text.
struct TextRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The shares of two texts as their sketches alone tell them, each with Wilson's 95 % interval;
/// nullopt is "unknown", as the share of a text that has nothing in its sketch.
struct EstimatedShares {
  std::string scheme = {};  ///< full spec
  std::optional<Interval> resemblance = {};
  std::optional<Interval> containment_a_in_b = {};
  std::optional<Interval> containment_b_in_a = {};
};

/// Two texts side by side.
struct ComparedTexts {
  std::string name_a = {};
  std::string name_b = {};
  std::string text_a = {};  ///< as a reader sees it; passages are byte ranges of it
  std::string text_b = {};
  Passages passages = {};
  /// Notes in text_a in place of words that were not compared, being their site's (Templates).
  std::vector<TextRange> left_out_a = {};
  std::vector<TextRange> left_out_b = {};
  /// Of the whole texts, if templates were left out; `passages` are then of what was compared.
  std::optional<double> whole_resemblance = {};
  bool identical = false;                         ///< byte for byte, markup included
  std::vector<std::string> notes = {};            ///< caveats, a sentence each
  std::optional<EstimatedShares> estimated = {};  ///< beside the exact ones, if asked for
};

/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(ShingleCounts& counts);
std::vector<Field> fields_of(Passages& passages);
std::vector<Field> fields_of(EstimatedShares& shares);
std::vector<Field> fields_of(ComparedTexts& compared);

/// The passages that two texts share, and those that only one has. O(n log n) in the tokens of
/// both; about 40 bytes of memory a token. Errors as count_shingles().
Result<ComparedTexts> compare_texts(std::string_view a, std::string_view b,
                                    const Shingling& shingling = {});

/// How an answer is written for a terminal.
struct AnswerOptions {
  bool color = false;    ///< ANSI colors
  bool numbers = false;  ///< the numbers only, without shared and differing passages
};

/// The numbers, and the passages with some words of context, unless the texts are identical.
/// Nothing in the texts reaches a terminal as a control.
std::string to_text(const ComparedTexts& compared, const AnswerOptions& answer = {});
/// The numbers and the shared passages, as an object on one line.
std::string to_json(const ComparedTexts& compared, const AnswerOptions& answer = {});

/// With Templates::drop or automatic, templates are learned from all records of the two files.
struct CompareOptions : TemplateSettings {
  std::string a;  ///< a text file, or FILE:RECORD of a file of records
  std::string b;
  InputSettings input;
  std::string analyzer = "words";
  std::optional<std::uint64_t> shingle;  ///< tokens of one; unset: 5; of features 1
  /// A spec, by whose sketches the shares are estimated, too; empty: they are not.
  std::string scheme;
  AnswerOptions answer;  ///< for to_text()
};

std::vector<Option> options_of(CompareOptions& options);

/// compare_texts() of two documents in control.files. control.cancel can stop the reading of whole
/// files for their templates. Errors: usage, io, interrupted.
Result<ComparedTexts> compare(const CompareOptions& options, const RunControl& control);

}  // namespace twinset
