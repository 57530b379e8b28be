// Two texts' common runs, and the counts of a run over a collection, for a terminal.
//
// This file's interface is to_text() of twinset/spans.h; the rest is private.
#include <algorithm>
#include <string>

#include "base/message.h"
#include "faces/colors.h"
#include "faces/run_text.h"
#include "text/analyzer.h"
#include "twinset/spans.h"
#include "twinset/visible.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

/// Spans that are printed with their words; the rest is counted.
constexpr std::size_t most_printed = 100;
/// A longer span is shown by its first and its last bytes.
constexpr std::size_t shown_bytes = 160;

/// One line: the text, or its beginning and its end.
std::string in_quotes(std::string_view text) {
  std::string line;
  if (text.size() <= shown_bytes) {
    line = text;
  } else {
    line = std::string(whole_prefix(text, shown_bytes / 2)) + " ... " +
           std::string(whole_suffix(text, shown_bytes / 2));
  }
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return visible_text(line);
}

std::string side_line(const char* side, const std::string& name, std::uint64_t shared,
                      std::uint64_t tokens) {
  return std::string(side) + "  " + visible_name(name) + ": " +
         format_count(tokens, "word", "words") + ", " + format_percent(shared, tokens) +
         " of them in a span\n";
}

}  // namespace

std::string to_text(const ComparedSpans& compared, const AnswerOptions& answer) {
  std::string out = side_line("A", compared.name_a, compared.shared_tokens_a, compared.tokens_a) +
                    side_line("B", compared.name_b, compared.shared_tokens_b, compared.tokens_b);
  out += format_count(compared.spans.size(), "span", "spans") + " of " +
         format_count(compared.least_tokens, "word", "words") + " or more\n";
  if (!compared.all) {
    out +=
        "the texts repeat themselves so much that not every span is listed: each shared stretch of "
        "either text is in one\n";
  }
  if (answer.numbers) return out;
  std::size_t printed = 0;
  for (const TextSpan& span : compared.spans) {
    if (printed++ == most_printed) break;
    std::string head = format_count(span.tokens, "word", "words");
    if (answer.color) head = std::string(bold) + head + std::string(plain);
    std::string place = "A " + std::to_string(span.begin_a) + "-" + std::to_string(span.end_a) +
                        "  B " + std::to_string(span.begin_b) + "-" + std::to_string(span.end_b);
    if (answer.color) place = std::string(dim) + place + std::string(plain);
    out += "\n" + head + "  " + place + "\n  " +
           in_quotes(without_markup(compared.text_b.substr(span.begin_b, span.end_b - span.begin_b),
                                    compared.pages_b ? Markup::html : Markup::none)) +
           "\n";
  }
  if (compared.spans.size() > most_printed) {
    out += "\nand " + format_count(compared.spans.size() - most_printed) + " shorter ones; " +
           switch_on("json") + " lists all\n";
  }
  return out;
}

std::string to_text(const SpansSummary& summary, const SpansOptions& options, bool verbose) {
  std::string text = count_line(summary.read, "records read");
  text += count_line_of_some(summary.quarantined, "could not be read: see quarantine.jsonl");
  text += count_line(summary.spans, std::string(summary.spans == 1 ? "span" : "spans") + " of " +
                                        format_count(summary.least_tokens, "word", "words") +
                                        " or more");
  text +=
      count_line(summary.reused_tokens, "words stand at an earlier place, " +
                                            format_percent(summary.reused_tokens, summary.tokens) +
                                            " of " + format_count(summary.tokens));
  text += count_line(summary.reused_documents,
                     "documents have such words, " +
                         format_percent(summary.reused_documents, summary.documents) + " of " +
                         format_count(summary.documents));
  if (options.cut) {
    text += count_line(summary.cut_bytes,
                       "bytes are cut; the copies are in " + options.output + "/cut");
  }
  return verbose ? text + "\n" + engine_text(summary) : text;
}

}  // namespace twinset
