// What a run foretells of itself: only of much text, only where sketches decide, and
// beside it what came.
#include "job/predictions.h"

#include <gtest/gtest.h>

#include "job/prepare.h"

namespace twinset {
namespace {

/// Over one file of a gibibyte.
DedupJob job_of(const std::string& scheme) {
  DedupOptions options;
  options.inputs = {"in"};
  options.output = "out";
  options.scheme = scheme;
  options.resources.memory_bytes = 4'000'000'000;
  DedupJob job;
  EXPECT_TRUE(prepare_job(options, RunControl{}, job).ok());
  job.list.inputs.resize(1);
  job.list.inputs[0].status.size = std::uint64_t{1} << 30;
  return job;
}

/// Three documents of which the first two are near copies.
void add_documents(DedupJob& job, ReadState& state) {
  for (std::uint64_t i = 0; i < 3; ++i) {
    std::vector<std::uint64_t> shingles;
    for (std::uint64_t j = 0; j < 200; ++j) shingles.push_back(mix64(i == 2 ? j + 1000 : j + 1));
    if (i == 1) shingles.back() = mix64(5000);
    Sketch sketch;
    job.scheme->sketch({.text = {}, .analysis = nullptr, .shingles = shingles}, sketch);
    std::vector<std::uint64_t> keys;
    job.scheme->keys(sketch, keys);
    KeyHolder holder;
    holder.document = DocumentId(0, i + 1);
    holder.lexical = {i + 1, mix64(i)};
    SampleBatch batch;
    job.sample->take_fingerprint(holder.lexical, batch);
    job.sample->take(holder, keys, sketch.stored, batch);
    job.sample->add(batch);
    state.keys += keys.size();
  }
  state.documents = state.records = 3;
  state.text_bytes = std::uint64_t{1} << 30;
}

TEST(Predictions, StandBesideWhatCame) {
  DedupJob job = job_of("fss");
  ReadState state;
  Predictions predictions;
  predictions.begin(job);
  ASSERT_NE(job.sample, nullptr);
  add_documents(job, state);
  predictions.foretell(job, state, {"read", 1, 1}, dedup_costs);
  EXPECT_EQ(job.sample, nullptr);
  ASSERT_TRUE(predictions.made());
  predictions.add("removed", predictions.seen().removed, 1);
  RunFacts facts;
  facts.stages = {{"read", 1, 1}, {"foretell", 2, 2}, {"write", 3, 3}, {"fold", 4, 4}};
  predictions.finish(facts);
  ASSERT_EQ(facts.predictions.size(), 4U);
  EXPECT_EQ(facts.predictions[0].what, "removed");
  EXPECT_EQ(facts.predictions[0].predicted.value, 1);
  EXPECT_EQ(facts.predictions[1].what, "seconds_left");
  EXPECT_EQ(facts.predictions[1].actual, 7) << "of what came after it was foretold";
  EXPECT_EQ(facts.predicted_from, 1);
}

TEST(Predictions, NothingIsForetoldOfLittleText) {
  DedupJob job = job_of("fss");
  job.list.inputs[0].status.size = std::uint64_t{1} << 10;
  job.list.inputs[0].compression = Compression::zstd;
  ReadState state;
  Predictions predictions;
  predictions.begin(job);
  add_documents(job, state);
  state.text_bytes = std::uint64_t{1} << 20;
  predictions.foretell(job, state, {"read", 1, 1}, dedup_costs);
  EXPECT_FALSE(predictions.made());
  RunFacts facts;
  predictions.add("removed", {}, 1);
  predictions.finish(facts);
  EXPECT_TRUE(facts.predictions.empty());
}

TEST(Predictions, NoSampleIsTakenOfFilesTooSmallForIt) {
  DedupJob job = job_of("fss");
  job.list.inputs[0].status.size = std::uint64_t{1} << 20;
  Predictions predictions;
  predictions.begin(job);
  EXPECT_EQ(job.sample, nullptr);
}

TEST(Predictions, NothingIsForetoldWhereSketchesDoNotDecide) {
  for (const char* scheme : {"exact", "super_shingle"}) {
    DedupJob job = job_of(scheme);
    Predictions predictions;
    predictions.begin(job);
    EXPECT_EQ(job.sample, nullptr) << scheme;
  }
  DedupJob against = job_of("fss");
  against.reference_sources = 1;
  Predictions predictions;
  predictions.begin(against);
  EXPECT_EQ(against.sample, nullptr);
}

}  // namespace
}  // namespace twinset
