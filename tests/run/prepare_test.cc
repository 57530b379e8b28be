#include "run/prepare.h"

#include "support_runs/job_fixture.h"

namespace twinset {
namespace {

using testing::JobOptions;

/// Nothing of these is read.
JobOptions usual() {
  JobOptions options;
  options.inputs = {"in.jsonl"};
  options.output = "no-such-folder";
  options.input.max_record = 1 << 20;
  return options;
}

Status prepare(const JobOptions& options, Job& job) {
  return prepare_job(options, options.verb(), RunControl{}, job);
}

Status prepared(const JobOptions& options) {
  Job job;
  return prepare(options, job);
}

TEST(Prepare, ChoosesKeepOrderAndSchemesFromTheOptions) {
  JobOptions options = usual();
  Job job;
  ASSERT_TRUE(prepare(options, job).ok());
  EXPECT_EQ(job.keep.by, KeepRule::By::input);
  EXPECT_EQ(job.signer.containment_scheme, nullptr);
  EXPECT_TRUE(job.signer.uses_bands());
  options.containment = Ratio(9, 10);
  options.keep = "longest";
  options.seed = 7;
  Job contained;
  ASSERT_TRUE(prepare(options, contained).ok());
  EXPECT_EQ(contained.keep.by, KeepRule::By::size);
  EXPECT_EQ(contained.signer.counted_scheme()->declaration().name, "mod");
  EXPECT_NE(contained.signer.scheme->spec().find("seed=7"), std::string::npos);
  EXPECT_NE(contained.signer.fingerprint, job.signer.fingerprint);
}

TEST(Prepare, RefusesWhatCannotBeMeant) {
  const JobOptions good = usual();
  const auto refused = [&](auto change) {
    JobOptions options = good;
    change(options);
    const Status status = prepared(options);
    return !status.ok() && status.error().code == ErrorCode::usage;
  };
  EXPECT_TRUE(prepared(good).ok());
  EXPECT_TRUE(refused([](JobOptions& o) { o.inputs.clear(); }));
  EXPECT_TRUE(refused([](JobOptions& o) { o.output.clear(); }));
  EXPECT_TRUE(refused([](JobOptions& o) { o.resemblance = Ratio(0, 1); }));
  EXPECT_TRUE(refused([](JobOptions& o) { o.containment = Ratio(0, 1); }));
  EXPECT_TRUE(refused([](JobOptions& o) { o.keep = "best"; }));
  EXPECT_TRUE(refused([](JobOptions& o) { o.scheme = "fss(bins=3)"; }));
  EXPECT_TRUE(refused([](JobOptions& o) { o.analyzer = "letters"; }));
  EXPECT_TRUE(refused([](JobOptions& o) { o.input.max_record = 0; }));
  EXPECT_TRUE(refused([](JobOptions& o) { o.resources.threads = 5000; }));
  EXPECT_TRUE(refused([](JobOptions& o) { o.output = "a\nb"; }));
  EXPECT_TRUE(refused([](JobOptions& o) {
    o.scheme = "exact";
    o.sketches_decide = true;
  }));
}

// B-22: a feature is a shingle by itself, unless the spec says otherwise.
TEST(Prepare, FeaturesAreShinglesOfOneToken) {
  const auto width = [](const std::string& scheme) {
    JobOptions options = usual();
    options.analyzer = "features";
    options.scheme = scheme;
    options.seed = 3;
    Job job;
    const Status status = prepare(options, job);
    EXPECT_TRUE(status.ok()) << status.error().message;
    EXPECT_TRUE(job.fields.features);
    return job.signer.view.shingle_tokens;
  };
  EXPECT_EQ(width("fss"), 1U);
  EXPECT_EQ(width("minhash()"), 1U);
  EXPECT_EQ(width("mod( modulus=25 )"), 1U);
  EXPECT_EQ(width("fss(shingle=3)"), 3U);
  EXPECT_EQ(width("super_shingle(window=2, shingle=5)"), 5U);
  JobOptions options = usual();
  options.analyzer = "features";
  options.scheme = "exact";
  Job exact;
  ASSERT_TRUE(prepare(options, exact).ok());
  EXPECT_EQ(exact.signer.view.shingle_tokens, 1U);
  options.containment = Ratio(9, 10);
  Job contained;
  ASSERT_TRUE(prepare(options, contained).ok());
  EXPECT_EQ(contained.signer.containment_scheme->shingle_tokens(), 1U);
}

// B-21: super shingles do not give containment, and their sketches do not estimate: both are
// refused, with the reason and a remedy.
TEST(Prepare, RefusesWhatSuperShinglesCannotTell) {
  for (const char* scheme : {"super_shingle", "mega_shingle"}) {
    JobOptions options = usual();
    options.scheme = scheme;
    EXPECT_TRUE(prepared(options).ok());
    options.containment = Ratio(9, 10);
    const Status contained = prepared(options);
    ASSERT_FALSE(contained.ok());
    EXPECT_EQ(contained.error().code, ErrorCode::usage);
    EXPECT_NE(contained.error().message.find("cannot find containment"), std::string::npos);
    EXPECT_NE(contained.error().message.find(scheme), std::string::npos);
    options.containment.reset();
    options.sketches_decide = true;
    const Status sketched = prepared(options);
    ASSERT_FALSE(sketched.ok());
    EXPECT_EQ(sketched.error().code, ErrorCode::usage);
  }
}

TEST(Prepare, NamesTheBytesATooSmallBudgetLacks) {
  JobOptions options = usual();
  options.resources.threads = 2;
  const std::uint64_t least = MemoryPlan::floor(2);
  options.resources.memory = least - 1;
  const Status status = prepared(options);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find(std::to_string(least)), std::string::npos);
  options.resources.memory = least;
  EXPECT_TRUE(prepared(options).ok());
}

}  // namespace
}  // namespace twinset
