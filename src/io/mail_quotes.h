// Leaves out of a mail's text what its writer did not write into it: quoted replies, the lines that
// attribute them, and signatures, as the common mail programs make them.
//
//   without_mail_quotes("Yes.\n\nOn Monday Mira wrote:\n> Is it lit?\n-- \nJo\n", false);
//   // "Yes.\n\n"
//
// These are conventions, not a format: docs/mail.md lists those that are known, and says what was
// found on real mail. A forwarded message is no reply, and stays.
//
// Threads: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace twinset {

/// `text` in UTF-8; `page`: it is HTML. A text of which nothing would be left is returned whole.
/// O(its bytes).
std::string without_mail_quotes(std::string_view text, bool page);

}  // namespace twinset
