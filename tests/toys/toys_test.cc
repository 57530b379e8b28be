// A new format, a new scheme, a new collector and a new kind of collection need no edit: each is
// one file of this folder, and this program is linked with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <map>
#include <random>
#include <set>

#include "collection/memory_collection.h"
#include "dedup/dedup_collection.h"
#include "join/union_find.h"
#include "run/collection_run.h"
#include "run/read_pass.h"
#include "support_runs/match_fixture.h"
#include "toys/document_frequencies.h"
#include "twinset/cluster.h"
#include "twinset/look.h"

namespace twinset {
namespace {

using namespace twinset::testing;

const char* const note = "one two three four five six seven eight nine ten eleven twelve";

TEST(Toys, AFormatWithCarriedBytesIsReadAndWritten) {
  const ScratchFolder folder;
  DedupOptions options;
  const std::string box = "-- begin\n" + std::string(note) + "\n--\nanother note\n--\n" +
                          std::string(note) + "\n-- end\n";
  options.inputs = {folder.write("a.box", box)};
  options.output = folder / "out";
  options.scheme = "opening(shingle=3)";
  options.resemblance = Ratio(1, 2);
  set_small_memory(options, 2, 1 << 26);
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  const Counts& total = done.value().total;
  EXPECT_EQ(total.read, 7U);
  EXPECT_EQ(total.carried, 4U);
  EXPECT_EQ(total.identical, 1U);
  EXPECT_EQ(total.read, total.kept + total.removed() + total.carried);
  EXPECT_EQ(folder.read("out/a.box"),
            "-- begin\n" + std::string(note) + "\n--\nanother note\n--\n-- end\n");
  EXPECT_NE(folder.read("out/summary.json").find("\"carried\": 4"), std::string::npos);
}

TEST(Toys, ASchemeFindsItsCandidates) {
  const std::vector<std::string> texts{note, std::string(note) + " thirteen",
                                       "zero " + std::string(note)};
  DedupOptions options;
  options.columns = {TextColumn(texts)};
  options.scheme = "opening(shingle=3)";
  std::vector<std::uint64_t> removed;
  const Result<DedupSummary> done =
      dedup(options, quiet_control(), {nullptr, [&](const Removal& removal) -> Status {
                                         removed.push_back(removal.document.record);
                                         return {};
                                       }});
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(removed, (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(done.value().scheme, "opening(shingle=3, salt=\"\")");
}

/// Texts of a few words, many of which differ in one or two.
std::vector<std::string> word_texts(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> texts;
  const auto word = [&] { return "w" + std::to_string(random() % 400); };
  for (int i = 0; i < 150; ++i) {
    std::vector<std::string> words;
    for (int j = 0; j < 14; ++j) words.push_back(word());
    for (std::uint64_t version = random() % 5 + 1; version > 0; --version) {
      texts.emplace_back();
      for (const std::string& each : words) texts.back() += each + ' ';
      for (std::uint64_t edits = random() % 3; edits > 0; --edits) words[random() % 14] = word();
    }
  }
  std::ranges::shuffle(texts, random);
  return texts;
}

/// The bits of the toy scheme, by its definition.
std::uint64_t word_bits(const std::string& text) {
  Analysis analysis;
  find_analyzer("words")->analyze(text, Offsets::drop, analysis);
  std::uint64_t bits = 0;
  for (const std::uint64_t token : analysis.tokens) bits |= std::uint64_t{1} << token % 64;
  return bits;
}

std::map<std::uint64_t, std::uint64_t> clusters_of(const std::vector<std::string>& texts,
                                                   ClusterOptions options,
                                                   std::vector<DistanceCounts>* distances) {
  options.columns = {TextColumn(texts)};
  std::map<std::uint64_t, std::uint64_t> representatives;
  const auto done = cluster(options, quiet_control(), {[&](const ClusterMember& link) -> Status {
                              representatives[link.member.record] = link.representative.record;
                              return {};
                            }});
  EXPECT_TRUE(done.ok()) << done.error().message;
  if (done.ok() && distances != nullptr) *distances = done.value().distances;
  return representatives;
}

// A scheme of signatures, one file, has a complete Hamming join, clusters by distance, and the
// table of all distances.
TEST(Toys, SignaturesAreClusteredByTheirDistance) {
  const std::vector<std::string> texts = word_texts(1);
  const auto far = [&](std::size_t a, std::size_t b) {
    return static_cast<std::uint32_t>(std::popcount(word_bits(texts[a]) ^ word_bits(texts[b])));
  };
  ClusterOptions options;
  options.scheme = "word_bits";
  for (const std::uint32_t distance : {0U, 1U, 3U, 7U}) {
    UnionFind components(static_cast<std::uint32_t>(texts.size()));
    std::vector<std::uint64_t> pairs(distance + 1);
    std::set<std::size_t> near;
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        if (far(i, j) > distance) continue;
        components.unite(i, j);
        ++pairs[far(i, j)];
        near.insert({i, j});
      }
    }
    options.distance = std::to_string(distance);
    std::vector<DistanceCounts> distances;
    const auto found = clusters_of(texts, options, &distances);
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      const auto at = found.find(i + 1);
      EXPECT_EQ(at == found.end() ? i : at->second - 1, components.find(i));
    }
    ASSERT_EQ(distances.size(), distance + 1);
    std::uint64_t sum = 0;
    for (std::uint64_t d = 0; d <= distance; ++d) {
      EXPECT_EQ(distances[d].pairs, sum += pairs[d]);
      EXPECT_DOUBLE_EQ(distances[d].mean_size_without_self,
                       2.0 * static_cast<double>(sum) / static_cast<double>(near.size()));
      EXPECT_DOUBLE_EQ(distances[d].mean_size, distances[d].mean_size_without_self + 1);
    }
    EXPECT_EQ(distances.back().documents, near.size());
    // 128 bits that repeat 64 have twice the distances.
    if (distance > 3) continue;
    ClusterOptions wide = options;
    wide.scheme = "word_bits(bits=128)";
    wide.distance = std::to_string(2 * distance + 1);
    EXPECT_EQ(clusters_of(texts, wide, nullptr), found);
  }
}

// The star rule by every two: in input order a document joins the first representative within the
// distance.
TEST(Toys, AMemberOfAStarIsWithinTheDistanceOfItsRepresentative) {
  const std::vector<std::string> texts = word_texts(2);
  ClusterOptions options;
  options.scheme = "word_bits";
  options.distance = "4";
  options.shape = ClusterShape::stars;
  std::map<std::uint64_t, std::uint64_t> expected;
  std::vector<std::size_t> representatives;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto first = std::ranges::find_if(representatives, [&](std::size_t other) {
      return std::popcount(word_bits(texts[i]) ^ word_bits(texts[other])) <= 4;
    });
    if (first == representatives.end()) {
      representatives.push_back(i);
    } else {
      expected[i + 1] = *first + 1;
    }
  }
  EXPECT_EQ(clusters_of(texts, options, nullptr), expected);
}

