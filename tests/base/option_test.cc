#include "twinset/option.h"

#include <gtest/gtest.h>

#include <random>

#include "support/option_values.h"

namespace twinset {
namespace {

enum class Color : std::uint8_t { red, green, blue };

struct Sample {
  bool is_dry = false;
  std::uint64_t limit = 7;
  unsigned threads = 0;
  std::optional<std::uint64_t> most;
  std::uint64_t bytes = std::uint64_t{64} << 20;
  std::uint64_t memory = 0;
  Ratio share{4, 5};
  std::optional<Ratio> other;
  RatioRange range;
  Color color = Color::green;
  std::optional<Color> second;
  std::string name = "text";
  std::vector<std::string> inputs;
};

std::vector<Option> options_of(Sample& sample) {
  return {
      {"-n, --dry-run", &sample.is_dry},
      {"--limit N", &sample.limit},
      {"-j, --threads N", &sample.threads},
      {"--most N", &sample.most},
      {"--max-record SIZE", Bytes{&sample.bytes}},
      {"--memory SIZE", Bytes{&sample.memory, true}},
      {"-r, --resemblance SHARE", &sample.share},
      {"--other SHARE", &sample.other},
      {"--range LOW-HIGH", &sample.range},
      {"--color", Choice(&sample.color, {"red", "green", "blue"})},
      {"--second", Choice(&sample.second, {"red", "green"})},
      {"--name NAME", &sample.name},
      {"inputs IN", &sample.inputs},
  };
}

const Option& find(const std::vector<Option>& options, std::string_view name) {
  for (const Option& option : options) {
    if (option.name() == name) return option;
  }
  ADD_FAILURE() << "no option " << name;
  return options.front();
}

TEST(Option, ItsUsageHoldsAllItsNames) {
  Sample sample;
  const std::vector<Option> options = options_of(sample);
  const auto names = [&](std::size_t i) {
    const Option& option = options[i];
    return option.name() + " " + std::string(option.short_flag()) + " " +
           std::string(option.long_flag()) + " " + option.value_name();
  };
  EXPECT_EQ(names(0), "dry_run -n --dry-run ");
  EXPECT_EQ(names(4), "max_record  --max-record SIZE");
  EXPECT_EQ(names(6), "resemblance -r --resemblance SHARE");
  EXPECT_EQ(names(9), "color  --color red|green|blue");
  EXPECT_EQ(names(12), "inputs  IN IN");
}

TEST(Option, SetsItsMemberAndTellsItsValue) {
  Sample sample;
  const std::vector<Option> options = options_of(sample);
  const auto set = [&](std::string_view name, std::string_view text) {
    const Option& option = find(options, name);
    const Status done = option.set(text);
    return done.ok() ? option.text() : done.error().message;
  };
  EXPECT_EQ(set("dry_run", "true"), "true");
  EXPECT_TRUE(sample.is_dry);
  EXPECT_EQ(set("limit", "010"), "10");
  EXPECT_EQ(sample.limit, 10U);
  EXPECT_EQ(find(options, "most").text(), "");
  EXPECT_EQ(set("most", "3"), "3");
  EXPECT_EQ(sample.most, 3U);
  EXPECT_EQ(set("resemblance", "80%"), "0.8");
  EXPECT_EQ(set("other", ".5"), "0.5");
  EXPECT_EQ(sample.other, Ratio(1, 2));
  EXPECT_EQ(set("color", "blue"), "blue");
  EXPECT_EQ(sample.color, Color::blue);
  EXPECT_EQ(find(options, "second").text(), "");
  EXPECT_EQ(set("second", "red"), "red");
  EXPECT_EQ(sample.second, Color::red);
  EXPECT_EQ(set("range", "0.8:0.85"), "0.8:0.85");
  EXPECT_EQ(sample.range.most, Ratio(17, 20));
  EXPECT_EQ(set("name", ""), "");
  EXPECT_EQ(set("inputs", "a"), "");
  EXPECT_EQ(set("inputs", "b"), "");
  EXPECT_EQ(sample.inputs, (std::vector<std::string>{"a", "b"}));
}

TEST(Option, SaysWhyAValueIsNone) {
  Sample sample;
  const std::vector<Option> options = options_of(sample);
  const auto refusal = [&](std::string_view name, std::string_view text) {
    const Status done = find(options, name).set(text);
    return done.ok() ? "taken" : done.error().message;
  };
  EXPECT_EQ(refusal("dry_run", "yes"), "'yes' is not true or false");
  for (const char* text : {"1e3", "0x10", "1000x", "-1", "+1", " 1", ""}) {
    EXPECT_EQ(refusal("limit", text),
              "'" + std::string(text) + "' is not a number: write digits alone, such as 1000");
  }
  EXPECT_EQ(refusal("limit", "18446744073709551616"),
            "'18446744073709551616' is too large a number");
  EXPECT_EQ(refusal("threads", "4294967296"), "'4294967296' is too large a number");
  EXPECT_EQ(refusal("resemblance", "2"), Ratio::parse("2").error().message);
  EXPECT_EQ(refusal("color", "grey"), "'grey' is not one of red, green, blue");
  EXPECT_EQ(refusal("range", "0.8"), "'0.8' is not a range such as 0.8:0.85");
  EXPECT_EQ(refusal("range", ":"), "':' is not a range such as 0.8:0.85");
  EXPECT_EQ(refusal("memory", "0"), "0 is too little; leave it out for the default");
  EXPECT_EQ(sample.limit, 7U);
  EXPECT_EQ(sample.color, Color::green);
}

TEST(Option, SizesAreInUnitsOf1024) {
  Sample sample;
  const std::vector<Option> options = options_of(sample);
  const Option& size = find(options, "max_record");
  EXPECT_EQ(size.text(), "64MiB");
  const std::pair<const char*, std::uint64_t> sizes[] = {{"0", 0},
                                                         {"1500000", 1'500'000},
                                                         {"64MiB", 64 << 20},
                                                         {"64M", 64 << 20},
                                                         {"1.5G", 3ULL << 29},
                                                         {"2kB", 2048},
                                                         {"0.5K", 512},
                                                         {"16777215T", 16777215ULL << 40}};
  for (const auto& [text, bytes] : sizes) {
    EXPECT_TRUE(size.set(text).ok()) << text;
    EXPECT_EQ(sample.bytes, bytes) << text;
    const std::string typed = size.text();
    EXPECT_TRUE(size.set(typed).ok()) << typed;
    EXPECT_EQ(sample.bytes, bytes) << typed;
  }
  for (const char* text : {"", "M", "1X", "1.5", "1.5B", "-1", "1 M", "1.1234567M", "16777216T",
                           "99999999999999999999", "1.M", "MiB", "1iB1"}) {
    EXPECT_FALSE(size.set(text).ok()) << text;
  }
}

TEST(Option, TakesBackTheTextOfItsValue) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    Sample sample;
    Sample again;
    const std::vector<Option> options = options_of(sample);
    const std::vector<Option> copies = options_of(again);
    for (std::size_t i = 0; i + 1 < options.size(); ++i) {  // A list has no text.
      const std::string value = testing::random_value(options[i], random);
      ASSERT_TRUE(options[i].set(value).ok()) << options[i].usage << " " << value;
      ASSERT_TRUE(copies[i].set(options[i].text()).ok()) << options[i].text();
      EXPECT_EQ(copies[i].text(), options[i].text()) << options[i].usage;
    }
    EXPECT_EQ(again.bytes, sample.bytes);
    EXPECT_EQ(again.share, sample.share);
  }
}

TEST(Option, ValuesThatNameFilesAreKnownByTheirWord) {
  for (const char* word : {"IN", "A", "B", "FILE", "FILE.svg"}) {
    EXPECT_EQ(named_by(word), ValueNames::files) << word;
  }
  EXPECT_EQ(named_by("DIR"), ValueNames::folders);
  for (const char* word : {"", "FIELD", "N", "SHARE", "exact|sketch", "FILES"}) {
    EXPECT_EQ(named_by(word), ValueNames::nothing) << word;
  }
}

TEST(Option, MayBeRequiredAndOfferValues) {
  Sample sample;
  const Option option = required(offering({"a", "b"}, {"--name NAME", &sample.name}));
  EXPECT_TRUE(option.is_required);
  EXPECT_EQ(option.known.size(), 2U);
  EXPECT_TRUE(option.set("c").ok());
  EXPECT_EQ(sample.name, "c");
}

}  // namespace
}  // namespace twinset
