// Clusters of real collections against an oracle that compares tokens: no edge is wrong, members of
// stars reach the threshold with their representative, and the recall for the pairs of some
// documents with all others is high enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evaluate/oracle.h"
#include "support/real_data.h"
#include "support_runs/job_testing.h"
#include "text/analyzer.h"
#include "twinset/cluster.h"

namespace twinset {
namespace {

using namespace twinset::testing;

/// The documents of a file by their number, from 0, and their shingles as tuples of tokens.
struct Truth {
  std::vector<std::vector<std::uint64_t>> tokens;
  std::optional<ShingleCollection> shingles;
  std::vector<std::vector<std::uint32_t>> sets;  ///< numbers of shingles, sorted

  Truth(const std::string& input, std::uint64_t records) {
    Analysis analysis;
    for (const std::string& line : lines_of(get_file(input))) {
      if (tokens.size() == records) break;
      const Result<JsonNode> record = read_json(line, input);
      EXPECT_TRUE(record.ok());
      find_analyzer("words")->analyze(record.value()["text"].text(), Offsets::drop, analysis);
      tokens.push_back(analysis.tokens);
    }
    const std::vector<std::span<const std::uint64_t>> views(tokens.begin(), tokens.end());
    Result<ShingleCollection> made = ShingleCollection::make(views, 5, std::uint64_t{2} << 30);
    EXPECT_TRUE(made.ok()) << made.error().message;
    shingles = std::move(made).value();
    for (std::size_t d = 0; d < tokens.size(); ++d) {
      const auto own = shingles->shingles(d);
      sets.emplace_back(own.begin(), own.end());
      std::sort(sets.back().begin(), sets.back().end());
    }
  }

  ExactPair pair(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t shared = 0;
    for (std::size_t i = 0, j = 0; i < sets[a].size() && j < sets[b].size();) {
      const std::uint32_t left = sets[a][i];
      const std::uint32_t right = sets[b][j];
      shared += left == right ? 1 : 0;
      i += left <= right ? 1 : 0;
      j += right <= left ? 1 : 0;
    }
    return {a, b, shared, static_cast<std::uint32_t>(sets[a].size()),
            static_cast<std::uint32_t>(sets[b].size())};
  }
};

struct Setting {
  std::string name;
  Ratio resemblance;
  std::optional<Ratio> containment;

