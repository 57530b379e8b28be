// Mailboxes as files. Splitting: mbox_reader_test.cc; texts and fields: mail_record_test.cc.
#include <gtest/gtest.h>

#include <string>

#include "io/first_look.h"
#include "io/mail.h"
#include "io/reader.h"
#include "support/records.h"
#include "support/streams.h"

namespace twinset {
namespace {

using namespace twinset::testing;

const std::string two_mails =
    "From a@b Tue May  5 10:00:00 2026\nSubject: one\n\nfirst\n\n"
    "From c@d Tue May  5 11:00:00 2026\nSubject: two\n\nsecond\n";

TEST(Mbox, IsKnownByNameAndByContent) {
  for (const char* name : {"x.mbox", "Inbox", "x.mbox.gz"}) {
    MemoryFiles files;
    const bool packed = std::string_view(name).ends_with(".gz");
    ASSERT_TRUE(
        files.write(name, packed ? compressed(two_mails, Compression::gzip) : two_mails).ok());
    const FirstLook look = look_at(files, name, {});
    EXPECT_EQ(look.format, "mbox") << name;
    EXPECT_EQ(look.guessed, std::string_view(name) == "Inbox");
    EXPECT_EQ(look.unread == Unread::none, reads_mail()) << look.fault;
    EXPECT_EQ(look.fault.find("libgmime-3.0-dev") == std::string::npos, reads_mail());
  }
}

TEST(Mbox, EachMessageIsARecord) {
  if (!reads_mail()) GTEST_SKIP() << "a build without mail";
  ScratchFolder folder;
  for (const Compression compression : {Compression::none, Compression::gzip, Compression::zstd}) {
    const std::string path = folder.write("x", compressed(two_mails, compression));
    const ReadFile file = read_file(path, "mbox", compression);
    ASSERT_EQ(file.records.size(), 2U);
    EXPECT_EQ(file.records[0].text, "one\nfirst\n\n");
    EXPECT_EQ(file.records[1].text, "two\nsecond\n");
    EXPECT_EQ(file.records[1].number, 2U);
    EXPECT_EQ(file.records[0].raw + file.records[1].raw, two_mails);
  }
}

}  // namespace
}  // namespace twinset
