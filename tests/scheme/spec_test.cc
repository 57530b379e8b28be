#include "scheme/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace twinset {
namespace {

using testing::HasSubstr;

constexpr std::array<ParameterDeclaration, 3> parameters{{
    {"shingle", 1, 64, 5, "tokens in a shingle"},
    {"modulus", 0, 1000, 0, "one in this many"},
    {"seed", 0, UINT64_MAX, 0, "seed"},
}};
constexpr SchemeDeclaration example{"example", 1, SharedKey::count, "", "", parameters};
constexpr SchemeDeclaration bare{"bare", 1, SharedKey::count, "", "", {}};

std::string message_of(std::string_view spec) {
  const Result<ParsedSpec> parsed = parse_spec(spec);
  if (!parsed.ok()) {
    EXPECT_EQ(parsed.error().code, ErrorCode::usage);
    return parsed.error().message;
  }
  const auto values = resolve_parameters(example, parsed.value());
  if (!values.ok()) {
    EXPECT_EQ(values.error().code, ErrorCode::usage);
    return values.error().message;
  }
  return render_spec(example, values.value());
}

TEST(Spec, CanonicalFormNamesEveryParameterInOrder) {
  const std::string canonical = "example(shingle=10, modulus=25, seed=0)";
  EXPECT_EQ(message_of("example(shingle=10, modulus=25)"), canonical);
  EXPECT_EQ(message_of("  example ( modulus=25 ,shingle = 10 )\n"), canonical);
  EXPECT_EQ(message_of("example(modulus=025,shingle=010,seed=0)"), canonical);
  EXPECT_EQ(message_of(canonical), canonical);
  EXPECT_EQ(message_of("example"), "example(shingle=5, modulus=0, seed=0)");
  EXPECT_EQ(message_of("example()"), message_of("example"));
  EXPECT_EQ(message_of("example(seed=18446744073709551615)"),
            "example(shingle=5, modulus=0, seed=18446744073709551615)");
  EXPECT_EQ(render_spec(bare, {}), "bare");
}

TEST(Spec, ErrorsNameThePlace) {
  EXPECT_THAT(message_of(""), HasSubstr("name"));
  EXPECT_THAT(message_of("(shingle=1)"), HasSubstr("character 1"));
  EXPECT_THAT(message_of("example(shingle=10"), HasSubstr("')' at character 19"));
  EXPECT_THAT(message_of("example(shingle)"), HasSubstr("'=' at character 16"));
  EXPECT_THAT(message_of("example(=3)"), HasSubstr("parameter's name at character 9"));
  EXPECT_THAT(message_of("example(shingle=3,)"), HasSubstr("parameter's name"));
  EXPECT_THAT(message_of("example(shingle=3) x"), HasSubstr("character 20"));
  EXPECT_THAT(message_of("example shingle=3"), HasSubstr("character 9"));
  for (const char* value : {"", "-1", "1.5", "x", "1x", "18446744073709551616"}) {
    EXPECT_THAT(message_of("example(shingle=" + std::string(value) + ")"), HasSubstr("expected"))
        << value;
  }
}

TEST(Spec, ErrorsSayWhatWasMeant) {
  EXPECT_THAT(message_of("example(shingel=10)"), HasSubstr("did you mean shingle?"));
  EXPECT_THAT(message_of("example(mod=10)"), HasSubstr("did you mean modulus?"));
  EXPECT_THAT(message_of("example(seed=1, seed=1)"), HasSubstr("seed is given twice"));
  EXPECT_THAT(message_of("example(shingle=0)"), HasSubstr("range 1 to 64"));
  EXPECT_THAT(message_of("example(shingle=65)"), HasSubstr("tokens in a shingle"));
  const Result<ParsedSpec> parsed = parse_spec("bare(x=1)");
  ASSERT_TRUE(parsed.ok());
  EXPECT_THAT(resolve_parameters(bare, parsed.value()).error().message, HasSubstr("it has none"));
}

TEST(Spec, HostileSpecsAreErrors) {
  EXPECT_THAT(message_of(std::string(max_spec_bytes + 1, 'a')), HasSubstr("at most"));
  EXPECT_THAT(message_of(std::string("example\0(", 9)), HasSubstr("expected"));
  EXPECT_THAT(message_of("\xff\xfe"), HasSubstr("expected"));
  EXPECT_THAT(message_of("example(" + std::string(3000, 'a') + "=1)"), HasSubstr("did you mean"));
}

TEST(Spec, NearestNameHasTheFewestEdits) {
  const std::array<std::string_view, 4> names{"exact", "fss", "minhash", "mod"};
  EXPECT_EQ(nearest_name("mnhash", names), "minhash");
  EXPECT_EQ(nearest_name("fs", names), "fss");
  EXPECT_EQ(nearest_name("mods", names), "mod");
  EXPECT_EQ(nearest_name("exakt", names), "exact");
  EXPECT_EQ(nearest_name("x", {}), "");
}

}  // namespace
}  // namespace twinset
