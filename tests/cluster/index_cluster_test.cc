// cluster() over an index: what a run over all texts makes, whatever the sweeps in which they came.
#include "cluster/index_cluster.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "search/search_testing.h"
#include "support_runs/cluster_testing.h"

namespace twinset::testing {
namespace {

/// Families of edited copies, some equal by bytes or by words, and texts of their own, in an order
/// that mixes them.
std::vector<std::string> sweep_texts(std::uint64_t documents) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < documents; ++i) {
    const std::uint64_t family = mix64(i) % (documents / 4);
    std::string text = words_of(family, 40 + family % 5 * 40);
    switch (mix64(i + 1000) % 4) {
      case 0:
        break;
      case 1:
        text[0] = 'W';
        break;
      default:
        text += " " + words_of(i + 5000, 2 + mix64(i + 2000) % 40);
    }
    texts.push_back(std::move(text));
  }
  texts.emplace_back("");
  texts.emplace_back("... !");
  texts.emplace_back("");
  return texts;
}

Status status_of(const Result<IndexSummary>& done) {
  return done.ok() ? Status() : Status(done.error());
}

struct Sweeps {
  SearchFolder index;
  std::string all;  ///< lines of all sweeps

  Status add(const std::vector<std::string>& texts, std::size_t begin, std::size_t end) {
    std::string lines;
    for (std::size_t i = begin; i < end; ++i) {
      lines += record_line("d" + std::to_string(i), texts[i]);
    }
    all += lines;
    return status_of(index.add(lines));
  }
  ClusterOptions options(const std::string& output) {
    ClusterOptions options;
    options.inputs = {index.options.index};
    options.output = index.folder / output;
    options.resources.threads = 2;
    return options;
  }
};

/// What a line of pairs.jsonl.zst says, without the fingerprint.
std::vector<std::string> pairs_in(const std::string& folder) {
  std::vector<std::string> lines;
  for (const std::string& text : lines_of(get_file(folder + "/pairs.jsonl.zst"))) {
    const std::size_t begin = text.find("\"fingerprint\"");
    const std::size_t end = text.find_first_of(",}", begin);
    lines.push_back(text.substr(0, begin) + text.substr(end));
  }
  return lines;
}

struct Case {
  const char* scheme;
  bool texts;
  std::optional<Ratio> containment;
  ClusterShape shape;
};

// All pairs and clusters of a run over all texts, after each of several sweeps, from nothing and
// from the pairs of the sweep before.
TEST(ClusterOfAnIndex, IsThatOfARunOverAllSweeps) {
  const std::vector<std::string> texts = sweep_texts(300);
  const Case cases[] = {
      {"mod(samples=64)", false, {}, ClusterShape::components},
      {"mod(samples=64)", true, {}, ClusterShape::stars},
      {"mod(modulus=4)", false, Ratio(4, 5), ClusterShape::components},
      {"mod(modulus=4)", true, Ratio(4, 5), ClusterShape::components},
      {"min(samples=64)", false, {}, ClusterShape::components},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.scheme);
    Sweeps sweeps;
    sweeps.index.options.settings = {.scheme = {each.scheme}, .texts = each.texts};
    ASSERT_TRUE(sweeps.index.create().ok());
    std::string earlier;
    const std::size_t ends[] = {1, 41, texts.size()};
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      SCOPED_TRACE(end);
      ASSERT_TRUE(sweeps.add(texts, begin, end).ok());
      begin = end;
      ClusterOptions options = sweeps.options("from_index" + std::to_string(end));
      options.containment = each.containment;
      options.shape = each.shape;
      const Result<ClusterSummary> found = cluster(options, quiet_control());
      ASSERT_TRUE(found.ok()) << found.error().message;
      ClusterOptions of_texts = options;
      of_texts.inputs = {sweeps.index.folder.write("all.jsonl", sweeps.all)};
      of_texts.output = sweeps.index.folder / ("batch" + std::to_string(end));
      of_texts.scheme = each.scheme;
      of_texts.verify = each.texts ? Check::exact : Check::sketch;
      const Result<ClusterSummary> batch = cluster(of_texts, quiet_control());
      ASSERT_TRUE(batch.ok()) << batch.error().message;
      EXPECT_EQ(pairs_in(options.output), pairs_in(of_texts.output));
      EXPECT_EQ(read_clusters(options.output), read_clusters(of_texts.output));
      EXPECT_EQ(found.value().edges, batch.value().edges);
      EXPECT_EQ(found.value().identical, batch.value().identical);
      EXPECT_EQ(found.value().lexical, batch.value().lexical);
      EXPECT_EQ(found.value().too_few_keys, batch.value().too_few_keys);
      if (end > 100) {
        EXPECT_GT(found.value().edges, 0U);
        EXPECT_GT(found.value().identical, 0U);
      }
      if (!earlier.empty()) {
        options.earlier = earlier;
        options.output = sweeps.index.folder / ("continued" + std::to_string(end));
        const Result<ClusterSummary> continued = cluster(options, quiet_control());
        ASSERT_TRUE(continued.ok()) << continued.error().message;
        EXPECT_EQ(get_file(options.output + "/pairs.jsonl.zst"),
                  get_file(sweeps.index.folder / ("from_index" + std::to_string(end)) +
                           "/pairs.jsonl.zst"));
        EXPECT_EQ(read_clusters(options.output), read_clusters(of_texts.output));
      }
      earlier = options.output;
    }
  }
}

