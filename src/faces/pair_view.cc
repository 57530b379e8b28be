// The rows follow blocks.h. Runs of only-A and only-B blocks between two shared passages share a
// row, side by side, as a replacement.
//
// This file's interface is pair_view.h; the rest is private.
#include "faces/pair_view.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "faces/blocks.h"
#include "words/left_out.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t most_between_bytes = 200;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::string_view without_leading_space(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view without_trailing_space(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Different line breaks and indentation do not justify a second copy on a narrow page.
bool equal_but_for_space(std::string a, std::string b) {
  std::erase_if(a, is_space);
  std::erase_if(b, is_space);
  return a == b;
}

/// One text, on the way down its column.
class Column {
 public:
  Column(std::string_view text, const std::vector<Passage>& passages,
         std::span<const TextRange> left_out)
      : text_(text), passages_(passages), left_out_(left_out) {}

  /// Shows spaces and punctuation before the next passage, outside any mark.
  const Passage& take() {
    const Passage& passage = passages_[next_++];
    const std::string_view between = text_.substr(end_, passage.begin - end_);
    put_between(cell_.empty() ? without_leading_space(between) : between);
    end_ = passage.end;
    return passage;
  }

  /// `text` is not the column's: a label or a note.
  void put(Mark mark, std::string_view text) {
    if (text.empty()) return;
    cell_.push_back({mark, std::string(text)});
    bytes_ += text.size();
  }

  /// `part` is of the column's text.
  void put_part(Mark mark, std::string_view part) {
    split_notes(text_, left_out_, part, [&](std::string_view piece, bool is_note) {
      put(is_note ? Mark::skipped : mark, piece);
    });
  }

  /// Shows a passage, or its two ends and the number of words between.
  void put_excerpt(Mark mark, const Passage& passage, Ends ends) {
    const Excerpt shown = excerpt(text_, passage, ends);
    put_part(mark, shown.head);
    if (!shown.cut) return;
    const char* const kind = mark == Mark::shared ? "shared " : "";
    put(Mark::cut, shown.hidden_tokens == 0
                       ? format_bytes(shown.hidden_bytes)
                       : fmt::format("{} {}{}", format_count(shown.hidden_tokens), kind,
                                     shown.hidden_tokens == 1 ? "word" : "words"));
    put_part(mark, shown.tail);
  }

  /// Ends a row: text after its last passage stays with it up to the last space ("end. ("); text
  /// that touches the next passage goes with that one ("(next").
  std::vector<Piece> finish_row() {
    if (!cell_.empty()) {
      const std::size_t until = next_ < passages_.size() ? passages_[next_].begin : text_.size();
      std::string_view between = text_.substr(end_, until - end_);
      if (next_ < passages_.size()) {
        const std::size_t space = between.find_last_of(" \n\t\r");
        if (space != std::string_view::npos) between = between.substr(0, space + 1);
      }
      put_between(without_trailing_space(between));
      end_ += between.size();
    }
    return std::exchange(cell_, {});
  }

  /// Bytes shown so far.
  std::size_t bytes() const { return bytes_; }

 private:
  void put_between(std::string_view between) {
    put_part(Mark::plain, whole_prefix(between, most_between_bytes));
    if (between.size() > most_between_bytes) {
      put(Mark::cut, format_bytes(between.size() - most_between_bytes) + " without a word");
    }
  }

  std::string_view text_;
  const std::vector<Passage>& passages_;
  std::span<const TextRange> left_out_;
  std::size_t next_ = 0;  ///< the next passage to show
  std::size_t end_ = 0;   ///< bytes shown or skipped so far
  std::size_t bytes_ = 0;
  std::vector<Piece> cell_;  ///< of the row being made
};

class RowMaker {
 public:
  RowMaker(ShownPair& pair, const Passages& passages, Column a, Column b)
      : pair_(pair), blocks_(blocks(passages)), a_(std::move(a)), b_(std::move(b)) {}

  void make() {
    std::size_t i = 0;
    while (i < blocks_.size() && !is_full()) {
      const bool same = blocks_[i].kind == BlockKind::same;
      if (same) {
        const Ends ends = i == 0 ? Ends::tail : i + 1 == blocks_.size() ? Ends::head : Ends::both;
        for (Column* column : {&a_, &b_}) column->put_excerpt(Mark::shared, column->take(), ends);
        ++i;
      }
      // An endless row of differences is cut as well.
      while (!same && i < blocks_.size() && blocks_[i].kind != BlockKind::same && !is_full()) {
        put_difference(blocks_[i++]);
      }
      pair_.rows.push_back({same, a_.finish_row(), b_.finish_row()});
    }
    if (i == blocks_.size()) return;
    pair_.more =
        format_count(blocks_.size() - i, "more passage is", "more passages are") + " not shown.";
  }

