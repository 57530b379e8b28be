// Reads and prints the values of options as users type them: an overload of take() and one of
// typed() for each kind of member. This file's interface is Option; the rest is private.
#include "twinset/option.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>

namespace twinset {
namespace {

constexpr std::size_t most_size_decimals = 6;

/// The unit's power of two; 64 if it is not a unit.
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

/// Reads digits at the start of `text` and removes them; false if there are none or too many.
bool take_leading_digits(std::string_view& text, std::uint64_t& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

Result<std::uint64_t> parse_size(std::string_view text) {
  const Error wrong = usage_error(quoted(text) + " is not a size: write 1500000, 64MiB or 1.5G");
  std::string_view rest = text;
  std::uint64_t whole = 0;
  if (!take_leading_digits(rest, whole)) return wrong;
  std::uint64_t millionths = 0;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::string_view decimals = rest;
    if (!take_leading_digits(rest, millionths)) return wrong;
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

/// A whole number in decimal digits only: not 1e3, 0x10 or 1000x.
template <class Number>
requires std::is_unsigned_v<Number> Status take(std::string_view text, Number* value) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, number);
  if (failed == std::errc::result_out_of_range) {
    return usage_error(quoted(text) + " is too large a number");
  }
  if (failed != std::errc() || at != end) {
    return usage_error(quoted(text) + " is not a number: write digits alone, such as 1000");
  }
  *value = number;
  return {};
}

Status take(std::string_view text, bool* value) {
  if (text != "true" && text != "false") return usage_error(quoted(text) + " is not true or false");
  *value = text == "true";
  return {};
}

Status take(std::string_view text, const Bytes& size) {
  TWINSET_ASSIGN(const std::uint64_t bytes, parse_size(text));
  if (size.above_zero && bytes == 0) {
    return usage_error("0 is too little; leave it out for the default");
  }
  *size.value = bytes;
  return {};
}

Status take(std::string_view text, Ratio* value) {
  TWINSET_ASSIGN(const Ratio ratio, Ratio::parse(text));
  *value = ratio;
  return {};
}

template <class Value>
Status take(std::string_view text, std::optional<Value>* value) {
  Value taken{};
  TWINSET_TRY(take(text, &taken));
  *value = taken;
  return {};
}

Status take(std::string_view text, RatioRange* range) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.size() == 1) {
    return usage_error(quoted(text) + " is not a range such as 0.8:0.85");
  }
  if (colon > 0) TWINSET_TRY(take(text.substr(0, colon), &range->least));
  if (colon + 1 < text.size()) TWINSET_TRY(take(text.substr(colon + 1), &range->most));
  return {};
}

Status take(std::string_view text, const Choice& choice) {
  const auto word = std::ranges::find(choice.words, text);
  if (word != choice.words.end()) {
    choice.set(static_cast<std::size_t>(word - choice.words.begin()));
    return {};
  }
  std::string sentence;
  for (const std::string_view known : choice.words) {
    sentence += (sentence.empty() ? "" : ", ") + std::string(known);
  }
  return usage_error(quoted(text) + " is not one of " + sentence);
}

Status take(std::string_view text, std::string* value) {
  *value = text;
  return {};
}

Status take(std::string_view text, std::vector<std::string>* values) {
  values->emplace_back(text);
  return {};
}

std::string typed(const bool* value) { return *value ? "true" : "false"; }
std::string typed(const std::uint64_t* value) { return std::to_string(*value); }
std::string typed(const unsigned* value) { return std::to_string(*value); }
std::string typed(const Ratio* value) { return value->text(); }
std::string typed(const std::string* value) { return *value; }
std::string typed(const std::vector<std::string>*) { return {}; }

template <class Value>
std::string typed(const std::optional<Value>* value) {
  return value->has_value() ? typed(&**value) : "";
}

/// In the largest unit that needs no decimals.
std::string typed(const Bytes& size) {
  std::uint64_t value = *size.value;
  std::string unit;
  for (const char letter : std::string_view("KMGT")) {
    if (value == 0 || value % 1024 != 0) break;
    value /= 1024;
    unit = {letter, 'i', 'B'};
  }
  return std::to_string(value) + unit;
}

std::string typed(const RatioRange* range) {
  if (!range->least.has_value() && !range->most.has_value()) return {};
  return typed(&range->least) + ":" + typed(&range->most);
}

std::string typed(const Choice& choice) {
  return choice.get() == Choice::unset ? "" : std::string(choice.words[choice.get()]);
}

}  // namespace

std::string_view Option::long_flag() const {
  const std::size_t begin = usage.find("--");
  if (begin == std::string_view::npos) return usage.substr(usage.find(' ') + 1);
  return usage.substr(begin, usage.find(' ', begin) - begin);
}

std::string_view Option::short_flag() const {
  const std::size_t comma = usage.find(',');
  return comma == std::string_view::npos ? std::string_view() : usage.substr(0, comma);
}

std::string Option::name() const {
  if (!usage.starts_with('-')) return std::string(usage.substr(0, usage.find(' ')));
  std::string name(long_flag().substr(2));
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string Option::value_name() const {
  std::string words;
  if (const Choice* choice = std::get_if<Choice>(&member)) {
    for (const std::string_view word : choice->words) {
      words += (words.empty() ? "" : "|") + std::string(word);
    }
  } else if (!std::holds_alternative<bool*>(member)) {
    words = usage.substr(usage.rfind(' ') + 1);
  }
  return words;
}

ValueNames named_by(std::string_view word) {
  if (word == "DIR") return ValueNames::folders;
  const bool files = word == "IN" || word == "A" || word == "B" || word == "FILE";
  return files || word.starts_with("FILE.") ? ValueNames::files : ValueNames::nothing;
}

Status Option::set(std::string_view text) const {
  if (noted_in != nullptr) noted_in->push_back(name());
  return std::visit([&](const auto& value) { return take(text, value); }, member);
}

std::string Option::text() const {
  return std::visit([](const auto& value) { return typed(value); }, member);
}

}  // namespace twinset