// Originals of copies are deleted and replaced between the sweeps, and segments merged.
TEST(ClusterOfAnIndex, PairsOfBeforeStayRightWhenDocumentsGo) {
  const std::vector<std::string> texts = sweep_texts(240);
  for (const char* scheme : {"mod(samples=64)", "fss"}) {
    SCOPED_TRACE(scheme);
    Sweeps sweeps;
    sweeps.index.options.settings = {.scheme = {scheme}};
    ASSERT_TRUE(sweeps.index.create().ok());
    ASSERT_TRUE(sweeps.add(texts, 0, 150).ok());
    ClusterOptions options = sweeps.options("before");
    ASSERT_TRUE(cluster(options, quiet_control()).ok());
    std::vector<std::string> gone;
    for (std::size_t i = 0; i < 60; ++i) gone.push_back("d" + std::to_string(2 * i));
    ASSERT_TRUE(sweeps.index.remove(gone).ok());
    // Known ids with other texts, and new ones.
    std::string lines;
    for (std::size_t i = 0; i < 30; ++i) {
      lines += record_line("d" + std::to_string(2 * i + 1), texts[200 + i]);
    }
    ASSERT_TRUE(sweeps.index.add(lines).ok());
    for (const bool compacted : {false, true}) {
      if (compacted) {
        ASSERT_TRUE(compact_index(sweeps.index.options, quiet_control()).ok());
      }
      const std::string name = compacted ? "compacted" : "changed";
      options.earlier.clear();
      options.output = sweeps.index.folder / (name + ".whole");
      ASSERT_TRUE(cluster(options, quiet_control()).ok());
      const std::string whole = options.output;
      options.earlier = sweeps.index.folder / "before";
      options.output = sweeps.index.folder / (name + ".continued");
      const Result<ClusterSummary> continued = cluster(options, quiet_control());
      ASSERT_TRUE(continued.ok()) << continued.error().message;
      EXPECT_GT(continued.value().edges, 0U);
      for (const char* file : {"/pairs.jsonl.zst", "/clusters.jsonl.zst"}) {
        EXPECT_EQ(get_file(options.output + file), get_file(whole + file));
      }
    }
  }
}

