// A mail as GMime reads it, which this file's source alone calls. In a build without it
// (TWINSET_MAIL=OFF) no mail is read.
//
//   if (mail_fault(bytes).empty()) {
//     const ParsedMail mail(bytes);
//     mail.values("subject");   // all its values, decoded
//     mail.texts();             // what its reader sees, in the charsets that it is in
//   }
//
// What the library must not see is refused before (io/mail_scan.h): it would end the program if it
// ran out of memory.
//
// Threads: any, each mail by one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace twinset {

/// False in a build without GMime.
bool reads_mail();

/// A text in a mail, without the coding of its transfer.
struct MailText {
  bool page = false;    ///< HTML
  std::string bytes;    ///< in its charset
  std::string charset;  ///< as the mail names it; empty: not named. Headers are in UTF-8
};

class ParsedMail {
 public:
  /// `mail`: that mail_fault() has no word against; it outlives this. `quoted_from`: lines ">From "
  /// of it were "From " when it was sent.
  ParsedMail(std::string_view mail, bool quoted_from);
  ~ParsedMail();
  ParsedMail(const ParsedMail&) = delete;
  ParsedMail& operator=(const ParsedMail&) = delete;

  /// The values of the header fields of that name, in any case and in their order, unfolded and in
  /// UTF-8.
  std::vector<std::string> values(std::string_view name) const;

  /// The texts of the mail in their order, with those of the mails in it, each after its subject.
  /// Of alternatives it is the first plain one that is not blank, or else the last page.
  const std::vector<MailText>& texts() const;
  /// The names of the parts that are not read; of one without a name, its media type.
  const std::vector<std::string>& attachments() const;

  /// Is its structure broken, or a coding of a transfer unknown? It is read as far as it goes.
  bool broken() const;
  /// Are more parts within one another than are read?
  bool too_deep() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace twinset
