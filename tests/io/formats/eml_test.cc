// Mails in files of their own. Texts and fields: mail_record_test.cc.
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

const std::string one_mail = "From: a@b\nTo: c@d\nSubject: one\n\nwords\n";

TEST(Eml, IsKnownByNameContentAndPlace) {
  const auto look = [](const std::string& name, const std::string& bytes, bool mail) {
    MemoryFiles files;
    EXPECT_TRUE(files.write(name, bytes).ok());
    LookOptions options;
    options.mail = mail;
    return look_at(files, name, options);
  };
  EXPECT_EQ(look("x.eml", "no mail", false).format, "eml");
  EXPECT_EQ(look("0001.abc", one_mail, false).format, "eml");
  EXPECT_TRUE(look("0001.abc", one_mail, false).guessed);
  EXPECT_EQ(look("1.host:2,S", "no mail", true).format, "eml");
  EXPECT_EQ(look("1.host:2,S", "From a Tue May  5 10:00:00 2026\n" + one_mail, true).format, "eml");
  EXPECT_EQ(look("notes.txt", one_mail, false).format, "text");
  if (!reads_mail()) GTEST_SKIP() << "a build without mail";
  // A mail may have the form of a saved page, and hold what is no text.
  const std::string related = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n";
  EXPECT_EQ(look("x.eml", related, false).fault, "");
  EXPECT_EQ(look("x.eml", one_mail + std::string(5000, '\1'), false).fault, "");
  EXPECT_NE(look("x.eml", std::string(5000, '\1'), false).fault, "");
}

TEST(Eml, AFileIsOneDocument) {
  if (!reads_mail()) GTEST_SKIP() << "a build without mail";
  ScratchFolder folder;
  const std::string path = folder.write("x.eml", one_mail);
  const ReadFile file = read_file(path, "eml");
  ASSERT_EQ(file.records.size(), 1U);
  EXPECT_EQ(file.records[0].text, "one\nwords\n");
  EXPECT_EQ(file.records[0].raw, one_mail);
  ReaderLimits limits;
  limits.max_record_bytes = 10;
  EXPECT_EQ(read_file(path, "eml", Compression::none, limits).records.at(0).bad,
            BadReason::record_too_long);
}

}  // namespace
}  // namespace twinset
