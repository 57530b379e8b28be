#include "run/common_options.h"

#include <gtest/gtest.h>

#include "twinset/scheme.h"

namespace twinset {
namespace {

TEST(CommonOptions, SetTheMembersOfACollection) {
  CollectionOptions options;
  std::string report;
  const std::vector<Option> all =
      together({inputs_option(options),
                input_options(options.input),
                analyzer_option(options.analyzer),
                scheme_option(options.scheme, "the scheme", "fss"),
                min_tokens_option(options.min_tokens, Heading::removal),
                max_bad_option(options.max_bad, OptionRole::recorded, Heading::input),
                max_group_option(options.max_group),
                seed_option(options),
                {"--page FILE", &report, OptionRole::decides, Heading::most_used, "page", "none"},
                resource_options(options.resources)});
  ASSERT_EQ(all.size(), 1 + 10 + 5 + 4U);
  const char* const values[] = {"in.jsonl", "html",   "body", "key",  "drop", "1KiB", "9",
                                "true",     "true",   "code", "mod",  "3",    "4",    "5",
                                "6",        "r.html", "2",    "1GiB", "/tmp", "1MiB"};
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(all[i].set(values[i]).ok()) << values[i];
  EXPECT_EQ(options.inputs, std::vector<std::string>{"in.jsonl"});
  EXPECT_EQ(options.input.format, "html");
  EXPECT_EQ(options.input.text, "body");
  EXPECT_EQ(options.input.id, "key");
  EXPECT_EQ(options.input.mail_quotes, InputSettings::MailQuotes::drop);
  EXPECT_EQ(options.input.max_record, 1024U);
  EXPECT_EQ(options.input.limit, 9U);
  EXPECT_TRUE(options.input.hidden);
  EXPECT_TRUE(options.input.allow_lost_inputs);
  EXPECT_EQ(options.analyzer, "code");
  EXPECT_EQ(options.scheme, "mod");
  EXPECT_EQ(options.min_tokens, 3U);
  EXPECT_EQ(options.max_bad, 4U);
  EXPECT_EQ(options.max_group, 5U);
  EXPECT_EQ(options.seed, 6U);
  EXPECT_EQ(report, "r.html");
  EXPECT_EQ(options.resources.threads, 2U);
  EXPECT_EQ(options.resources.memory, std::uint64_t{1} << 30);
  EXPECT_EQ(options.resources.tmp, "/tmp");
  EXPECT_EQ(options.resources.checkpoint, std::uint64_t{1} << 20);
}

TEST(CommonOptions, OfferWhatThisBuildKnows) {
  CollectionOptions options;
  const std::vector<std::string> analyzers = analyzer_option(options.analyzer).known;
  ASSERT_EQ(analyzers.size(), known_analyzers().size());
  for (std::size_t i = 0; i < analyzers.size(); ++i) {
    EXPECT_EQ(analyzers[i], known_analyzers()[i].name);
  }
  const std::vector<std::string> schemes = scheme_option(options.scheme, "the scheme").known;
  ASSERT_EQ(schemes.size(), known_schemes().size());
  for (std::size_t i = 0; i < schemes.size(); ++i) EXPECT_EQ(schemes[i], known_schemes()[i].name);
}

}  // namespace
}  // namespace twinset
