// Any bytes as a mailbox, with the mails in it, whose parser is GMime; and as the text of a mail,
// from which quotes are taken.
#include "fuzz/archive_target.h"
#include "io/mail_quotes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  fuzzing::fuzz_records(fuzzing::FuzzInput(data, size), "mbox",
                        "From a@b.example Tue May  5 10:00:00 2026\nContent-Length: ", "subject");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool page : {false, true}) {
    const std::string own = without_mail_quotes(text, page);
    fuzzing::require(own.size() <= size && (size == 0) == own.empty());
  }
  return 0;
}
