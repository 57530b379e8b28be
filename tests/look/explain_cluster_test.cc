#include "look/explain_cluster.h"

#include <filesystem>

#include "support_runs/cluster_testing.h"
#include "twinset/cluster.h"
#include "twinset/look.h"

namespace twinset {
namespace {

using namespace twinset::testing;

std::string ask(const std::string& output, const std::string& id) {
  ExplainOptions options;
  options.folder = output;
  options.id = id;
  const Result<Explanation> found = explain(options, RunControl{});
  return found.ok() ? to_json(found.value()) : "error: " + found.error().message;
}

/// Three versions, the first and the last of which have less in common; a copy; a document alone.
class ClusterExplained : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto line = [](const std::string& id, const std::string& text) {
      return R"({"id":")" + id + R"(","text":")" + text + "\"}\n";
    };
    const std::string middle = made_words("one two three four five six seven", 60, 1);
    ClusterOptions options;
    options.inputs = {
        folder_.write("a.jsonl", line("v1", made_words("north south east west", 30, 2) + middle) +
                                     line("v2", middle) + line("alone", "of its own and no other")),
        folder_.write("b.jsonl", line("v3", middle + made_words("red green blue black", 30, 3)) +
                                     line("copy", middle) + "no record\n")};
    options.output = output_ = folder_ / "like";
    options.scheme = "mod(modulus=1)";
    options.resemblance = Ratio(3, 5);
    options.input.max_record = 1 << 20;
    ASSERT_TRUE(cluster(options, quiet_control()).ok());
  }
  const ScratchFolder folder_;
  std::string output_;
};

// B-16.
TEST_F(ClusterExplained, TellsTheClusterAndTheNearest) {
  const std::string answer = ask(output_, "v3");
  EXPECT_NE(answer.find(R"("fate": "clustered")"), std::string::npos) << answer;
  EXPECT_NE(answer.find(R"("representative": {"id": "v1")"), std::string::npos) << answer;
  EXPECT_NE(answer.find(R"("documents": 4)"), std::string::npos) << answer;
  EXPECT_NE(answer.find(R"("edges": 1, "nearest": [{"id": "v2")"), std::string::npos) << answer;
  EXPECT_NE(ask(output_, "v2").find(R"("edges": 2)"), std::string::npos) << ask(output_, "v2");
}

TEST_F(ClusterExplained, IsAValue) {
  const Explanation found = explain({.folder = output_, .id = "v3"}, RunControl{}).value();
  EXPECT_EQ(found.fate, Explanation::Fate::clustered);
  ASSERT_TRUE(found.cluster.has_value());
  EXPECT_EQ(found.cluster->documents, 4U);
  EXPECT_EQ(found.cluster->representative.id, "v1");
  EXPECT_EQ(found.cluster->pairs, 1U);
  ASSERT_EQ(found.cluster->nearest.size(), 1U);
  EXPECT_EQ(found.cluster->nearest[0].name.id, "v2");
  EXPECT_GE(found.cluster->nearest[0].resemblance.value_or(0), 0.6);
  EXPECT_EQ(found.cluster->pairs_count, "shingles");
  EXPECT_NE(to_text(found).find("; its representative is\n  v1\n"), std::string::npos)
      << to_text(found);
}

// The intervals are those that the two sketches tell.
TEST_F(ClusterExplained, EstimatesOfSketchesHaveIntervals) {
  const std::string middle = made_words("one two three four five six seven", 60, 1);
  const std::string last = middle + made_words("red green blue black", 30, 3);
  for (const std::string spec : {"fss(bits=1)", "fss(bins=128)", "minhash", "datasketch"}) {
    ClusterOptions options;
    options.inputs = {folder_ / "a.jsonl", folder_ / "b.jsonl"};
    options.output = folder_ / spec;
    options.scheme = spec;
    options.verify = Check::sketch;
    options.resemblance = Ratio(3, 10);
    ASSERT_TRUE(cluster(options, quiet_control()).ok());
    const Explanation found = explain({.folder = options.output, .id = "v3"}, RunControl{}).value();
    ASSERT_TRUE(found.cluster.has_value());
    ASSERT_FALSE(found.cluster->nearest.empty()) << spec;
    const AlikeRecord& nearest = found.cluster->nearest[0];
    EXPECT_EQ(nearest.name.id, "v2");
    const TextScheme scheme = make_scheme(spec).value();
    const Comparison told =
        scheme.compare(scheme.sketch(last).value(), scheme.sketch(middle).value()).value();
    ASSERT_TRUE(told.resemblance.has_value());
    ASSERT_TRUE(nearest.interval.has_value()) << spec;
    EXPECT_NEAR(nearest.interval->value, told.resemblance->value, 1e-6);
    EXPECT_EQ(nearest.interval->low, told.resemblance->low) << spec;
    EXPECT_EQ(nearest.interval->high, told.resemblance->high) << spec;
    EXPECT_LT(nearest.interval->low, nearest.interval->high);
  }
}

// Without the secret no sketch can be made, so there are no intervals, and none are promised.
TEST_F(ClusterExplained, EstimatesOfALostSecretHaveNone) {
  const std::string secret = folder_.write("secret", "0123456789abcdef0123456789abcdef");
  std::filesystem::permissions(secret, std::filesystem::perms::owner_read);
  ClusterOptions options;
  options.inputs = {folder_ / "a.jsonl", folder_ / "b.jsonl"};
  options.output = folder_ / "sealed";
  options.scheme = "fss(secret=\"" + secret + "\")";
  options.verify = Check::sketch;
  options.resemblance = Ratio(3, 10);
  const Result<ClusterSummary> made = cluster(options, quiet_control());
  ASSERT_TRUE(made.ok()) << made.error().message;
  const ExplainOptions asked{.folder = options.output, .id = "v3"};
  EXPECT_NE(to_text(explain(asked, RunControl{}).value()).find("with Wilson's 95 % intervals"),
            std::string::npos);
  std::filesystem::remove(secret);
  const std::string text = to_text(explain(asked, RunControl{}).value());
  EXPECT_NE(text.find("estimated from sketches\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("with Wilson's"), std::string::npos) << text;
  EXPECT_NE(text.find("the estimates have no intervals, because"), std::string::npos) << text;
  EXPECT_NE(text.find(secret), std::string::npos) << text;
}

TEST_F(ClusterExplained, CopiesAloneAndQuarantined) {
  EXPECT_NE(ask(output_, "copy").find(R"("identical": {"id": "v2")"), std::string::npos)
      << ask(output_, "copy");
  EXPECT_NE(ask(output_, "alone").find(R"("fate": "alone")"), std::string::npos);
  EXPECT_NE(ask(output_, folder_ / "b.jsonl" + ":3").find(R"("fate": "quarantined")"),
            std::string::npos);
  EXPECT_EQ(ask(output_, "nobody").rfind("error: no record has the id", 0), 0U);
}

TEST_F(ClusterExplained, ARecutFolderHasNoPairs) {
  RecutOptions options;
  options.from = output_;
  options.output = folder_ / "tight";
  options.resemblance = Ratio(1, 1);
  ASSERT_TRUE(recut(options, quiet_control()).ok());
  EXPECT_NE(ask(options.output, "v3").find(R"("fate": "alone")"), std::string::npos);
  const std::string answer = ask(options.output, "v2");
  EXPECT_NE(answer.find(R"("documents": 2)"), std::string::npos) << answer;
  EXPECT_NE(answer.find("recut writes no pairs"), std::string::npos) << answer;
}

}  // namespace
}  // namespace twinset
