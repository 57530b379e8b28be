#include "run/profile.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/file_header.h"
#include "scheme/scheme.h"
#include "system/memory_files.h"
#include "text/analyzer.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

/// A profile that fits a run of the scheme and the analyzer words.
Profile profile_of(const std::string& spec, double threshold = 1) {
  const Analyzer& words = *require_analyzer("words").value();
  const auto scheme = make_scheme(spec, threshold).value();
  ViewRule rule;
  rule.analyzer = &words;
  if (scheme->shingle_tokens() != 0) rule.shingle_tokens = scheme->shingle_tokens();
  Profile profile;
  profile.scheme = scheme->spec();
  profile.fingerprint = fingerprint_text(scheme_fingerprint(*scheme, rule));
  profile.analyzer = "words";
  profile.analyzer_version = words.version();
  return profile;
}

Profile near_profile() {
  Profile profile = profile_of("simhash");
  profile.distance = "50:0,200:2,5";
  profile.checked = R"([{"value": "5"}])";
  profile.made = R"({"command": "twinset calibrate"})";
  return profile;
}

Profile alike_profile() {
  Profile profile = profile_of("fss", 0.65);
  profile.resemblance = Ratio(13, 20);
  profile.check = Check::sketch;
  return profile;
}

std::string message(const std::string& text) {
  const Result<Profile> done = parse_profile(text, "x.profile");
  EXPECT_FALSE(done.ok()) << text;
  return done.ok() ? "" : done.error().text(Door::command_line);
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Profile, ComesBackFromItsText) {
  Profile scheme_alone = profile_of("imatch");
  Profile single = near_profile();
  single.distance = "3";
  for (const Profile& profile : {near_profile(), single, alike_profile(), scheme_alone}) {
    const Result<Profile> again = parse_profile(profile_text(profile), "x");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(profile_text(again.value()), profile_text(profile));
    EXPECT_EQ(again.value().distance, profile.distance);
    EXPECT_EQ(again.value().check, profile.check);
    EXPECT_EQ(again.value().resemblance.has_value(), profile.resemblance.has_value());
  }
}

TEST(Profile, MistakesNameTheFileAndTheField) {
  const std::string text = profile_text(near_profile());
  EXPECT_EQ(message("{"), "x.profile: the value ends too early at byte 1");
  EXPECT_EQ(message("[]"), "x.profile is not a profile: it has no member \"profile\"");
  EXPECT_EQ(message("{}"), "x.profile is not a profile: it has no member \"profile\"");
  EXPECT_EQ(message(with(text, "\"profile\": 1", "\"profile\": 2")),
            "x.profile is a profile of version 2, and this twinset reads version 1; calibrate "
            "again");
  EXPECT_EQ(message(with(text, "\"checked\"", "\"chekced\"")),
            "x.profile has an unknown member \"chekced\", at byte " +
                std::to_string(text.find("[{\"value\"")));
  EXPECT_THAT(message(with(text, R"({"command": "twinset calibrate"})", "1")),
              HasSubstr(": made is not an object"));
  EXPECT_THAT(message(with(text, R"([{"value": "5"}])", "{}")),
              HasSubstr(": checked is not an array"));
  EXPECT_THAT(message(with(text, "\"" + near_profile().fingerprint + "\"", "7")),
              HasSubstr(": fingerprint is not a string"));
  EXPECT_THAT(message(with(text, near_profile().fingerprint, "")),
              HasSubstr("does not hold: scheme and fingerprint are not empty"));
  EXPECT_THAT(message(with(text, "\"name\": \"words\"", "\"name\": 1")),
              HasSubstr(": analyzer.name is not a string"));
  EXPECT_THAT(message(with(text, "\"below_tokens\": 200", "\"below_tokens\": 20")),
              HasSubstr(": distance cannot be: --distance 50:0,20:2,5 is neither"));
  EXPECT_THAT(message(with(text, "\"distance\": 5", "\"distance\": 8")), HasSubstr("is above 7"));
  EXPECT_THAT(message(with(text, "\"distance\": 5", "\"distance\": 5, \"x\": 1")),
              HasSubstr(": distance is not a list of {"));
  EXPECT_THAT(message(with(text,
                           R"([{"below_tokens": 50, "distance": 0}, )"
                           R"({"below_tokens": 200, "distance": 2}, {"distance": 5}])",
                           "[]")),
              HasSubstr(": distance is neither a number nor a list"));
  EXPECT_THAT(message(with(text, "\"made\"", "\"resemblance\": 0.5, \"made\"")),
              HasSubstr("does not hold: distance or resemblance, not both"));
  EXPECT_THAT(message(with(text, "\"made\"", "\"resemblance\": \"0.5\", \"made\"")),
              HasSubstr(": resemblance is not a number above 0"));
  EXPECT_THAT(message(with(text, "\"made\"", "\"verify\": \"none\", \"made\"")),
              HasSubstr(": verify is not a known word"));
  EXPECT_THAT(
      message(R"({"profile": 1})"),
      HasSubstr("x.profile is damaged, or of another version: line 1, byte 0: scheme is missing"));
}

