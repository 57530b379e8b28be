#include "text/xhtml.h"

#include <gtest/gtest.h>

#include <string>

namespace twinset {
namespace {

TEST(Xhtml, IsSaidByADeclarationWithTheNamespaceOrTheDocumentType) {
  EXPECT_TRUE(says_xhtml("<?xml version='1.0'?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">"));
  EXPECT_TRUE(
      says_xhtml("\xef\xbb\xbf<?xml version='1.0'?><!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML "
                 "1.0 Strict//EN\" \"x.dtd\"><html>"));
  EXPECT_FALSE(says_xhtml("<?xml version='1.0'?><rss>"));
  EXPECT_FALSE(says_xhtml("<?xml-stylesheet?><html xmlns=\"http://www.w3.org/1999/xhtml\">"));
  EXPECT_FALSE(says_xhtml("<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\"><html>"));
  EXPECT_FALSE(says_xhtml("<html xmlns=\"http://www.w3.org/1999/xhtml\">"));
  EXPECT_FALSE(says_xhtml(""));
}

TEST(Xhtml, WellFormedPages) {
  for (const char* page :
       {"<a/>", "<a></a>", " <?x y>?><!-- a > -- b --><!DOCTYPE a [<!ENTITY b \"c>\">]><a>t</a>\n",
        "<a b='1' c=\"2>\"><b:d _e = '&amp;&#38;&#x26;'/>&nbsp;</a >",
        "<a><![CDATA[<b & </a>]]></a>", "<\xc3\xa9>x</\xc3\xa9>", "<p>one<br/>two</p>"}) {
    EXPECT_TRUE(is_well_formed(page)) << page;
    EXPECT_EQ(xhtml_rules(page), Markup::xhtml);
  }
}

TEST(Xhtml, PagesThatAreNot) {
  for (const char* page : {"",
                           "text",
                           "<a>",
                           "</a>",
                           "<a></b>",
                           "<a></A>",
                           "<a/><b/>",
                           "<a/>text",
                           "text<a/>",
                           "<a b></a>",
                           "<a b=1></a>",
                           "<a b='1'c='2'/>",
                           "<a b='<'/>",
                           "<a>&</a>",
                           "<a>& b</a>",
                           "<a>&b</a>",
                           "<a b='&'/>",
                           "<a>&#;</a>",
                           "<a>&1;</a>",
                           "<a><</a>",
                           "<a>< b/></a>",
                           "<a><!-- </a>",
                           "<a><![CDATA[</a>",
                           "<a><?b</a>",
                           "<![CDATA[a]]><a/>",
                           "<a><!b></a>",
                           "<a",
                           "<a b='",
                           "<p>one<br>two</p>",
                           "<a/><!DOCTYPE a>"}) {
    EXPECT_FALSE(is_well_formed(page)) << page;
    EXPECT_EQ(xhtml_rules(page), Markup::loose_xhtml);
  }
}

TEST(Xhtml, DepthCostsNothingButMemory) {
  std::string page;
  for (int i = 0; i < 100'000; ++i) page += "<a>";
  EXPECT_FALSE(is_well_formed(page));
  for (int i = 0; i < 100'000; ++i) page += "</a>";
  EXPECT_TRUE(is_well_formed(page));
}

}  // namespace
}  // namespace twinset
