// What --cut takes away of the texts, in tokens.
//
// A run of N tokens that stands twice or more stays whole at its first place. Its later places, in
// other texts or in the same one without overlap, are cut, but for tokens that the first place of
// another such run needs. A text that closes over what was cut may have runs that stand elsewhere,
// too; so spans/cut_rounds.h looks again until nothing is left to cut.
//
//   cuts_of(places, 50, out);                  // of one text
//   remove(cuts, tokens);                      // the text as it is kept
//   join(cuts, cuts_of_the_rest, out);         // of the text as it was
//
// Threads: pure functions; a CutsByText belongs to one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rows/rows.h"
#include "twinset/result.h"

namespace twinset {

/// A place of a run that stands twice or more: its first or a later one. Texts are numbered as in
/// DocumentTable.
struct CutPlace {
  std::uint32_t text = 0;
  std::uint32_t begin = 0;
  std::uint32_t is_later = 0;  ///< 0 or 1
  auto operator<=>(const CutPlace&) const = default;
};

/// Tokens [begin, end) of a text.
struct TokenStretch {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  auto operator<=>(const TokenStretch&) const = default;
};

struct CutStretch {
  std::uint32_t text = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  auto operator<=>(const CutStretch&) const = default;
};

template <class Row>
struct ByTextAndPlace {
  bool operator()(const Row& a, const Row& b) const { return a < b; }
  static std::uint64_t radix(const Row& row) { return std::uint64_t{row.text} << 32 | row.begin; }
};
using CutPlaceRows = SortedRows<CutPlace, ByTextAndPlace<CutPlace>>;
using CutRows = SortedRows<CutStretch, ByTextAndPlace<CutStretch>>;

/// What was cut so far.
struct Cuts {
  std::unique_ptr<CutRows> rows;  ///< sealed
  /// By text: the last round that cut some of it, from 1; 0: none did.
  std::vector<std::uint8_t> changed_in;
};

/// Replaces `out` by what is cut of a text: in order, apart from each other. `places`: all of the
/// text, in order.
void cuts_of(std::span<const CutPlace> places, unsigned run_tokens, std::vector<TokenStretch>& out);

/// Removes the stretches, which are in order and apart. Range: they end within the tokens.
void remove(std::span<const TokenStretch> cuts, std::vector<std::uint64_t>& tokens);

/// Replaces `out` by the stretches `earlier` and, of the text that they leave, `later`, as
/// stretches of the whole text: in order and apart.
void join(std::span<const TokenStretch> earlier, std::span<const TokenStretch> later,
          std::vector<TokenStretch>& out);

/// The sum of their tokens.
std::uint64_t tokens_of(std::span<const TokenStretch> stretches);

/// The stretches of one text after the other.
class CutsByText {
 public:
  explicit CutsByText(std::unique_ptr<RowCursor<CutStretch>> rows) : rows_(std::move(rows)) {}
  /// The next text that has any; none at the end.
  Result<std::optional<std::uint32_t>> next_text();
  /// Replaces `out` by the stretches of `text`; texts are asked for in order.
  Status read(std::uint32_t text, std::vector<TokenStretch>& out);

 private:
  std::unique_ptr<RowCursor<CutStretch>> rows_;
};

}  // namespace twinset
