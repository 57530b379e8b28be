#include "scheme/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "support/scratch_folder.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;

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
  const auto values = resolve_parameters(example, parsed.value(), disk());
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
  EXPECT_THAT(resolve_parameters(bare, parsed.value(), disk()).error().message,
              HasSubstr("it has none"));
}

constexpr std::array<std::string_view, 3> weights{"binary", "tf", "tf_idf"};
constexpr std::array<ParameterDeclaration, 5> kinds{{
    {"bags", 0, 64, 8, "bagged lexicons"},
    share_parameter("drop", "1/3", "terms a bag leaves out"),
    choice_parameter("weight", weights, 1, "weights of terms"),
    file_parameter("lexicon", "", "a lexicon"),
    text_parameter("salt", "none", "mixed into every hash"),
}};
constexpr SchemeDeclaration many{"many", 1, SharedKey::candidate, "", "", kinds};

Result<Parameters> read_kinds(const std::string& spec) {
  TWINSET_ASSIGN(const ParsedSpec parsed, parse_spec(spec));
  return resolve_parameters(many, parsed, disk());
}

std::string refusal_of(const std::string& spec) {
  const Result<Parameters> values = read_kinds(spec);
  if (values.ok()) return render_spec(many, values.value());
  EXPECT_EQ(values.error().code, ErrorCode::usage);
  return values.error().message;
}

TEST(Spec, ValuesAreOfTheirParametersKind) {
  const Result<Parameters> values =
      read_kinds(R"+(many(drop=.25, weight=tf_idf, salt="a, \"b\" \\ (c)", bags=2))+");
  ASSERT_TRUE(values.ok()) << values.error().message;
  EXPECT_EQ(values.value()[0], 2U);
  EXPECT_EQ(values.value().share(1), Ratio(1, 4));
  EXPECT_EQ(values.value()[2], 2U);
  EXPECT_EQ(values.value().text(4), R"+(a, "b" \ (c))+");
  const std::string canonical = render_spec(many, values.value());
  EXPECT_EQ(canonical,
            R"+(many(bags=2, drop=0.25, weight=tf_idf, lexicon="", salt="a, \"b\" \\ (c)"))+");
  EXPECT_EQ(refusal_of(canonical), canonical);
  EXPECT_EQ(refusal_of("many"), R"+(many(bags=8, drop=1/3, weight=tf, lexicon="", salt=none))+");
  EXPECT_THAT(refusal_of("many(drop=2)"), HasSubstr("a share in [0, 1]"));
  EXPECT_THAT(refusal_of("many(weight=idf)"), HasSubstr("one of binary, tf, tf_idf"));
  const Result<Parameters> missing = read_kinds("many(lexicon=/no/such.lexicon)");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::io);
  EXPECT_THAT(missing.error().message, HasSubstr("/no/such.lexicon"));
  EXPECT_THAT(parse_spec("many(salt=\"open)").error().message, HasSubstr("after the value"));
}

TEST(Spec, AFileIsItsContent) {
  const testing::ScratchFolder folder;
  const std::string path = folder.write("a b.lexicon", std::string(3'000'000, 'x'));
  const std::string spec = "many(lexicon=\"" + path + "\")";
  const Result<Parameters> values = read_kinds(spec);
  ASSERT_TRUE(values.ok()) << values.error().message;
  EXPECT_EQ(values.value().text(3), path);
  EXPECT_EQ(values.value().content(3), fingerprint_bytes(std::string(3'000'000, 'x')));
  // Made again from its canonical form: by any name, the same content.
  const std::string named = render_spec(many, values.value());
  EXPECT_EQ(refusal_of(named), named);
  const std::string moved = folder.write("c", std::string(3'000'000, 'x'));
  const Result<Parameters> again = read_kinds("many(lexicon=" + moved + ")");
  ASSERT_TRUE(again.ok());
  EXPECT_NE(render_spec(many, again.value()), named);
  EXPECT_EQ(render_spec(many, again.value(), FilesAs::content),
            render_spec(many, values.value(), FilesAs::content));
  folder.write("a b.lexicon", std::string(3'000'000, 'y'));
  EXPECT_THAT(refusal_of(named), ::testing::AllOf(HasSubstr("many: lexicon="), HasSubstr(path),
                                                  HasSubstr("another content now")));
  EXPECT_NE(refusal_of(spec), named);
}

TEST(Spec, HostileSpecsAreErrors) {
  EXPECT_THAT(message_of(std::string(max_spec_bytes + 1, 'a')), HasSubstr("at most"));
  EXPECT_THAT(message_of(std::string("example\0(", 9)), HasSubstr("expected"));
  EXPECT_THAT(message_of("\xff\xfe"), HasSubstr("expected"));
  EXPECT_THAT(message_of("example(" + std::string(3000, 'a') + "=1)"), HasSubstr("did you mean"));
}

// B-22: a feature is a shingle by itself, unless the spec says otherwise.
TEST(SpecFor, FeaturesAreShinglesOfOneToken) {
  const Analyzer& features = *find_analyzer("features");
  EXPECT_EQ(spec_for(features, "fss"), "fss(shingle=1)");
  EXPECT_EQ(spec_for(features, "minhash()"), "minhash(shingle=1)");
  EXPECT_EQ(spec_for(features, "mod( modulus=25 )"), "mod(shingle=1,  modulus=25 )");
  EXPECT_EQ(spec_for(features, "fss(shingle=3)"), "fss(shingle=3)");
  EXPECT_EQ(spec_for(features, "no such scheme"), "no such scheme");
  EXPECT_EQ(spec_for(features, "fss("), "fss(");
  EXPECT_EQ(spec_for(*find_analyzer("words"), "fss"), "fss");
}

TEST(SeededSpec, NamesTheSeedUnlessItIsZero) {
  EXPECT_EQ(seeded_spec("fss", 0), "fss");
  EXPECT_EQ(seeded_spec("fss", 7), "fss(seed=7)");
  EXPECT_EQ(seeded_spec("fss(bins=64)", 7), "fss(seed=7, bins=64)");
}

}  // namespace
}  // namespace twinset
