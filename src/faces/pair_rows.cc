// The rows follow blocks.h. Runs of only-A and only-B blocks between two shared passages share a
// row, side by side, as a replacement.
//
// This file's interface is pair_rows.h; the rest is private.
#include "faces/pair_rows.h"

#include <fmt/format.h>

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

}  // namespace

void set_rows(ShownPair& pair, std::string_view text_a, std::string_view text_b,
              const Passages& passages, std::span<const TextRange> left_out_a,
              std::span<const TextRange> left_out_b) {
  RowMaker(pair, passages, Column(text_a, passages.a, left_out_a),
           Column(text_b, passages.b, left_out_b))
      .make();
}

}  // namespace twinset
