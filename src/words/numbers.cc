// Numbers for people. A share is cut, not rounded, from its shortest exact decimal form, so that
// 0.29 is 0.290 (in binary it is slightly below) and 0.79996 cannot become a 0.800 that seems to
// reach the threshold.
//
// This file's interface is numbers.h; the rest is private.
#include "words/numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace twinset {
namespace {

constexpr std::size_t usual_decimals = 3;
/// With more, a share near 0 or 1 is shown as a bound.
constexpr std::size_t most_decimals = 6;

/// Decimals of a value in [0, 1): the digits after "0.", shortest exact form.
std::string decimals_of(double value) {
  std::array<char, 512> buffer;
  const auto written =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
  return text.size() > 2 ? std::string(text.substr(2)) : std::string();
}

std::string cut(const std::string& decimals, std::size_t count) {
  std::string text = "0." + decimals.substr(0, count);
  text.append(count - std::min(count, decimals.size()), '0');
  return text;
}

}  // namespace

std::string format_count(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string format_count(std::uint64_t count, const char* singular, const char* plural) {
  return format_count(count) + ' ' + (count == 1 ? singular : plural);
}

std::string short_count(std::uint64_t count) {
  if (count < 10'000) return format_count(count);
  if (count < 999'500) return fmt::format("{:.3g}k", static_cast<double>(count) / 1e3);
  if (count < 999'500'000) return fmt::format("{:.3g}M", static_cast<double>(count) / 1e6);
  return fmt::format("{:.3g}G", static_cast<double>(count) / 1e9);
}

std::string format_share(double value, double threshold) {
  if (!(value > 0)) return "0.000";
  if (value >= 1) return "1.000";
  const std::string decimals = decimals_of(value);
  const std::size_t zeros = std::min(decimals.find_first_not_of('0'), decimals.size());
  const std::size_t nines = std::min(decimals.find_first_not_of('9'), decimals.size());
  if (zeros >= most_decimals) return "<0.000001";
  if (nines >= most_decimals && !(value >= threshold && threshold > 0.999999)) return ">0.999999";
  std::size_t count = std::max(usual_decimals, zeros + 1);
  if (nines >= usual_decimals) count = std::max(count, nines + 1);
  if (threshold > 0 && threshold < 1 && value >= threshold) {
    // Two thirds is 0.666666 here: the threshold counts as it can be written.
    std::string least = decimals_of(threshold).substr(0, most_decimals);
    const auto at_least = [&](std::size_t shown) {
      std::string text = decimals.substr(0, shown);
      text.resize(std::max(text.size(), least.size()), '0');
      least.resize(text.size(), '0');
      return text >= least;
    };
    while (count < decimals.size() && !at_least(count)) ++count;
  }
  return cut(decimals, count);
}

std::string format_percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  if (part == 0) return "0.0 %";
  if (part >= whole) return part == whole ? "100.0 %" : ">100 %";
  const auto tenths = std::round(1000.0 * static_cast<double>(part) / static_cast<double>(whole));
  if (tenths < 1) return "<0.1 %";
  if (tenths > 999) return ">99.9 %";
  return fmt::format("{:.1f} %", tenths / 10);
}

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  constexpr std::array<const char*, 6> units = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", value, units[unit]);
}

std::string format_seconds(double seconds) {
  if (!(seconds > 0)) return "0 s";
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(std::min(seconds, 1e15)));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", format_count(whole / 3600), whole % 3600 / 60);
}

}  // namespace twinset
