#include "io/mail_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset {
namespace {

TEST(FromLines, HaveADateOrASenderBeforeAHeader) {
  for (const char* line : {
           "From a@b.example Tue May  5 10:00:00 2026\n",
           "From a@b.example Tue May  5 10:00 2026\r\n",
           "From - Tue May  5 10:00:00 2026\nX-Mozilla-Status: 0001\n",
           "From 1234@xxx Tue May 05 10:00:00 +0000 2026\n",
           "From MAILER-DAEMON Tue, 5 May 2026 10:00:00 +0200\n",
           "From user at b.example  Tue May  5 10:00:00 2026",
       }) {
    EXPECT_EQ(from_line(line, false, true), FromLine::yes) << line;
  }
  for (const char* line : {"From a@b.example\nSubject: x\n", "From \nSubject: x\n",
                           "From a@b.example\n>From c@d.example Tue May 5\nSubject: x\n"}) {
    EXPECT_EQ(from_line(line, true, true), FromLine::yes) << line;
    EXPECT_EQ(from_line(line, false, true), FromLine::no) << line;
  }
  for (const char* line :
       {"From here on: the road is steep.\nNote: x\n", "From noon to 10:30 we walked.\nThen.",
        "From Tue to May it rains, at 10 o'clock.\nx: y\n", "From: a@b.example\nTo: c\n",
        "from a@b.example Tue May  5 10:00:00 2026\n", "From someone\nwords\n", "From", "",
        "From x y\r\n\r\n"}) {
    EXPECT_EQ(from_line(line, true, true), FromLine::no) << line;
  }
}

TEST(FromLines, AskForMoreBytesUntilTheyTell) {
  const std::string bytes = "From a@b.example\nSubject: x\n";
  const std::size_t told = bytes.find(':') + 1;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const FromLine found = from_line(std::string_view(bytes).substr(0, length), true, false);
    EXPECT_EQ(found, length < told ? FromLine::more : FromLine::yes) << length;
  }
  // A line without end is none, and does not ask for ever.
  EXPECT_EQ(from_line("From " + std::string(from_line_bytes, 'x'), true, false), FromLine::no);
  EXPECT_EQ(from_line("From x\n" + std::string(from_line_bytes, 'x'), true, false), FromLine::no);
}

TEST(PromisedEnd, IsTheHeadAndItsLength) {
  const std::string head = "From x Tue May  5 10:00:00 2026\ncontent-length: 5\nSubject: x\n\n";
  EXPECT_EQ(promised_end(head + "words\n"), head.size() + 5);
  EXPECT_EQ(promised_end("From x\nSubject: y\n\nContent-Length: 5\n"), 0U);
  EXPECT_EQ(promised_end("From x\nContent-Length: many\n\nx"), 0U);
  EXPECT_EQ(promised_end("From x\nContent-Length: 5\n"), 0U);
}

TEST(BeginsLikeMail, ByThreeFieldsOfMail) {
  EXPECT_TRUE(
      begins_like_mail("Return-Path: <a@b>\nReceived: from x\n\tby y\nX-Odd: 1\nTo: c\n\nwords"));
  EXPECT_TRUE(begins_like_mail("From: a@b\r\nSubject: x\r\nLines: 3\r\n\r\nwords"));
  EXPECT_FALSE(begins_like_mail("From: a@b\nSubject: x\n\nwords"));
  EXPECT_FALSE(
      begins_like_mail("To: the mayor\nFrom: the people\nwe write to you\nDate: today\n\n"));
  EXPECT_FALSE(begins_like_mail("Title: x\nAuthor: y\nDate: z\nTags: a\n\nwords"));
  EXPECT_FALSE(begins_like_mail(""));
}

TEST(WithoutFromLine, DropsAlsoQuotedOnes) {
  EXPECT_EQ(without_from_line("From a Tue May\n>From b\nSubject: x\n"), "Subject: x\n");
  EXPECT_EQ(without_from_line("Subject: x\n"), "Subject: x\n");
  EXPECT_EQ(without_from_line("From a"), "");
  EXPECT_EQ(without_from_line(""), "");
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(MailFault, NamesWhatIsTooMuch) {
  const std::string multipart = "Content-Type: multipart/mixed; boundary=\"bound\"\n\n";
  const std::vector<std::pair<std::string, std::string>> faults{
      {"Subject: " + std::string(10 << 20, 'x') + "\n\nwords", "its header is longer than 1 MiB"},
      {repeated("a: b\n", 100'001) + "\nwords", "more than 100000 lines"},
      {multipart + repeated("--bound\n\n", most_mail_parts + 1), "may begin a part"},
      {multipart + repeated("--bound\n", most_mail_parts + 1), "may begin a part"},
      // Boundaries that are written in other ways are not missed.
      {"content-type: multipart/mixed;\n\tBOUNDARY*0*=us-ascii''bo;\n boundary*1=und\n\n" +
           repeated("--bound\n\n", most_mail_parts + 1),
       "may begin a part"},
      {"Content-Type: multipart/mixed; boundary = (a comment) bound\n\n" +
           repeated("--bound\n\n", most_mail_parts + 1),
       "may begin a part"},
      {repeated("Content-Type: message/rfc822\n\n", most_mail_parts + 2), "messages may begin"},
      {repeated("Content-Type: message (x) / rfc822\n\n", most_mail_parts + 2),
       "messages may begin"},
      {"Content-Type: message/rfc822\n\nTo: " + repeated("a:", 3'000) + "\n\nwords", "colons"},
      {"Content-Type: multipart/digest; boundary=bound\n\n--bound\n\nTo: " + repeated("a:", 3'000) +
           "\n\nwords",
       "colons"},
      {multipart + repeated("--bound\nX: " + std::string(60'000, 'x') + "\n\nwords\n", 80),
       "longer than 4 MiB"}};
  for (const auto& [mail, words] : faults) {
    EXPECT_NE(mail_fault(mail).find(words), std::string::npos)
        << mail.substr(0, 100) << ": " << mail_fault(mail);
  }
}

TEST(MailFault, IsNoneOfMailsThatOnlySeemSo) {
  const std::string multipart = "Content-Type: multipart/mixed; boundary=\"bound\"\n\n";
  for (const std::string& mail :
       {"Subject: x\n\n" + repeated("--bound\n\n", 50'000),
        // A patch in a mail of two parts.
        multipart + "--bound\n\n" + repeated("--- a/x\n+++ b/x\n\n", 50'000) + "--bound--\n",
        multipart + repeated("--bound\nContent-Type: image/png\n\nx\n", 9'000),
        "To: " + repeated("Someone <a@b.example>, ", 20'000) + "\n\nwords",
        "Message-ID: <x>\n\n" + repeated("words: and message/rfc822\n\n", 50'000), std::string("x"),
        std::string()}) {
    EXPECT_EQ(mail_fault(mail), "") << mail.substr(0, 100);
  }
}

}  // namespace
}  // namespace twinset