TEST(Profile, AnyDamageIsAnErrorOrAnotherProfile) {
  const std::string text = profile_text(alike_profile());
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = '\x01';
    const Result<Profile> read = parse_profile(damaged, "x");
    EXPECT_TRUE(read.ok() || read.error().message[0] == 'x') << at;
    EXPECT_EQ(parse_profile(text.substr(0, at), "x").ok(), at + 1 == text.size()) << at;
  }
}

/// A run's options, and the files that hold a profile for it.
struct UnderProfile {
  explicit UnderProfile(const Profile& profile) {
    EXPECT_TRUE(files.write("x.profile", profile_text(profile)).ok());
    options.profile = "x.profile";
  }
  Status apply() {
    return apply_profile(files, {&options, &resemblance, [&](Check to) { check = to; }});
  }
  std::string refusal() {
    const Status done = apply();
    EXPECT_FALSE(done.ok());
    return done.ok() ? "" : done.error().text(Door::command_line);
  }

  MemoryFiles files;
  CollectionOptions options;
  Ratio resemblance{4, 5};
  Check check = Check::exact;
};

TEST(Profile, SetsWhatIsNotTyped) {
  UnderProfile run(near_profile());
  const Status done = run.apply();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(run.options.distance, "50:0,200:2,5");
  EXPECT_EQ(run.options.scheme, near_profile().scheme);
  EXPECT_EQ(run.resemblance, Ratio(4, 5));
  EXPECT_EQ(run.options.profile.substr(0, 10), "x.profile@");
  EXPECT_EQ(run.options.profile.size(), 10U + 32);

  UnderProfile alike(alike_profile());
  ASSERT_TRUE(alike.apply().ok());
  EXPECT_EQ(alike.resemblance, Ratio(13, 20));
  EXPECT_EQ(alike.check, Check::sketch);
}

TEST(Profile, TypedOptionsWin) {
  UnderProfile run(near_profile());
  run.options.typed = {"distance"};
  run.options.distance = "1";
  ASSERT_TRUE(run.apply().ok());
  EXPECT_EQ(run.options.distance, "1");

  UnderProfile alike(alike_profile());
  alike.options.typed = {"resemblance", "verify", "scheme"};
  alike.options.scheme = "fss";
  ASSERT_TRUE(alike.apply().ok());
  EXPECT_EQ(alike.resemblance, Ratio(4, 5));
  EXPECT_EQ(alike.check, Check::exact);
  EXPECT_EQ(alike.options.scheme, "fss") << "the bands are planned for the run's threshold";
}

TEST(Profile, AnotherSchemeOrAnalyzerIsRefused) {
  UnderProfile scheme(near_profile());
  scheme.options.typed = {"scheme"};
  scheme.options.scheme = "simhash(weights=unit)";
  EXPECT_THAT(scheme.refusal(), HasSubstr("x.profile was calibrated for the scheme simhash("));
  UnderProfile seed(near_profile());
  seed.options.profile = "x.profile";
  seed.options.typed = {"scheme"};
  seed.options.scheme = "fss";
  EXPECT_THAT(seed.refusal(), HasSubstr("and this run uses fss("));
  UnderProfile analyzer(near_profile());
  analyzer.options.typed = {"analyzer"};
  analyzer.options.analyzer = "code";
  EXPECT_THAT(analyzer.refusal(), HasSubstr("was calibrated for analyzer words of version"));
  EXPECT_THAT(analyzer.refusal(), HasSubstr("and this run uses code of version"));
  Profile old = near_profile();
  old.analyzer_version += 1;
  UnderProfile version(old);
  EXPECT_THAT(version.refusal(), HasSubstr("was calibrated for analyzer words of version"));
  Profile forged = near_profile();
  forged.fingerprint = "0123456789abcdef";
  UnderProfile other(forged);
  EXPECT_THAT(other.refusal(), HasSubstr("was calibrated for the scheme"));
}

TEST(Profile, AMissingFileIsAnErrorAndNoneIsNothing) {
  UnderProfile run(near_profile());
  run.options.profile = "none.profile";
  EXPECT_THAT(run.refusal(), HasSubstr("none.profile"));
  run.options.profile = "";
  run.options.scheme = "fss";
  EXPECT_TRUE(run.apply().ok());
  EXPECT_EQ(run.options.scheme, "fss");
}

TEST(Profile, ItsContentIsPartOfItsName) {
  UnderProfile a(near_profile());
  Profile changed = near_profile();
  changed.distance = "4";
  UnderProfile b(changed);
  ASSERT_TRUE(a.apply().ok() && b.apply().ok());
  EXPECT_NE(a.options.profile, b.options.profile);
}

}  // namespace
}  // namespace twinset