TEST(Toys, RecutAtASmallerDistanceIsAFullRun) {
  const ScratchFolder folder;
  std::string lines;
  for (const std::string& text : word_texts(3)) lines += "{\"text\": \"" + text + "\"}\n";
  ClusterOptions options;
  options.inputs = {folder.write("a.jsonl", lines)};
  options.scheme = "word_bits";
  options.output = folder / "five";
  options.distance = "5";
  ASSERT_TRUE(cluster(options, quiet_control()).ok());
  options.output = folder / "two";
  options.distance = "2";
  const auto two = cluster(options, quiet_control());
  ASSERT_TRUE(two.ok());
  RecutOptions again;
  again.from = folder / "five";
  again.output = folder / "recut";
  again.distance = 2;
  const auto recut_two = recut(again, quiet_control());
  ASSERT_TRUE(recut_two.ok()) << recut_two.error().message;
  EXPECT_EQ(folder.read("recut/clusters.jsonl.zst"), folder.read("two/clusters.jsonl.zst"));
  ASSERT_EQ(recut_two.value().distances.size(), 3U);
  for (std::size_t d = 0; d < 3; ++d) {
    const DistanceCounts& one = recut_two.value().distances[d];
    const DistanceCounts& other = two.value().distances[d];
    EXPECT_EQ(one.pairs, other.pairs);
    EXPECT_EQ(one.clusters, other.clusters);
    EXPECT_EQ(one.documents, other.documents);
  }
  again.output.clear();
  again.distance = 6;
  EXPECT_NE(recut(again, quiet_control()).error().message.find("up to a distance of 5"),
            std::string::npos);
}

