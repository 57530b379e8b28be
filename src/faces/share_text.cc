// This file's interface is faces/share_text.h; the rest is private.
#include "faces/share_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace twinset {
namespace {

using namespace std::string_view_literals;

/// The end of the word at `at`. The name of an option or a verb is one word, with the spaces in it.
std::size_t word_end(std::string_view text, std::size_t at) {
  std::size_t end = std::min(text.find(' ', at), text.size());
  for (std::size_t open = text.find("\0{"sv, at); open < end; open = text.find("\0{"sv, open + 2)) {
    const std::size_t close = text.find("\0}"sv, open);
    if (close == text.npos) break;
    if (close > end) end = std::min(text.find(' ', close), text.size());
  }
  return end;
}

}  // namespace

std::string cut_share(const Share& share) {
  constexpr std::uint64_t decimals_4 = 10'000;
  const auto parts = static_cast<std::uint64_t>(static_cast<unsigned __int128>(share.count) *
                                                decimals_4 / share.of);
  return fmt::format("{}.{:04}", parts / decimals_4, parts % decimals_4);
}

std::string interval_text(double low, double high) {
  const auto end = [](double rounded) {
    const int parts = static_cast<int>(rounded);
    if (parts >= 1000) return std::string("1.00");
    if (parts < 0) return fmt::format("-.{:02}", std::min(99, (9 - parts) / 10));
    return fmt::format(".{:03}", parts);
  };
  constexpr double rounding = 1e-6;  // of products that should be whole
  return end(std::floor(low * 1000 + rounding)) + "-" + end(std::ceil(high * 1000 - rounding));
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

void append_paragraph(std::string& out, std::string_view text) {
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = word_end(text, at);
    const std::string_view word = text.substr(at, end - at);
    // A name of an option is as wide as the command line shows it.
    const std::size_t length = render_message(Door::command_line, word).size();
    if (column > 0 && column + 1 + length > page_width) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    at = end + 1;
  }
  out += '\n';
}

std::string share_columns(const Share& share) {
  if (!share.known()) return fmt::format("{:>6} {:>9}", "-", "");
  return fmt::format("{:>6} {:>9}", cut_share(share), interval_text(share.low, share.high));
}

}  // namespace twinset
