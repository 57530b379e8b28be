#include "numbers.h"

#include <charconv>
#include <string_view>
#include <system_error>

namespace twinset::cli {
namespace {

constexpr std::size_t most_size_decimals = 6;

/// The unit's power of two; 64 if it is not one.
unsigned shift_of(std::string_view unit) {
  if (unit.ends_with("iB")) {
    unit.remove_suffix(2);
  } else if (unit.ends_with("B")) {
    unit.remove_suffix(1);
  }
  if (unit.empty()) return 0;
  const std::size_t power = std::string_view("KMGT").find(unit == "k" ? 'K' : unit[0]);
  if (unit.size() != 1 || power == std::string_view::npos) return 64;
  return 10 * (static_cast<unsigned>(power) + 1);
}

/// Reads digits at the start of `text` and removes them; false if there are none or
/// they are too many.
bool take_digits(std::string_view& text, std::uint64_t& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

Result<std::uint64_t> parse_size(const std::string& text) {
  const Error wrong = usage_error("'" + text + "' is not a size: write 1500000, 64MiB or 1.5G");
  std::string_view rest = text;
  std::uint64_t whole = 0;
  if (!take_digits(rest, whole)) return wrong;
  std::uint64_t millionths = 0;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::string_view decimals = rest;
    if (!take_digits(rest, millionths)) return wrong;
    const std::size_t digits = decimals.size() - rest.size();
    if (digits > most_size_decimals) return wrong;
    for (std::size_t i = digits; i < most_size_decimals; ++i) millionths *= 10;
  }
  const unsigned shift = shift_of(rest);
  if (shift == 64 || (shift == 0 && millionths != 0)) return wrong;
  if (whole > UINT64_MAX >> shift) return wrong;
  const std::uint64_t bytes = whole << shift;
  const std::uint64_t more = (millionths << shift) / 1000000;
  if (bytes > UINT64_MAX - more) return wrong;
  return bytes + more;
}

Result<std::uint64_t> parse_count(const std::string& text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, value);
  if (failed == std::errc::result_out_of_range) {
    return usage_error("'" + text + "' is too large a number");
  }
  if (failed != std::errc() || at != end) {
    return usage_error("'" + text + "' is not a number: write digits alone, such as 1000");
  }
  return value;
}

}  // namespace twinset::cli
