// Two texts compared, exactly.
//
//   const double r = resemblance(a, b).value().value;   // of two strings: 0.94
//   const double c = containment(a, b).value().value;   // the share of a that is in b
//
// Texts are compared by their sets of shingles (B section 2), by default as dedup() verifies
// its pairs. Any bytes are a text: invalid UTF-8 is read as U+FFFD. A text without a token has
// no shingle; it resembles its equals, byte for byte, by 1 and all others by 0.
//
// Threads: pure functions. Each thread keeps some buffers for the next call, at most a few MB.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

/// How a text becomes the set of shingles that is compared; the defaults are those of dedup().
struct Shingling {
  std::string analyzer = "words";                    ///< one of analyzer_names()
  std::optional<std::uint64_t> shingle_tokens = {};  ///< 1 to 64; unset: 5, of features 1
  bool html = false;  ///< the texts are pages; markup is not compared
};

/// An exact share of shingles: value = shared / total.
struct ExactShare {
  double value = 0;  ///< in [0, 1]
  std::uint64_t shared = 0;
  std::uint64_t total = 0;  ///< 0 if there is no token; then the value is 1 of equal texts, else 0
};

/// The sizes of the sets of shingles of two texts, A and B, and of their common part.
struct ShingleCounts {
  std::uint64_t shingles_a = 0;       ///< distinct shingles of A
  std::uint64_t shingles_b = 0;       ///< distinct shingles of B
  std::uint64_t shared_shingles = 0;  ///< distinct shingles of both
  /// Neither text has a token, and their bytes are the same.
  bool same_without_tokens = false;

  std::uint64_t all_shingles() const { return shingles_a + shingles_b - shared_shingles; }
  /// Exact, in [0, 1], as the shares below.
  double resemblance() const { return share_of(all_shingles()); }
  double containment_a_in_b() const { return share_of(shingles_a); }
  double containment_b_in_a() const { return share_of(shingles_b); }

 private:
  double share_of(std::uint64_t whole) const {
    if (whole == 0) return same_without_tokens ? 1 : 0;
    return static_cast<double>(shared_shingles) / static_cast<double>(whole);
  }
};

/// Counts the shingles of two texts. O(|a| + |b|): two English texts of 5 kB take about 10
/// microseconds. Errors: usage (an unknown analyzer; shingle_tokens out of range; html with
/// an analyzer of features; a text of more than 4 GiB - 64 bytes), io (out of memory).
Result<ShingleCounts> count_shingles(std::string_view a, std::string_view b,
                                     const Shingling& shingling = {});

/// The shingles in both texts, as a share of those in either (B section 2). Errors as
/// count_shingles().
Result<ExactShare> resemblance(std::string_view a, std::string_view b,
                               const Shingling& shingling = {});

/// The shingles in both texts, as a share of those in `a`: 1 if `b` contains all of `a`.
/// Errors as count_shingles().
Result<ExactShare> containment(std::string_view a, std::string_view b,
                               const Shingling& shingling = {});

/// How an answer is to be written.
struct AnswerOptions {
  bool color = false;    ///< ANSI colors
  bool json = false;     ///< one JSON object instead of text
  bool numbers = false;  ///< the numbers only, without shared and differing passages
};

struct CompareOptions {
  std::string a;  ///< a text file, or FILE:RECORD of a file of records
  std::string b;
  InputSettings input;
  std::string analyzer = "words";
  std::optional<std::uint64_t> shingle_tokens;  ///< unset: 5; of features 1
  AnswerOptions answer;
};

std::vector<Option> options_of(CompareOptions& options);

/// Exact resemblance, containment both ways, and the shared and differing
/// passages, as text or JSON. Errors: usage, io.
Result<std::string> compare(const CompareOptions& options);

struct ExplainOptions {
  std::string output;  ///< folder that dedup made
  std::string id;      ///< a record's id, or file:record
  AnswerOptions answer;
};

std::vector<Option> options_of(ExplainOptions& options);

/// Why a record went, with the passages it shares with its survivor; or what a
/// kept one stands for. Errors: usage (no such folder, unknown id), io.
Result<std::string> explain(const ExplainOptions& options);

}  // namespace twinset