// dedup: the distance finds candidates, and the texts decide. The first two texts have the same
// words in another order.
TEST(Toys, InDedupADistanceFindsCandidatesAlone) {
  const std::vector<std::string> texts{note,
                                       "twelve eleven ten nine eight seven six five four "
                                       "three two one",
                                       std::string(note) + " one"};
  DedupOptions options;
  options.columns = {TextColumn(texts)};
  options.scheme = "word_bits";
  options.distance = "0";
  std::vector<std::uint64_t> removed;
  const auto done = dedup(options, quiet_control(), {nullptr, [&](const Removal& removal) {
                                                       removed.push_back(removal.document.record);
                                                       return Status();
                                                     }});
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(removed, std::vector<std::uint64_t>{3});
  options.verify = Check::sketch;
  EXPECT_NE(dedup(options, quiet_control()).error().message.find("do not estimate resemblance"),
            std::string::npos);
}

// A limit by the shorter document's length: every pair within its own, and no other.
TEST(Toys, AShortDocumentMayHaveADistanceOfItsOwn) {
  std::vector<std::string> texts = word_texts(4);
  for (std::size_t i = 0; i < texts.size(); i += 3) texts[i] = texts[i].substr(0, 20);
  Analysis analysis;
  const auto tokens = [&](const std::string& text) {
    find_analyzer("words")->analyze(text, Offsets::drop, analysis);
    return analysis.tokens.size();
  };
  ClusterOptions options;
  options.scheme = "word_bits";
  options.distance = "10:1,4";
  UnionFind components(static_cast<std::uint32_t>(texts.size()));
  std::uint64_t of_short = 0;
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      const int far = std::popcount(word_bits(texts[i]) ^ word_bits(texts[j]));
      const bool is_short = std::min(tokens(texts[i]), tokens(texts[j])) < 10;
      if (far > (is_short ? 1 : 4)) continue;
      of_short += is_short ? 1 : 0;
      components.unite(i, j);
    }
  }
  ASSERT_GT(of_short, 3U);
  const auto found = clusters_of(texts, options, nullptr);
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    const auto at = found.find(i + 1);
    EXPECT_EQ(at == found.end() ? i : at->second - 1, components.find(i));
  }
}

// A join that would compare too many signatures is refused, and leaves no folder to be in the way.
TEST(Toys, TooManyComparisonsAreRefusedBeforeAnyIsMade) {
  const ScratchFolder folder;
  std::string lines;
  for (const std::string& text : word_texts(5)) lines += "{\"text\": \"" + text + "\"}\n";
  ClusterOptions options;
  options.inputs = {folder.write("a.jsonl", lines)};
  options.scheme = "word_bits";
  options.output = folder / "out";
  options.max_meetings = 10;
  const auto refused = cluster(options, quiet_control());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text(Door::command_line).find("a smaller --distance"),
            std::string::npos);
  EXPECT_EQ(disk().list(folder.path()).value(), std::vector<std::string>{"a.jsonl"});
}

TEST(Toys, DistancesOutOfRangeOrWithoutSignaturesAreRefused) {
  const std::vector<std::string> texts{note};
  ClusterOptions options;
  options.columns = {TextColumn(texts)};
  options.scheme = "word_bits";
  options.distance = "8";
  EXPECT_NE(cluster(options, quiet_control()).error().message.find("above 7"), std::string::npos);
  options.distance = "3";
  options.resemblance = Ratio(9, 10);
  EXPECT_NE(cluster(options, quiet_control())
                .error()
                .text(Door::command_line)
                .find("tell no resemblance for --resemblance"),
            std::string::npos);
  options.verify = Check::exact;
  EXPECT_TRUE(cluster(options, quiet_control()).ok());
  options.scheme = "mod";
  EXPECT_NE(cluster(options, quiet_control()).error().message.find("mod has none"),
            std::string::npos);
}

