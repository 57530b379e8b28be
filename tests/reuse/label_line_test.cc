#include "reuse/label_line.h"

#include <gtest/gtest.h>

#include <random>

#include "support/field_check.h"
#include "web/chunks.h"

namespace twinset {
namespace {

JsonNode parsed(const std::string& text) {
  const Result<JsonNode> node = read_json(text, "line");
  EXPECT_TRUE(node.ok()) << text;
  return node.ok() ? node.value() : JsonNode();
}

Result<Label> read(const std::string& text, ChunkHash hash = ChunkHash::xxh3) {
  FieldLine<LabelLine> line;
  TWINSET_TRY(line.read(text, "x.jsonl:7"));
  return label_of(*line, hash, "x.jsonl:7");
}

std::string written(const Label& label, ChunkHash hash) {
  FieldLine<LabelLine> line;
  *line = LabelLine(label, hash);
  return testing::expect_line_both_ways(line);
}

std::string error_of(const std::string& line) {
  const Result<Label> label = read(line);
  return label.ok() ? "" : label.error().message;
}

Result<LabelFacts> read_header(const std::string& text) {
  FieldLine<LabelHeader> line;
  TWINSET_TRY(line.read(text, "x.jsonl:1"));
  return facts_of(*line, "x.jsonl:1");
}

std::string characters(std::mt19937& random) {
  static constexpr std::string_view some[] = {"a",
                                              "\"",
                                              "\\",
                                              "\n",
                                              "\x1b",
                                              "<",
                                              "\xC3\xA9",
                                              "\t",
                                              "/",
                                              "\x7f",
                                              "\xF0\x9F\x90\x9F",
                                              "\xE2\x80\xA8"};
  std::string out;
  for (std::size_t i = random() % 30; i > 0; --i) out += some[random() % std::size(some)];
  return out;
}

TEST(LabelLine, IsReadAsItWasWritten) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto hash = static_cast<ChunkHash>(trial % 3);
    Label label{.kind = trial % 4 == 0 ? LabelKind::file : LabelKind::chunk,
                .hash = hash_chunk(std::to_string(trial), hash),
                .count = trial == 7 ? ~std::uint64_t{0} : random(),
                .documents = random() % 100};
    for (std::size_t i = random() % 12; i > 0; --i) {
      add_sample(label, {"http://a.org/" + characters(random), random() % 9, random()});
    }
    add_text(label, characters(random));
    const std::string line = written(label, hash);
    EXPECT_EQ(line.back(), '\n');
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    const JsonNode node = parsed(line);
    EXPECT_TRUE(is_label_line(node));
    EXPECT_FALSE(is_label_header(node));
    const auto again = read(line, hash);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again.value(), label);
  }
}

TEST(LabelLine, BytesThatAreNoTextAreReplaced) {
  Label label{.hash = hash_chunk("x", ChunkHash::xxh3)};
  add_text(label, "caf\xE9 au lait");
  FieldLine<LabelLine> line;
  *line = LabelLine(label, ChunkHash::xxh3);
  std::string text;
  line.append(text);
  const auto again = read(text);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.value().text, "caf\xEF\xBF\xBD au lait");
}

TEST(LabelLine, NeedsAHashAlone) {
  const auto label =
      read(R"({"hash": "131F95C51CC819465FA1797F6CCACF9D", "reason": "menu", "by": {"x": [1]}})");
  ASSERT_TRUE(label.ok()) << label.error().message;
  EXPECT_EQ(to_hex(label.value().hash, ChunkHash::xxh3), "131f95c51cc819465fa1797f6ccacf9d");
  EXPECT_EQ(label.value().kind, LabelKind::chunk);
  EXPECT_EQ(label.value().count, 1U);
  EXPECT_EQ(label.value().documents, 1U);
  EXPECT_TRUE(label.value().samples.empty());
  // A long text is cut, as everywhere.
  const auto cut = read(R"({"hash": "131F95C51CC819465FA1797F6CCACF9D", "text": ")" +
                        std::string(1000, 'x') + "\"}");
  EXPECT_EQ(cut.value().text.size(), most_label_text_bytes);
}

