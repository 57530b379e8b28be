#include "io/mail_record.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/mail.h"
#include "support/records.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class MailRecord : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_mail()) GTEST_SKIP() << "a build without mail";
  }
  static ReadRecord one(std::string_view bytes, const FieldNames& fields = {},
                        std::string_view format = "eml", const ReaderLimits& limits = {}) {
    MemoryFiles files;
    EXPECT_TRUE(files.write("x", bytes).ok());
    const ReadFile file = read_file("x", format, Compression::none, limits, fields, files);
    EXPECT_EQ(file.records.size(), 1U);
    return file.records.empty() ? ReadRecord() : file.records[0];
  }
  static std::string text(std::string_view bytes, std::string_view of = "text") {
    FieldNames fields;
    fields.text = of;
    const ReadRecord record = one(bytes, fields);
    EXPECT_EQ(record.bad, BadReason::none) << record.detail;
    return record.text;
  }
};

const std::string coded =
    "From: A <a@b.example>\nTo: c@d.example\nSubject: =?iso-8859-1?q?Gr=FC=DFe?=\n"
    "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n"
    "caf=E9 & co <b>\n";

TEST_F(MailRecord, TheTextIsSubjectAndBodyOrWhatIsAsked) {
  EXPECT_EQ(text(coded),
            "Gr\xc3\xbc\xc3\x9f"
            "e\ncaf\xc3\xa9 & co <b>\n");
  EXPECT_EQ(text(coded, "body"), "caf\xc3\xa9 & co <b>\n");
  EXPECT_EQ(text(coded, "subject"),
            "Gr\xc3\xbc\xc3\x9f"
            "e");
  EXPECT_EQ(text(coded, "from,subject"),
            "A <a@b.example>\nGr\xc3\xbc\xc3\x9f"
            "e");
  EXPECT_EQ(text("From: a\n\nwords"), "words");
  EXPECT_EQ(text("Subject: a", "body"), "");
  FieldNames fields;
  fields.text = "x-none";
  EXPECT_EQ(one(coded, fields).bad, BadReason::missing_text);
  fields.text = "text";
  fields.features = true;
  EXPECT_EQ(one(coded, fields).bad, BadReason::text_not_features);
  fields.text = "body";
  EXPECT_EQ(one("Subject: x\n\n[1, 2]\n", fields).text, "[1, 2]");
}

TEST_F(MailRecord, QuotesAreNoPartOfTheTextIfAsked) {
  FieldNames fields;
  fields.drop_mail_quotes = true;
  const std::string quotes = "Subject: > x\n\nYes.\n\n> Is it lit?\n-- \nJo\n";
  EXPECT_EQ(one(quotes, fields).text, "> x\nYes.\n\n");
  EXPECT_EQ(one(quotes).text, "> x\nYes.\n\n> Is it lit?\n-- \nJo\n");
  EXPECT_EQ(one("Subject: x\nContent-Type: text/html\n\n<p>Yes.<blockquote type=cite>Is it?"
                "</blockquote>",
                fields)
                .text,
            "x\n<p>Yes.");
}

TEST_F(MailRecord, BrokenOnesAreKnown) {
  const auto broken = [&](const std::string& bytes) {
    Input input;
    input.format = "eml";
    RecordBatch batch;
    decode_record(input, bytes, {}, batch);
    return batch.records.front().broken_mail;
  };
  EXPECT_FALSE(broken(coded));
  EXPECT_TRUE(broken("Content-Type: multipart/mixed\n\nwords\n"));
  EXPECT_TRUE(broken("Content-Type: text/plain; charset=x-none\n\nwords\n"));
}

TEST_F(MailRecord, APageTakesPlainTextsAsTheyAre) {
  const std::string html = "Subject: a < b & c\nContent-Type: text/html\n\n<p>x &amp; y";
  const ReadRecord record = one(html);
  EXPECT_EQ(record.markup, Markup::html);
  EXPECT_EQ(record.text, "a &lt; b &amp; c\n<p>x &amp; y");
  EXPECT_EQ(one(coded).markup, Markup::none);
}

TEST_F(MailRecord, CharsetsAreThoseOfOtherInputs) {
  const auto body = [&](const std::string& charset, const std::string& bytes,
                        const std::string& type = "plain") {
    return text("Subject: x\nContent-Type: text/" + type +
                    (charset.empty() ? "" : "; charset=" + charset) + "\n\n" + bytes,
                "body");
  };
  EXPECT_EQ(body("koi8-r", "\xd0\xd2\xc9\xd7\xc5\xd4"),
            "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82");
  EXPECT_EQ(body("iso-2022-jp", "\x1b$B$\"\x1b(B"), "\xe3\x81\x82");
  EXPECT_EQ(body("GB2312", "\xc4\xe3"), "\xe4\xbd\xa0");
  // Not named, named wrongly, and by names that nobody knows.
  EXPECT_EQ(body("", "na\xc3\xafve"), "na\xc3\xafve");
  EXPECT_EQ(body("us-ascii", "na\xc3\xafve"), "na\xc3\xafve");
  EXPECT_EQ(body("x-unknown", "na\xc3\xafve"), "na\xc3\xafve");
  EXPECT_EQ(body("", "un caf\xe9 pour nous"), "un caf\xc3\xa9 pour nous");
  EXPECT_EQ(body("", "<meta charset=koi8-r>\xd0\xd2", "html"),
            "<meta charset=koi8-r>\xd0\xbf\xd1\x80");
}

