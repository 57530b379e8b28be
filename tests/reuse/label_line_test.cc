#include "reuse/label_line.h"

#include <gtest/gtest.h>

#include <random>

#include "web/chunks.h"

namespace twinset {
namespace {

JsonNode parsed(const std::string& text) {
  const Result<JsonNode> node = read_json(text, "line");
  EXPECT_TRUE(node.ok()) << text;
  return node.ok() ? node.value() : JsonNode();
}

std::string error_of(const std::string& line) {
  const auto read = read_label_line(parsed(line), ChunkHash::xxh3, "x.jsonl:7");
  return read.ok() ? "" : read.error().message;
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
    std::string line;
    append_label_line(line, label, hash);
    EXPECT_EQ(line.back(), '\n');
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    const JsonNode node = parsed(line);
    EXPECT_TRUE(is_label_line(node));
    EXPECT_FALSE(is_label_header(node));
    const auto again = read_label_line(node, hash, "x");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again.value(), label);
  }
}

TEST(LabelLine, BytesThatAreNoTextAreReplaced) {
  Label label{.hash = hash_chunk("x", ChunkHash::xxh3)};
  add_text(label, "caf\xE9 au lait");
  std::string line;
  append_label_line(line, label, ChunkHash::xxh3);
  const auto again = read_label_line(parsed(line), ChunkHash::xxh3, "x");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.value().text, "caf\xEF\xBF\xBD au lait");
}

TEST(LabelLine, NeedsAHashAlone) {
  const auto label = read_label_line(
      parsed(R"({"hash": "131F95C51CC819465FA1797F6CCACF9D", "reason": "menu", "by": {"x": [1]}})"),
      ChunkHash::xxh3, "x");
  ASSERT_TRUE(label.ok()) << label.error().message;
  EXPECT_EQ(to_hex(label.value().hash, ChunkHash::xxh3), "131f95c51cc819465fa1797f6ccacf9d");
  EXPECT_EQ(label.value().kind, LabelKind::chunk);
  EXPECT_EQ(label.value().count, 1U);
  EXPECT_EQ(label.value().documents, 1U);
  EXPECT_TRUE(label.value().samples.empty());
  // A long text is cut, as everywhere.
  const auto cut =
      read_label_line(parsed(R"({"hash": "131F95C51CC819465FA1797F6CCACF9D", "text": ")" +
                             std::string(1000, 'x') + "\"}"),
                      ChunkHash::xxh3, "x");
  EXPECT_EQ(cut.value().text.size(), most_label_text_bytes);
}

TEST(LabelLine, OtherFieldsAreErrorsThatNameThePlace) {
  const std::string hash = R"("hash": "131f95c51cc819465fa1797f6ccacf9d")";
  EXPECT_EQ(error_of("{" + hash + "}"), "");
  for (const std::string& line :
       {std::string(R"({"hash": "131f"})"), std::string(R"({"hash": 7})"), std::string("{}"),
        std::string(R"({"hash": "131f95c51cc819465fa1797f6ccacf9d00000000"})"),
        "{" + hash + R"(, "kind": "page"})", "{" + hash + R"(, "kind": null})",
        "{" + hash + R"(, "count": -1})", "{" + hash + R"(, "count": 1.5})",
        "{" + hash + R"(, "count": "7"})", "{" + hash + R"(, "documents": 18446744073709551616})",
        "{" + hash + R"(, "samples": {}})", "{" + hash + R"(, "samples": [7]})",
        "{" + hash + R"(, "samples": [{"offset": 7}]})",
        "{" + hash + R"(, "samples": [{"url": "u", "offset": -7}]})",
        "{" + hash + R"(, "samples": [{"url": ")" + std::string(most_url_bytes + 1, 'u') + "\"}]}",
        "{" + hash + R"(, "text": ["x"]})"}) {
    EXPECT_TRUE(error_of(line).starts_with("x.jsonl:7 has ")) << line << "\n" << error_of(line);
    EXPECT_LT(error_of(line).size(), 300U);
  }
}

TEST(LabelHeader, SaysTheRules) {
  for (const ChunkRules& rules : {ChunkRules{}, hadoop_chunks(), auntietuna_chunks()}) {
    const LabelFacts facts{to_text(rules), rules.hash};
    std::string line;
    append_label_header(line, facts, 12);
    const JsonNode node = parsed(line);
    EXPECT_TRUE(is_label_header(node));
    EXPECT_FALSE(is_label_line(node));
    EXPECT_EQ(node["labels"].integer(), 12U);
    EXPECT_EQ(read_label_header(node, "x").value(), facts);
    EXPECT_EQ(label_facts(facts.rules), facts);
  }
  EXPECT_FALSE(label_facts("html").has_value());
  EXPECT_TRUE(read_label_header(parsed(R"({"rules": "hadoop sha1 least=0"})"), "x").ok());
  for (const char* const line : {R"({"rules": "hadoop"})", R"({"rules": 7})",
                                 R"({"rules": "hadoop sha1 least=0", "hash": 7})",
                                 R"({"rules": "hadoop sha1 least=0", "hash": "sha256"})"}) {
    const auto read = read_label_header(parsed(line), "x.jsonl:1");
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_TRUE(read.error().message.starts_with("x.jsonl:1 has ")) << read.error().message;
  }
}

}  // namespace
}  // namespace twinset
