// Decimal text to an exact fraction and back. This file's interface is
// Ratio::parse and Ratio::text; the rest is private.
#include "twinset/ratio.h"

#include <numeric>

namespace twinset {
namespace {

constexpr std::uint32_t max_decimals = 6;

/// Digits of `text` as a number; false if it has other characters or too many.
bool parse_digits(std::string_view text, std::uint64_t& out) {
  if (text.empty() || text.size() > 9) return false;
  out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    out = out * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return true;
}

Ratio reduced(std::uint64_t numerator, std::uint64_t denominator) {
  const std::uint64_t divisor = std::gcd(numerator, denominator);
  return {static_cast<std::uint32_t>(numerator / divisor),
          static_cast<std::uint32_t>(denominator / divisor)};
}

}  // namespace

Result<Ratio> Ratio::parse(std::string_view text) {
  const Error wrong =
      usage_error("'" + std::string(text) + "' is not a share: write 0.8, 80% or 4/5, from 0 to 1");
  std::uint64_t denominator = 1;
  std::string_view body = text;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    std::uint64_t numerator = 0;
    if (!parse_digits(text.substr(0, slash), numerator) ||
        !parse_digits(text.substr(slash + 1), denominator) || denominator == 0 ||
        numerator > denominator) {
      return wrong;
    }
    return reduced(numerator, denominator);
  }
  if (!body.empty() && body.back() == '%') {
    denominator = 100;
    body.remove_suffix(1);
  }
  const std::size_t point = body.find('.');
  const std::string_view whole = body.substr(0, point);
  const std::string_view decimals =
      point == std::string_view::npos ? std::string_view{} : body.substr(point + 1);
  if (whole.empty() && decimals.empty()) return wrong;
  if (decimals.size() > max_decimals) {
    if (decimals.find_first_not_of("0123456789") != std::string_view::npos) return wrong;
    return usage_error("'" + std::string(text) + "' has too many decimals: write at most six");
  }
  std::uint64_t numerator = 0;
  if (!whole.empty() && !parse_digits(whole, numerator)) return wrong;
  for (const char c : decimals) {
    if (c < '0' || c > '9') return wrong;
    numerator = numerator * 10 + static_cast<std::uint64_t>(c - '0');
    denominator *= 10;
  }
  if (numerator > denominator) return wrong;
  return reduced(numerator, denominator);
}

std::string Ratio::text() const {
  std::uint64_t scale = 1;
  for (std::uint32_t decimals = 0; decimals <= max_decimals; ++decimals, scale *= 10) {
    if (scale * numerator_ % denominator_ != 0) continue;
    const std::uint64_t digits = scale * numerator_ / denominator_;
    std::string out = std::to_string(digits / scale);
    if (decimals > 0) {
      std::string fraction = std::to_string(digits % scale);
      out += '.' + std::string(decimals - fraction.size(), '0') + fraction;
    }
    return out;
  }
  return std::to_string(numerator_) + "/" + std::to_string(denominator_);
}

}  // namespace twinset