TEST_F(MailRecord, HeaderFieldsAreFieldsOfTheRecord) {
  const std::string mail =
      "Received: from a\n\tby b\nReceived: from c\nMessage-ID: <1@x>\nDate: Tue, 5 May 2026 "
      "12:00:00 "
      "+0200 (CEST)\nFrom: =?utf-8?q?=C3=84?= <a@b>\nTo: \"x\" <c@d>,\n e@f\nList-Id: A list "
      "<l.x>\n"
      "In-Reply-To: <0@x>\nCc: \nX-Spam: yes\nContent-Type: multipart/mixed; boundary=b\n\n"
      "--b\nContent-Type: image/png; name=a.png\n\nx\n--b\nContent-Type: image/png\n\nx\n--b--\n";
  const std::map<std::string, std::string> wanted{{"received", "[\"from a by b\",\"from c\"]"},
                                                  {"message-id", "\"<1@x>\""},
                                                  {"Message-Id", "\"<1@x>\""},
                                                  {"date", "\"2026-05-05T10:00:00Z\""},
                                                  {"from", "\"\xc3\x84 <a@b>\""},
                                                  {"to", "\"\\\"x\\\" <c@d>, e@f\""},
                                                  {"list-id", "\"l.x\""},
                                                  {"in-reply-to", "\"<0@x>\""},
                                                  {"cc", "\"\""},
                                                  {"x-spam", "\"yes\""},
                                                  {"attachments", "[\"a.png\",\"image/png\"]"},
                                                  {"subject", ""},
                                                  {"id", ""}};
  for (const auto& [name, value] : wanted) {
    FieldNames fields;
    fields.id = name;
    fields.named = {name};
    const ReadRecord record = one(mail, fields);
    EXPECT_EQ(record.field, value) << name;
    EXPECT_EQ(record.id, value) << name;
  }
  FieldNames dated;
  dated.named = {"date"};
  EXPECT_EQ(one("Date: someday\nSubject: x\n\n", dated).field, "\"someday\"");
  dated.named = {"list-id"};
  EXPECT_EQ(one("List-Id: plain.x\nSubject: x\n\n", dated).field, "\"plain.x\"");
}

TEST_F(MailRecord, WhatIsNoMailIsOneBadRecord) {
  for (const std::string& bytes :
       {std::string("words\nmore"), std::string("\n\nwords"), std::string("From here on\nwords"),
        std::string(1000, '\0'), std::string("")}) {
    const ReadRecord record = one(bytes);
    EXPECT_EQ(record.bad, BadReason::damaged_record);
    EXPECT_EQ(record.detail, "it is no mail: its first line is not a header field");
  }
  EXPECT_EQ(one("X: " + std::string(10 << 20, 'x') + "\n\nwords").detail,
            "its header is longer than 1 MiB");
  std::string deep;
  for (int i = 0; i < 1000; ++i) {
    const std::string b = std::to_string(i);
    deep += "Content-Type: multipart/mixed; boundary=x" + b + "\n\n--x" + b + "\n";
  }
  EXPECT_EQ(one(deep).detail, "more than 100 of its parts are within one another");
}

TEST_F(MailRecord, AMailInAMailboxMayHaveNoHeader) {
  const std::string from = "From a@b Tue May  5 10:00:00 2026\n";
  EXPECT_EQ(one(from + "\nwords\n", {}, "mbox").text, "words\n");
  EXPECT_EQ(one(from + ">From c@d Tue May\nSubject: x\n\n>From y\n", {}, "mbox").text,
            "x\nFrom y\n");
  EXPECT_EQ(one(from + "words\n", {}, "mbox").bad, BadReason::damaged_record);
  EXPECT_EQ(one(from + "Subject: x\n\n>From y\n").text, "x\n>From y\n");
}

TEST_F(MailRecord, ATextThatGrowsBeyondTheLimitIsNotHeld) {
  const std::string latin = "Subject: x\nContent-Type: text/plain; charset=iso-8859-1\n\n" +
                            std::string(400 << 10, '\xe9');
  EXPECT_EQ(mail_text_bytes(latin), std::uint64_t{2 * (400 << 10) + 2});
  EXPECT_EQ(mail_text_bytes("Subject: x\n\n" + std::string(400 << 10, 'x')), 0U);
  EXPECT_EQ(mail_text_bytes("Subject: x\n\n\xe9"), 0U);
  ReaderLimits limits;
  limits.max_record_bytes = 500 << 10;
  EXPECT_EQ(one(latin, {}, "eml", limits).bad, BadReason::record_too_long);
  EXPECT_EQ(one("From a Tue May  5 10:00\n" + latin, {}, "mbox", limits).bad,
            BadReason::record_too_long);
  limits.max_record_bytes = 1 << 30;
  limits.max_held_bytes = 500 << 10;
  EXPECT_EQ(one(latin, {}, "eml", limits).bad, BadReason::over_memory);
}

}  // namespace
}  // namespace twinset
