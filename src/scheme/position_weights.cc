// This file's interface is scheme/position_weights.h.
#include "scheme/position_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "scheme/fixed_point.h"

namespace twinset {
namespace {

std::uint64_t weight_at(PositionFunction function, std::uint64_t x, std::uint64_t count) {
  switch (function) {
    case PositionFunction::none:
      return 1;
    case PositionFunction::log:
      return log2_fixed(x + 1) / (x + 1);
    case PositionFunction::inverse:
      return (std::uint64_t{1} << 32) / x;
    case PositionFunction::inverse_log:
      return (std::uint64_t{1} << (log2_fraction_bits + 20)) / log2_fixed(x + 1);
    case PositionFunction::cosine:
      // A text has less than 2^32 words.
      return static_cast<std::uint64_t>(
          cosine_fixed(static_cast<std::uint32_t>((x << 32) / count)) + cosine_one);
  }
  return 1;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// A piece of a file that cannot be a weight, short enough to print.
std::string shown(std::string_view piece) {
  std::string out;
  for (const char c : piece.substr(0, 20)) out += c >= ' ' && c <= '~' ? c : '?';
  return out;
}

}  // namespace

PositionWeights::PositionWeights(PositionFunction function) : function_(function) {
  constexpr std::uint64_t most = 8192;
  if (alike() || function == PositionFunction::cosine) return;
  for (std::uint64_t x = 1; x <= most; ++x) first_.push_back(weight_at(function, x, most));
}

Result<PositionWeights> PositionWeights::read(FileSystem& files, const std::string& path) {
  constexpr std::uint64_t most_bytes = 8 * max_position_weights;
  TWINSET_ASSIGN(const std::string text, read_whole_file(files, path, most_bytes));
  return parse(text, path);
}

Result<PositionWeights> PositionWeights::parse(std::string_view text, const std::string& path) {
  PositionWeights weights(PositionFunction::none);
  weights.last_goes_on_ = true;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      line += text[at++] == '\n' ? 1 : 0;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && !is_space(text[at])) ++at;
    const std::string_view piece = text.substr(begin, at - begin);
    std::uint64_t weight = 0;
    const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), weight);
    if (error != std::errc() || end != piece.data() + piece.size() ||
        weight > max_position_weight) {
      return usage_error(fmt::format(
          "{}, line {}, byte {}: \"{}\" is no weight; weights by position are whole numbers from "
          "0 to {}",
          path, line, begin, shown(piece), max_position_weight));
    }
    weights.first_.push_back(weight);
    if (weights.first_.size() > max_position_weights) {
      return usage_error(fmt::format("{}: more than {} weights", path, max_position_weights));
    }
  }
  if (std::ranges::all_of(weights.first_, [](std::uint64_t weight) { return weight == 0; })) {
    return usage_error(path + ": no weight by position is above 0");
  }
  return weights;
}

void PositionWeights::append(std::size_t count, std::vector<std::uint64_t>& out) const {
  const std::size_t known = std::min(count, first_.size());
  out.insert(out.end(), first_.begin(), first_.begin() + static_cast<std::ptrdiff_t>(known));
  for (std::size_t x = known + 1; x <= count; ++x) {
    out.push_back(last_goes_on_ ? first_.back() : weight_at(function_, x, count));
  }
}

}  // namespace twinset
