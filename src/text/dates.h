// Reads dates as people and programs write them.
//
//   parse_date("2026-05-05T12:00:00+02:00")      // 1777975200 seconds
//   parse_date("Tue, 5 May 2026 10:00:00 GMT")   // the same
//   parse_date("03/04/2026")                     // nullopt: March or April?
//
// Threads: pure.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace twinset {

/// A moment, after 1970-01-01T00:00Z or before it.
struct Date {
  std::int64_t microseconds = 0;
  std::uint32_t nanoseconds = 0;  ///< after these, below 1,000; further digits are skipped
  auto operator<=>(const Date&) const = default;
};

inline constexpr std::int64_t microseconds_in_day = 86'400'000'000;

/// The first moment of its day.
inline Date day_of(const Date& date) {
  const std::int64_t over = date.microseconds % microseconds_in_day;
  return {date.microseconds - over - (over < 0 ? microseconds_in_day : 0), 0};
}

inline double days_between(const Date& earlier, const Date& later) {
  return static_cast<double>(later.microseconds - earlier.microseconds) / microseconds_in_day;
}

/// nullopt if `text` is not a date, or could be two dates. A
/// time without a zone is UTC; a date without a time is its first moment. Blanks around the date
/// are ignored. Known forms:
/// - ISO 8601: 2026, 2026-05, 2026-05-05, 20260505, 2026-125, 2026-W19-2; a time after a day
///   (T10:00, " 10:00:00.5", T100000Z, +02:00). Also 2026/05/05: the year comes first; and the 14
///   digits of web archives, 20260505100000.
/// - 05.05.2026, as in most of Europe: the day comes first wherever dots are.
/// - A time may end with AM or PM.
/// - RFC 2822, with its obsolete forms, and those of HTTP (RFC 9110): 5 May 26 10:00 EST.
/// - "May 5, 2026" and asctime's "Tue May  5 10:00:00 2026".
/// - Unix time: 9 or 10 digits of seconds, 12 or 13 of milliseconds, 15 or 16 of
///   microseconds; a sign or a fraction makes any number seconds.
/// Years 1 to 9999.
std::optional<Date> parse_date(std::string_view text);

/// "2026-05-05T10:00:00Z": ISO 8601, without the part of a second.
std::string written_date(const Date& date);

}  // namespace twinset
