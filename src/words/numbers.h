// How numbers are written for people, in the terminal and in the HTML report.
//
//   format_count(1234567)          "1,234,567"
//   format_share(0.8567)           "0.856"   rounded down: a share below a
//   format_share(0.79996, 0.8)     "0.799"   threshold never looks as if above
//   format_share(0.9996)           "0.9996"  and never looks like 1
//   format_percent(1, 3)           "33.3 %"
//   format_bytes(2500000)          "2.5 MB"
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>

namespace twinset {

/// With thousands separators.
std::string format_count(std::uint64_t count);

/// `count` and its noun, singular or plural: "1 record", "2,000 records".
std::string format_count(std::uint64_t count, const char* singular, const char* plural);

/// The short form for small spaces: "9,999", "12.3k", "4M".
std::string short_count(std::uint64_t count);

/// A resemblance or containment in [0, 1], rounded down to three decimals, with
/// more only where three would mislead: "1.000" is only for 1 and "0.000" only
/// for 0, and a value at or above `threshold` is never shown below it.
std::string format_share(double value, double threshold = 0);

/// `part` of `whole` with one decimal; "0.0 %" and "100.0 %" only when exact; "-" if `whole` is 0.
std::string format_percent(std::uint64_t part, std::uint64_t whole);

/// Decimal units and at most three significant digits: "999 B", "12.3 GB".
std::string format_bytes(std::uint64_t bytes);

/// "0.42 s", "12.3 s", "4 min 05 s", "2 h 03 min".
std::string format_seconds(double seconds);

}  // namespace twinset
