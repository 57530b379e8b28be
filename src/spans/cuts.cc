#include "spans/cuts.h"

#include <algorithm>

namespace twinset {
namespace {

/// Adds a stretch that does not begin before the last one does.
void add(TokenStretch stretch, std::vector<TokenStretch>& out) {
  if (!out.empty() && stretch.begin <= out.back().end) {
    out.back().end = std::max(out.back().end, stretch.end);
  } else {
    out.push_back(stretch);
  }
}

}  // namespace

void cuts_of(std::span<const CutPlace> places, unsigned run_tokens,
             std::vector<TokenStretch>& out) {
  out.clear();
  // Up to here all tokens are judged; a first place keeps what lies before `kept`.
  std::uint32_t judged = 0;
  std::uint32_t kept = 0;
  std::uint32_t later = 0;  // what lies before `later` is to be cut, if it is not kept
  const auto judge_to = [&](std::uint32_t end) {
    judged = std::max(judged, kept);
    const std::uint32_t last = std::min(end, later);
    if (judged < last) add({judged, last}, out);
    judged = std::max(judged, end);
  };
  for (const CutPlace& place : places) {
    judge_to(place.begin);
    (place.is_later != 0 ? later : kept) = place.begin + run_tokens;
  }
  judge_to(std::max(later, kept));
}

void remove(std::span<const TokenStretch> cuts, std::vector<std::uint64_t>& tokens) {
  if (cuts.empty()) return;
  auto to = tokens.begin() + cuts.front().begin;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const auto end = i + 1 < cuts.size() ? tokens.begin() + cuts[i + 1].begin : tokens.end();
    to = std::copy(tokens.begin() + cuts[i].end, end, to);
  }
  tokens.erase(to, tokens.end());
}

void join(std::span<const TokenStretch> earlier, std::span<const TokenStretch> later,
          std::vector<TokenStretch>& out) {
  out.clear();
  std::uint32_t removed = 0;  // by the earlier stretches that were passed
  std::size_t next = 0;
  /// Passes those up to a token of what they leave; returns its place in the whole text.
  const auto pass = [&](std::uint32_t token, auto&& use) {
    for (; next < earlier.size() && earlier[next].begin - removed <= token; ++next) {
      use(earlier[next]);
      removed += earlier[next].end - earlier[next].begin;
    }
    return token + removed;
  };
  for (const TokenStretch& stretch : later) {
    const std::uint32_t begin =
        pass(stretch.begin, [&](const TokenStretch& before) { add(before, out); });
    // Those within it become a part of it.
    const std::uint32_t last = pass(stretch.end - 1, [](const TokenStretch&) {});
    add({begin, last + 1}, out);
  }
  for (; next < earlier.size(); ++next) add(earlier[next], out);
}

std::uint64_t tokens_of(std::span<const TokenStretch> stretches) {
  std::uint64_t sum = 0;
  for (const TokenStretch& stretch : stretches) sum += stretch.end - stretch.begin;
  return sum;
}

Result<std::optional<std::uint32_t>> CutsByText::next_text() {
  const CutStretch* const row = rows_->peek();
  TWINSET_TRY(rows_->status());
  return row == nullptr ? std::nullopt : std::optional(row->text);
}

Status CutsByText::read(std::uint32_t text, std::vector<TokenStretch>& out) {
  out.clear();
  for (const CutStretch* row = rows_->peek(); row != nullptr && row->text <= text;
       row = rows_->peek()) {
    if (row->text == text) out.push_back({row->begin, row->end});
    rows_->advance();
  }
  return rows_->status();
}

}  // namespace twinset
