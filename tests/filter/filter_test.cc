// filter() and Filter: the messages of inputs in order, and one at a time.
#include "twinset/filter.h"

#include <string>
#include <vector>

#include "filter/filter_testing.h"
#include "support/scratch_folder.h"
#include "support_runs/job_fixture.h"

namespace twinset::testing {
namespace {

class EmittedBytes final : public RecordSink {
 public:
  Status write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

std::string message_line(const std::string& id, const std::string& text) {
  return "{\"id\": \"" + id + "\", \"text\": \"" + text + "\"}\n";
}

struct ToyRun {
  ToyRun() {
    folder.write("spam.jsonl",
                 message_line("s1", message_of(1, 90)) + message_line("s2", message_of(2, 90)));
    lines = {message_line("m1", message_of(1, 90)), message_line("m2", message_of(3, 90)),
             message_line("m3", "short"), message_line("m4", message_of(2, 90) + " more")};
    folder.write("in.jsonl", lines[0] + lines[1] + "no record\n" + lines[2] + lines[3]);
    options.prototypes = {folder / "spam.jsonl"};
    options.inputs = {folder / "in.jsonl"};
    options.resources.tmp = folder / "";
  }
  Result<FilterSummary> run() {
    EmittedBytes bytes;
    RunControl control = quiet_control();
    control.kept = &bytes;
    auto done = filter(options, control);
    emitted = bytes.text;
    return done;
  }
  ScratchFolder folder;
  std::vector<std::string> lines;
  FilterOptions options;
  std::string emitted;
};

TEST(FilterRun, TellsOfEachMessageInOrder) {
  ToyRun toy;
  const auto done = toy.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  std::vector<std::string> verdicts;
  std::istringstream stream(toy.emitted);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t at = line.find("\"verdict\"");
    verdicts.push_back(line.substr(0, 11) + line.substr(at, line.find(',', at) - at));
  }
  EXPECT_EQ(
      verdicts,
      (std::vector<std::string>{
          "{\"id\": \"m1\"\"verdict\": \"match\"", "{\"id\": \"m2\"\"verdict\": \"pass\"}",
          "{\"id\": \"" + toy.options.inputs[0].substr(0, 3) + "\"verdict\": \"unknown\"",
          "{\"id\": \"m3\"\"verdict\": \"unknown\"", "{\"id\": \"m4\"\"verdict\": \"match\""}));
  EXPECT_EQ(done.value().prototypes_added, 2U);
  EXPECT_EQ(done.value().stats.checked, 4U);
  EXPECT_EQ(done.value().stats.matched, 2U);
  EXPECT_EQ(done.value().quarantined, 1U);
  EXPECT_EQ(done.value().bad_records.size(), 1U);
}

TEST(FilterRun, EmitsTheRecordsThemselves) {
  ToyRun toy;
  toy.options.emit = EmitMessages::match;
  ASSERT_TRUE(toy.run().ok());
  EXPECT_EQ(toy.emitted, toy.lines[0] + toy.lines[3]);
  toy.options.emit = EmitMessages::pass;
  ASSERT_TRUE(toy.run().ok());
  // What cannot be read is not held back.
  EXPECT_EQ(toy.emitted, toy.lines[1] + "no record\n" + toy.lines[2]);
}

TEST(FilterRun, ATableKeepsItsFirstRow) {
  ToyRun toy;
  toy.folder.write("in.csv",
                   "id,text\n1,\"" + message_of(1, 90) + "\"\n2,something else that is new");
  toy.options.inputs = {toy.folder / "in.csv"};
  toy.options.emit = EmitMessages::pass;
  ASSERT_TRUE(toy.run().ok());
  EXPECT_EQ(toy.emitted, "id,text\n2,something else that is new");
}

TEST(FilterRun, ShortPrototypesAreNone) {
  ToyRun toy;
  toy.folder.write("spam.jsonl", message_line("s1", "buy now") + message_line("s2", "") +
                                     message_line("s3", message_of(2, 90)));
  toy.options.settings.scheme = {"simhash"};
  const auto done = toy.run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().prototypes_added, 1U);
  EXPECT_EQ(done.value().stats.prototypes, 1U);
  EXPECT_EQ(done.value().warnings.size(), 1U);
}

TEST(FilterRun, ASetStaysAndGrows) {
  ToyRun toy;
  toy.options.set = toy.folder / "set";
  ASSERT_TRUE(toy.run().ok());
  const std::string verdicts = toy.emitted;
  const auto again = toy.run();
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.value().prototypes_added, 0U) << "they are there already";
  EXPECT_EQ(toy.emitted, verdicts);
  ASSERT_EQ(again.value().stats.most_matched.size(), 2U);
  EXPECT_EQ(again.value().stats.most_matched[0].matches, 2U);
  toy.options.prototypes.clear();
  ASSERT_TRUE(toy.run().ok());
  EXPECT_EQ(toy.emitted, verdicts);
}

TEST(FilterRun, WhatMakesNoSenseIsAnError) {
  ToyRun toy;
  toy.options.listen = "s";
  EXPECT_EQ(toy.run().error().code, ErrorCode::usage);
  toy.options.listen.clear();
  toy.options.prototypes.clear();
  EXPECT_NE(toy.run().error().message.find("nothing to hold messages against"), std::string::npos);
  toy.options.inputs.clear();
  EXPECT_EQ(toy.run().error().code, ErrorCode::usage);
}

TEST(Filter, IsAskedAndChanged) {
  ToyRun toy;
  toy.options.inputs.clear();
  toy.options.set = toy.folder / "set";
  {
    const Filter filter = Filter::open(toy.options).value();
    EXPECT_EQ(filter.check(message_of(1, 90)).value().prototype->document.id, "\"s1\"");
    EXPECT_EQ(filter.check("<p>" + message_of(1, 90) + "</p>", true).value().verdict,
              FilterVerdict::match);
    EXPECT_EQ(filter.check(message_of(7, 90)).value().verdict, FilterVerdict::pass);
    ASSERT_TRUE(filter.add("new", message_of(7, 90)).ok());
    EXPECT_EQ(filter.check(message_of(7, 90)).value().verdict, FilterVerdict::match);
    EXPECT_EQ(filter.add("few", "two words").error().code, ErrorCode::usage);
    EXPECT_TRUE(filter.remove("s1").value());
    EXPECT_FALSE(filter.remove("s1").value());
    EXPECT_EQ(Filter::open(toy.options).error().code, ErrorCode::io) << "one process changes it";
  }
  toy.options.prototypes.clear();
  const Filter again = Filter::open(toy.options).value();
  EXPECT_EQ(again.check(message_of(1, 90)).value().verdict, FilterVerdict::pass);
  EXPECT_EQ(again.check(message_of(7, 90)).value().verdict, FilterVerdict::match);
  const FilterStats stats = again.stats().value();
  EXPECT_EQ(stats.prototypes, 2U);
  ASSERT_FALSE(stats.most_matched.empty());
  EXPECT_EQ(stats.most_matched[0].id, "\"new\"");
  EXPECT_EQ(again.expire().value(), 0U);
}

}  // namespace
}  // namespace twinset::testing