TEST(Toys, ARunIsKnownByTheContentOfAFileItsSchemeReads) {
  const ScratchFolder folder;
  DedupOptions options;
  const std::string text = ", \"text\": \"" + std::string(note) + "\"}\n";
  options.inputs = {folder.write("a.jsonl", "{\"id\": 1" + text + "{\"id\": 2" + text)};
  options.output = folder / "out";
  const std::string salt = folder.write("salt", "one");
  options.scheme = "opening(shingle=3, salt=" + salt + ")";
  set_small_memory(options, 2, 1 << 26);
  const Result<DedupSummary> done = dedup(options, quiet_control());
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_NE(done.value().scheme.find(salt + "@"), std::string::npos) << done.value().scheme;
  EXPECT_TRUE(dedup(options, quiet_control()).ok()) << "finished, and the file is the same";

  ExplainOptions asked;
  asked.folder = options.output;
  asked.id = "2";
  const auto known = explain(asked, RunControl{});
  ASSERT_TRUE(known.ok()) << known.error().message;
  folder.write("salt", "two");
  EXPECT_FALSE(dedup(options, quiet_control()).ok()) << "another file is another run";
  const auto explained = explain(asked, RunControl{});
  ASSERT_FALSE(explained.ok());
  EXPECT_NE(explained.error().message.find("another content now"), std::string::npos)
      << explained.error().message;
}

std::map<std::uint64_t, std::uint64_t> counted(const MadeCollection& collection) {
  std::map<std::uint64_t, std::uint64_t> documents;
  Analysis analysis;
  for (const MadeFile& file : collection.files) {
    for (const MadeRecord& record : file.records) {
      find_analyzer("words")->analyze(record.text, Offsets::drop, analysis);
      const std::set<std::uint64_t> tokens(analysis.tokens.begin(), analysis.tokens.end());
      for (const std::uint64_t token : tokens) ++documents[token];
    }
  }
  return documents;
}

TEST(Toys, ACollectorStandsBesideThoseOfDedup) {
  const MadeCollection collection =
      planted_collection({.seed = 71, .documents = 300, .files = 4, .compressed = true});
  std::uint64_t rows = 0;
  for (const bool beside : {false, true}) {
    MatchFixture fixture(collection,
                         [](JobOptions& options) { set_small_memory(options, 3, 1 << 26); });
    fixture.make_stores();
    DocumentFrequencies frequencies("df");
    std::vector<Collector*> collectors = fixture.stores().all();
    if (beside) collectors.push_back(&frequencies);
    for (Collector* collector : collectors) ASSERT_TRUE(collector->open(nullptr).ok());
    ASSERT_TRUE(read_collection(fixture.job(), collectors, nullptr, fixture.state()).ok());
    fixture.make_table();
    const MatchReport report = fixture.match();
    if (beside) {
      EXPECT_EQ(fixture.proofs().rows(), rows);
      EXPECT_EQ(frequencies.documents(), counted(collection));
    }
    rows = fixture.proofs().rows();
    EXPECT_GT(rows, 20U);
    EXPECT_GT(report.verified_pairs, 20U);
  }
}

/// Counts the tokens that fewer than ten documents have, by the table of an earlier pass.
class RareTokens final : public CollectorOf<TokenRows> {
 public:
  explicit RareTokens(const DocumentFrequencies& frequencies) : frequencies_(frequencies) {}
  std::uint64_t tokens() const { return tokens_; }
  std::function<void()> after_put;
  Status open(const StateFile* checkpoint) override {
    tokens_ = checkpoint == nullptr ? 0 : checkpoint->number("rare");
    return {};
  }
  Status checkpoint(StateFile& file) override {
    file.set("rare", tokens_);
    return {};
  }

 private:
  Status take(const ReadRecord& record, TokenRows& rows) const override {
    if (!record.is_document()) return {};
    for (const std::uint64_t token : record.view.analysis().tokens) {
      if (frequencies_.documents().at(token) < 10) rows.tokens.push_back(token);
    }
    return {};
  }
  Status put(TokenRows& rows) override {
    tokens_ += rows.tokens.size();
    if (after_put) after_put();
    return {};
  }

  const DocumentFrequencies& frequencies_;
  std::uint64_t tokens_ = 0;
};

