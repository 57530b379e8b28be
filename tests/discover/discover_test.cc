#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>

#include "labels/label_file.h"
#include "reuse/site_testing.h"
#include "support_runs/job_testing.h"
#include "twinset/reuse.h"
#include "web/chunk_hash.h"

namespace twinset {
namespace {

using namespace twinset::testing;

DiscoverOptions options_for(const ScratchFolder& folder, std::vector<std::string> inputs,
                            const std::string& output) {
  DiscoverOptions options;
  options.inputs = std::move(inputs);
  options.output = folder / output;
  options.input.format = "jsonl";
  options.input.max_record = 1 << 20;
  options.resources.memory = std::uint64_t{1} << 30;
  options.cutting.chunks = ChunkSettings::Cuts::hadoop;  // Whatever the markup that readers see.
  options.cutting.hash = ChunkSettings::Hash::xxh3;
  options.cutting.min_chars = 101;
  return options;
}

Result<DiscoverSummary> discovered(const DiscoverOptions& options) {
  return discover(options, quiet_control());
}

std::map<ChunkDigest, Label> labels_of(const std::string& path, LabelKind kind) {
  std::map<ChunkDigest, Label> out;
  const auto file = LabelFile::open(disk(), path);
  EXPECT_TRUE(file.ok()) << file.error().message;
  const Status read = file.value().for_each([&](const Label& label) -> Status {
    if (label.kind == kind) out[label.hash] = label;
    return {};
  });
  EXPECT_TRUE(read.ok());
  return out;
}

/// Pages of many sites; some paragraphs are everywhere, most are rare.
MadeSite varied_site(unsigned seed, std::size_t pages) {
  std::mt19937 random(seed);
  MadeSite site;
  for (std::size_t i = 0; i < pages; ++i) {
    std::vector<std::string> paragraphs;
    const std::size_t count = 1 + random() % 8;
    for (std::size_t j = 0; j < count; ++j) {
      const std::uint64_t kind = random() % 10;
      const std::uint64_t number = kind < 3   ? random() % 3
                                   : kind < 6 ? 10 + random() % 40
                                              : 100 + random() % 100'000;
      paragraphs.push_back(kind == 9 ? "short" : made_paragraph(number));
    }
    site.add("http://s" + std::to_string(random() % 30) + ".example/f/" + std::to_string(i),
             paragraphs);
  }
  // Whole copies of some pages.
  for (std::size_t i = 0; i < pages / 10; ++i) {
    MadePage copy = site.pages[random() % 5];
    copy.url = "http://copies.example/" + std::to_string(i);
    site.pages.push_back(copy);
  }
  return site;
}

TEST(Discover, LabelsAreThoseOfASlowCount) {
  const ScratchFolder folder;
  const MadeSite site = varied_site(11, 900);
  DiscoverOptions options = options_for(folder, {site.write(folder, "in.jsonl")}, "out.labels");
  options.over_chunks = 12;
  options.over_files = 4;
  options.top = 5;
  const auto done = discovered(options);
  ASSERT_TRUE(done.ok()) << done.error().message;
  const DiscoverSummary& summary = done.value();
  const auto expect_labels = [&](const std::map<std::string, MadeCounts>& all, LabelKind kind,
                                 std::uint64_t over, const ObjectCounts& counts) {
    const std::map<ChunkDigest, Label> labels = labels_of(options.output, kind);
    std::uint64_t expected = 0;
    std::uint64_t seen = 0;
    std::uint64_t labels_seen = 0;
    std::map<std::uint64_t, std::uint64_t> frequencies;
    for (const auto& [content, made] : all) {
      seen += made.count;
      ++frequencies[made.count];
      const auto found = labels.find(hash_chunk(content, ChunkHash::xxh3));
      EXPECT_EQ(found != labels.end(), made.count > over) << content;
      if (found == labels.end()) continue;
      ++expected;
      labels_seen += made.count;
      const Label& label = found->second;
      EXPECT_EQ(label.count, made.count);
      EXPECT_EQ(label.documents, made.pages.size());
      EXPECT_EQ(label.text, content.substr(0, most_label_text_bytes));
      EXPECT_EQ(label.samples.size(), std::min<std::size_t>(made.count, most_label_samples));
      for (const LabelSample& sample : label.samples) {
        const auto page = std::ranges::find(site.pages, sample.url, &MadePage::url);
        ASSERT_NE(page, site.pages.end()) << sample.url;
        EXPECT_EQ(page->html().substr(sample.offset, sample.length), content);
      }
    }
    EXPECT_GT(expected, 3U);
    EXPECT_EQ(labels.size(), expected);
    EXPECT_EQ(counts.labels, expected);
    EXPECT_EQ(counts.distinct, all.size());
    EXPECT_EQ(counts.seen, seen);
    EXPECT_EQ(counts.labels_seen, labels_seen);
    std::map<std::uint64_t, std::uint64_t> by_count;
    for (const ObjectFrequency& frequency : counts.frequencies) {
      by_count[frequency.count] = frequency.objects;
      EXPECT_EQ(frequency.labels, frequency.count > over ? frequency.objects : 0);
    }
    EXPECT_EQ(by_count, frequencies);
  };
  expect_labels(site.chunks(), LabelKind::chunk, 12, summary.chunks);
  expect_labels(site.files(), LabelKind::file, 4, summary.files);
  EXPECT_EQ(summary.pages, site.pages.size());
  EXPECT_EQ(summary.sites, 31U);
  EXPECT_GT(summary.chunks.short_seen, 0U);
  // The most frequent ones, with their sites.
  ASSERT_EQ(summary.top.size(), 5U);
  const auto all = site.chunks();
  for (std::size_t i = 0; i < summary.top.size(); ++i) {
    const DiscoveredLabel& label = summary.top[i];
    if (i > 0) {
      EXPECT_GE(summary.top[i - 1].count, label.count);
    }
    if (!label.is_file) {
      EXPECT_EQ(label.sites, all.at(label.text).sites.size());
    }
  }
}

TEST(Discover, R07ThresholdIsStrictAndOfTheWholeAlone) {
  const ScratchFolder folder;
  MadeSite site;
  // Chunk 1: 100 times in the first part and 10 in the second. Chunk 2: exactly 100 times.
  for (std::uint64_t i = 0; i < 110; ++i) {
    std::vector<std::string> paragraphs{made_paragraph(1), made_paragraph(1000 + i)};
    if (i < 100) paragraphs.push_back(made_paragraph(2));
    site.add("http://a.example/" + std::to_string(i), paragraphs);
  }
  const std::string one = site.write(folder, "one.jsonl", 0, 100);
  const std::string two = site.write(folder, "two.jsonl", 100);
  const auto count = [&](std::vector<std::string> inputs, const std::string& name) {
    DiscoverOptions options = options_for(folder, std::move(inputs), name);
    options.over_chunks = 100;
    const auto done = discovered(options);
    EXPECT_TRUE(done.ok()) << done.error().message;
    return labels_of(options.output, LabelKind::chunk);
  };
  EXPECT_TRUE(count({one}, "one.labels").empty());
  EXPECT_TRUE(count({two}, "two.labels").empty());
  const auto both = count({one, two}, "both.labels");
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both.begin()->first, hash_chunk("<p>" + made_paragraph(1), ChunkHash::xxh3));
  EXPECT_EQ(both.begin()->second.count, 110U);
}

TEST(Discover, R08KnownContentIsLabeledHoweverRare) {
  const ScratchFolder folder;
  const MadeSite corpus = varied_site(12, 300);
  MadeSite known;
  known.add("http://bank.example/login",
            {made_paragraph(1'000'001), made_paragraph(1'000'002), made_paragraph(2)});
  const std::string from = known.write(folder, "known.jsonl");
  DiscoverOptions alone = options_for(folder, {}, "alone.labels");
  alone.from = {from};
  ASSERT_TRUE(discovered(alone).ok());
  EXPECT_EQ(labels_of(alone.output, LabelKind::chunk).size(), 3U);
  EXPECT_EQ(labels_of(alone.output, LabelKind::file).size(), 1U);

  DiscoverOptions both = options_for(folder, {corpus.write(folder, "in.jsonl")}, "both.labels");
  both.from = {from};
  both.over_chunks = 1'000'000;
  ASSERT_TRUE(discovered(both).ok());
  const auto labels = labels_of(both.output, LabelKind::chunk);
  EXPECT_EQ(labels.size(), 3U);
  // Its count is that of both: 2 is a paragraph of the corpus, too.
  const Label& shared = labels.at(hash_chunk("<p>" + made_paragraph(2), ChunkHash::xxh3));
  EXPECT_EQ(shared.count, corpus.chunks().at("<p>" + made_paragraph(2)).count + 1);
}

TEST(Discover, ThreadsAndMemoryChangeNothing) {
  const ScratchFolder folder;
  const std::string input = varied_site(13, 3000).write(folder, "in.jsonl");
  std::string bytes;
  for (const unsigned threads : {1U, 2U, 7U}) {
    for (const std::uint64_t memory : {std::uint64_t{320} << 20, std::uint64_t{2} << 30}) {
      DiscoverOptions options = options_for(
          folder, {input}, std::to_string(threads) + "-" + std::to_string(memory) + ".labels");
      options.over_chunks = 5;
      options.over_files = 2;
      options.resources.threads = threads;
      options.resources.memory = memory;
      const auto done = discovered(options);
      ASSERT_TRUE(done.ok()) << done.error().message;
      const std::string made = folder.read(std::filesystem::path(options.output).filename());
      if (bytes.empty()) bytes = made;
      EXPECT_EQ(made, bytes);
    }
  }
  for (const auto& left : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(left.path().string().find("dry-run"), std::string::npos) << left.path();
  }
}

//
TEST(Discover, StopChunksAreNoLabels) {
  const ScratchFolder folder;
  MadeSite site;
  for (std::uint64_t i = 0; i < 60; ++i) {
    // 1: on all pages of three sites; 2: once on each of 30 sites; 3: on six sites, twice each.
    std::vector<std::string> paragraphs{made_paragraph(10'000 + i)};
    std::string host = "http://s" + std::to_string(i) + ".example/";
    if (i < 15) host = "http://big" + std::to_string(i % 3) + ".example/" + std::to_string(i);
    if (i < 15) paragraphs.push_back(made_paragraph(1));
    if (i >= 20 && i < 50) paragraphs.push_back(made_paragraph(2));
    if (i >= 50 && i < 56) {
      paragraphs.push_back(made_paragraph(3));
      paragraphs.push_back(made_paragraph(3));
    }
    site.add(host, paragraphs);
  }
  const std::string input = site.write(folder, "in.jsonl");
  const auto found = [&](const std::string& name, std::uint64_t in_site, std::uint64_t over_sites,
                         const std::string& stop) {
    DiscoverOptions options = options_for(folder, {input}, name);
    options.over_chunks = 10;
    options.stop_in_site = in_site;
    options.stop_over_sites = over_sites;
    options.stop = stop;
    const auto done = discovered(options);
    EXPECT_TRUE(done.ok()) << done.error().message;
    std::set<std::uint64_t> out;
    const auto labels = labels_of(options.output, LabelKind::chunk);
    for (const std::uint64_t number : {1, 2, 3}) {
      if (labels.contains(hash_chunk("<p>" + made_paragraph(number), ChunkHash::xxh3))) {
        out.insert(number);
      }
    }
    EXPECT_EQ(out.size(), labels.size());
    EXPECT_EQ(done.value().chunks.in_site, in_site == 4 ? 1U : 0U);
    EXPECT_EQ(done.value().chunks.over_sites, over_sites == 29 ? 1U : 0U);
    return out;
  };
  using Numbers = std::set<std::uint64_t>;
  EXPECT_EQ(found("all.labels", 0, 0, ""), (Numbers{1, 2, 3}));
  EXPECT_EQ(found("in5.labels", 5, 0, ""), (Numbers{1, 2, 3}));  // five pages are not more than 5
  EXPECT_EQ(found("in4.labels", 4, 0, ""), (Numbers{2, 3}));
  EXPECT_EQ(found("over30.labels", 0, 30, ""), (Numbers{1, 2, 3}));
  EXPECT_EQ(found("over29.labels", 0, 29, ""), (Numbers{1, 3}));

  MadeSite stop;
  stop.add("http://stop.example/", {made_paragraph(1), "short, but a stop chunk in its set"});
  DiscoverOptions manual = options_for(folder, {}, "stop.labels");
  manual.from = {stop.write(folder, "stop.jsonl")};
  manual.cutting.min_chars = 0;
  ASSERT_TRUE(discovered(manual).ok());
  EXPECT_EQ(found("manual.labels", 0, 0, manual.output), (Numbers{2, 3}));

  // Chunks of another hash never meet.
  DiscoverOptions other = options_for(folder, {}, "sha.labels");
  other.from = manual.from;
  other.cutting.hash = ChunkSettings::Hash::sha256;
  ASSERT_TRUE(discovered(other).ok());
  DiscoverOptions refused = options_for(folder, {input}, "refused.labels");
  refused.stop = other.output;
  const auto done = discovered(refused);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::usage);
  EXPECT_NE(done.error().message.find("sha256"), std::string::npos) << done.error().message;
  EXPECT_FALSE(std::filesystem::exists(refused.output));
}

TEST(Discover, R05RecursionErrorsAreLeftOutAndNamed) {
  const ScratchFolder folder;
  MadeSite site;
  for (int i = 0; i < 20; ++i) {
    site.add("http://a.example/x/" + std::to_string(i), {made_paragraph(1)});
    site.add("http://a.example/news/img/news/img/news/img/" + std::to_string(i),
             {made_paragraph(1)});
  }
  DiscoverOptions options = options_for(folder, {site.write(folder, "in.jsonl")}, "out.labels");
  options.over_chunks = 10;
  const auto done = discovered(options);
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().pages, 20U);
  EXPECT_EQ(done.value().recursion_errors, 20U);
  ASSERT_EQ(done.value().recursion_examples.size(), 10U);
  EXPECT_EQ(done.value().recursion_examples[0], site.pages[1].url);
  EXPECT_EQ(labels_of(options.output, LabelKind::chunk).begin()->second.count, 20U);
  options.output = folder / "kept.labels";
  options.pages.repeats = 0;
  const auto kept = discovered(options);
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept.value().pages, 40U);
}

