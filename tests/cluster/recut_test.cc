// Other clusters of pairs that are already counted (row B-15).
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "support_runs/cluster_testing.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

using namespace twinset::testing;

// B-15: thresholds, stars and containment from the pairs kept.
TEST(Recut, GivesTheSameClustersAsAFullRun) {
  const MadeCollection collection = planted_collection({.seed = 7, .documents = 400});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.floor = Ratio(0, 1);
  options.verify = Check::exact;
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const auto cut = [&](const RecutOptions& wanted) {
    const Result<ClusterSummary> done = recut(wanted, quiet_control());
    EXPECT_TRUE(done.ok()) << done.error().message;
    return get_file(wanted.output + "/clusters.jsonl.zst");
  };
  const auto full = [&](const std::string& name, const auto& change) {
    ClusterOptions other = options;
    other.output = folder / name;
    change(other);
    EXPECT_TRUE(cluster(other, quiet_control()).ok());
    return get_file(other.output + "/clusters.jsonl.zst");
  };
  RecutOptions wanted;
  wanted.from = options.output;
  wanted.resources.threads = 1;
  std::set<std::string> unlike;
  for (const std::uint32_t tenths : {2U, 6U, 9U}) {
    wanted.output = folder / ("cut" + std::to_string(tenths));
    wanted.resemblance = Ratio(tenths, 10);
    const std::string expected = full("full" + std::to_string(tenths), [&](ClusterOptions& other) {
      other.resemblance = Ratio(tenths, 10);
    });
    EXPECT_EQ(cut(wanted), expected);
    unlike.insert(expected);
  }
  EXPECT_EQ(unlike.size(), 3U);
  wanted.output = folder / "stars";
  wanted.resemblance.reset();
  wanted.shape = ClusterShape::stars;
  EXPECT_EQ(cut(wanted),
            full("full-stars", [](ClusterOptions& other) { other.shape = ClusterShape::stars; }));
  wanted.output = folder / "contained";
  wanted.shape.reset();
  wanted.containment = Ratio(7, 10);
  EXPECT_EQ(cut(wanted), full("full-contained",
                              [](ClusterOptions& other) { other.containment = Ratio(7, 10); }));
}

// Also from samples, verified by texts or not, and if containments from too few keys are left out:
// the bytes of a full run with the same floor.
// B-15.
TEST(Recut, GivesTheBytesOfAFullRunOfTheSameFloor) {
  const MadeCollection collection = planted_collection({.seed = 17, .documents = 500});
  for (const Check check : {Check::exact, Check::sketch}) {
    const ScratchFolder folder;
    ClusterOptions options = cluster_options(collection.write(folder));
    options.scheme = "mod(modulus=4)";
    options.verify = check;
    options.resemblance = Ratio(3, 10);
    options.floor = Ratio(3, 10);
    options.containment = Ratio(4, 5);
    const Result<ClusterSummary> first = cluster(options, quiet_control());
    ASSERT_TRUE(first.ok()) << first.error().message;
    EXPECT_EQ(first.value().too_few_keys > 0, check == Check::sketch);
    for (const ClusterShape shape : {ClusterShape::components, ClusterShape::stars}) {
      for (const std::uint32_t tenths : {3U, 5U, 7U}) {
        const std::string name =
            std::to_string(tenths) + (shape == ClusterShape::stars ? "stars" : "");
        ClusterOptions full = options;
        full.output = folder / ("full" + name);
        full.resemblance = Ratio(tenths, 10);
        full.shape = shape;
        const Result<ClusterSummary> whole = cluster(full, quiet_control());
        ASSERT_TRUE(whole.ok()) << whole.error().message;
        RecutOptions wanted;
        wanted.from = options.output;
        wanted.output = folder / ("cut" + name);
        wanted.resemblance = full.resemblance;
        wanted.shape = shape;
        const Result<ClusterSummary> cut = recut(wanted, quiet_control());
        ASSERT_TRUE(cut.ok()) << cut.error().message;
        EXPECT_EQ(get_file(wanted.output + "/clusters.jsonl.zst"),
                  get_file(full.output + "/clusters.jsonl.zst"))
            << name;
        EXPECT_EQ(cut.value().edges, whole.value().edges);
        EXPECT_EQ(cut.value().too_few_keys, whole.value().too_few_keys);
      }
    }
  }
}

