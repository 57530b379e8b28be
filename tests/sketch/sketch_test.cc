// Lines of signatures against sketches made one by one.
#include "twinset/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "io/json_read.h"
#include "sketch/signature_text.h"
#include "support_runs/job_fixture.h"
#include "system/files.h"
#include "twinset/scheme.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class Lines final : public RecordSink {
 public:
  Status write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

TEST(Sketch, EverySchemeHasALineForEachDocumentInInputOrder) {
  const ScratchFolder folder;
  const MadeCollection made = planted_collection({.seed = 5, .documents = 400, .files = 3});
  SketchOptions options;
  std::vector<std::string> texts;
  for (const MadeFile& file : made.files) {
    options.inputs.push_back(folder.write(file.name, file.bytes()));
    for (const MadeRecord& record : file.records) texts.push_back(record.text);
  }
  options.scheme.clear();
  std::vector<TextScheme> schemes;
  std::vector<Tells> tells;
  for (const SchemeDeclaration& scheme : known_schemes()) {
    options.scheme.emplace_back(scheme.name);
    schemes.push_back(make_scheme(scheme.name).value());
    tells.push_back(scheme.tells);
  }
  for (const unsigned threads : {1U, 3U}) {
    options.resources.threads = threads;
    Lines lines;
    RunControl control = quiet_control();
    control.kept = &lines;
    const Result<SketchSummary> done = sketch(options, control);
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().documents, texts.size());
    std::size_t at = 0;
    std::size_t begin = 0;
    for (; begin < lines.text.size(); ++at) {
      const std::size_t end = lines.text.find('\n', begin);
      const std::string text = lines.text.substr(begin, end - begin);
      const JsonNode line = read_json(text, "line").value();
      const TextScheme& scheme = schemes[at % schemes.size()];
      const TextSketch one = scheme.sketch(texts[at / schemes.size()]).value();
      std::string signature;
      append_signature_json(signature, tells[at % schemes.size()], one.bytes());
      ASSERT_EQ(line["signature"].raw(), signature) << text;
      EXPECT_EQ(line["scheme"].text(), scheme.spec());
      begin = end + 1;
    }
    EXPECT_EQ(at, texts.size() * options.scheme.size());
  }
}

// S-01: the heaviest features of each document, in its line and, of the first, in the summary.
TEST(Sketch, ListsTheHeaviestFeatures) {
  const ScratchFolder folder;
  std::string texts;
  for (int i = 0; i < 50; ++i) {
    texts += "{\"id\": " + std::to_string(i) + ", \"text\": \"rose rose tulip w" +
             std::to_string(i) + "\"}\n";
  }
  SketchOptions options;
  options.inputs = {folder.write("in.jsonl", texts + "{\"id\": 50, \"text\": \"?\"}\n")};
  options.scheme = {"simhash", "simhash(bits=128)"};
  options.features = 2;
  Lines lines;
  RunControl control = quiet_control();
  control.kept = &lines;
  const Result<SketchSummary> done = sketch(options, control);
  ASSERT_TRUE(done.ok()) << done.error().message;
  std::size_t count = 0;
  std::size_t listed = 0;
  for (std::size_t begin = 0; begin < lines.text.size(); ++count) {
    const std::size_t end = lines.text.find('\n', begin);
    const std::string text = lines.text.substr(begin, end - begin);
    const JsonNode line = read_json(text, "line").value();
    begin = end + 1;
    if (line["id"].raw() == "50") continue;
    EXPECT_EQ(line["features"].raw(), "3");
    const JsonNode first = *line["heaviest"].elements().begin();
    EXPECT_EQ(first["text"].text(), "rose");
    EXPECT_EQ(first["weight"].raw(), "2");
    EXPECT_EQ(first["share"].raw(), "0.5");
    EXPECT_EQ(first["bits"].text().size(), count % 2 == 0 ? 16U : 32U);
    for (const JsonNode& each : line["heaviest"].elements())
      listed += each["text"].text().empty() ? 0 : 1;
  }
  EXPECT_EQ(count, 102U);
  EXPECT_EQ(listed, 200U);
  ASSERT_EQ(done.value().features.size(), 6U);
  EXPECT_EQ(done.value().features[5].document, "2");
  EXPECT_EQ(done.value().features[5].heaviest.size(), 2U);
  // join reads such lines.
  JoinOptions joining;
  joining.inputs = {folder.write("lines.jsonl", lines.text)};
  EXPECT_FALSE(join_sketches(joining, quiet_control()).ok());  // of two schemes
  options.scheme = {"simhash"};
  lines.text.clear();
  ASSERT_TRUE(sketch(options, control).ok());
  joining.inputs = {folder.write("one.jsonl", lines.text)};
  Lines pairs;
  control.kept = &pairs;
  const Result<JoinSummary> joined = join_sketches(joining, control);
  ASSERT_TRUE(joined.ok()) << joined.error().message;
  EXPECT_EQ(joined.value().without, 1U);
}

TEST(Sketch, SchemesWithoutWeightsListNoFeatures) {
  const ScratchFolder folder;
  SketchOptions options;
  options.inputs = {folder.write("in.jsonl", "{\"text\": \"one two\"}\n")};
  options.output = folder / "out.jsonl";
  options.features = 5;
  for (const SchemeDeclaration& scheme : known_schemes()) {
    if (scheme.weighs_features) continue;
    options.scheme = {"simhash", std::string(scheme.name)};
    const Result<SketchSummary> done = sketch(options, quiet_control());
    ASSERT_FALSE(done.ok()) << scheme.name;
    EXPECT_NE(done.error().message.find("scheme " + std::string(scheme.name) +
                                        " gives features no weight"),
              std::string::npos);
    EXPECT_NE(done.error().message.find("schemes that do: simhash"), std::string::npos);
  }
}

TEST(Sketch, AnOutputIsMadeWholeOrNotAtAllAndOverwritesNothing) {
  const ScratchFolder folder;
  SketchOptions options;
  options.inputs = {folder.write("in.jsonl", "{\"id\": 7, \"text\": \"one two\"}\nbroken\n")};
  options.scheme = {"mod"};
  options.output = folder / "out.jsonl";
  const Result<SketchSummary> done = sketch(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().quarantined, 1U);
  ASSERT_EQ(done.value().bad_records.size(), 1U);
  EXPECT_NE(done.value().bad_records[0].find("in.jsonl:2: invalid_json"), std::string::npos);
  const std::string before = folder.read("out.jsonl");
  const Result<SketchSummary> again = sketch(options, quiet_control());
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::usage);
  EXPECT_NE(again.error().message.find("overwrites nothing"), std::string::npos);
  EXPECT_EQ(folder.read("out.jsonl"), before);
  options.output = folder / "stopped.jsonl";
  options.max_bad = 0;
  EXPECT_EQ(sketch(options, quiet_control()).error().code, ErrorCode::bad_records);
  std::vector<std::string> left = disk().list(folder.path()).value();
  std::ranges::sort(left);
  EXPECT_EQ(left, (std::vector<std::string>{"in.jsonl", "out.jsonl"}));
}

}  // namespace
}  // namespace twinset
