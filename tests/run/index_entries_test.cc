// IndexEntries: each document of a pass with its names and marks, in input order, as it asks for.
#include "run/index_entries.h"

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using namespace twinset::testing;

class Taken final : public IndexEntries {
 public:
  using IndexEntries::IndexEntries;
  std::vector<std::string> lines;

 private:
  Part part_of(DocumentId document) const override {
    const std::uint64_t record = document.record();
    return record == 2   ? Part::none
           : record == 3 ? Part::names
           : record == 4 ? Part::no_text
                         : Part::all;
  }
  Status take_entry(IndexEntry& entry) override {
    std::string line = std::to_string(entry.id.record());
    for (const std::string_view part : {entry.document.id, entry.document.url, entry.document.date,
                                        entry.document.fields, std::string_view(entry.text)}) {
      line += "|" + std::string(part);
    }
    line += "|" + std::to_string(entry.document.tokens);
    for (const Marks& marks : entry.marks) line += marks.sketch.empty ? "|none" : "|signed";
    lines.push_back(line);
    return {};
  }
};

TEST(IndexEntries, AreWhatAnIndexHoldsOfEachDocument) {
  std::string input;
  JobFixture fixture(MadeCollection{}, [&](JobOptions& options) {
    input = options.output + ".jsonl";
    options.inputs = {input};
    put_file(input,
             "{\"id\":\"a\\u0062\",\"text\":\"one two\",\"u\":\"http://h/\",\"n\":[1, 2]}\n"
             "{\"id\":2,\"text\":\"left out\"}\n"
             "{\"id\":3,\"text\":\"three\",\"d\":\"2026-01-02\"}\n"
             "{\"text\":\"four words of it\"}\n"
             "no JSON\n",
             Compression::none);
  });
  const IndexFields fields{.url = "u", .date = "d", .others = {"n"}};
  EXPECT_EQ(fields.names(), (std::vector<std::string>{"n", "u", "d"}));
  Job job;
  CollectionOptions options;
  options.scheme = "fss";
  options.inputs = {input};
  VerbOptions verb;
  verb.works_in = WorksIn::own;
  verb.fields = fields.names();
  const Status prepared = prepare_job(options, verb, quiet_control(), job);
  ASSERT_TRUE(prepared.ok()) << prepared.error().message;
  job.collection = fixture.job().collection;
  const IndexSigner signer =
      IndexSigner::make({.scheme = {"fss", "mod"}, .texts = true}, unsynced()).value();
  Taken taken(fields, signer, *job.collection);
  ReadState state;
  ASSERT_TRUE(read_collection(
                  job, std::vector<Collector*>{&taken},
                  [](const ReadState&) -> Status { return {}; }, state)
                  .ok());
  EXPECT_EQ(taken.lines,
            (std::vector<std::string>{"1|\"ab\"|http://h/||{\"n\": [1, 2]}|one two|2|signed|signed",
                                      "3|3||2026-01-02|||1|none|none",
                                      "4|\"" + input + ":4\"|||||4|signed|signed"}));
}

}  // namespace
}  // namespace twinset