TEST(Discover, EveryHashNamesTheWholeOfIt) {
  const ScratchFolder folder;
  const MadeSite site = varied_site(14, 100);
  const std::string input = site.write(folder, "in.jsonl");
  for (const auto& [setting, hash] :
       {std::pair(ChunkSettings::Hash::sha1, ChunkHash::sha1),
        std::pair(ChunkSettings::Hash::sha256, ChunkHash::sha256),
        std::pair(ChunkSettings::Hash::blake3, ChunkHash::blake3),
        std::pair(ChunkSettings::Hash::blake3_128, ChunkHash::blake3_128)}) {
    DiscoverOptions options =
        options_for(folder, {input}, std::string(chunk_hash_name(hash)) + ".labels");
    options.over_chunks = options.over_files = 0;
    options.cutting.hash = setting;
    const auto done = discovered(options);
    ASSERT_TRUE(done.ok()) << done.error().message;
    const auto labels = labels_of(options.output, LabelKind::chunk);
    const auto all = site.chunks();
    EXPECT_EQ(labels.size(), all.size());
    for (const auto& [content, made] : all) {
      EXPECT_TRUE(labels.contains(hash_chunk(content, hash))) << content;
    }
  }
}

TEST(Discover, AFileOfOneChunkIsBoth) {
  const ScratchFolder folder;
  MadeSite site;
  for (int i = 0; i < 3; ++i) {
    site.add("http://a.example/" + std::to_string(i), {made_paragraph(1)});
  }
  DiscoverOptions options = options_for(folder, {site.write(folder, "in.jsonl")}, "out.labels");
  options.over_chunks = options.over_files = 2;
  ASSERT_TRUE(discovered(options).ok());
  const auto chunks = labels_of(options.output, LabelKind::chunk);
  const auto files = labels_of(options.output, LabelKind::file);
  ASSERT_EQ(chunks.size(), 1U);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(chunks.begin()->first, files.begin()->first);
  EXPECT_EQ(chunks.begin()->second.text, files.begin()->second.text);
}

