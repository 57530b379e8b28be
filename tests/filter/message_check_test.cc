// check_message(): one message against any index gets the verdict of a Filter.
#include "filter/message_check.h"

#include "filter/filter_testing.h"
#include "support/scratch_folder.h"
#include "support_runs/job_fixture.h"

namespace twinset::testing {
namespace {

TEST(MessageCheck, AgreesWithAFilterOverTheSameIndex) {
  for (const char* scheme : {"fss", "simhash", "mod(samples=64)"}) {
    const ScratchFolder folder;
    FilterOptions options;
    options.set = folder / "set";
    options.settings.scheme = {scheme};
    options.max_group = 20;
    const Filter filter = Filter::open(options, quiet_control()).value();
    for (std::uint64_t i = 0; i < 10; ++i) {
      ASSERT_TRUE(filter.add("p" + std::to_string(i), message_of(i, 80)).ok());
    }
    // Keys that more than max_group prototypes have.
    for (std::uint64_t i = 0; i < 30; ++i) {
      ASSERT_TRUE(
          filter.add("q" + std::to_string(i), message_of(77, 300) + " " + message_of(500 + i, 3))
              .ok());
    }
    const Index index = Index::open(options.set).value();
    std::vector<std::string> messages{"", "four words are few", "\xff\xfe", message_of(77, 300)};
    for (std::uint64_t i = 0; i < 20; ++i) {
      messages.push_back(message_of(i, 80));
      messages.push_back(message_of(i, 80) + " and more");
    }
    std::size_t matches = 0;
    for (const std::string& message : messages) {
      for (const bool html : {false, true}) {
        const FilterAnswer expected = filter.check(message, html).value();
        const FilterAnswer answer = check_message(index, message, options, html).value();
        EXPECT_EQ(answer.verdict, expected.verdict) << scheme << ": " << message;
        EXPECT_EQ(answer.why, expected.why) << scheme << ": " << message;
        ASSERT_EQ(answer.prototype.has_value(), expected.prototype.has_value());
        if (!answer.prototype.has_value()) continue;
        ++matches;
        EXPECT_EQ(answer.prototype->document.id, expected.prototype->document.id);
        EXPECT_EQ(answer.prototype->resemblance.has_value(),
                  expected.prototype->resemblance.has_value());
      }
    }
    EXPECT_GE(matches, 40U) << scheme;
  }
}

TEST(MessageCheck, SettingsDecide) {
  const ScratchFolder folder;
  FilterOptions options;
  options.set = folder / "set";
  const Filter filter = Filter::open(options, quiet_control()).value();
  ASSERT_TRUE(filter.add("p", message_of(1, 80)).ok());
  const Index index = Index::open(options.set).value();
  MessageSettings settings;
  EXPECT_EQ(check_message(index, message_of(1, 80), settings).value().verdict,
            FilterVerdict::match);
  settings.min_tokens = 81;
  EXPECT_EQ(check_message(index, message_of(1, 80), settings).value().why, WhyUnknown::few_tokens);
  settings = {};
  settings.resemblance = Ratio(1, 1);
  EXPECT_EQ(check_message(index, message_of(1, 80) + " more", settings).value().verdict,
            FilterVerdict::pass);
  settings.containment = Ratio(9, 10);
  EXPECT_EQ(check_message(index, message_of(1, 80) + " more", settings).value().verdict,
            FilterVerdict::match);
}

}  // namespace
}  // namespace twinset::testing
