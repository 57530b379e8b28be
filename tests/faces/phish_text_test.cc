#include <gtest/gtest.h>

#include "twinset/phish.h"

namespace twinset {
namespace {

TEST(PhishText, ForATerminal) {
  PhishSummary summary;
  summary.pages = 1234;
  summary.quarantined = 1;
  summary.imitations = 3;
  summary.own_pages = 2;
  summary.found = {{"http://a.example/\x1b[2J",
                    "f",
                    7,
                    "https://bank.co.uk/",
                    "bank.co.uk",
                    7,
                    5,
                    {{"one", 0, 9}, {"two\nlines", 9, 9}, {"three", 18, 9}, {"four", 27, 9}}},
                   {"http://b.example/", "f", 8, "https://bank.co.uk/", "bank.co.uk", 1, 1, {}}};
  EXPECT_EQ(to_text(summary),
            "   share  page, and parts of it that the imitated one has\n"
            "   0.714  http://a.example/\\x1b[2J imitates https://bank.co.uk/: 5 of 7 parts\n"
            "            one\n"
            "            two lines\n"
            "            three\n"
            "   1.000  http://b.example/ imitates https://bank.co.uk/: 1 of 1 part\n"
            "\n"
            "           1,234  pages read\n"
            "               1  record could not be read\n"
            "               3  pages imitate a known one\n"
            "               1  of these is not shown\n"
            "               2  pages hold parts of their own site\n");
  EXPECT_NE(to_text(summary, true).find("            four\n"), std::string::npos);
}

}  // namespace
}  // namespace twinset
