// Each option of each verb is declared once: this test lists them, and finds every one in the
// help and the completion of the program, and, as its role says, in the options of summary.json
// and in the identity of a run. The program has no other options but those named here.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "dedup/dedup_options.h"
#include "io/json_read.h"
#include "run/options_json.h"
#include "serve.h"
#include "support/option_values.h"
#include "twinset/calibrate.h"
#include "twinset/cluster.h"
#include "twinset/dedup.h"
#include "twinset/evaluate.h"
#include "twinset/filter.h"
#include "twinset/hits.h"
#include "twinset/index.h"
#include "twinset/judge.h"
#include "twinset/labels.h"
#include "twinset/lexicon.h"
#include "twinset/look.h"
#include "twinset/merge.h"
#include "twinset/pair.h"
#include "twinset/phish.h"
#include "twinset/plan.h"
#include "twinset/reuse.h"
#include "twinset/sketch.h"
#include "twinset/spans.h"

namespace twinset {
namespace {

/// How the program talks, and `cluster --paper`, which sets other options.
const std::set<std::string> options_of_the_program = {
    "--help",  "--json",  "--verbose",  "--quiet", "--no-progress",
    "--color", "--paper", "--markdown", "--terms", "--text-dedup-config"};

template <class Options>
std::vector<Option> declared() {
  static Options options;  // Holds the defaults.
  return options_of(options);
}

const std::map<std::string, std::vector<Option>>& verbs() {
  static const std::map<std::string, std::vector<Option>> all = {
      {"dedup", declared<DedupOptions>()},         {"cluster", declared<ClusterOptions>()},
      {"recut", declared<RecutOptions>()},         {"plan", declared<PlanOptions>()},
      {"evaluate", declared<EvaluateOptions>()},   {"compare", declared<CompareOptions>()},
      {"explain", declared<ExplainOptions>()},     {"show", declared<ShowOptions>()},
      {"restore", declared<RestoreOptions>()},     {"lexicon", declared<LexiconOptions>()},
      {"spans", declared<SpansOptions>()},         {"sketch", declared<SketchOptions>()},
      {"join", declared<JoinOptions>()},           {"judge", declared<JudgeOptions>()},
      {"calibrate", declared<CalibrateOptions>()}, {"labels", declared<LabelsOptions>()},
      {"phish", declared<PhishOptions>()},         {"discover", declared<DiscoverOptions>()},
      {"detect", declared<DetectOptions>()},       {"index", declared<IndexOptions>()},
      {"query", declared<QueryOptions>()},         {"locate", declared<LocateOptions>()},
      {"lookup", declared<LookupOptions>()},       {"track", declared<TrackOptions>()},
      {"group", declared<GroupOptions>()},         {"filter", declared<FilterOptions>()},
      {"merge", declared<MergeOptions>()},         {"serve", declared<service::ServeOptions>()}};
  return all;
}

std::string printed(const std::string& arguments) {
  std::FILE* const pipe = ::popen((std::string(TWINSET_PROGRAM) + " " + arguments).c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0) << arguments;
  return text;
}

/// The words with single blanks between them.
std::string on_one_line(const std::string& text) {
  std::istringstream stream(text);
  std::string line;
  for (std::string word; stream >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// "-r, --resemblance SHARE remove a document ... [0.8]", as help must have it.
std::string entry(const Option& option) {
  std::string text(option.usage);
  if (std::holds_alternative<Choice>(option.member)) text += " " + option.value_name();
  const bool is_operand = !text.starts_with('-');
  if (is_operand) text = option.long_flag();
  if (is_operand && std::holds_alternative<std::vector<std::string>*>(option.member)) text += "...";
  text += " " + std::string(option.help);
  const std::string value =
      option.by_default.empty() ? option.text() : std::string(option.by_default);
  const bool has_default =
      !value.empty() && !std::holds_alternative<bool*>(option.member) && !option.is_required;
  return text + (has_default ? " [" + value + "]" : "");
}

TEST(OptionsOnce, HelpHasEachWithItsSentenceAndDefault) {
  for (const auto& [verb, options] : verbs()) {
    const std::string help = on_one_line(printed(verb + " --help"));
    for (const Option& option : options) {
      EXPECT_FALSE(option.help.empty()) << verb << " " << option.usage;
      EXPECT_NE(help.find(entry(option)), std::string::npos) << verb << ": " << entry(option);
    }
  }
}

TEST(OptionsOnce, CompletionHasEachWithTheValuesItKnows) {
  const std::string script = printed("completion bash");
  for (const auto& [verb, options] : verbs()) {
    const std::size_t begin = script.find("\n    " + verb + ")\n");
    ASSERT_NE(begin, std::string::npos) << verb;
    const std::string part = script.substr(begin, script.find("\n      ;;\n", begin) - begin);
    for (const Option& option : options) {
      if (!option.usage.starts_with('-')) continue;
      const std::string flag(option.long_flag());
      EXPECT_TRUE(std::regex_search(part, std::regex("[ ']" + flag + " "))) << verb << " " << flag;
      for (const std::string& value : option.known) {
        EXPECT_TRUE(std::regex_search(part, std::regex("'([^']* )?" + value + "[ ']")))
            << verb << " " << flag << " " << value;
      }
    }
  }
}

TEST(OptionsOnce, TheProgramHasNoOthers) {
  const std::string main = printed("--help");
  const std::regex verb_line("\n  ([a-z]+) ");
  const std::regex option_line("\n  (?:-\\w, |    )(--[a-z-]+)");
  const auto each = [](const std::string& text, const std::regex& pattern, const auto& use) {
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
      use((*at)[1].str());
    }
  };
  std::set<std::string> found;
  each(main.substr(main.find("Verbs:")), verb_line, [&](const std::string& verb) {
    found.insert(verb);
    std::set<std::string> flags = options_of_the_program;
    if (const auto options = verbs().find(verb); options != verbs().end()) {
      for (const Option& option : options->second) flags.emplace(option.long_flag());
    }
    each(printed(verb + " --help"), option_line, [&](const std::string& flag) {
      EXPECT_TRUE(flags.contains(flag)) << verb << " " << flag << " is declared by no struct";
    });
  });
  for (const auto& [verb, options] : verbs()) EXPECT_TRUE(found.contains(verb)) << verb;
}

TEST(OptionsOnce, NamesAreUnique) {
  for (const auto& [verb, options] : verbs()) {
    std::set<std::string> names;
    std::set<std::string_view> letters;
    for (const Option& option : options) {
      EXPECT_TRUE(names.insert(option.name()).second) << verb << " " << option.usage;
      if (option.short_flag().empty()) continue;
      EXPECT_TRUE(letters.insert(option.short_flag()).second) << verb << " " << option.usage;
    }
  }
}

template <class Options>
class RecordedOptions : public ::testing::Test {};

using VerbsWithASummary = ::testing::Types<DedupOptions, ClusterOptions>;
TYPED_TEST_SUITE(RecordedOptions, VerbsWithASummary, );

std::string identity_of(const DedupOptions& options) { return dedup_verb(options).identity; }
std::string identity_of(const ClusterOptions& options) {
  return options_identity("cluster", options);
}

TYPED_TEST(RecordedOptions, AreThoseOfTheSummaryInOrder) {
  TypeParam options;
  const std::string json = options_json(options);
  const Result<JsonNode> made = read_json(json, "options");
  ASSERT_TRUE(made.ok());
  std::vector<std::string> names;
  for (const auto& [name, value] : made.value().fields()) names.push_back(name);
  std::vector<std::string> recorded;
  for (const Option& option : options_of(options)) {
    if (option.role != OptionRole::unrecorded) recorded.push_back(option.name());
  }
  EXPECT_EQ(names, recorded);
}

TYPED_TEST(RecordedOptions, DecideTheIdentityOrAreMarked) {
  std::mt19937_64 random(1);
  const std::string identity = identity_of(TypeParam());
  for (std::size_t i = 0; i < declared<TypeParam>().size(); ++i) {
    TypeParam changed;
    const Option option = options_of(changed)[i];
    const std::string before = option.text();
    do {
      ASSERT_TRUE(option.set(testing::random_value(option, random)).ok()) << option.usage;
    } while (option.text() == before &&
             !std::holds_alternative<std::vector<std::string>*>(option.member));
    EXPECT_EQ(identity_of(changed) != identity, option.role == OptionRole::decides) << option.usage;
  }
}

TYPED_TEST(RecordedOptions, ComeBackFromTheirJson) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    TypeParam options;
    for (const Option& option : options_of(options)) {
      for (std::uint64_t times = random() % 3; times > 0; --times) {
        ASSERT_TRUE(option.set(testing::random_value(option, random)).ok()) << option.usage;
      }
    }
    const std::string json = options_json(options);
    const Result<JsonNode> made = read_json(json, "options");
    ASSERT_TRUE(made.ok()) << json;
    TypeParam again;
    ASSERT_TRUE(read_options(made.value(), options_of(again), "options").ok()) << json;
    EXPECT_EQ(options_json(again), json);
    EXPECT_EQ(identity_of(again), identity_of(options));
  }
}

}  // namespace
}  // namespace twinset