// Under bands all documents of a band meet, where a run over texts has each meet some: no cluster
// of it falls apart, and all pairs are as alike as they should be.
TEST(ClusterOfAnIndex, BandsFindWhatARunOverTextsFinds) {
  const std::vector<std::string> texts = sweep_texts(300);
  for (const bool keeps_texts : {false, true}) {
    Sweeps sweeps;
    sweeps.index.options.settings = {
        .scheme = {"fss"}, .resemblance = Ratio(7, 10), .texts = keeps_texts};
    ASSERT_TRUE(sweeps.index.create().ok());
    ASSERT_TRUE(sweeps.add(texts, 0, 120).ok());
    ASSERT_TRUE(sweeps.add(texts, 120, texts.size()).ok());
    ClusterOptions options = sweeps.options("from_index");
    options.resemblance = Ratio(7, 10);
    ASSERT_TRUE(cluster(options, quiet_control()).ok());
    ClusterOptions of_texts = options;
    of_texts.inputs = {sweeps.index.folder.write("all.jsonl", sweeps.all)};
    of_texts.output = sweeps.index.folder / "batch";
    of_texts.scheme = "fss";
    of_texts.verify = keeps_texts ? Check::exact : Check::sketch;
    ASSERT_TRUE(cluster(of_texts, quiet_control()).ok());
    EXPECT_EQ(read_clusters(options.output), read_clusters(of_texts.output));
  }
}

TEST(ClusterOfAnIndex, IsCutAgainAtOtherThresholds) {
  const std::vector<std::string> texts = sweep_texts(200);
  Sweeps sweeps;
  ASSERT_TRUE(sweeps.index.create().ok());
  ASSERT_TRUE(sweeps.add(texts, 0, texts.size()).ok());
  ClusterOptions options = sweeps.options("low");
  options.floor = Ratio(3, 10);
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  for (const std::uint32_t tenths : {3U, 5U, 8U}) {
    RecutOptions again;
    again.from = options.output;
    again.output = sweeps.index.folder / ("recut" + std::to_string(tenths));
    again.resemblance = Ratio(tenths, 10);
    const Result<ClusterSummary> cut = recut(again, quiet_control());
    ASSERT_TRUE(cut.ok()) << cut.error().message;
    ClusterOptions anew = sweeps.options("anew" + std::to_string(tenths));
    anew.resemblance = Ratio(tenths, 10);
    ASSERT_TRUE(cluster(anew, quiet_control()).ok());
    EXPECT_EQ(get_file(again.output + "/clusters.jsonl.zst"),
              get_file(anew.output + "/clusters.jsonl.zst"));
  }
}

