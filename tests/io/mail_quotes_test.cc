#include "io/mail_quotes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinset {
namespace {

std::string own_words(std::string_view text) { return without_mail_quotes(text, false); }
std::string page_words(std::string_view text) { return without_mail_quotes(text, true); }

TEST(MailQuotes, QuotedLinesGoWithTheirAttribution) {
  const std::vector<std::string> attributions{
      "On Monday, Mira <m@b.example> wrote:\n",
      "On Mon, 5 May 2026 at 10:00, Mira Who Has A Long Name\n<m@b.example> wrote:\n",
      "Mira writes:\n\n",
      "Am 05.05.26 um 10:00 schrieb Mira:\n",
      "Le mar. 5 mai 2026 \xc3\xa0 10:00, Mira <m@b.example> a \xc3\xa9"
      "crit :\n",
      "m@b.example:\n",
      ""};
  for (const std::string& attribution : attributions) {
    EXPECT_EQ(own_words("Good.\n\n" + attribution + "> Is it lit?\n>\n>> Who?\n > I.\nYes.\n"),
              "Good.\n\nYes.\n")
        << attribution;
  }
}

TEST(MailQuotes, OtherSignsQuoteOnlyAfterAnAttribution) {
  EXPECT_EQ(own_words("Mira wrote:\n| Is it\n| lit?\nYes.\n"), "Yes.\n");
  EXPECT_EQ(own_words("Mira wrote:\nMB> Is it lit?\nYes.\n"), "Yes.\n");
  EXPECT_EQ(own_words("Hello Mira,\nMB> Is it\nMB> lit?\nYes.\n"), "Hello Mira,\nYes.\n");
  for (const std::string_view own :
       {"| a | b |\n| 1 | 2 |\n", "# One\n# Two\n", "SQL> select 1\none\nSQL> quit\n", "a>b\n",
        "# Title\n", "After the line that says:\n#define LIT 1\n", "He wrote:\nIt is lit.\n",
        ">From here on\n", "We met at 10:\nIt was late.\n"}) {
    EXPECT_EQ(own_words(own), own);
  }
}

TEST(MailQuotes, OriginalMessagesGoToTheirEnd) {
  for (const std::string_view mark :
       {"-----Original Message-----\n", "----- Original Message -----\nFrom: Mira\n",
        "-----Urspr\xc3\xbcngliche Nachricht-----\n",
        "________________________________\nFrom: Mira <m@b.example>\nSent: Monday\nTo: Jo\n",
        "Von: Mira\nGesendet: Montag\nAn: Jo\n", "*From:* Mira\n*Sent:* Monday\n*To:* Jo\n"}) {
    EXPECT_EQ(own_words("Yes.\n" + std::string(mark) + "Subject: Lamps\n\nIs it lit?\n-- \nMira\n"),
              "Yes.\n")
        << mark;
  }
  // Answers stand between the lines of Outlook Express.
  EXPECT_EQ(
      own_words("----- Original Message -----\nFrom: Mira\nSent: Monday\n\n> Is it lit?\nYes.\n"),
      "Yes.\n");
  EXPECT_EQ(
      own_words("Yes.\n===Original message text===\nIs it?\n===End of original message text===\n"
                "No.\n"),
      "Yes.\nNo.\n");
}

TEST(MailQuotes, ForwardedMessagesStay) {
  for (const std::string_view own :
       {"Look:\n---------- Forwarded message ----------\nFrom: Mira\nSent: Monday\n\nIt is lit.\n",
        "Look:\n\nBegin forwarded message:\n\nFrom: Mira\nSent: Monday\n\nIt is lit.\n",
        "From: this lamp\nTo: that lamp\nit is far.\n"}) {
    EXPECT_EQ(own_words(own), own);
  }
}

TEST(MailQuotes, SignaturesAndFootersGo) {
  EXPECT_EQ(own_words("Yes.\n-- \nJo\nThe harbor\n"), "Yes.\n");
  EXPECT_EQ(own_words("Yes.\r\n--\r\nJo\r\n"), "Yes.\r\n");
  const std::string rule(47, '_');
  EXPECT_EQ(
      own_words("Yes.\n" + rule + "\nLamps mailing list\nhttp://lists.example/listinfo/lamps\n"),
      "Yes.\n");
  EXPECT_EQ(own_words("Yes.\n-- \nJo\n" + std::string(40, '-') + "\nSponsored by: lamps\n" + rule +
                      "\nLamps mailing list\n"),
            "Yes.\n");
  EXPECT_EQ(own_words("Yes.\nhttp://lists.example/mailman/listinfo/lamps\n"), "Yes.\n");
  // A table of the mail above a footer.
  const std::string table = "Lamps\n" + std::string(40, '-') + "\nnine | ten\n";
  EXPECT_EQ(own_words(table + rule + "\nLamps mailing list\n"), table);
  EXPECT_EQ(own_words(table), table);
  // Dashes far from the end divide the text.
  std::string text = "One.\n--\n";
  for (int i = 0; i < 30; ++i) text += "Line " + std::to_string(i) + ".\n";
  EXPECT_EQ(own_words(text), text);
  EXPECT_EQ(own_words("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nYes.\n- -- \nJo\n"
                      "-----BEGIN PGP SIGNATURE-----\nVersion: 1\n\niD8DBQE=\n"
                      "-----END PGP SIGNATURE-----\n"),
            "\nYes.\n");
}

TEST(MailQuotes, ATextOfQuotesAloneStaysWhole) {
  for (const std::string_view text :
       {"> Is it lit?\n\n", "-- \nJo\n", "", "-----Original Message-----\nIs it lit?\n", "\n"}) {
    EXPECT_EQ(own_words(text), text);
  }
  for (const std::string_view text : {"<blockquote type=cite>Is it lit?</blockquote>",
                                      "<div class=gmail_quote>Is it", "", "<", "<p"}) {
    EXPECT_EQ(page_words(text), text);
  }
}

TEST(MailQuotes, PagesLoseTheElementsThatProgramsMark) {
  for (const auto& [before, quote] : std::vector<std::pair<std::string, std::string>>{
           {"<p>Yes.</p>",
            "<div class=\"gmail_quote\"><div class=gmail_attr>On Monday Mira wrote:"
            "<br></div><blockquote>Is <div>it</div> lit?</blockquote></div>"},
           {"<p>Yes.</p>",
            "<blockquote type=\"cite\">Is it <blockquote>x</blockquote>lit?"
            "</blockquote>"},
           {"<p>Yes.</p>",
            "<BLOCKQUOTE style=\"BORDER-LEFT: #000 2px solid\">Is it lit?</BLOCKQUOTE>"},
           {"<p>Yes.</p>",
            "<div class=moz-cite-prefix>Mira:</div><div class='moz-signature'>-- "
            "<br>Jo</div>"},
           {"<p>Yes.</p>", "<DIV id=\"divRplyFwdMsg\">From: Mira</div><p>Is it lit?</p>"},
           {"<p>Yes.</p><p>", "-----Original Message-----<br>Is it lit?</p>"}}) {
    EXPECT_EQ(page_words(before + quote), before) << quote;
  }
  EXPECT_EQ(page_words("<p>Yes.<div>On Monday, Mira wrote:</div><blockquote type=cite>Is it?"
                       "</blockquote><p>No."),
            "<p>Yes.<div></div><p>No.");
  for (const std::string_view own :
       {"<p>Yes.<blockquote>It is lit.</blockquote>", "<!-- <blockquote type=cite> --><p>Yes.",
        "<p title='<blockquote type=cite>'>Yes.",
        "<p>Look:<div class=gmail_quote>---------- Forwarded message ---------<br>Lit.</div>"}) {
    EXPECT_EQ(page_words(own), own);
  }
}

TEST(MailQuotes, TakeTimeByTheirLength) {
  std::string forwards;
  std::string quotes = "Yes.";
  std::string lines;
  for (int i = 0; i < 50000; ++i) {
    forwards += "<div class=gmail_quote>forwarded message<p>";
    quotes += "<blockquote type=cite>";
    lines += "From: a\n-- \nJM> x\nMira wrote:\n\n";
  }
  EXPECT_EQ(page_words(forwards), forwards);
  EXPECT_EQ(page_words(quotes), "Yes.");
  EXPECT_LT(own_words(lines).size(), lines.size());
}

}  // namespace
}  // namespace twinset
