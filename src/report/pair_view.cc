// The rows follow blocks.h. Runs of only-A and only-B blocks between two shared
// passages stand in one row, facing each other, as a replacement is read.
//
// This file's interface is pair_view.h; the rest is private.
#include "report/pair_view.h"

#include <fmt/format.h>

#include <iterator>

#include "report/blocks.h"
#include "report/numbers.h"
#include "report/visible.h"

namespace twinset {
namespace {

constexpr std::size_t most_gap_bytes = 200;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::string_view without_leading_space(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view without_trailing_space(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Line breaks and indentation are not worth a second copy on a narrow page.
bool equal_but_for_space(std::string_view a, std::string_view b) {
  while (true) {
    const std::size_t a_size = a.size(), b_size = b.size();
    a = without_leading_space(a);
    b = without_leading_space(b);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if ((a.size() < a_size) != (b.size() < b_size) || a.front() != b.front()) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

/// One text on its way down its column.
struct Column {
  std::string_view text;
  const std::vector<Passage>& passages;
  std::size_t next = 0;  ///< passage to be written next
  std::size_t end = 0;   ///< bytes written so far
  std::string cell;      ///< HTML of the row being written

  /// Spaces and punctuation before the next passage; outside any mark.
  const Passage& take() {
    const Passage& passage = passages[next++];
    const std::string_view between = text.substr(end, passage.begin - end);
    append_between(cell.empty() ? without_leading_space(between) : between);
    end = passage.end;
    return passage;
  }

  /// Ends a row: what follows its last passage up to the last space stays with
  /// it ("end. ("), what touches the next passage goes with that ("(next").
  void finish_row() {
    if (cell.empty()) return;
    const std::size_t until = next < passages.size() ? passages[next].begin : text.size();
    std::string_view between = text.substr(end, until - end);
    if (next < passages.size()) {
      const std::size_t space = between.find_last_of(" \n\t\r");
      if (space != std::string_view::npos) between = between.substr(0, space + 1);
    }
    append_between(without_trailing_space(between));
    end += between.size();
  }

  void append_between(std::string_view between) {
    append_html(cell, whole_prefix(between, most_gap_bytes), Lines::keep);
    if (between.size() > most_gap_bytes) {
      cell += "<span class=\"cut\">" + format_bytes(between.size() - most_gap_bytes) +
              " without a word</span>";
    }
  }
};

class PairView {
 public:
  PairView(const ReportPair& pair, std::string& out)
      : out_(out),
        start_(out.size()),
        blocks_(blocks(pair.passages)),
        a_{pair.survivor_text, pair.passages.a, 0, 0, {}},
        b_{pair.removed_text, pair.passages.b, 0, 0, {}} {}

  void write() {
    std::size_t i = 0;
    while (i < blocks_.size() && out_.size() - start_ < most_pair_bytes) {
      if (blocks_[i].kind == BlockKind::same) {
        write_same(i++);
      } else {
        while (i < blocks_.size() && blocks_[i].kind != BlockKind::same) {
          write_difference(blocks_[i++]);
          // One endless row is cut as well.
          if (a_.cell.size() + b_.cell.size() > most_pair_bytes) break;
        }
        flush("diff");
      }
    }
    if (i == blocks_.size()) return;
    out_ += "<p class=\"more\">" +
            format_count(blocks_.size() - i, "more passage is", "more passages are") +
            " not shown.</p>";
  }

 private:
  void write_same(std::size_t index) {
    const Ends ends = index == 0                    ? Ends::tail
                      : index + 1 == blocks_.size() ? Ends::head
                                                    : Ends::both;
    append_shared(a_, ends);
    append_shared(b_, ends);
    flush("same");
  }

  static std::string hidden(const Excerpt& shown, const char* adjective) {
    if (shown.hidden_tokens == 0) return format_bytes(shown.hidden_bytes);
    return fmt::format("{} {}{}", format_count(shown.hidden_tokens), adjective,
                       shown.hidden_tokens == 1 ? "word" : "words");
  }

  static void append_excerpt(std::string& cell, const Excerpt& shown, const char* adjective) {
    append_html(cell, shown.head, Lines::keep);
    if (!shown.cut) return;
    cell += " <span class=\"cut\">&hellip; " + hidden(shown, adjective) + " &hellip;</span> ";
    append_html(cell, shown.tail, Lines::keep);
  }

  static void append_shared(Column& column, Ends ends) {
    const Passage& passage = column.take();
    column.cell += "<mark>";
    append_excerpt(column.cell, excerpt(column.text, passage, ends), "shared ");
    column.cell += "</mark>";
  }

  void write_difference(const Block& block) {
    const bool of_a = block.kind == BlockKind::only_a || block.kind == BlockKind::away;
    Column& column = of_a ? a_ : b_;
    const Passage& passage = column.take();
    const char* tag = passage.shared ? "mark" : of_a ? "del" : "ins";
    column.cell += passage.shared ? "<mark class=\"moved\">" : fmt::format("<{}>", tag);
    if (passage.shared && passage.match != no_match) {
      fmt::format_to(std::back_inserter(column.cell), "<span class=\"tag\">{} {}</span> ",
                     passage.repeat ? "again" : "moved",
                     format_count(std::uint64_t{passage.match} + 1));
    }
    append_excerpt(column.cell, excerpt(column.text, passage, Ends::both), "");
    fmt::format_to(std::back_inserter(column.cell), "</{}>", tag);
  }

  void flush(const char* css) {
    a_.finish_row();
    b_.finish_row();
    fmt::format_to(std::back_inserter(out_),
                   "<div class=\"row {}{}\"><div class=\"side a\">{}</div>"
                   "<div class=\"side b\">{}</div></div>",
                   css, equal_but_for_space(a_.cell, b_.cell) ? " equal" : "", a_.cell, b_.cell);
    a_.cell.clear();
    b_.cell.clear();
  }

  std::string& out_;
  std::size_t start_;
  std::vector<Block> blocks_;
  Column a_;
  Column b_;
};

void append_heading(std::string& out, const char* role, const ReportDocument& document,
                    std::uint64_t tokens) {
  out += "<div class=\"side\"><span class=\"role\">";
  out += role;
  out += "</span> <bdi class=\"id\">" + html_name(document.id) +
         "</bdi><br><span class=\"quiet\"><bdi>" + html_name(document.file) + "</bdi>, record " +
         format_count(document.record) + " &middot; " + format_count(tokens, "word", "words") +
         "</span></div>";
}

void append_numbers(std::string& out, const ReportPair& pair, const ReportRun& run,
                    const PairWords& words) {
  const Passages& found = pair.passages;
  const double resemblance = pair.cut ? pair.resemblance : found.resemblance();
  out += "resemblance " + html_text(format_share(resemblance, run.threshold)) + "</h3>";
  if (pair.cut) {
    out += "<p class=\"quiet\">Long documents: only their beginnings are compared here." +
           words.note + "</p>";
    return;
  }
  const auto containment = [&](const char* part, const char* whole, double value) {
    return fmt::format(" &middot; {} in {} {}", part, whole,
                       html_text(format_share(value, run.containment_threshold)));
  };
  out += "<p class=\"quiet\">" + format_count(found.shared_shingles) + " of " +
         format_count(found.all_shingles(), "shingle", "shingles") + " shared" +
         containment(words.b, words.a, found.containment_b_in_a()) +
         containment(words.a, words.b, found.containment_a_in_b()) + words.note + "</p>";
}

}  // namespace

void append_pair(std::string& out, const ReportPair& pair, std::size_t number, const ReportRun& run,
                 const PairWords& words) {
  fmt::format_to(std::back_inserter(out),
                 "<article class=\"pair\" id=\"pair-{}\"><h3><span class=\"kind {}\">{}</span> ",
                 number, words.kind, words.tag);
  append_numbers(out, pair, run, words);
  out += "<div class=\"sides\"><div class=\"row head\">";
  append_heading(out, words.a, pair.survivor, pair.passages.tokens_a);
  append_heading(out, words.b, pair.removed, pair.passages.tokens_b);
  out += "</div>";
  if (pair.survivor_text == pair.removed_text) {
    out += pair.cut ? "<p class=\"more\">The beginnings are identical.</p>"
                    : "<p class=\"more\">The texts are identical.</p>";
  } else {
    PairView(pair, out).write();
  }
  out += "</div></article>";
}

void append_pair(std::string& out, const ReportPair& pair, std::size_t number,
                 const ReportRun& run) {
  const char* kind = fate_name(pair.kind);
  append_pair(out, pair, number, run, {kind, kind, "survivor", "removed", ""});
}

}  // namespace twinset