TEST(ClusterOfAnIndex, RefusesWhatItCannotTell) {
  Sweeps sweeps;
  sweeps.index.options.settings = {.scheme = {"mod(samples=64)", "super_shingle"}};
  ASSERT_TRUE(sweeps.index.create().ok());
  ASSERT_TRUE(sweeps.add(sweep_texts(40), 0, 20).ok());
  const auto refusal = [&](const auto& change) {
    ClusterOptions options = sweeps.options("out");
    change(options);
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    EXPECT_FALSE(done.ok());
    if (done.ok()) return std::string();
    EXPECT_EQ(done.error().code, ErrorCode::usage);
    EXPECT_FALSE(std::filesystem::exists(options.output));
    return done.error().text(Door::command_line);
  };
  const auto says = [](const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  says(refusal([](ClusterOptions& o) { o.templates = Templates::drop; }),
       "--templates is of no use with an index");
  says(refusal([](ClusterOptions& o) { o.min_tokens = 5; }), "--min-tokens");
  says(refusal([](ClusterOptions& o) { o.report = "r.html"; }), "--report");
  says(refusal([](ClusterOptions& o) { o.verify = Check::exact; }), "keeps no texts");
  says(refusal([](ClusterOptions& o) { o.verify = Check::none; }), "--verify none");
  says(refusal([](ClusterOptions& o) { o.scheme = "fss"; }), "has no keys of scheme fss");
  says(refusal([](ClusterOptions& o) { o.scheme = "super_shingle"; }), "do not tell");
  says(refusal([](ClusterOptions& o) { o.containment = Ratio(1, 2); }), "--containment");
  says(refusal([](ClusterOptions& o) { o.resemblance = Ratio(0, 1); }), "--resemblance 0");
  says(refusal([](ClusterOptions& o) { o.floor = Ratio(9, 10); }), "--floor 0.9 is above");
  says(refusal([&](ClusterOptions& o) { o.earlier = sweeps.index.folder / "x"; }),
       "is no folder that cluster made");
  // A folder of higher pairs, one of texts, one of another index.
  ClusterOptions high = sweeps.options("high");
  high.resemblance = Ratio(9, 10);
  ASSERT_TRUE(cluster(high, quiet_control()).ok());
  says(refusal([&](ClusterOptions& o) { o.earlier = high.output; }), "a higher threshold");
  ClusterOptions of_texts = sweeps.options("of_texts");
  of_texts.inputs = {sweeps.index.folder.write("all.jsonl", sweeps.all)};
  ASSERT_TRUE(cluster(of_texts, quiet_control()).ok());
  says(refusal([&](ClusterOptions& o) { o.earlier = of_texts.output; }), "not made of an index");
  says(refusal([&](ClusterOptions& o) {
         o.inputs = of_texts.inputs;
         o.earlier = high.output;
       }),
       "give one as the input");
  ClusterOptions same = sweeps.options("same");
  ASSERT_TRUE(cluster(same, quiet_control()).ok());
  Sweeps other;
  other.index.options.settings = {.scheme = {"mod(samples=64)", "super_shingle"}};
  ASSERT_TRUE(other.index.create().ok());
  std::vector<std::string> reversed = sweep_texts(40);
  std::reverse(reversed.begin(), reversed.end());
  ASSERT_TRUE(other.add(reversed, 0, 43).ok());
  ClusterOptions options = other.options("out");
  options.earlier = same.output;
  const Result<ClusterSummary> done = cluster(options, quiet_control());
  ASSERT_FALSE(done.ok());
  says(done.error().message, "is of another index");
}

// Pairs of the same documents under other settings, and those of other documents none of which is
// in a pair: both would make clusters that lack pairs.
TEST(ClusterOfAnIndex, PairsOfAnotherIndexAreRefusedWhateverTheyAre) {
  const auto error_with_pairs_of = [](Sweeps& sweeps, Sweeps& others) {
    ClusterOptions options = others.options("groups");
    EXPECT_TRUE(cluster(options, quiet_control()).ok());
    options = sweeps.options("continued");
    options.earlier = others.index.folder / "groups";
    const Result<ClusterSummary> done = cluster(options, quiet_control());
    return done.ok() ? "" : done.error().text(Door::command_line);
  };
  const std::vector<std::string> texts = sweep_texts(100);
  Sweeps near;
  Sweeps far;
  near.index.options.settings = {.scheme = {"simhash"}, .distance = 1};
  far.index.options.settings = {.scheme = {"simhash"}, .distance = 6};
  for (Sweeps* each : {&near, &far}) {
    ASSERT_TRUE(each->index.create().ok());
    ASSERT_TRUE(each->add(texts, 0, texts.size()).ok());
  }
  EXPECT_NE(error_with_pairs_of(far, near).find("other settings, such as --analyzer or --distance"),
            std::string::npos);
  Sweeps alone;
  Sweeps more;
  ASSERT_TRUE(alone.index.create().ok());
  ASSERT_TRUE(more.index.create().ok());
  std::vector<std::string> different;
  for (std::uint64_t i = 0; i < 30; ++i) different.push_back(words_of(i + 90'000, 60));
  ASSERT_TRUE(alone.add(different, 0, different.size()).ok());
  ASSERT_TRUE(more.add(texts, 0, texts.size()).ok());
  EXPECT_NE(error_with_pairs_of(more, alone).find("is of another index"), std::string::npos);
}

}  // namespace
}  // namespace twinset::testing
