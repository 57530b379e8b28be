#include "run/prepare.h"

#include "dedup/dedup_options.h"
#include "support/small_run.h"

namespace twinset {
namespace {

using testing::SmallRun;

Status prepared(const DedupOptions& options) {
  Job job;
  return prepare_job(options, dedup_verb(options), RunControl{}, job);
}

TEST(Prepare, ChoosesKeepOrderAndSchemesFromTheOptions) {
  SmallRun small;
  Job job;
  ASSERT_TRUE(prepare_job(small.options, dedup_verb(small.options), RunControl{}, job).ok());
  EXPECT_EQ(job.keep.by, KeepRule::By::input);
  EXPECT_EQ(job.signer.containment_scheme, nullptr);
  EXPECT_TRUE(job.signer.uses_bands());
  small.options.containment = Ratio(9, 10);
  small.options.seed = 7;
  Job contained;
  ASSERT_TRUE(prepare_job(small.options, dedup_verb(small.options), RunControl{}, contained).ok());
  EXPECT_EQ(contained.keep.by, KeepRule::By::size);
  EXPECT_EQ(contained.signer.counted_scheme()->declaration().name, "mod");
  EXPECT_NE(contained.signer.scheme->spec().find("seed=7"), std::string::npos);
  EXPECT_NE(contained.signer.fingerprint, job.signer.fingerprint);
}

TEST(Prepare, RefusesWhatCannotBeMeant) {
  const DedupOptions good = SmallRun().options;
  const auto refused = [&](auto change) {
    DedupOptions options = good;
    change(options);
    const Status status = prepared(options);
    return !status.ok() && status.error().code == ErrorCode::usage;
  };
  EXPECT_TRUE(prepared(good).ok());
  EXPECT_TRUE(refused([](DedupOptions& o) { o.inputs.clear(); }));
  EXPECT_TRUE(refused([](DedupOptions& o) { o.output.clear(); }));
  EXPECT_TRUE(refused([](DedupOptions& o) { o.resemblance = Ratio(0, 1); }));
  EXPECT_TRUE(refused([](DedupOptions& o) { o.containment = Ratio(0, 1); }));
  EXPECT_TRUE(refused([](DedupOptions& o) { o.keep = "best"; }));
  EXPECT_TRUE(refused([](DedupOptions& o) { o.scheme = "fss(bins=3)"; }));
  EXPECT_TRUE(refused([](DedupOptions& o) { o.analyzer = "letters"; }));
  EXPECT_TRUE(refused([](DedupOptions& o) { o.input.max_record = 0; }));
  EXPECT_TRUE(refused([](DedupOptions& o) { o.resources.threads = 5000; }));
  EXPECT_TRUE(refused([](DedupOptions& o) { o.output = "a\nb"; }));
  EXPECT_TRUE(refused([](DedupOptions& o) {
    o.scheme = "exact";
    o.verify = Check::sketch;
  }));
}

// B-22: a feature is a shingle by itself, unless the spec says otherwise.
TEST(Prepare, FeaturesAreShinglesOfOneToken) {
  const auto width = [](const std::string& scheme) {
    DedupOptions options = SmallRun().options;
    options.analyzer = "features";
    options.scheme = scheme;
    options.seed = 3;
    Job job;
    const Status status = prepare_job(options, dedup_verb(options), RunControl{}, job);
    EXPECT_TRUE(status.ok()) << status.error().message;
    EXPECT_TRUE(job.fields.features);
    return job.signer.view.shingle_tokens;
  };
  EXPECT_EQ(width("fss"), 1U);
  EXPECT_EQ(width("minhash()"), 1U);
  EXPECT_EQ(width("mod( modulus=25 )"), 1U);
  EXPECT_EQ(width("fss(shingle=3)"), 3U);
  EXPECT_EQ(width("super_shingle(window=2, shingle=5)"), 5U);
  DedupOptions options = SmallRun().options;
  options.analyzer = "features";
  options.scheme = "exact";
  Job exact;
  ASSERT_TRUE(prepare_job(options, dedup_verb(options), RunControl{}, exact).ok());
  EXPECT_EQ(exact.signer.view.shingle_tokens, 1U);
  options.containment = Ratio(9, 10);
  Job contained;
  ASSERT_TRUE(prepare_job(options, dedup_verb(options), RunControl{}, contained).ok());
  EXPECT_EQ(contained.signer.containment_scheme->shingle_tokens(), 1U);
}

// B-21: super shingles do not give containment, and their sketches do not estimate: both are
// refused, with the reason and a remedy.
TEST(Prepare, RefusesWhatSuperShinglesCannotTell) {
  for (const char* scheme : {"super_shingle", "mega_shingle"}) {
    DedupOptions options = SmallRun().options;
    options.scheme = scheme;
    EXPECT_TRUE(prepared(options).ok());
    options.containment = Ratio(9, 10);
    const Status contained = prepared(options);
    ASSERT_FALSE(contained.ok());
    EXPECT_EQ(contained.error().code, ErrorCode::usage);
    EXPECT_NE(contained.error().message.find("cannot find containment"), std::string::npos);
    EXPECT_NE(contained.error().message.find(scheme), std::string::npos);
    options.containment.reset();
    options.verify = Check::sketch;
    const Status sketched = prepared(options);
    ASSERT_FALSE(sketched.ok());
    EXPECT_EQ(sketched.error().code, ErrorCode::usage);
  }
}

TEST(Prepare, NamesTheBytesATooSmallBudgetLacks) {
  SmallRun small;
  small.options.resources.threads = 2;
  const std::uint64_t least = MemoryPlan::floor(2);
  small.options.resources.memory = least - 1;
  const Status status = prepared(small.options);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find(std::to_string(least)), std::string::npos);
  small.options.resources.memory = least;
  EXPECT_TRUE(prepared(small.options).ok());
}

}  // namespace
}  // namespace twinset
