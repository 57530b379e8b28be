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

/// One column's text being written.
struct Column {
  std::string_view text;
  std::size_t end = 0;  ///< bytes written so far
  std::string cell;

  /// Spaces and punctuation up to `begin`; outside any mark.
  void gap(std::size_t begin) {
    const std::string_view between = text.substr(end, begin - end);
    append_html(cell, whole_prefix(between, most_gap_bytes), Lines::keep);
    if (between.size() > most_gap_bytes) {
      cell += "<span class=\"cut\">" + format_bytes(between.size() - most_gap_bytes) +
              " without a word</span>";
    }
    end = begin;
  }
};

class PairView {
 public:
  PairView(const ReportPair& pair, std::string& out)
      : pair_(pair), out_(out), start_(out.size()), blocks_(blocks(pair.passages)) {
    a_.text = pair.survivor_text;
    b_.text = pair.removed_text;
  }

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
        flush("diff", false);
      }
    }
    if (i == blocks_.size()) return;
    out_ += "<p class=\"more\">" +
            format_count(blocks_.size() - i, "more passage is", "more passages are") +
            " not shown.</p>";
  }

 private:
  void write_same(std::size_t index) {
    const Passage& a = pair_.passages.a[blocks_[index].a];
    const Passage& b = pair_.passages.b[blocks_[index].b];
    const Ends ends = index == 0                    ? Ends::tail
                      : index + 1 == blocks_.size() ? Ends::head
                                                    : Ends::both;
    a_.gap(a.begin);
    b_.gap(b.begin);
    append_shared(a_, a, ends);
    append_shared(b_, b, ends);
    flush("same", a_.cell == b_.cell);
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

  static void append_shared(Column& column, const Passage& passage, Ends ends) {
    column.cell += "<mark>";
    append_excerpt(column.cell, excerpt(column.text, passage, ends), "shared ");
    column.cell += "</mark>";
    column.end = passage.end;
  }

  void write_difference(const Block& block) {
    const bool of_a = block.kind == BlockKind::only_a || block.kind == BlockKind::away;
    Column& column = of_a ? a_ : b_;
    const Passage& passage = of_a ? pair_.passages.a[block.a] : pair_.passages.b[block.b];
    column.gap(passage.begin);
    const char* tag = passage.shared ? "mark" : of_a ? "del" : "ins";
    column.cell += passage.shared ? "<mark class=\"moved\">" : fmt::format("<{}>", tag);
    if (passage.shared && passage.match != no_match) {
      fmt::format_to(std::back_inserter(column.cell), "<span class=\"tag\">{} {}</span> ",
                     passage.repeat ? "again" : "moved",
                     format_count(std::uint64_t{passage.match} + 1));
    }
    append_excerpt(column.cell, excerpt(column.text, passage, Ends::both), "");
    fmt::format_to(std::back_inserter(column.cell), "</{}>", tag);
    column.end = passage.end;
  }

  void flush(const char* css, bool equal) {
    fmt::format_to(std::back_inserter(out_),
                   "<div class=\"row {}{}\"><div class=\"side a\">{}</div>"
                   "<div class=\"side b\">{}</div></div>",
                   css, equal ? " equal" : "", a_.cell, b_.cell);
    a_.cell.clear();
    b_.cell.clear();
  }

  const ReportPair& pair_;
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
  out += "</span> <bdi class=\"id\">" + html_text(document.id) +
         "</bdi><br><span class=\"quiet\"><bdi>" + html_text(document.file) + "</bdi>, record " +
         format_count(document.record) + " &middot; " + format_count(tokens, "word", "words") +
         "</span></div>";
}

}  // namespace

void append_pair(std::string& out, const ReportPair& pair, std::size_t number, double threshold) {
  const Passages& found = pair.passages;
  fmt::format_to(std::back_inserter(out), "<article class=\"pair\" id=\"pair-{}\"><h3>", number);
  fmt::format_to(std::back_inserter(out), "<span class=\"kind {0}\">{0}</span> ",
                 removal_kind_name(pair.kind));
  out += "resemblance " + html_text(format_share(found.resemblance(), threshold)) + "</h3>";
  out += "<p class=\"quiet\">" + format_count(found.shared_shingles) + " of " +
         format_count(found.all_shingles(), "shingle", "shingles") +
         " shared &middot; removed in survivor " +
         html_text(format_share(found.containment_b_in_a())) + " &middot; survivor in removed " +
         html_text(format_share(found.containment_a_in_b())) + "</p>";
  out += "<div class=\"sides\"><div class=\"row head\">";
  append_heading(out, "survivor", pair.survivor, found.tokens_a);
  append_heading(out, "removed", pair.removed, found.tokens_b);
  out += "</div>";
  if (pair.survivor_text == pair.removed_text) {
    out += "<p class=\"more\">The texts are identical.</p>";
  } else {
    PairView(pair, out).write();
  }
  out += "</div></article>";
}

}  // namespace twinset
