// --keep and --lead: the rule for which of several similar documents stays, or leads.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/result.h"

namespace twinset {

struct KeepRule {
  enum class By : std::uint8_t { input, size, field };
  By by = By::input;
  bool descending = false;  ///< the largest value first
  bool dates = false;       ///< newest and oldest: dates, even if not all values are
  std::string field = {};   ///< for By::field
  bool length = false;      ///< of the field's text; equal lengths by their bytes

  /// "first", "source", "longest", "shortest", "newest:FIELD", "highest:FIELD",
  /// "oldest:FIELD", "lowest:FIELD", "shortest:FIELD", "shortest-url". newest is highest, oldest is
  /// lowest; source is first: inputs given earlier win; shortest-url is shortest:url. Error
  /// (usage) names `option`.
  static Result<KeepRule> parse(std::string_view text, std::string_view option = "keep");
  /// The rules for completion to offer: those with a field end in a colon.
  static std::vector<std::string> forms();
};

/// Bytes of a sort key; longer values that agree up to here are ties.
inline constexpr std::size_t order_key_bytes = 55;

/// Decimal text ("-1.5e3") as bytes that compare as the numbers do, padded with
/// NUL to order_key_bytes. Some 50 significant digits count. False if `text` is
/// not a JSON number.
bool number_order_key(std::string_view text, char* out);

/// A date (text/dates.h) as bytes that compare as the dates do, padded likewise. False if `text` is
/// not a date.
bool date_order_key(std::string_view text, char* out);

}  // namespace twinset
