// Passages that texts share, token for token: all common runs of two texts, and the passages of a
// collection that stand in it before.
//
//   const ComparedSpans found = compare_spans(a, b, {.least_tokens = 20}).value();
//   for (const TextSpan& span : found.spans) {
//     use(a.substr(span.begin_a, span.end_a - span.begin_a));
//   }
//
//   SpansOptions options;
//   options.inputs = {"crawl.jsonl.zst"};
//   options.output = "spans";
//   Result<SpansSummary> done = spans(options, RunControl{});
//
// Exact: a span is made of equal tokens and as long as these last on both sides, and no passage of
// N tokens that stands twice is missed. A passage that many documents have costs time in proportion
// to them: each is shown with the first place of the passage and the nearest one before it.
//
// Threads: compare_spans() is a pure function; of spans() one call at a time per output folder,
// with resources.threads.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/collection.h"
#include "twinset/pair.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// A common run of two texts. Bytes [begin, end) of each text, of the raw page if that is HTML.
struct TextSpan {
  std::uint64_t begin_a = 0;
  std::uint64_t end_a = 0;
  std::uint64_t begin_b = 0;
  std::uint64_t end_b = 0;
  std::uint64_t tokens = 0;
};

struct ComparedSpans {
  std::string name_a = {};
  std::string name_b = {};
  std::string text_a = {};  ///< spans are byte ranges of it
  std::string text_b = {};
  bool pages_b = false;         ///< text B is a page
  std::vector<TextSpan> spans;  ///< longest first, then by place in A and in B
  std::uint64_t least_tokens = 0;
  std::uint64_t tokens_a = 0;
  std::uint64_t tokens_b = 0;
  std::uint64_t shared_tokens_a = 0;  ///< tokens of A in any span
  std::uint64_t shared_tokens_b = 0;
  /// Every span is there. Of texts that repeat themselves very much only some are: at least one for
  /// each shared stretch of either text.
  bool all = true;
};

struct SpanRule {
  std::string analyzer = "words";
  std::uint64_t least_tokens = 20;  ///< 1 to 10,000
  bool html = false;                ///< the texts are pages
};

/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(TextSpan& span);
std::vector<Field> fields_of(ComparedSpans& compared);

/// The common runs of two texts. Errors: usage (an unknown analyzer, least_tokens out of range, a
/// text of more than 4 GiB - 64 bytes), io (out of memory).
Result<ComparedSpans> compare_spans(std::string_view a, std::string_view b,
                                    const SpanRule& rule = {});

/// For a terminal: counts, and the spans with their first and last words.
std::string to_text(const ComparedSpans& compared, const AnswerOptions& answer = {});
/// An object on one line: {"a", "b", "min_tokens", ..., "spans": [{"a": [begin, end], ...}]}.
std::string to_json(const ComparedSpans& compared);

struct SpansOptions : ReadingOptions {
  std::string analyzer = "words";
  std::vector<std::string> against;  ///< come before the inputs, and are never the later place
  std::string output;                ///< folder to make
  std::string report;                ///< HTML page to make, with its facts as .json
  /// The least tokens of a span, 1 to 10,000; unset: 50, and 20 of two texts.
  std::optional<std::uint64_t> min_tokens;
  std::string within;                    ///< as CollectionOptions::within
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
  bool all_pairs = false;  ///< every two places of a passage, not the first and the nearest
  bool across = false;     ///< only places in an earlier text, none within the same
  bool cut = false;        ///< writes copies of the inputs without their later places
  std::optional<std::uint64_t> level;  ///< of these copies, as DedupOptions::level
  /// all_pairs: refuses to begin if more pairs of places would be followed.
  std::uint64_t max_meetings = 1'000'000'000;
};

std::vector<Option> options_of(SpansOptions& options);

/// compare_spans() of two documents in control.files: inputs are FILE or FILE:RECORD. Errors:
/// usage, io.
Result<ComparedSpans> compare_spans(const SpansOptions& options, const RunControl& control);

struct SpansSummary : RunFacts {
  std::uint64_t tokens = 0;         ///< of the inputs' documents
  std::uint64_t repeated_runs = 0;  ///< places of N tokens that stand somewhere else, too
  std::uint64_t spans = 0;
  std::uint64_t reused_tokens = 0;     ///< of the inputs, that stand at an earlier place, too
  std::uint64_t reused_documents = 0;  ///< documents with such tokens
  std::uint64_t cut_bytes = 0;         ///< of texts, with `cut`
  std::uint64_t cut_rounds = 0;        ///< until nothing was left to cut; at most 64
  std::uint64_t least_tokens = 0;
  /// By 2^i to 2^(i+1) - 1 documents: the passages of N tokens that so many documents have.
  std::vector<std::uint64_t> by_documents;
  /// By 2^i to 2^(i+1) - 1 tokens: the spans so long.
  std::vector<std::uint64_t> by_tokens;
  /// By tenths of their tokens that are reused, the last one all: documents.
  std::vector<std::uint64_t> by_share;
};
/// What summary.json holds, without the options (twinset/field.h).
std::vector<Field> fields_of(SpansSummary& summary);

