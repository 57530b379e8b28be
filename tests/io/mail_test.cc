#include "io/mail.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "io/mail_scan.h"

namespace twinset {
namespace {

using Words = std::vector<std::string>;

class MailTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_mail()) GTEST_SKIP() << "a build without mail";
  }
  /// The texts of a mail, pages with "html:" before them.
  static Words texts(std::string_view bytes, bool quoted_from = false) {
    const ParsedMail mail(bytes, quoted_from);
    Words out;
    for (const MailText& text : mail.texts()) {
      out.push_back((text.page ? "html:" : "") + text.bytes +
                    (text.charset.empty() ? "" : " in " + text.charset));
    }
    return out;
  }
};

/// A multipart of these parts, each with its head.
std::string multipart(std::string_view subtype, const Words& parts,
                      std::string_view boundary = "b") {
  std::string out = "Content-Type: multipart/" + std::string(subtype) +
                    "; boundary=" + std::string(boundary) + "\n\n";
  for (const std::string& part : parts) out += "--" + std::string(boundary) + "\n" + part + "\n";
  return out + "--" + std::string(boundary) + "--\n";
}
const std::string plain = "Content-Type: text/plain\n\n";
const std::string page = "Content-Type: text/html\n\n";

TEST_F(MailTest, CodingsOfTransfersAreUndone) {
  const std::string coded =
      "Content-Type: text/plain; charset=\"utf-8\"\nContent-Transfer-Encoding: ";
  EXPECT_EQ(texts("Subject: x\n\nwords\n"), Words{"words\n"});
  EXPECT_EQ(texts(coded + "quoted-printable\n\na=20b=\nc =3D d\n"), Words{"a bc = d\n in utf-8"});
  EXPECT_EQ(texts(coded + "BASE64\n\nd29y\nZHM=\n"), Words{"words in utf-8"});
  EXPECT_EQ(texts(coded + "8bit\n\n\xc3\xa4\n"), Words{"\xc3\xa4\n in utf-8"});
  EXPECT_EQ(texts("Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n%=V]R9',`\n`\nend\n"),
            Words{"words"});
  // A coding that nobody knows is none.
  const std::string unknown = coded + "x-odd\n\nwords\n";
  EXPECT_EQ(texts(unknown), Words{"words\n in utf-8"});
  EXPECT_TRUE(ParsedMail(unknown, false).broken());
  EXPECT_FALSE(ParsedMail(coded + "7bit\n\nwords\n", false).broken());
}

TEST_F(MailTest, OfAlternativesThePlainOneUnlessItIsBlank) {
  EXPECT_EQ(texts(multipart("alternative", {plain + "a", page + "<b>"})), Words{"a"});
  EXPECT_EQ(texts(multipart("alternative", {page + "<b>", plain + "a"})), Words{"a"});
  EXPECT_EQ(texts(multipart("alternative", {plain + " \n", page + "<b>"})), Words{"html:<b>"});
  EXPECT_EQ(texts(multipart("alternative", {page + "<i>", page + "<b>"})), Words{"html:<b>"});
  EXPECT_EQ(texts(multipart("alternative", {plain + "", page + ""})), Words());
  // Within others, and others within them.
  EXPECT_EQ(texts(multipart(
                "mixed", {plain + "x",
                          multipart("alternative",
                                    {plain + "a", multipart("related", {page + "<b>"}, "r")}, "c"),
                          plain + "y"})),
            (Words{"x", "a", "y"}));
}

TEST_F(MailTest, AttachmentsAreNamedAndNotRead) {
  const std::string mail = multipart(
      "mixed", {plain + "words", "Content-Type: image/png; name=\"a.png\"\n\nx",
                "Content-Type: text/plain\nContent-Disposition: attachment; "
                "filename*=utf-8''b%C3%A4.txt\n\nnot read",
                "Content-Type: application/pdf\n\nx", "Content-Type: text/calendar\n\nx"});
  EXPECT_EQ(texts(mail), Words{"words"});
  EXPECT_EQ(ParsedMail(mail, false).attachments(),
            (Words{"a.png", "b\xc3\xa4.txt", "application/pdf", "text/calendar"}));
}

TEST_F(MailTest, MailsInAMailAreReadWithTheirSubjects) {
  const std::string inner = "Content-Type: message/rfc822\n\nSubject: =?utf-8?q?inn=C3=A9r?=\n\n";
  EXPECT_EQ(texts(multipart("mixed", {plain + "see", inner + "words"})),
            (Words{"see", "inn\xc3\xa9r in utf-8", "words"}));
  EXPECT_EQ(texts(multipart("digest", {"\nSubject: one\n\na", "\nSubject: two\n\nb"})),
            (Words{"one in utf-8", "a", "two in utf-8", "b"}));
}