TEST(Discover, RefusalsLeaveNothing) {
  const ScratchFolder folder;
  const std::string input = varied_site(15, 10).write(folder, "in.jsonl");
  const auto refused = [&](const std::function<void(DiscoverOptions&)>& change,
                           const std::string& said) {
    DiscoverOptions options = options_for(folder, {input}, "new.labels");
    change(options);
    const auto done = discovered(options);
    ASSERT_FALSE(done.ok()) << said;
    EXPECT_NE(done.error().text(Door::command_line).find(said), std::string::npos)
        << done.error().message;
    EXPECT_FALSE(std::filesystem::exists(folder / "new.labels")) << said;
  };
  folder.write("there.labels", "mine");
  refused([&](DiscoverOptions& o) { o.output = folder / "there.labels"; }, "exists");
  EXPECT_EQ(folder.read("there.labels"), "mine");
  refused([&](DiscoverOptions& o) { o.output.clear(); }, "no output");
  refused([&](DiscoverOptions& o) { o.inputs.clear(); }, "no input");
  refused([&](DiscoverOptions& o) { o.report = o.output; }, "would both make");
  refused([&](DiscoverOptions& o) { o.report = input; }, "exists");
  refused([&](DiscoverOptions& o) { o.stop = input; }, "in.jsonl");
  refused([&](DiscoverOptions& o) { o.pages.repeats = 1; }, "--repeats 1");
  refused([&](DiscoverOptions& o) { o.inputs = {folder.write("empty.jsonl", "")}; },
          "no page to read");
  refused([&](DiscoverOptions& o) { o.inputs = {folder.write("bad.jsonl", "{]\n")}; }, "not JSON");
}

TEST(Discover, ABadRecordIsNamedAndTheRestCounted) {
  const ScratchFolder folder;
  MadeSite site;
  for (int i = 0; i < 4; ++i) {
    site.add("http://a.example/" + std::to_string(i), {made_paragraph(1)});
  }
  DiscoverOptions options = options_for(
      folder, {folder.write("in.jsonl", site.lines(0, 2) + "\n{\"text\": 7}\n" + site.lines(2))},
      "out.labels");
  options.over_chunks = 3;
  const auto done = discovered(options);
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done.value().quarantined, 1U);
  ASSERT_EQ(done.value().bad_records.size(), 1U);
  EXPECT_NE(done.value().bad_records[0].find("in.jsonl:4"), std::string::npos);
  EXPECT_EQ(done.value().chunks.labels, 1U);
  // The URL of a page after a blank line and a bad one is its own.
  EXPECT_EQ(labels_of(options.output, LabelKind::chunk).begin()->second.samples.back().url,
            "http://a.example/3");
}

}  // namespace
}  // namespace twinset