  bool takes(const ExactPair& pair) const {
    return pair.resemblance().at_least(resemblance) ||
           (containment && (pair.containment_a_in_b().at_least(*containment) ||
                            pair.containment_b_in_a().at_least(*containment)));
  }
};

using NumberPairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// The result of a run: its edges, and each copy's representative.
struct Found {
  NumberPairs edges;
  std::map<std::uint32_t, std::uint32_t> copies;
  std::map<std::string, std::uint32_t> numbers;  ///< by id
};

Found read_pairs(const std::string& folder) {
  Found found;
  for (const std::string& text : lines_of(get_file(folder + "/pairs.jsonl.zst"))) {
    const Result<JsonNode> line = read_json(text, "pairs");
    EXPECT_TRUE(line.ok());
    const auto number_of = [](const JsonNode& record) {
      return static_cast<std::uint32_t>(*record.integer()) - 1;
    };
    const std::uint32_t number = number_of(line.value()["record"]);
    found.numbers[std::string(line.value()["id"].raw())] = number;
    for (const char* kind : {"identical", "lexical"}) {
      if (const auto of = line.value()[kind].elements(); !of.empty()) {
        found.copies[number] = number_of(of[1]);
      }
    }
    for (const JsonNode& pair : line.value()["pairs"].elements()) {
      found.edges.emplace(number, number_of(pair.elements()[1]));
    }
  }
  return found;
}

void check_edges(const Truth& truth, const Setting& setting, const Found& found) {
  std::size_t wrong = 0;
  for (const auto& [a, b] : found.edges) wrong += setting.takes(truth.pair(a, b)) ? 0 : 1;
  EXPECT_EQ(wrong, 0U) << setting.name << ": of " << found.edges.size() << " edges";
  for (const auto& [copy, original] : found.copies) {
    ASSERT_EQ(truth.tokens[copy], truth.tokens[original]) << setting.name;
  }
}

/// The share of the true pairs of every `step`-th document with all others that was found.
double recall(const Truth& truth, const Setting& setting, const Found& found, std::size_t step) {
  std::vector<std::vector<std::uint32_t>> holders(truth.shingles->distinct_shingles());
  for (std::uint32_t d = 0; d < truth.sets.size(); ++d) {
    if (found.copies.contains(d)) continue;
    for (const std::uint32_t shingle : truth.sets[d]) holders[shingle].push_back(d);
  }
  std::uint64_t due = 0;
  std::uint64_t seen = 0;
  std::vector<std::uint32_t> shared(truth.sets.size());
  for (std::size_t at = 0; at < truth.sets.size(); at += step) {
    const auto d = static_cast<std::uint32_t>(at);
    if (found.copies.contains(d)) continue;
    std::fill(shared.begin(), shared.end(), 0);
    for (const std::uint32_t shingle : truth.sets[d]) {
      for (const std::uint32_t other : holders[shingle]) ++shared[other];
    }
    for (std::uint32_t other = 0; other < truth.sets.size(); ++other) {
      if (other == d || shared[other] == 0) continue;
      const ExactPair pair{d, other, shared[other],
                           static_cast<std::uint32_t>(truth.sets[d].size()),
                           static_cast<std::uint32_t>(truth.sets[other].size())};
      if (!setting.takes(pair)) continue;
      ++due;
      seen += found.edges.contains({std::max(d, other), std::min(d, other)}) ? 1 : 0;
    }
  }
  EXPECT_GT(due, 30U);
  return due == 0 ? 0 : static_cast<double>(seen) / static_cast<double>(due);
}

void check_stars(const Truth& truth, const Setting& setting, const Found& found,
                 const std::string& folder) {
  std::size_t members = 0;
  for (const std::string& text : lines_of(get_file(folder + "/clusters.jsonl.zst"))) {
    const Result<JsonNode> line = read_json(text, "clusters");
    ASSERT_TRUE(line.ok());
    const std::uint32_t center =
        found.numbers.at(std::string(line.value()["representative"]["id"].raw()));
    for (const JsonNode& member : line.value()["members"].elements()) {
      std::uint32_t number = found.numbers.at(std::string(member["id"].raw()));
      // A copy has the tokens of its representative.
      if (const auto copy = found.copies.find(number); copy != found.copies.end()) {
        number = copy->second;
      }
      ++members;
      if (number != center) {
        ASSERT_TRUE(setting.takes(truth.pair(number, center)))
            << setting.name << " " << member.raw();
      }
    }
  }
  EXPECT_GT(members, 100U) << setting.name;
}

/// Counts removals by estimates (dedup --verify sketch) that are wrong by the texts: so many that
/// its help, its summary and docs/clusters.md say so.
void check_sketch_removals(const Truth& truth, const std::string& input, std::uint64_t records,
                           const ScratchFolder& folder) {
  DedupOptions options;
  options.inputs = {input};
  options.input.limit = records;
  options.output = folder / "removals";
  options.emit = Emit::ids;
  options.verify = Check::sketch;
  options.resources.threads = 2;
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  std::size_t near = 0;
  std::size_t wrong = 0;
  for (const RemovedLine& line : read_output(options.output).removed) {
    if (line.kind != "near") continue;
    ++near;
    const ExactPair pair = truth.pair(static_cast<std::uint32_t>(line.record - 1),
                                      static_cast<std::uint32_t>(line.survivor_record - 1));
    wrong += pair.resemblance().at_least({4, 5}) ? 0 : 1;
  }
  ASSERT_GT(near, 200U);
  const double share = static_cast<double>(wrong) / static_cast<double>(near);
  std::printf("%zu near removals by estimates, %zu of them wrong: %.1f %%\n", near, wrong,
              100 * share);
  EXPECT_LT(share, 0.2);
  const std::vector<std::string>& warnings = done.value().warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return render_message(Door::command_line, warning).find("--verify sketch") != std::string::npos;
  }));
}

/// Checks the first records of a collection; compares each `step`-th with all others.
void check(const std::string& path, std::uint64_t records, std::size_t step) {
  const std::string input = real_data(path);
  if (input.empty()) GTEST_SKIP() << path << " is not below TWINSET_DATA";
  const Truth truth(input, records);
  const ScratchFolder folder;
  // Recall is checked without containment only: with it, short documents have no key. Pairs that
  // lose too many keys as common ones are missed.
  const std::vector<Setting> settings = {{"0.3", {3, 10}, {}},
                                         {"0.5", {1, 2}, {}},
                                         {"0.7", {7, 10}, {}},
                                         {"0.5 or contained to 0.8", {1, 2}, Ratio(4, 5)}};
  for (const Setting& setting : settings) {
    ClusterOptions options;
    options.inputs = {input};
    options.input.limit = records;
    options.output = folder / ("out " + setting.name);
    options.resemblance = setting.resemblance;
    if (setting.containment) options.containment = Ratio(4, 5);
    options.resources.threads = 2;
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(done.value().check, Check::exact);
    const Found found = read_pairs(options.output);
    EXPECT_EQ(found.edges.size(), done.value().edges);
    check_edges(truth, setting, found);
    const double of_due = recall(truth, setting, found, step);
    std::printf("%s at %s: %zu edges, all right; recall %.4f\n", path.c_str(), setting.name.c_str(),
                found.edges.size(), of_due);
    EXPECT_GT(of_due, setting.containment ? 0.9 : 0.95) << setting.name;
    RecutOptions stars;
    stars.from = options.output;
    stars.output = folder / ("stars " + setting.name);
    stars.shape = ClusterShape::stars;
    ASSERT_TRUE(recut(stars, quiet_control()).ok());
    check_stars(truth, setting, found, stars.output);
  }
  check_sketch_removals(truth, input, records, folder);
}

TEST(ClusterOracle, ScancodeLicences) { check("scancode-licences/licences.jsonl.zst", 3000, 10); }
TEST(ClusterOracle, Spamassassin) { check("spamassassin/messages.jsonl.zst", 6046, 8); }
TEST(ClusterOracle, GesetzeDe) { check("gesetze-de/versions.jsonl.zst", 500, 4); }

}  // namespace
}  // namespace twinset
