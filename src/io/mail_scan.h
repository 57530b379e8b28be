// What the bytes of a mail show before a library parses them: where a message begins in a mailbox,
// whether a file is a mail, and whether a mail is within the limits of what is parsed.
//
//   from_line("From a@b.example Tue May  5 10:00:00 2026\n", true, true)   // FromLine::yes
//   mail_fault("Subject: x\n\nwords")                                      // "": none
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace twinset {

/// Does a line begin a message of a mailbox?
enum class FromLine : std::uint8_t { no, yes, more };

/// `bytes` begin where a line does. A line that begins with "From " and has a weekday, a month and
/// a time does, whatever stands around it: programs that write mailboxes quote such lines
/// elsewhere. So does one with no more than a sender, `after_blank` line, if a header field
/// follows. `ended`: no more bytes will come; else `more` may be the answer, for less than
/// from_line_bytes.
FromLine from_line(std::string_view bytes, bool after_blank, bool ended);
inline constexpr std::size_t from_line_bytes = 2048;

/// The number of bytes that the header Content-Length of a message in a mailbox promises after its
/// head, and the place where they end; 0 if it has none. `message` begins with its From_ line.
std::uint64_t promised_end(std::string_view message);

/// The name of the header field that `line` begins with; empty if it begins with none.
std::string_view field_name(std::string_view line);

/// Is this the beginning of a mailbox?
bool begins_like_mailbox(std::string_view head);
/// Is it the beginning of a mail, or of an article of news? Its first lines are header fields,
/// among which three are those that mail programs write.
bool begins_like_mail(std::string_view head);

/// The record of a mailbox or the file of a mail without its From_ line, and without lines
/// ">From ...", which follow it in old mailboxes.
std::string_view without_from_line(std::string_view record);

/// Why a mail is not parsed, in words; empty if it is. The limits are of what a parser would take
/// memory or time for: header fields, parts, parts within parts. They are counted in every place
/// where these may begin, so that a parser that reads a mail in another way finds no more of them.
std::string mail_fault(std::string_view mail);

/// No more lines of a mail may begin a part...
inline constexpr std::size_t most_mail_parts = 10'000;
/// ...and no more parts are within one another.
inline constexpr std::size_t most_mail_depth = 100;

}  // namespace twinset
