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

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

}  // namespace twinset