// A run is a list of passes; an interrupted one continues in the pass that it had reached.
TEST(Toys, APassUsesWhatTheOneBeforeItLeft) {
  const ScratchFolder folder;
  DedupOptions options =
      planted_collection({.seed = 72, .documents = 200, .files = 5}).write(folder);
  options.resources.checkpoint = 1;
  const auto run_passes = [&](const std::string& output, int cancel_after,
                              std::uint64_t& rare) -> Status {
    std::atomic<bool> cancel = false;
    RunControl control = quiet_control();
    control.cancel = &cancel;
    VerbOptions verb;
    verb.name = verb.identity = "toy";
    verb.output = output;
    CollectionRun run(options, verb, control);
    TWINSET_TRY(run.prepare());
    Result<bool> opened = run.open();
    TWINSET_TRY(opened);
    DocumentFrequencies frequencies("df");
    RareTokens rare_tokens(frequencies);
    int batches = 0;
    frequencies.after_put = rare_tokens.after_put = [&] {
      if (++batches == cancel_after) cancel = true;
    };
    TWINSET_TRY(run.pass("count", {&frequencies}));
    TWINSET_TRY(run.pass("use", {&rare_tokens}));
    rare = rare_tokens.tokens();
    return run.abandon();
  };
  std::uint64_t whole = 0;
  ASSERT_TRUE(run_passes(folder / "whole", 0, whole).ok());
  EXPECT_GT(whole, 100U);
  // Five files are ten batches of a pass, with their ends.
  for (int after = 1; after <= 19; after += 3) {
    const std::string output = folder / ("cut" + std::to_string(after));
    std::uint64_t rare = 0;
    const Status cut = run_passes(output, after, rare);
    ASSERT_FALSE(cut.ok()) << after;
    EXPECT_EQ(cut.error().code, ErrorCode::interrupted);
    const Status again = run_passes(output, 0, rare);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(rare, whole) << after;
  }
}

/// One message at a time; the next comes only after the last was answered.
class Stream final : public Reader {
 public:
  Stream(std::span<const std::string> messages, const std::atomic<std::uint64_t>& answered)
      : messages_(messages), answered_(answered) {}
  Result<bool> read(RecordBatch& batch) override {
    batch.records.clear();
    if (answered_ != next_) return io_error("message " + std::to_string(next_) + " has no answer");
    if (next_ == messages_.size()) return false;
    Record& record = batch.records.emplace_back();
    record.raw = messages_[next_];
    record.length = record.raw.size();
    record.number = batch.lines = ++next_;
    return true;
  }
  void decode(const FieldNames&, RecordBatch& batch) const override {
    for (Record& record : batch.records) record.text = record.raw;
  }

 private:
  std::span<const std::string> messages_;
  const std::atomic<std::uint64_t>& answered_;
  std::uint64_t next_ = 0;
};

class StreamCollection final : public Collection {
 public:
  explicit StreamCollection(std::vector<std::string> messages) : messages_(std::move(messages)) {}
  std::atomic<std::uint64_t> answered = 0;

  std::span<const Source> sources() const override { return {&source_, 1}; }
  std::string identity() const override { return {}; }
  Result<std::unique_ptr<Reader>> open(std::uint64_t, const ReaderLimits&) override {
    return std::unique_ptr<Reader>(std::make_unique<Stream>(messages_, answered));
  }
  Result<bool> is_lost(std::uint64_t) override { return false; }
  Rereading rereading(std::uint64_t) const override { return Rereading::never; }
  Result<std::size_t> read_at(std::uint64_t, std::uint64_t, std::string&) override {
    return io_error("a stream is read once");
  }
  void decode(std::uint64_t, std::uint64_t, std::string_view, const FieldNames&,
              RecordBatch&) const override {}
  bool has_changed(std::uint64_t) const override { return false; }
  Result<std::unique_ptr<ByteSink>> create_output(std::uint64_t, const RunContext&,
                                                  const std::string&,
                                                  const std::string&) const override {
    return io_error("a stream has no output");
  }

 private:
  const std::vector<std::string> messages_;
  const Source source_;
};

// A filter answers before the next message comes.
TEST(Toys, ACollectorAnswersAtOnce) {
  JobFixture fixture(MadeCollection{{{"a.jsonl", {{"x", "one", ""}}, false}}});
  const auto stream =
      std::make_shared<StreamCollection>(std::vector<std::string>{"one", "two", "three"});
  fixture.job().collection = stream;
  DocumentFrequencies frequencies("df");
  std::uint64_t batches = 0;
  frequencies.after_put = [&] { stream->answered = std::min<std::uint64_t>(++batches, 3); };
  Collector* const collectors[] = {&frequencies};
  const Status done = read_collection(fixture.job(), collectors, nullptr, fixture.state());
  EXPECT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(frequencies.documents().size(), 3U);
  EXPECT_EQ(batches, 4U) << "three messages, and their end";
}

}  // namespace
}  // namespace twinset
