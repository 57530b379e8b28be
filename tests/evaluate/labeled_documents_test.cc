#include "evaluate/labeled_documents.h"

#include <gmock/gmock.h>

#include "support_runs/small_run.h"

namespace twinset {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

/// Ten documents d0 to d9 of which two have one label each; the last two have none.
EvaluateOptions options_of(const ScratchFolder& folder) {
  std::string lines;
  for (int i = 0; i < 10; ++i) {
    lines += R"({"id":"d)" + std::to_string(i) + R"(","text":"alpha beta gamma )" +
             std::to_string(i) + "\"";
    if (i < 8) lines += R"(,"meta":{"label":)" + std::to_string(i / 2 * 2) + "}";
    lines += "}\n";
  }
  EvaluateOptions options;
  options.inputs = {folder.write("in.jsonl", lines)};
  options.input.max_record = 1 << 20;
  options.resources.tmp = folder.path();
  return options;
}

std::string message(const EvaluateOptions& options) {
  const Result<Evaluation> done = evaluate(options, RunControl{});
  EXPECT_FALSE(done.ok());
  return done.ok() ? "" : done.error().text(Door::command_line);
}

TEST(LabeledDocuments, LabelsFromAFileAreThoseOfTheField) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.labels = "meta.label";
  const Result<Evaluation> field = evaluate(options, RunControl{});
  ASSERT_TRUE(field.ok());
  EXPECT_THAT(field.value().labels_of,
              HasSubstr("all 8 documents with 4 labels; 2 without a label take no"));
  std::string lines;
  for (int i = 0; i < 8; ++i) {
    lines +=
        R"({"id":"d)" + std::to_string(i) + R"(","label":")" + std::to_string(i / 2 * 2) + "\"}\n";
  }
  options.labels.clear();
  options.labels_file = folder.write("labels.jsonl", lines);
  const Result<Evaluation> file = evaluate(options, RunControl{});
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(to_json(file.value()), to_json(field.value()));
}

TEST(LabeledDocuments, UnknownIdsAreNamedUnlessIgnored) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  std::string lines = R"({"id":"d0","label":1})"
                      "\n";
  for (int i = 0; i < 7; ++i)
    lines += R"({"id":"x)" + std::to_string(i) + R"(","label":"a"})" + "\n";
  options.labels_file = folder.write("labels.jsonl", lines);
  const std::string said = message(options);
  EXPECT_THAT(said, HasSubstr("labels 7 ids that no document has: x0, x1, x2, x3, x4, ...;"));
  EXPECT_THAT(said, HasSubstr("--ignore-unknown-labels"));
  options.ignore_unknown_labels = true;
  EXPECT_TRUE(evaluate(options, RunControl{}).ok());
}

TEST(LabeledDocuments, CountsOfALargerCollectionLeaveTheSampledOnes) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.labels = "meta.label";
  DrawnSample drawn;
  drawn.documents = 90'000;
  drawn.labeled = 20'001;
  drawn.unlabeled = 5;
  drawn.sampled.assign(10, true);
  options.drawn = &drawn;
  const Result<Evaluation> many = evaluate(options, RunControl{});
  ASSERT_TRUE(many.ok()) << many.error().message;
  EXPECT_THAT(many.value().labels_of,
              HasSubstr("8 sampled documents of 20001 with 4 labels; 5 without a label take no"));
  EXPECT_EQ(many.value().documents, 90'000u);
  drawn.labeled = 20'000;
  const Result<Evaluation> all = evaluate(options, RunControl{});
  EXPECT_THAT(all.value().labels_of, HasSubstr("all 8 documents with 4 labels"));
}

TEST(LabeledDocuments, RefusesLabelsItCannotUse) {
  const ScratchFolder folder;
  EvaluateOptions options = options_of(folder);
  options.labels = "nosuch";
  EXPECT_THAT(message(options), HasSubstr("no record has a string or a number in its field "
                                          "'nosuch'"));
  options.labels_file = "labels.jsonl";
  EXPECT_THAT(message(options), HasSubstr("leave one out"));
  options.labels.clear();
  const auto refused = [&](const std::string& lines, const std::string& why) {
    options.labels_file = folder.write("wrong.jsonl", lines);
    EXPECT_THAT(message(options), HasSubstr(why));
  };
  refused("{\"id\":\"d0\"}\n", "wrong.jsonl: a line is {\"id\": ..., \"label\": ...}");
  refused("{\"id\":\"d0\",\"label\":[1]}\n", "each a string or a number");
  refused("{\"id\":\"d0\",\"label\":1}\n{\"id\":\"d0\",\"label\":2}\n", "id d0 has two labels");
  refused("not json\n", "wrong.jsonl:1");
  refused("", "no document has an id that");
}

TEST(LabeledDocuments, UtilityIsOfALabelThatDocumentsHave) {
  EvaluateOptions options;
  options.labels = "label";
  options.utility = "ham";
  LabeledDocuments labeled(options);
  RecordView view(ViewRule{.analyzer = find_analyzer("words")});
  Record record;
  record.text = "one two three four five six";
  view.look_at(record);
  labeled.add(view, {0, 1, "\"a\"", "spam", true});
  EXPECT_EQ(labeled.utility_label().error().text(Door::command_line),
            "no document has the label 'ham' (--utility); labels are: spam");
  labeled.add(view, {0, 2, "\"b\"", "ham", true});
  EXPECT_EQ(labeled.utility_label().value(), 1u);
}

// Beyond 20,000 labeled documents those of the sample are taken.
TEST(LabeledDocuments, TooManyGiveWayToTheSample) {
  EvaluateOptions options;
  options.labels = "label";
  LabeledDocuments labeled(options);
  RecordView view(ViewRule{.analyzer = find_analyzer("words")});
  Record record;
  record.text = "one two three four five six";
  view.look_at(record);
  DocumentPlace place{0, 1, "\"a\"", "x", true};
  for (int i = 0; i < 20'001; ++i) labeled.add(view, place);
  labeled.add(view, {0, 2, "\"b\"", "", false});
  std::vector<SampledDocument> sample;
  sample.push_back({std::string(record.text), place});
  sample.push_back({"seven eight nine ten eleven twelve", {0, 2, "\"b\"", "", false}});
  TrialSetOptions set_options;
  set_options.analyzer = find_analyzer("words");
  const TrialSet set = TrialSet::make(set_options, std::move(sample)).value();
  const std::vector<LabeledDocument>& held = labeled.take(set);
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0].text, record.text);
  EXPECT_EQ(labeled.text(),
            "1 sampled documents of 20001 with 1 labels; 1 without a label take no part.");
}

}  // namespace
}  // namespace twinset
