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
