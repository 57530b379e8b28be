// The parts of a page that its shadow trees show. tests/text/html_test.cc holds whole pages against
// a reader that makes the tree.
#include "text/html_shadow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace twinset::html {
namespace {

/// Tells a ShadowTrees of a page of plain tags, and puts its parts together.
std::string shown(std::string_view page) {
  ShadowTrees trees;
  const auto value = [](std::string_view tag, std::string_view name) {
    const std::size_t at = tag.find(name);
    return at == std::string_view::npos ? std::string_view() : tag.substr(at + name.size(), 1);
  };
  for (std::size_t at = 0; at < page.size();) {
    const auto here = static_cast<std::uint32_t>(at);
    if (page[at] != '<') {
      const std::size_t end = std::min(page.find('<', at), page.size());
      trees.text(page.substr(at, end - at), {here, 0});
      at = end;
      continue;
    }
    const std::size_t end = page.find('>', at) + 1;
    const auto behind = static_cast<std::uint32_t>(end);
    const std::string_view tag = page.substr(at + 1, end - at - 2);
    const std::string_view name = tag.substr(0, tag.find(' '));
    if (tag == "+") {
      EXPECT_TRUE(trees.declare({here, 0}, behind));
    } else if (tag.starts_with('/')) {
      trees.end(tag.substr(1), {here, 0}, behind);
    } else {
      trees.start({.name = name,
                   .begin = {here, 0},
                   .end = behind,
                   .slot = value(tag, " slot="),
                   .name_of_slot = value(tag, " name=")});
    }
    at = end;
  }
  std::string all;
  for (const ShownPart& part : trees.parts(static_cast<std::uint32_t>(page.size()))) {
    EXPECT_LT(part.begin.at, part.end);
    if (part.tree) {
      all += page[part.begin.at + 1] == '/' ? "]" : "[";
    } else {
      all += page.substr(part.begin.at, part.end - part.begin.at);
    }
  }
  return all;
}

TEST(HtmlShadow, APageWithoutTreesIsOnePart) {
  EXPECT_EQ(shown("<p>a<slot>b</slot><x-a>c</x-a>"), "<p>a<slot>b</slot><x-a>c</x-a>");
  EXPECT_EQ(shown(""), "");
}

TEST(HtmlShadow, TreesStandInPlaceOfContent) {
  EXPECT_EQ(shown("<p>1<x-a>a<+>b</template>c</x-a>2"), "<p>1<x-a>[b]</x-a>2");
  EXPECT_EQ(shown("<p>1<x-a><+>b"), "<p>1<x-a>[b");
}

TEST(HtmlShadow, SlotsTakePartsByName) {
  EXPECT_EQ(shown("<x-a>1<+><slot name=s></slot><slot></slot></template><b slot=s>2</b>3</x-a>"),
            "<x-a>[<slot name=s><b slot=s>2</b></slot><slot>13</slot>]</x-a>");
  EXPECT_EQ(shown("<x-a>1<+><slot>0</slot><slot>9</slot></template></x-a>"),
            "<x-a>[<slot>1</slot><slot>9</slot>]</x-a>");
  EXPECT_EQ(shown("<x-a>1<+><slot>"), "<x-a>[<slot>1") << "a slot where the page ends";
  EXPECT_EQ(shown("<x-a>1<+><slot></template>"), "<x-a>[<slot>1]");
}

}  // namespace
}  // namespace twinset::html