TEST(LabelLine, OtherFieldsAreErrorsThatNameThePlace) {
  const std::string hash = R"("hash": "131f95c51cc819465fa1797f6ccacf9d")";
  EXPECT_EQ(error_of("{" + hash + "}"), "");
  // Those of another form.
  const std::string long_hash = R"({"hash": "131f95c51cc819465fa1797f6ccacf9d00000000"})";
  for (const std::string& line : {std::string(R"({"hash": "131f"})"), long_hash}) {
    EXPECT_TRUE(error_of(line).starts_with("x.jsonl:7 has the hash \"131f")) << error_of(line);
  }
  const std::string whole = " is not a whole number";
  for (const auto& [field, said] : std::vector<std::pair<std::string, std::string>>{
           {R"("kind": "page")", "kind is not a known word"},
           {R"("kind": null)", "kind is not a known word"},
           {R"("count": -1)", "count" + whole},
           {R"("count": 1.5)", "count" + whole},
           {R"("count": "7")", "count" + whole},
           {R"("count": 1, "count": 1)", "count is given twice"},
           {R"("documents": 18446744073709551616)", "documents" + whole},
           {R"("samples": {})", "samples is not an array"},
           {R"("samples": [7])", "samples[0] is not an object"},
           {R"("samples": [{"offset": 7}])", "samples[0].url is missing"},
           {R"("samples": [{"url": "u", "offset": -7}])", "samples[0].offset" + whole},
           {R"("samples": [{"url": ")" + std::string(most_url_bytes + 1, 'u') + "\"}]",
            "samples[0] does not hold: url has at most 2,048 bytes"},
           {R"("text": ["x"])", "text is not a string"}}) {
    const std::string error = error_of("{" + hash + ", " + field + "}");
    EXPECT_TRUE(error.starts_with("x.jsonl:7 is damaged, or of another version: byte ")) << error;
    EXPECT_NE(error.find(": " + said), std::string::npos) << error;
    EXPECT_LT(error.size(), 300U);
  }
  EXPECT_NE(error_of("{}").find(": hash is missing"), std::string::npos);
}

TEST(LabelHeader, SaysTheRules) {
  for (const ChunkRules& rules : {ChunkRules{}, hadoop_chunks(), auntietuna_chunks()}) {
    const LabelFacts facts{to_text(rules), rules.hash, rules == hadoop_chunks()};
    FieldLine<LabelHeader> header;
    *header = {facts.rules, std::string(chunk_hash_name(facts.hash)), facts.pages, 12};
    const std::string line = testing::expect_line_both_ways(header);
    const JsonNode node = parsed(line);
    EXPECT_TRUE(is_label_header(node));
    EXPECT_FALSE(is_label_line(node));
    EXPECT_EQ(node["labels"].integer(), 12U);
    EXPECT_EQ(read_header(line).value(), facts);
    EXPECT_EQ(label_facts(facts.rules), (LabelFacts{facts.rules, facts.hash}));
  }
  EXPECT_FALSE(label_facts("html").has_value());
  EXPECT_TRUE(read_header(R"({"rules": "hadoop sha1 least=0"})").ok());
  for (const auto& [line, said] : std::vector<std::pair<std::string, std::string>>{
           {R"({"rules": "hadoop"})", "has the rules \"hadoop\""},
           {R"({"rules": 7})", "byte 10: rules is not a string"},
           {R"({"rules": "hadoop sha1 least=0", "hash": 7})", ": hash is not a string"},
           {R"({"rules": "hadoop sha1 least=0", "labels": -7})", ": labels is not a whole number"},
           {R"({"rules": "hadoop sha1 least=0", "hash": "sha256"})", "has the hash \"sha256\""}}) {
    const auto read = read_header(line);
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_TRUE(read.error().message.starts_with("x.jsonl:1 ")) << read.error().message;
    EXPECT_NE(read.error().message.find(said), std::string::npos) << read.error().message;
  }
}

}  // namespace
}  // namespace twinset
