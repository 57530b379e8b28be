// Each form is tried in turn on the whole text; no text has two forms. std::chrono counts the
// days.
#include "text/dates.h"

#include <array>
#include <chrono>
#include <cstddef>

#include "base/characters.h"

namespace twinset {
namespace {

constexpr std::int64_t second = 1'000'000;  // microseconds

struct Moment {
  int year = 0;
  unsigned month = 1;
  unsigned day = 1;
  std::int64_t time = 0;  ///< of the day
  std::uint32_t nanoseconds = 0;
  std::int64_t offset = 0;  ///< east of UTC
};

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

std::optional<Date> date_of(const Moment& moment) {
  using namespace std::chrono;
  if (moment.year < 1 || moment.year > 9999) return std::nullopt;
  const year_month_day date{year{moment.year}, month{moment.month}, day{moment.day}};
  if (!date.ok()) return std::nullopt;
  return Date{
      sys_days{date}.time_since_epoch().count() * 86400 * second + moment.time - moment.offset,
      moment.nanoseconds};
}

/// A position in the text. Each take_...() moves past what it names, or stays and returns false.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char c) {
    if (peek() != c || at_end()) return false;
    ++at_;
    return true;
  }
  /// One of the characters of `of`, or '\0'.
  char take_any(std::string_view of) {
    if (at_end() || of.find(peek()) == std::string_view::npos) return '\0';
    return text_[at_++];
  }
  bool take_blanks() {
    const std::size_t begin = at_;
    while (take_any(" \t\r\n") != '\0') {
    }
    return at_ > begin;
  }
  std::size_t digits_ahead() const {
    std::size_t count = 0;
    while (at_ + count < text_.size() && is_digit(text_[at_ + count])) ++count;
    return count;
  }
  /// Exactly `count` digits (at most 9).
  bool take_number(std::size_t count, int& out) {
    if (digits_ahead() < count) return false;
    out = 0;
    for (std::size_t i = 0; i < count; ++i) out = out * 10 + (text_[at_++] - '0');
    return true;
  }
  /// The next letters in lower case, at most 9 of them.
  std::string_view take_word() {
    std::size_t length = 0;
    while (is_letter(peek())) {
      if (length < word_.size()) word_[length++] = lower(peek());
      ++at_;
    }
    return {word_.data(), length};
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::array<char, 9> word_{};
};

/// The index of a name, or of its first three letters, in a list; -1 if it is not there.
template <std::size_t count>
int named(std::string_view word, const std::array<std::string_view, count>& names) {
  for (std::size_t i = 0; i < count; ++i) {
    if (word == names[i] || word == names[i].substr(0, 3)) return static_cast<int>(i);
  }
  return -1;
}

constexpr std::array<std::string_view, 12> months{"january",   "february", "march",    "april",
                                                  "may",       "june",     "july",     "august",
                                                  "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> weekdays{"monday", "tuesday",  "wednesday", "thursday",
                                                   "friday", "saturday", "sunday"};

bool take_month(DateReader& in, Moment& out) {
  const std::string_view word = in.take_word();
  const int month = word == "sept" ? 8 : named(word, months);
  if (month < 0) return false;
  out.month = static_cast<unsigned>(month) + 1;
  return true;
}

/// ".5", ",25": down to a nanosecond; further digits are skipped.
bool take_fraction(DateReader& in, std::int64_t& time, std::uint32_t& nanoseconds) {
  if (in.take_any(".,") == '\0') return true;
  if (in.digits_ahead() == 0) return false;
  std::int64_t unit = second * 1000;
  std::int64_t fraction = 0;
  int digit = 0;
  while (in.take_number(1, digit)) {
    unit /= 10;
    fraction += unit * digit;
  }
  time += fraction / 1000;
  nanoseconds = static_cast<std::uint32_t>(fraction % 1000);
  return true;
}

/// " AM", "p.m.": makes 12 the first hour, and 1 to 11 those after noon. False for 0 and 13 PM.
bool take_half_of_day(DateReader& in, int& hours) {
  DateReader ahead = in;
  ahead.take_blanks();
  const char first = lower(ahead.take_any("AaPp"));
  if (first == '\0') return true;
  const bool dot = ahead.take('.');
  if (lower(ahead.take_any("Mm")) == '\0' || (dot && !ahead.take('.')) || is_letter(ahead.peek())) {
    return true;  // A zone, such as PDT.
  }
  if (hours < 1 || hours > 12) return false;
  hours = hours % 12 + (first == 'p' ? 12 : 0);
  in = ahead;
  return true;
}

/// "10:00", "10:00:00.5", "100000" (without colons where `basic`).
bool take_time(DateReader& in, Moment& out, bool basic) {
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
  if (in.digits_ahead() == 1 ? !in.take_number(1, hours) : !in.take_number(2, hours)) return false;
  const bool colon = in.take(':');
  if (!colon && !(basic && in.digits_ahead() > 0)) return false;
  if (!in.take_number(2, minutes)) return false;
  const bool more = colon ? in.take(':') : in.digits_ahead() > 0;
  if (more && !in.take_number(2, seconds)) return false;
  if (hours > 24 || minutes > 59 || seconds > 60) return false;
  std::int64_t fraction = 0;
  if (more && !take_fraction(in, fraction, out.nanoseconds)) return false;
  if (!take_half_of_day(in, hours)) return false;
  out.time = ((std::int64_t{hours} * 60 + minutes) * 60 + seconds) * second + fraction;
  return out.time <= 24 * 3600 * second;
}

/// "+0200", "-05:00", "+02".
bool take_numeric_zone(DateReader& in, Moment& out) {
  const char sign = in.take_any("+-");
  int hours = 0;
  int minutes = 0;
  if (sign == '\0' || !in.take_number(2, hours)) return false;
  if (in.take(':') ? !in.take_number(2, minutes)
                   : in.digits_ahead() > 0 && !in.take_number(2, minutes)) {
    return false;
  }
  if (hours > 23 || minutes > 59) return false;
  out.offset = (std::int64_t{hours} * 60 + minutes) * 60 * second * (sign == '-' ? -1 : 1);
  return true;
}

/// The names of RFC 2822 section 4.3; other names are ambiguous.
bool take_zone(DateReader& in, Moment& out) {
  if (!is_letter(in.peek())) return take_numeric_zone(in, out);
  const std::string_view word = in.take_word();
  if (word == "z" || word == "ut" || word == "utc" || word == "gmt") return true;
  constexpr std::string_view american = "ecmp";  // Eastern is 5 hours west, Pacific 8.
  if (word.size() != 3 || word[2] != 't' || (word[1] != 's' && word[1] != 'd')) return false;
  const std::size_t place = american.find(word[0]);
  if (place == std::string_view::npos) return false;
  const auto hours = static_cast<std::int64_t>(5 + place) - (word[1] == 'd' ? 1 : 0);
  out.offset = -hours * 3600 * second;
  return true;
}

std::optional<Date> ended(DateReader& in, const Moment& moment) {
  if (!in.at_end()) return std::nullopt;
  return date_of(moment);
}

/// Day of the year: 1 is January 1. False beyond the end of the year.
bool set_day_of_year(Moment& out, int day) {
  using namespace std::chrono;
  const year this_year{out.year};
  if (day < 1 || day > (this_year.is_leap() ? 366 : 365)) return false;
  const year_month_day date{sys_days{this_year / January / 1} + days{day - 1}};
  out.month = static_cast<unsigned>(date.month());
  out.day = static_cast<unsigned>(date.day());
  return true;
}

/// Week 1 is the one with January 4, and begins on Monday.
bool set_week_day(Moment& out, int week, int day) {
  using namespace std::chrono;
  if (week < 1 || week > 53 || day < 1 || day > 7) return false;
  const sys_days fourth{year{out.year} / January / 4};
  const sys_days monday = fourth - days{weekday{fourth}.iso_encoding() - 1};
  const year_month_day date{monday + days{(week - 1) * 7 + day - 1}};
  out.year = static_cast<int>(date.year());
  out.month = static_cast<unsigned>(date.month());
  out.day = static_cast<unsigned>(date.day());
  return true;
}

/// "2026", "2026-05", "2026-05-05", "20260505", "2026/05/05", "2026-125", "2026-W19-2".
/// `whole_day`: a time may follow.
bool take_iso_day(DateReader& in, Moment& out, bool& whole_day) {
  const std::size_t digits = in.digits_ahead();
  if ((digits != 4 && digits != 8) || !in.take_number(4, out.year)) return false;
  int month = 1;
  int day = 1;
  whole_day = digits == 8;
  if (digits == 8) {
    in.take_number(2, month);
    in.take_number(2, day);
  } else if (const char separator = in.take_any("-/"); separator != '\0') {
    if (separator == '-' && in.take_any("Ww") != '\0') {
      whole_day = true;
      return in.take_number(2, month) && (!in.take('-') || in.take_number(1, day)) &&
             set_week_day(out, month, day);
    }
    if (separator == '-' && in.digits_ahead() == 3) {
      whole_day = true;
      return in.take_number(3, day) && set_day_of_year(out, day);
    }
    if (in.digits_ahead() > 2) return false;
    if (!in.take_number(in.digits_ahead() == 1 && separator == '/' ? 1 : 2, month)) return false;
    if (in.take(separator)) {
      whole_day = true;
      if (!in.take_number(in.digits_ahead() == 1 && separator == '/' ? 1 : 2, day)) return false;
    } else if (separator == '/') {
      return false;
    }
  }
  out.month = static_cast<unsigned>(month);
  out.day = static_cast<unsigned>(day);
  return true;
}

/// "20260505100000", as in the addresses of web archives; 17 digits have milliseconds.
std::optional<Date> archive_date(std::string_view text) {
  DateReader in(text);
  Moment moment;
  const std::size_t digits = in.digits_ahead();
  if (digits != 14 && digits != 17) return std::nullopt;
  bool whole_day = false;
  DateReader day(text.substr(0, 8));
  DateReader time(text.substr(8, 6));
  if (!take_iso_day(day, moment, whole_day) || !take_time(time, moment, true)) return std::nullopt;
  int milliseconds = 0;
  DateReader rest(text.substr(14));
  if (digits == 17 && rest.take_number(3, milliseconds))
    moment.time += milliseconds * second / 1000;
  rest.take_blanks();
  if (!rest.at_end() && !take_zone(rest, moment)) return std::nullopt;
  return ended(rest, moment);
}

/// "1.5.2026", "01.05.2026 10:00": dots are written only where the day comes first.
std::optional<Date> dotted_date(std::string_view text) {
  DateReader in(text);
  Moment moment;
  const auto one_or_two = [&](int& out) {
    const std::size_t digits = in.digits_ahead();
    return (digits == 1 || digits == 2) && in.take_number(digits, out);
  };
  int day = 0;
  int month = 0;
  if (!one_or_two(day) || !in.take('.')) return std::nullopt;
  in.take_blanks();
  if (!one_or_two(month) || !in.take('.')) return std::nullopt;
  in.take_blanks();
  if (in.digits_ahead() != 4 || !in.take_number(4, moment.year)) return std::nullopt;
  moment.day = static_cast<unsigned>(day);
  moment.month = static_cast<unsigned>(month);
  if (in.at_end()) return ended(in, moment);
  in.take(',');
  if (!in.take_blanks() || !take_time(in, moment, false)) return std::nullopt;
  in.take_blanks();
  if (!in.at_end() && !take_zone(in, moment)) return std::nullopt;
  return ended(in, moment);
}

std::optional<Date> iso_date(std::string_view text) {
  DateReader in(text);
  Moment moment;
  bool whole_day = false;
  if (!take_iso_day(in, moment, whole_day)) return std::nullopt;
  if (!in.at_end()) {
    if (!whole_day) return std::nullopt;
    if (in.take_any("Tt") == '\0' && !in.take_blanks()) return std::nullopt;
    if (!take_time(in, moment, true)) return std::nullopt;
    in.take_blanks();
    if (!in.at_end() && !take_zone(in, moment)) return std::nullopt;
  }
  return ended(in, moment);
}

/// A year of two digits is from 1950 to 2049; three digits count from 1900 (RFC 2822, section 4.3).
bool take_mail_year(DateReader& in, Moment& out) {
  const std::size_t digits = in.digits_ahead();
  if (digits < 2 || digits > 4 || !in.take_number(digits, out.year)) return false;
  if (digits == 2) out.year += out.year < 50 ? 2000 : 1900;
  if (digits == 3) out.year += 1900;
  return true;
}

/// A comment in parentheses: mail programs write the zone's name in one.
void take_comment(DateReader& in) {
  in.take_blanks();
  if (!in.take('(')) return;
  while (!in.at_end() && in.peek() != ')') in.take(in.peek());
  in.take(')');
  in.take_blanks();
}

/// "Tue, 5 May 2026 10:00:00 +0200 (CEST)", "Sunday, 06-Nov-94 08:49:37 GMT", "5 May 2026",
/// "May 5, 2026", "Tue May  5 10:00:00 2026".
std::optional<Date> mail_date(std::string_view text) {
  DateReader in(text);
  Moment moment;
  int day = 0;
  bool month_first = false;
  if (is_letter(in.peek())) {
    DateReader ahead = in;
    if (named(ahead.take_word(), weekdays) >= 0) {
      in = ahead;
      in.take(',');
      in.take_blanks();
    }
    month_first = is_letter(in.peek());
  }
  if (month_first && (!take_month(in, moment) || !in.take_blanks())) return std::nullopt;
  const std::size_t digits = in.digits_ahead();
  if (digits < 1 || digits > 2 || !in.take_number(digits, day)) return std::nullopt;
  moment.day = static_cast<unsigned>(day);
  if (month_first) {
    const bool comma = in.take(',');
    if (!in.take_blanks()) return std::nullopt;
    // asctime has the time before the year.
    const std::size_t ahead = in.digits_ahead();
    if (!comma && ahead <= 2) {
      if (!take_time(in, moment, false) || !in.take_blanks()) return std::nullopt;
      if (is_letter(in.peek()) && (!take_zone(in, moment) || !in.take_blanks())) {
        return std::nullopt;
      }
      if (in.digits_ahead() != 4 || !in.take_number(4, moment.year)) return std::nullopt;
      return ended(in, moment);
    }
    if (ahead != 4) return std::nullopt;
  } else {
    const bool dash = in.take('-');
    if (!dash && !in.take_blanks()) return std::nullopt;
    if (!take_month(in, moment)) return std::nullopt;
    if (dash ? !in.take('-') : !in.take_blanks()) return std::nullopt;
  }
  if (!take_mail_year(in, moment)) return std::nullopt;
  if (in.at_end()) return date_of(moment);
  in.take(',');
  if (!in.take_blanks() || !take_time(in, moment, false)) return std::nullopt;
  in.take_blanks();
  if (!in.at_end() && in.peek() != '(' && !take_zone(in, moment)) return std::nullopt;
  take_comment(in);
  return ended(in, moment);
}

/// "1777975200", "1777975200.5", "-86400", "1777975200123" in milliseconds.
std::optional<Date> unix_time(std::string_view text) {
  DateReader in(text);
  const bool negative = in.take('-');
  const bool sign = negative || in.take('+');
  const std::size_t digits = in.digits_ahead();
  if (digits == 0 || digits > 16) return std::nullopt;
  std::int64_t value = 0;
  int digit = 0;
  for (std::size_t i = 0; i < digits && in.take_number(1, digit); ++i) value = value * 10 + digit;
  const bool fraction = in.peek() == '.';
  std::int64_t unit = second;
  if (!sign && !fraction) {
    if (digits == 12 || digits == 13) {
      unit = 1000;
    } else if (digits == 15 || digits == 16) {
      unit = 1;
    } else if (digits != 9 && digits != 10) {
      return std::nullopt;
    }
  }
  if (unit == second && digits > 12) return std::nullopt;
  value *= unit;
  std::uint32_t nanoseconds = 0;
  if (fraction && !take_fraction(in, value, nanoseconds)) return std::nullopt;
  if (!in.at_end()) return std::nullopt;
  // "5.2026" is May 2026 to some: no day, and hardly a second.
  if (fraction && !sign && digits <= 2 && text.size() == digits + 5) return std::nullopt;
  if (!negative) return Date{value, nanoseconds};
  return nanoseconds == 0 ? Date{-value, 0} : Date{-value - 1, 1000 - nanoseconds};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  text = trimmed(text);
  if (const auto iso = iso_date(text)) return iso;
  if (const auto number = unix_time(text)) return number;
  if (const auto digits = archive_date(text)) return digits;
  if (const auto dotted = dotted_date(text)) return dotted;
  return mail_date(text);
}

std::string written_date(const Date& date) {
  using namespace std::chrono;
  const sys_time<microseconds> moment{microseconds{date.microseconds}};
  const sys_days day = floor<days>(moment);
  const year_month_day of{day};
  const hh_mm_ss time{floor<seconds>(moment - day)};
  std::string out;
  const auto add = [&](std::int64_t number, std::size_t digits, char after) {
    const std::string written = std::to_string(number);
    out.append(digits - std::min(digits, written.size()), '0').append(written) += after;
  };
  add(static_cast<int>(of.year()), 4, '-');
  add(static_cast<unsigned>(of.month()), 2, '-');
  add(static_cast<unsigned>(of.day()), 2, 'T');
  add(time.hours().count(), 2, ':');
  add(time.minutes().count(), 2, ':');
  add(time.seconds().count(), 2, 'Z');
  return out;
}

}  // namespace twinset