TEST(Recut, RefusesWhatThePairsDoNotHold) {
  const MadeCollection collection = planted_collection({.seed = 8, .documents = 60});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  options.scheme = "mod(samples=64)";
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const auto refusal = [&](const auto& change) {
    RecutOptions wanted;
    wanted.from = options.output;
    change(wanted);
    const Result<ClusterSummary> done = recut(wanted, quiet_control());
    EXPECT_FALSE(done.ok());
    return done.ok() ? "" : done.error().text(Door::command_line);
  };
  EXPECT_NE(refusal([](RecutOptions& o) { o.resemblance = Ratio(2, 5); }).find("--floor 0.4"),
            std::string::npos);
  EXPECT_NE(refusal([](RecutOptions& o) { o.containment = Ratio(4, 5); }).find("containment"),
            std::string::npos);
  EXPECT_NE(refusal([&](RecutOptions& o) { o.from = folder / "in"; }).find("summary.json"),
            std::string::npos);
  EXPECT_NE(refusal([&](RecutOptions& o) { o.output = options.output; }).find("exists"),
            std::string::npos);
}

TEST(Recut, OfDamagedPairsNamesTheLine) {
  const MadeCollection collection = planted_collection({.seed = 9, .documents = 60});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const std::string path = options.output + "/pairs.jsonl.zst";
  std::filesystem::remove(path);
  RecutOptions wanted;
  wanted.from = options.output;
  wanted.output = folder / "cut";
  const auto refusal = [&](const std::string& second) {
    std::filesystem::remove(path);
    put_file(path,
             R"({"id": "a", "input": 0, "record": 1})"
             "\n{\"id\": \"b\", " +
                 second + "}\n",
             Compression::zstd);
    const Result<ClusterSummary> done = recut(wanted, quiet_control());
    EXPECT_FALSE(done.ok());
    EXPECT_FALSE(std::filesystem::exists(wanted.output));
    EXPECT_FALSE(std::filesystem::exists(wanted.output + ".partial"));
    return done.ok() ? "" : done.error().text(Door::command_line);
  };
  for (const char* second : {R"("input": 0, "record": 600)", R"("input": 9, "record": 1)",
                             R"("input": 0, "record": 3, "pairs": [[0, 2, 1, 1, 1]])",
                             R"("input": 0, "record": 3, "identical": [0, 2])"}) {
    EXPECT_NE(refusal(second).find("pairs.jsonl.zst:2 names an unknown document"),
              std::string::npos)
        << second;
  }
  EXPECT_NE(refusal(R"("number": 3)").find("run cluster again"), std::string::npos);
}

// Numbers of lines that add up to the right one only modulo 2^64.
TEST(Recut, OfADamagedSummaryIsRefused) {
  const ScratchFolder folder;
  const std::string line = R"({"text": "one two three four five six seven"})";
  ClusterOptions options;
  options.inputs = {folder.write("a.jsonl", line + "\n" + line + "\n"),
                    folder.write("b.jsonl", line + "\n" + line + "\n")};
  options.output = folder / "like";
  options.input.max_record = 1 << 20;
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const std::string path = options.output + "/summary.json";
  std::string summary = get_file(path);
  for (const char* lines : {"18446744073709551613", "7"}) {
    const std::size_t at = summary.find("\"lines\": 2,");
    ASSERT_NE(at, std::string::npos);
    summary.replace(at, 10, std::string("\"lines\": ") + lines);
  }
  std::filesystem::remove(path);
  put_file(path, summary, Compression::none);
  RecutOptions wanted;
  wanted.from = options.output;
  const Result<ClusterSummary> done = recut(wanted, quiet_control());
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message.find("summary.json is damaged"), std::string::npos)
      << done.error().message;
}

// A file that lacks a line, names a document that it does not have, or is out of order is refused.
TEST(Recut, OfIncompletePairsIsRefused) {
  const MadeCollection collection = planted_collection({.seed = 12, .documents = 80});
  const ScratchFolder folder;
  ClusterOptions options = cluster_options(collection.write(folder));
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  const std::string path = options.output + "/pairs.jsonl.zst";
  const std::vector<std::string> lines = lines_of(get_file(path));
  ASSERT_GT(lines.size(), 10U);
  const auto refused = [&](const std::vector<std::string>& written) {
    std::string bytes;
    for (const std::string& line : written) bytes += line + "\n";
    std::filesystem::remove(path);
    put_file(path, bytes, Compression::zstd);
    RecutOptions wanted;
    wanted.from = options.output;
    const Result<ClusterSummary> done = recut(wanted, quiet_control());
    return !done.ok() && done.error().code == ErrorCode::io;
  };
  EXPECT_FALSE(refused(lines));
  EXPECT_TRUE(refused({lines.begin() + 1, lines.end()}));
  EXPECT_TRUE(refused({lines.begin(), lines.end() - 1}));
  std::vector<std::string> unordered = lines;
  std::swap(unordered[3], unordered[4]);
  EXPECT_TRUE(refused(unordered));
  std::vector<std::string> twice = lines;
  twice.push_back(lines.back());
  EXPECT_TRUE(refused(twice));
}

}  // namespace
}  // namespace twinset