 private:
  bool is_full() const { return a_.bytes() + b_.bytes() >= most_pair_bytes; }

  void put_difference(const Block& block) {
    const bool of_a = block.kind == BlockKind::only_a || block.kind == BlockKind::away;
    Column& column = of_a ? a_ : b_;
    const Passage& passage = column.take();
    if (passage.shared && passage.match != no_match) {
      column.put(Mark::label, fmt::format("{} {}", passage.repeat ? "again" : "moved",
                                          format_count(std::uint64_t{passage.match} + 1)));
    }
    column.put_excerpt(passage.shared ? Mark::moved : Mark::only, passage, Ends::both);
  }

  ShownPair& pair_;
  std::vector<Block> blocks_;
  Column a_;
  Column b_;
};

/// Neighboring pieces of one mark, with the labels and cuts between them, become one element.
std::string cell_html(const std::vector<Piece>& pieces, const char* only) {
  std::string out;
  std::string close;
  Mark open = Mark::plain;
  const auto enter = [&](Mark mark) {
    if (mark == open) return;
    out += close;
    open = mark;
    const std::string tag = mark == Mark::only ? only : "mark";
    close = mark == Mark::plain ? "" : "</" + tag + ">";
    if (mark != Mark::plain)
      out += mark == Mark::moved ? "<mark class=\"moved\">" : "<" + tag + ">";
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (piece.mark == Mark::label) {
      enter(Mark::plain);
      enter(Mark::moved);
      out += "<span class=\"tag\">" + html_text(piece.text) + "</span> ";
    } else if (piece.mark == Mark::skipped) {
      enter(Mark::plain);
      out += "<span class=\"skipped\">" + html_text(piece.text) + "</span>";
    } else if (piece.mark == Mark::cut) {
      out += " <span class=\"cut\">&hellip; " + html_text(piece.text) + " &hellip;</span> ";
    } else {
      // Passages that touch stay separate, except the two ends of a cut one.
      const bool goes_on =
          i > 0 && (pieces[i - 1].mark == Mark::cut || pieces[i - 1].mark == Mark::label);
      if (!goes_on) enter(Mark::plain);
      enter(piece.mark);
      append_html(out, piece.text, Lines::keep);
    }
  }
  return out + close;
}

void append_heading(std::string& out, const std::string& role, const ReportDocument& document) {
  out += "<div class=\"side\"><span class=\"role\">" + html_text(role) + "</span> ";
  append_document(out, document);
  out += "</div>";
}

}  // namespace

void set_rows(ShownPair& pair, std::string_view text_a, std::string_view text_b,
              const Passages& passages, std::span<const TextRange> left_out_a,
              std::span<const TextRange> left_out_b) {
  RowMaker(pair, passages, Column(text_a, passages.a, left_out_a),
           Column(text_b, passages.b, left_out_b))
      .make();
}

void append_document(std::string& out, const ReportDocument& document) {
  if (!document.id.empty()) out += "<bdi class=\"id\">" + html_text(document.id) + "</bdi> ";
  if (document.file.empty()) return;
  out += "<span class=\"quiet\"><bdi>" + html_text(document.file) + "</bdi>, record " +
         format_count(document.record) + "</span>";
}

void append_facts(std::string& out, const std::vector<Fact>& facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Fact& fact = facts[i];
    out += i > 0 ? " <span class=\"fact\">" : "<span class=\"fact first\">";
    out += html_text(fact.name) + " <b>" + html_text(value_text(fact.value)) + "</b>";
    if (!fact.note.empty()) out += " <small>" + html_text(fact.note) + "</small>";
    out += "</span>";
  }
}

void append_pair(std::string& out, const ShownPair& pair, const std::string& id,
                 const std::string& a, const std::string& b) {
  fmt::format_to(std::back_inserter(out),
                 "<article class=\"pair\" id=\"{}\"><h3><span class=\"kind {}\">{}</span></h3><p>",
                 id, fate_name(pair.color), html_text(pair.tag));
  append_facts(out, pair.facts);
  out +=
      "</p><div class=\"sides\" tabindex=\"0\" role=\"region\" aria-label=\"The two texts\"><div "
      "class=\"row head\">";
  append_heading(out, a, pair.a);
  append_heading(out, b, pair.b);
  out += "</div>";
  for (const PairRow& row : pair.rows) {
    const std::string left = cell_html(row.a, "del");
    const std::string right = cell_html(row.b, "ins");
    fmt::format_to(std::back_inserter(out),
                   "<div class=\"row {}{}\"><div class=\"side a\">{}</div>"
                   "<div class=\"side b\">{}</div></div>",
                   row.same ? "same" : "diff", equal_but_for_space(left, right) ? " equal" : "",
                   left, right);
  }
  if (!pair.more.empty()) out += "<p class=\"more\">" + html_text(pair.more) + "</p>";
  out += "</div></article>";
}

}  // namespace twinset