TEST_F(MailTest, HeadersAreUnfoldedAndDecoded) {
  const ParsedMail mail(
      "SUBJECT: =?ISO-8859-1?Q?Gr=FC=DFe?=\n =?utf-8?b?w6Q=?= and\n\tmore\nReceived: a\nreceived:  "
      "b \n"
      "X-Raw: caf\xe9 noir\nX-Utf8: caf\xc3\xa9\nX-Empty:\n\nwords",
      false);
  EXPECT_EQ(mail.values("subject"), Words{"Gr\xc3\xbc\xc3\x9f"
                                          "e\xc3\xa4 and more"});
  EXPECT_EQ(mail.values("Received"), (Words{"a", "b"}));
  EXPECT_EQ(mail.values("x-raw"), Words{"caf\xc3\xa9 noir"});
  EXPECT_EQ(mail.values("x-utf8"), Words{"caf\xc3\xa9"});
  EXPECT_EQ(mail.values("x-empty"), Words{""});
  EXPECT_EQ(mail.values("none"), Words());
}

TEST_F(MailTest, BrokenOnesAreReadAsFarAsTheyGo) {
  const std::string open = "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + plain + "words";
  EXPECT_EQ(texts(open), Words{"words"});
  // No boundary, and one that never comes.
  EXPECT_EQ(texts("Content-Type: multipart/mixed\n\nwords\n"), Words{"words\n"});
  EXPECT_EQ(texts("Content-Type: multipart/mixed; boundary=c\n\n--b\n\nwords\n"),
            Words{"--b\n\nwords\n"});
  EXPECT_TRUE(ParsedMail("Content-Type: multipart/mixed\n\nwords\n", false).broken());
  EXPECT_EQ(texts("Content-Type: nonsense\n\nwords"), Words{"words"});
  EXPECT_EQ(texts("Subject: no body"), Words{""});
  EXPECT_EQ(texts(std::string_view("Subject: a\0b\n\nwo\0rds", 20)),
            (Words{std::string("wo\0rds", 6)}));
}

TEST_F(MailTest, QuotedFromLinesOfMailboxesAreUnquoted) {
  const std::string mail = "Subject: x\n\n>From here\n>>From there\n> From me\n>Frommage\n";
  EXPECT_EQ(texts(mail, true), Words{"From here\n>From there\n> From me\n>Frommage\n"});
  EXPECT_EQ(texts(mail, false), Words{mail.substr(12)});
}

/// `depth` multiparts, each in another.
std::string nested(std::size_t depth) {
  std::string out;
  for (std::size_t i = 0; i < depth; ++i) {
    const std::string boundary = "b" + std::to_string(i);
    out += "Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary + "\n";
  }
  return out + "\nwords\n";
}

TEST_F(MailTest, PartsWithinPartsAreReadToADepth) {
  EXPECT_EQ(texts(nested(most_mail_depth)), Words{"words\n"});
  for (const std::size_t depth : {most_mail_depth + 1, std::size_t{1000}, std::size_t{5000}}) {
    const std::string mail = nested(depth);
    ASSERT_EQ(mail_fault(mail), "");
    EXPECT_TRUE(ParsedMail(mail, false).too_deep()) << depth;
  }
}

TEST_F(MailTest, TenThousandAttachments) {
  Words parts{plain + "words"};
  for (int i = 0; i < 9'990; ++i) parts.push_back("Content-Type: image/png; name=x.png\n\nx");
  const std::string mail = multipart("mixed", parts);
  ASSERT_EQ(mail_fault(mail), "");
  EXPECT_EQ(texts(mail), Words{"words"});
  EXPECT_EQ(ParsedMail(mail, false).attachments().size(), 9'990U);
}

TEST_F(MailTest, ThreadsReadMailsAtOnce) {
  const std::string mail =
      multipart("alternative", {"Content-Type: text/plain; charset=iso-8859-1\n\na", page + "<b>"});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 300; ++n) {
        const ParsedMail parsed("Subject: =?koi8-r?q?=C1?=\n" + mail, false);
        if (parsed.texts().size() != 1 || parsed.values("subject") != Words{"\xd0\xb0"}) {
          ADD_FAILURE();
          return;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace twinset
