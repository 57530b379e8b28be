#include "run/keep_rule.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/characters.h"
#include "base/message.h"
#include "text/dates.h"

namespace twinset {
namespace {

struct Decimal {
  bool negative = false;
  std::string digits;         ///< without leading or trailing zeros; empty: zero
  std::int64_t exponent = 0;  ///< value = 0.digits * 10^exponent
};

/// Reads one or more digits from `at` on and moves it past them; nullopt if there are none.
std::optional<std::string_view> take_digits(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == begin) return std::nullopt;
  return text.substr(begin, at - begin);
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal decimal;
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') {
    decimal.negative = true;
    ++at;
  }
  const auto whole = take_digits(text, at);
  if (!whole) return std::nullopt;
  decimal.digits = *whole;
  decimal.exponent = static_cast<std::int64_t>(whole->size());
  if (at < text.size() && text[at] == '.') {
    ++at;
    const auto fraction = take_digits(text, at);
    if (!fraction) return std::nullopt;
    decimal.digits += *fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool down = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const auto power = take_digits(text, at);
    if (!power) return std::nullopt;
    const std::size_t zeros = std::min(power->find_first_not_of('0'), power->size() - 1);
    if (power->size() - zeros > 9) return std::nullopt;
    const std::int64_t value = std::stoll(std::string(power->substr(zeros)));
    decimal.exponent += down ? -value : value;
  }
  if (at != text.size()) return std::nullopt;
  const std::size_t leading = decimal.digits.find_first_not_of('0');
  if (leading == std::string::npos) return Decimal{};
  decimal.digits.erase(0, leading);
  decimal.exponent -= static_cast<std::int64_t>(leading);
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  return decimal;
}

}  // namespace

Result<KeepRule> KeepRule::parse(std::string_view text, std::string_view option) {
  if (text == "first" || text == "source") return KeepRule{};
  if (text == "longest") return KeepRule{.by = By::size, .descending = true};
  if (text == "shortest") return KeepRule{.by = By::size};
  if (text == "shortest-url") return KeepRule{.by = By::field, .field = "url", .length = true};
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && colon + 1 < text.size()) {
    const std::string_view order = text.substr(0, colon);
    const std::string field(text.substr(colon + 1));
    const bool dates = order == "newest" || order == "oldest";
    const bool descending = order == "newest" || order == "highest";
    if (dates || descending || order == "lowest") {
      return KeepRule{By::field, descending, dates, field};
    }
    if (order == "shortest") return KeepRule{.by = By::field, .field = field, .length = true};
  }
  return usage_error(twinset::option(option) + " '" + std::string(text) +
                     "' is not one of first, source, longest, shortest, newest:FIELD, "
                     "oldest:FIELD, highest:FIELD, lowest:FIELD, shortest:FIELD, shortest-url");
}

std::vector<std::string> KeepRule::forms() {
  return {"first",   "longest",  "shortest", "source",    "newest:",
          "oldest:", "highest:", "lowest:",  "shortest:", "shortest-url"};
}

bool number_order_key(std::string_view text, char* out) {
  const std::optional<Decimal> decimal = parse_decimal(text);
  if (!decimal) return false;
  std::memset(out, 0, order_key_bytes);
  if (decimal->digits.empty()) {
    out[0] = 1;  // between the negative (0) and the positive (2) numbers
    return true;
  }
  // The bias makes every exponent that fits into a record positive.
  const auto exponent = static_cast<std::uint64_t>(decimal->exponent + (std::int64_t{1} << 40));
  for (unsigned i = 0; i < 6; ++i) out[1 + i] = static_cast<char>(exponent >> (8 * (5 - i)) & 0xff);
  std::memcpy(out + 7, decimal->digits.data(),
              std::min(decimal->digits.size(), order_key_bytes - 7));
  out[0] = 2;
  if (decimal->negative) {
    for (std::size_t i = 0; i < order_key_bytes; ++i) out[i] = static_cast<char>(~out[i]);
    out[0] = 0;
  }
  return true;
}

bool date_order_key(std::string_view text, char* out) {
  const std::optional<Date> moment = parse_date(text);
  if (!moment) return false;
  std::memset(out, 0, order_key_bytes);
  const std::uint64_t biased =
      static_cast<std::uint64_t>(moment->microseconds) ^ (std::uint64_t{1} << 63);
  for (unsigned i = 0; i < 8; ++i) out[i] = static_cast<char>(biased >> (8 * (7 - i)) & 0xff);
  out[8] = static_cast<char>(moment->nanoseconds >> 8);
  out[9] = static_cast<char>(moment->nanoseconds & 0xff);
  return true;
}

}  // namespace twinset
