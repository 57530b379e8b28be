// Heads of a mail can begin at its own beginning, after a line that may be a boundary ("--..."),
// and right after a head of a message within the mail. Only those places are looked at, so a mail
// of one part costs a look at its head.
//
// This file's interface is io/mail_scan.h; the rest is private.
#include "io/mail_scan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/characters.h"
#include "io/http.h"
#include "io/text_lines.h"

namespace twinset {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view from = "From ";
constexpr std::size_t most_from_line_bytes = 1024;
/// A longer name of a header field is none.
constexpr std::size_t most_name_bytes = 256;

constexpr std::uint64_t most_mail_bytes = std::uint64_t{1} << 30;
constexpr std::size_t most_mail_head_bytes = std::size_t{1} << 20;
constexpr std::size_t most_heads_bytes = std::size_t{4} << 20;
constexpr std::size_t most_heads_lines = 100'000;
/// In the head of a message within the mail, whose addresses are parsed at once.
constexpr std::size_t most_inner_field_bytes = std::size_t{64} << 10;
constexpr std::size_t most_inner_field_signs = 2'000;
/// Beyond so many boundaries every line that begins with "--" counts.
constexpr std::size_t most_told_boundaries = 64;
constexpr std::size_t told_boundary_bytes = 16;

constexpr std::array weekdays{"Mon"sv, "Tue"sv, "Wed"sv, "Thu"sv, "Fri"sv, "Sat"sv, "Sun"sv};
constexpr std::array months{"Jan"sv, "Feb"sv, "Mar"sv, "Apr"sv, "May"sv, "Jun"sv,
                            "Jul"sv, "Aug"sv, "Sep"sv, "Oct"sv, "Nov"sv, "Dec"sv};
/// Fields that mail programs and servers of news write.
constexpr std::array mail_fields{
    "from"sv,     "to"sv,          "subject"sv,      "date"sv,       "message-id"sv,
    "received"sv, "return-path"sv, "delivered-to"sv, "newsgroups"sv, "mime-version"sv,
    "sender"sv,   "reply-to"sv,    "path"sv,         "lines"sv,      "organization"sv};

bool is_space(char c) { return c == ' ' || c == '\t'; }

/// The next word of `rest`, which loses it.
std::string_view take_word(std::string_view& rest) {
  constexpr std::string_view blanks_of_line = " \t\r";
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks_of_line), rest.size()));
  const std::size_t end = std::min(rest.find_first_of(blanks_of_line), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

template <std::size_t count>
bool is_one_of(std::string_view word, const std::array<std::string_view, count>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// "10:00", "9:30:15".
bool is_time(std::string_view word) {
  const std::size_t colon = word.find(':');
  return (colon == 1 || colon == 2) && word.size() >= colon + 3 && twinset::is_digit(word[0]) &&
         twinset::is_digit(word[colon - 1]) && twinset::is_digit(word[colon + 1]) &&
         twinset::is_digit(word[colon + 2]);
}

/// Has a line a weekday, soon after it a month, and then a time? "Tue May  5 10:00:00 2026" has,
/// and "Tue, 5 May 2026 10:00:00 +0000".
bool has_date(std::string_view line) {
  constexpr unsigned month_within = 2;
  unsigned after_weekday = 0;
  bool month = false;
  for (std::string_view rest = line; !rest.empty();) {
    std::string_view word = take_word(rest);
    if (month && is_time(word)) return true;
    if (word.ends_with(',')) word.remove_suffix(1);
    if (is_one_of(word, weekdays)) {
      after_weekday = 1;
    } else if (after_weekday > 0) {
      month = month || (after_weekday <= month_within && is_one_of(word, months));
      ++after_weekday;
    }
  }
  return false;
}

/// Does a header field begin here, or a quoted From_ line, as old mailboxes have them?
FromLine begins_field(std::string_view bytes, bool ended) {
  if (bytes.starts_with(">From ")) return FromLine::yes;
  const std::string_view begin = bytes.substr(0, most_name_bytes);
  const auto end =
      std::ranges::find_if(begin, [](char c) { return c <= ' ' || c == ':' || c >= 0x7f; });
  if (end != begin.end()) {
    return *end == ':' && end != begin.begin() ? FromLine::yes : FromLine::no;
  }
  return ended || begin.size() == most_name_bytes ? FromLine::no : FromLine::more;
}

/// The place after `word`, which is in lower case, at or after `at`; npos if it is not there.
std::size_t after_word(std::string_view text, std::string_view word, std::size_t at) {
  const auto same = [](char a, char b) { return lower(a) == b; };
  const auto found = std::search(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                                 word.begin(), word.end(), same);
  if (found == text.end()) return std::string_view::npos;
  return static_cast<std::size_t>(found - text.begin()) + word.size();
}

class MailScan {
 public:
  explicit MailScan(std::string_view mail) : mail_(mail) {}

  std::string run() {
    if (mail_.size() > most_mail_bytes) return "it is longer than 1 GiB";
    if (!take_heads(0)) return fault_;
    std::size_t line = 0;
    while (multipart_ && (line = next_boundary(mail_, line)) != std::string_view::npos) {
      if (++parts_ > most_mail_parts) {
        return "more than " + std::to_string(most_mail_parts) + " of its lines may begin a part";
      }
      line = mail_.find('\n', line);
      if (line == std::string_view::npos) break;
      if (!take_heads(++line)) return fault_;
    }
    return {};
  }

 private:
  /// The place of the next line, at or after the beginning of a line, that may be a boundary.
  std::size_t next_boundary(std::string_view bytes, std::size_t line) const {
    constexpr std::string_view dashes = "--";
    while (true) {
      if (bytes.substr(line).starts_with(dashes) && may_be_boundary(bytes.substr(line + 2))) {
        return line;
      }
      const std::size_t end = bytes.find("\n--", line);
      if (end == std::string_view::npos) return end;
      line = end + 1;
    }
  }

  bool may_be_boundary(std::string_view rest) const {
    return any_boundary_ || std::ranges::any_of(boundaries_, [&](std::string_view told) {
             return rest.starts_with(told);
           });
  }

  /// Looks at the head that may begin at `at`, and at those of messages right after it.
  bool take_heads(std::size_t at) {
    bool inner = at > 0;
    bool first = true;
    for (bool more = true; more;) {
      const std::string_view rest = mail_.substr(at);
      const std::size_t most = inner ? most_heads_bytes : most_mail_head_bytes;
      const std::string_view looked = rest.substr(0, most + 1);
      const std::size_t blank = blank_line(looked);
      std::size_t head = blank > 0 ? blank : std::min(head_bytes(looked), looked.size());
      // A boundary ends it, too.
      if (multipart_) head = std::min(head, next_boundary(rest.substr(0, head), 0));
      if (head > most) {
        fault_ = "its header is longer than " + std::to_string(most >> 20) + " MiB";
        return false;
      }
      if (!take_head(rest.substr(0, head), inner)) return false;
      // A part of a digest is a message without saying it.
      more = (has_message(rest.substr(0, head)) || (digest_ && first)) && head < rest.size();
      first = false;
      inner = true;
      at += head;
      if (more && ++parts_ > most_mail_parts) {
        fault_ = "more than " + std::to_string(most_mail_parts) + " messages may begin in it";
        return false;
      }
    }
    return true;
  }

  bool take_head(std::string_view head, bool inner) {
    heads_bytes_ += head.size();
    if (heads_bytes_ > most_heads_bytes) {
      fault_ = "the headers of its parts are longer than " +
               std::to_string(most_heads_bytes >> 20) + " MiB";
      return false;
    }
    std::size_t field = 0;
    std::size_t signs = 0;
    bool most_signs = false;
    for_each_line(head, [&](std::string_view line) {
      ++heads_lines_;
      if (line.empty() || !is_space(line[0])) field = signs = 0;
      field += line.size();
      signs += static_cast<std::size_t>(
          std::ranges::count_if(line, [](char c) { return c == ':' || c == '('; }));
      most_signs = most_signs || field > most_inner_field_bytes || signs > most_inner_field_signs;
      return true;
    });
    if (heads_lines_ > most_heads_lines) {
      fault_ = "its headers have more than " + std::to_string(most_heads_lines) + " lines";
      return false;
    }
    if (inner && most_signs) {
      fault_ = "a header field of a part or of a message in it is longer than " +
               std::to_string(most_inner_field_bytes >> 10) + " KiB, or has more than " +
               std::to_string(most_inner_field_signs) + " colons and brackets";
      return false;
    }
    digest_ = digest_ || after_word(head, "digest", 0) != std::string_view::npos;
    for (std::size_t at = 0; (at = after_word(head, "boundary", at)) != std::string_view::npos;) {
      multipart_ = true;
      add_boundary(head.substr(at));
    }
    return true;
  }

  /// "message/rfc822", perhaps with space around the slash, and no "Message-ID".
  static bool has_message(std::string_view head) {
    for (std::size_t at = 0; (at = after_word(head, "message", at)) != std::string_view::npos;) {
      if (at < head.size() && "/ \t\r\n("sv.find(head[at]) != std::string_view::npos) return true;
    }
    return false;
  }

  /// `value`: what follows "boundary".
  void add_boundary(std::string_view value) {
    const auto skip_space = [&] {
      value.remove_prefix(std::min(value.find_first_not_of(" \t\r\n"), value.size()));
    };
    skip_space();
    const bool plain = value.starts_with('=');
    if (plain) {
      value.remove_prefix(1);
      skip_space();
      const bool quoted = value.starts_with('"');
      if (quoted) value.remove_prefix(1);
      value = value.substr(0, value.find_first_of(quoted ? "\""sv : "; \t\r\n"sv));
      value = value.substr(0, told_boundary_bytes);
    }
    // A value that is written in another way than usual is not decoded here.
    if (!plain || value.empty() || boundaries_.size() == most_told_boundaries ||
        value.find_first_of("\\(\r\n") != std::string_view::npos || value.starts_with("=?")) {
      any_boundary_ = true;
    } else {
      boundaries_.push_back(value);
    }
  }

  const std::string_view mail_;
  std::vector<std::string_view> boundaries_;  ///< their beginnings
  bool multipart_ = false;
  bool any_boundary_ = false;  ///< not all of them are known
  bool digest_ = false;        ///< parts may be messages without saying it
  std::size_t parts_ = 0;
  std::size_t heads_bytes_ = 0;
  std::size_t heads_lines_ = 0;
  std::string fault_;
};

}  // namespace

FromLine from_line(std::string_view bytes, bool after_blank, bool ended) {
  if (!bytes.starts_with(from)) {
    return !ended && from.starts_with(bytes) ? FromLine::more : FromLine::no;
  }
  const std::size_t end = bytes.substr(0, most_from_line_bytes).find('\n');
  if (end == std::string_view::npos && !ended && bytes.size() < most_from_line_bytes) {
    return FromLine::more;
  }
  std::string_view line = bytes.substr(0, std::min(end, most_from_line_bytes)).substr(from.size());
  if (has_date(line)) return FromLine::yes;
  if (!after_blank || end == std::string_view::npos) return FromLine::no;
  take_word(line);
  if (!take_word(line).empty()) return FromLine::no;
  return begins_field(bytes.substr(end + 1), ended);
}

std::uint64_t promised_end(std::string_view message) {
  constexpr std::size_t most_head = std::size_t{64} << 10;
  const std::size_t head = head_bytes(message.substr(0, most_head));
  if (head == std::string_view::npos) return 0;
  const std::int64_t length = decimal(HeaderLines{message.substr(0, head)}.find("Content-Length"));
  return length < 0 ? 0 : head + static_cast<std::uint64_t>(length);
}

std::string_view field_name(std::string_view line) {
  return begins_field(line, true) == FromLine::yes && !line.starts_with('>')
             ? line.substr(0, line.find(':'))
             : std::string_view();
}

bool begins_like_mailbox(std::string_view head) {
  return head.starts_with(from) && from_line(head, true, true) == FromLine::yes;
}

bool begins_like_mail(std::string_view head) {
  constexpr unsigned least_fields = 3;
  if (field_name(head).empty()) return false;
  unsigned known = 0;
  bool fields = true;
  for_each_line(head, [&](std::string_view line) {
    if (line.empty()) return false;
    const std::string_view name = field_name(line);
    fields = is_space(line[0]) || !name.empty();
    known += std::ranges::any_of(mail_fields,
                                 [&](std::string_view field) { return same_letters(name, field); });
    return fields;
  });
  return fields && known >= least_fields;
}

std::string_view without_from_line(std::string_view record) {
  const auto drop_line = [&] {
    record.remove_prefix(std::min(record.find('\n'), record.size() - 1) + 1);
  };
  if (!record.starts_with(from)) return record;
  drop_line();
  while (record.starts_with(">From ")) drop_line();
  return record;
}

std::string mail_fault(std::string_view mail) { return MailScan(mail).run(); }

}  // namespace twinset