/// Writes spans.jsonl.zst, a line for each span, in input order of the later place. Errors: as
/// cluster(); usage also if all_pairs would cost too much, or texts cannot be cut.
Result<SpansSummary> spans(const SpansOptions& options, const RunControl& control);

/// The counts of a run with these options, for a terminal; `verbose`: time and memory, too.
std::string to_text(const SpansSummary& summary, const SpansOptions& options, bool verbose = false);

// Passages in parts, for an engine that brings the texts of a collection together. Texts have
// numbers, in their order.
//
// 1. anchors() samples each text; those whose key stands once are dropped.
// 2. runs() makes a row of every N tokens that chose one of the others.
// 3. EarlierPlaceScan gives each row its first and its nearest earlier place, if rows come by hash,
//    number and place.
// 4. follow() makes the spans of a text from these places and the texts that they name.

/// An anchor of a text, and the runs that chose it (Schleimer et al., Winnowing, 2003).
struct SpanAnchor {
  std::uint64_t key = 0;
  std::uint32_t first_run = 0;
  std::uint32_t runs = 0;
};

/// N tokens in a row; key and check are their hash.
struct RunRow {
  std::uint64_t key = 0;
  std::uint64_t check = 0;
  std::uint32_t text = 0;   ///< its number
  std::uint32_t begin = 0;  ///< its first token
};

/// A place of a run.
struct RunPlace {
  std::uint32_t text = 0;
  std::uint32_t begin = 0;
  auto operator<=>(const RunPlace&) const = default;
};

/// A run's place, and two earlier ones. Places in one text do not overlap.
struct EarlierPlaces {
  RunPlace place;
  RunPlace first;
  RunPlace nearest;
};

/// A span of a later text.
struct FollowedSpan {
  std::uint32_t earlier = 0;  ///< the number of the text that has it, too
  TextSpan span;              ///< a: in that text
  bool is_first = false;      ///< found by the first place of its runs
  bool is_nearest = false;    ///< ... by the nearest one
};

struct FollowedText {
  std::vector<FollowedSpan> spans;  ///< by place
  std::uint64_t tokens = 0;         ///< of the text
  std::uint64_t reused_tokens = 0;  ///< in any span
};

/// Texts that follow() has tokenized, held for its next calls. Threads: belongs to one.
class HeldTexts {
 public:
  /// Tokens of up to so many bytes, and those of one call.
  explicit HeldTexts(std::uint64_t memory_bytes);
  ~HeldTexts();

 private:
  friend class SpanSteps;
  struct State;
  std::unique_ptr<State> state_;
};

/// Threads: immutable; any may call.
class SpanSteps {
 public:
  /// Errors: those of compare_spans().
  static Result<SpanSteps> make(const SpanRule& rule);

  /// Replaces `out` by the anchors of a text, in order. Returns its tokens.
  std::uint64_t anchors(std::string_view text, std::vector<SpanAnchor>& out) const;
  /// Appends the runs that chose `anchors` of the text, which are in order. Error (usage): they are
  /// not of this text.
  Status runs(std::string_view text, std::uint32_t number, std::span<const SpanAnchor> anchors,
              std::vector<RunRow>& out) const;
  /// `places` are of this text, ascending; `text_of` gives the others, if `held` has them not.
  /// Error (usage): they are not of these texts.
  Result<FollowedText> follow(std::string_view text, std::span<const EarlierPlaces> places,
                              const std::function<std::string_view(std::uint32_t number)>& text_of,
                              HeldTexts& held) const;

  std::uint32_t run_tokens() const { return run_tokens_; }

 private:
  SpanSteps(const SpanRule& rule, std::uint32_t run_tokens)
      : rule_(rule), run_tokens_(run_tokens) {}

  SpanRule rule_;
  std::uint32_t run_tokens_;
};

/// Threads: belongs to one.
class EarlierPlaceScan {
 public:
  /// `across`: an earlier place is in another text.
  EarlierPlaceScan(std::uint32_t run_tokens, bool across);
  ~EarlierPlaceScan();

  /// Nothing, for the first place of a run.
  std::optional<EarlierPlaces> next(const RunRow& row);
  /// Places of runs that stand twice or more, and these runs by 2^i to 2^(i+1) - 1 texts that have
  /// them. Call it last.
  std::pair<std::uint64_t, std::vector<std::uint64_t>> counts();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace twinset
