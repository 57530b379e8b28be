#include "text/dates.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace twinset {
namespace {

struct Case {
  const char* text;
  std::optional<double> seconds;  ///< UTC
};

// The seconds are from `date -u -d ... +%s`.
const std::vector<Case> cases{
    {"2026-05-05", 1777939200},
    {"20260505", 1777939200},
    {"2026/05/05", 1777939200},
    {"2026/5/5", 1777939200},
    {"2026-05", 1777593600},
    {"2026", 1767225600},
    {"2026-125", 1777939200},
    {"2026-W19-2", 1777939200},
    {"2020-W53-5", 1609459200},  // January 1, 2021
    {"2026-05-05T10:00:00Z", 1777975200},
    {"2026-05-05 10:00:00", 1777975200},
    {"2026-05-05 10:00:00 UTC", 1777975200},
    {"2026-05-05T12:00:00+02:00", 1777975200},
    {"2026-05-05T12:00+0200", 1777975200},
    {"2026-05-05T05:00:00-05", 1777975200},
    {"20260505T100000Z", 1777975200},
    {"2026-05-05T10:00:00.25Z", 1777975200.25},
    {"2026-05-05T10:00:00,5", 1777975200.5},
    {"2026-05-04T24:00", 1777939200},
    {"2016-12-31T23:59:60Z", 1483228800},
    {"2024-02-29", 1709164800},
    {"1969-12-31T23:59:59Z", -1},
    {"20260505100000", 1777975200},
    {"20260505100000250", 1777975200.25},
    {"20260505100000Z", 1777975200},
    {"20260505120000+0200", 1777975200},
    {"05.05.2026", 1777939200},
    {"5.5.2026", 1777939200},
    {"5. 5. 2026", 1777939200},
    {"05.05.2026 10:00", 1777975200},
    {"05.05.2026, 10:00:00", 1777975200},
    {"May 5, 2026 10:00 AM", 1777975200},
    {"May 5, 2026 12:00 AM", 1777939200},
    {"May 5, 2026 12:30 pm", 1777984200},
    {"2026-05-05 10:00:00.5 a.m.", 1777975200.5},
    {"5 May 2026 06:00 AM EDT", 1777975200},
    {"2026-05-05 13:00 PM", std::nullopt},
    {"2026-05-05 0:30 AM", std::nullopt},
    {"20261305100000", std::nullopt},
    {"20260505250000", std::nullopt},
    {"05.05.26", std::nullopt},
    {"31.02.2026", std::nullopt},
    {"5.2026", std::nullopt},
    {"0001-01-01", -62135596800},
    {"  2026-05-05\n", 1777939200},
    {"Tue, 5 May 2026 10:00:00 GMT", 1777975200},
    {"Tue, 05 May 2026 12:00:00 +0200 (CEST)", 1777975200},
    {"5 May 2026 06:00 EDT", 1777975200},
    {"5 May 26 02:00:00 PST", 1777975200},
    {"Sunday, 06-Nov-94 08:49:37 GMT", 784111777},
    {"Sun, 06 Nov 1994 08:49:37 GMT", 784111777},
    {"Sun Nov  6 08:49:37 1994", 784111777},
    {"Thu, 1 Jan 70 00:00:00 GMT", 0},
    {"1 Jan 49", 2493072000},
    {"1 Jan 50", -631152000},
    {"1 Jan 105", 1104537600},
    {"5 May 2026", 1777939200},
    {"May 5, 2026", 1777939200},
    {"September 5, 2026 10:00", 1788602400},
    {"1777975200", 1777975200},
    {"1777975200.5", 1777975200.5},
    {"1777975200123", 1777975200.123},
    {"1777975200123456", 1777975200.123456},
    {"-86400", -86400},
    // Ambiguous, or not a date.
    {"02/03/2026", std::nullopt},
    {"13/03/2026", std::nullopt},
    {"5-6-2026", std::nullopt},
    {"2026-02-30", std::nullopt},
    {"2026-13-01", std::nullopt},
    {"2025-02-29", std::nullopt},
    {"2025-366", std::nullopt},
    {"2026-05-05T25:00", std::nullopt},
    {"2026-05-05T10", std::nullopt},
    {"2026-05-05T10:00 CET", std::nullopt},  // not in any standard
    {"2026-05-05x", std::nullopt},
    {"2026-05T10:00", std::nullopt},
    {"0000-01-01", std::nullopt},
    {"12", std::nullopt},
    {"12345", std::nullopt},
    {"123456789012345678901234567890", std::nullopt},
    {"1e9", std::nullopt},
    {"v1.2.3", std::nullopt},
    {"May 2026", std::nullopt},
    {"Tue, 32 May 2026 10:00:00 GMT", std::nullopt},
    {"5 Mai 2026", std::nullopt},
    {"now", std::nullopt},
    {"", std::nullopt},
    {" ", std::nullopt},
    {"-", std::nullopt},
};

TEST(ParseDate, EachFormIsItsSecond) {
  for (const Case& each : cases) {
    const std::optional<Date> parsed = parse_date(each.text);
    ASSERT_EQ(parsed.has_value(), each.seconds.has_value()) << '\'' << each.text << '\'';
    if (parsed) {
      EXPECT_NEAR(static_cast<double>(parsed->microseconds) / 1e6, *each.seconds, 1e-4)
          << each.text;
    }
  }
}

TEST(ParseDate, NanosecondsKeepTheirOrder) {
  const auto date = [](const char* text) { return parse_date(text).value(); };
  EXPECT_EQ(date("2026-05-05T10:00:00.123456789Z").nanoseconds, 789U);
  EXPECT_EQ(date("2026-05-05T10:00:00.123456789Z").microseconds,
            date("2026-05-05T10:00:00.123456Z").microseconds);
  const char* const rising[] = {"-1.000000002", "-1.000000001", "-1",        "-0.000000001",
                                "0.000000001",  "1.000000001",  "1.0000001", "2.5"};
  for (std::size_t i = 1; i < std::size(rising); ++i) {
    EXPECT_LT(date(rising[i - 1]), date(rising[i])) << rising[i];
  }
}

TEST(ParseDate, ADateCutShortIsNotTheWholeOne) {
  const std::string whole = "Tue, 05 May 2026 12:00:00 +0200";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    if (whole.substr(0, length).ends_with("+02")) continue;  // ISO 8601's zone of two digits
    const auto cut = parse_date(whole.substr(0, length));
    EXPECT_NE(cut, parse_date(whole)) << length;
  }
}

TEST(WrittenDate, IsReadAsTheSameMoment) {
  EXPECT_EQ(written_date(parse_date("Tue, 5 May 2026 12:00:00 +0200").value()),
            "2026-05-05T10:00:00Z");
  for (const char* text : {"0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
                           "2024-02-29T23:59:59Z", "9999-12-31T23:59:59Z"}) {
    EXPECT_EQ(written_date(parse_date(text).value()), text);
  }
  EXPECT_EQ(written_date({-1, 0}), "1969-12-31T23:59:59Z");
}

}  // namespace
}  // namespace twinset
