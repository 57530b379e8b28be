#include "labels/label.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>

namespace twinset {
namespace {

Label some_label(std::mt19937& random) {
  Label label;
  label.count = random() % 10 == 0 ? std::numeric_limits<std::uint64_t>::max() - random() % 3
                                   : random() % 100;
  label.documents = random() % 100;
  for (std::size_t i = random() % 8; i > 0; --i) {
    add_sample(label,
               {"http://a.org/" + std::to_string(random() % 15), random() % 2, random() % 2});
  }
  if (random() % 2 == 0) add_text(label, "text " + std::to_string(random() % 9));
  return label;
}

Label sum(Label a, const Label& b) {
  add_label(a, b);
  return a;
}

TEST(AddLabel, IsAssociativeAndCommutative) {
  std::mt19937 random(5);
  for (int i = 0; i < 5000; ++i) {
    const Label a = some_label(random);
    const Label b = some_label(random);
    const Label c = some_label(random);
    ASSERT_EQ(sum(a, b), sum(b, a));
    ASSERT_EQ(sum(sum(a, b), c), sum(a, sum(b, c)));
  }
}

TEST(AddLabel, SumsAndKeepsTheLeast) {
  Label a{.count = 3, .documents = 2};
  add_sample(a, {"http://b.org/", 5, 7});
  add_text(a, "b");
  Label b{.count = 4, .documents = 1};
  add_sample(b, {"http://a.org/", 9, 9});
  add_text(b, "a");
  add_label(a, b);
  EXPECT_EQ(a.count, 7U);
  EXPECT_EQ(a.documents, 3U);
  EXPECT_EQ(a.samples,
            (std::vector<LabelSample>{{"http://a.org/", 9, 9}, {"http://b.org/", 5, 7}}));
  EXPECT_EQ(a.text, "a");
}

TEST(AddSample, KeepsTheLeastOnce) {
  Label label;
  for (int i = 29; i >= 0; --i) {
    add_sample(label, {std::string(1, static_cast<char>('a' + i % 15)), 0, 0});
  }
  ASSERT_EQ(label.samples.size(), most_label_samples);
  EXPECT_EQ(label.samples.front().url, "a");
  EXPECT_EQ(label.samples.back().url, "j");
  EXPECT_TRUE(std::ranges::is_sorted(label.samples));
  add_sample(label, {std::string(most_url_bytes + 1, '!'), 0, 0});
  EXPECT_EQ(label.samples.front().url, "a");
  add_sample(label, {std::string(most_url_bytes, '!'), 0, 0});
  EXPECT_EQ(label.samples.front().url.size(), most_url_bytes);
}

TEST(AddText, CutsBetweenCodePoints) {
  Label label;
  add_text(label, std::string(most_label_text_bytes - 1, 'x') + "\xF0\x9F\x98\x80");
  EXPECT_EQ(label.text, std::string(most_label_text_bytes - 1, 'x'));
  add_text(label, "");
  EXPECT_NE(label.text, "");
  Label whole;
  add_text(whole, std::string(most_label_text_bytes - 2, 'x') + "\xC3\xA9y");
  EXPECT_EQ(whole.text.size(), most_label_text_bytes);
  Label bytes;
  add_text(bytes, std::string(300, '\x80'));
  EXPECT_GE(bytes.text.size(), most_label_text_bytes - 4);
}

TEST(CompareLabels, HasTheHashFirst) {
  Label a{.kind = LabelKind::file};
  Label b{.kind = LabelKind::chunk};
  EXPECT_TRUE(compare_labels(b, a) < 0);
  b.hash.bytes[31] = 1;
  EXPECT_TRUE(compare_labels(a, b) < 0);
}

}  // namespace
}  // namespace twinset
