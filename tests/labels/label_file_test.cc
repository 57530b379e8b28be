#include "labels/label_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "system/memory_files.h"
#include "web/chunks.h"

namespace twinset {
namespace {

using Labels = std::vector<Label>;

const LabelFacts facts{to_text(auntietuna_chunks()), ChunkHash::sha256};

RunContext context_on(FileSystem& files) {
  RunContext context;
  context.files = &files;
  return context;
}

void write(FileSystem& files, const std::string& path, Labels labels,
           const LabelFacts& of = facts) {
  const RunContext context = context_on(files);
  std::ranges::sort(labels,
                    [](const Label& a, const Label& b) { return compare_labels(a, b) < 0; });
  LabelWriter writer(context, path, of);
  for (const Label& label : labels) ASSERT_TRUE(writer.append(label).ok());
  const auto made = writer.finish();
  ASSERT_TRUE(made.ok()) << made.error().message;
}

Result<Labels> read(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(const LabelFile file, LabelFile::open(files, path));
  Labels labels;
  TWINSET_TRY(file.for_each([&](const Label& label) -> Status {
    labels.push_back(label);
    return {};
  }));
  return labels;
}

/// A label of one of `kinds` hashes. Each eighth differs from others behind its key alone, and some
/// have more samples than a row has bytes.
Label some_label(std::mt19937& random, std::size_t hashes) {
  const std::size_t number = random() % hashes;
  Label label{.hash = hash_chunk(std::to_string(number / 8), ChunkHash::sha256)};
  label.hash.bytes[20] = static_cast<std::uint8_t>(number % 8);
  label.kind = random() % 4 == 0 ? LabelKind::file : LabelKind::chunk;
  label.count = 1 + random() % 1000;
  label.documents = random() % 100;
  for (std::size_t i = random() % 12 < 8 ? 0 : random() % 12; i > 0; --i) {
    add_sample(label,
               {"http://a.org/" + std::string(random() % 60, 'x'), random(), random() % 900});
  }
  if (random() % 3 == 0) add_text(label, std::string(random() % 300, 't'));
  return label;
}

/// Some labels, none twice.
Labels some_labels(std::mt19937& random, std::size_t count, std::size_t hashes) {
  std::map<std::pair<ChunkDigest, LabelKind>, Label> labels;
  for (std::size_t i = 0; i < count; ++i) {
    const Label label = some_label(random, hashes);
    labels[{label.hash, label.kind}] = label;
  }
  Labels all;
  for (const auto& [key, label] : labels) all.push_back(label);
  return all;
}

TEST(LabelFile, IsReadAsItWasWritten) {
  std::mt19937 random(1);
  for (const std::size_t count : {0, 1, 10, 5000}) {
    MemoryFiles files;
    const Labels labels = some_labels(random, count, 4000);
    write(files, "x.labels", labels);
    const auto again = read(files, "x.labels");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again.value(), labels);
    const auto file = LabelFile::open(files, "x.labels");
    EXPECT_EQ(file.value().facts(), facts);
    std::size_t keys = 0;
    ASSERT_TRUE(file.value()
                    .for_each_key([&](const Fingerprint& key, LabelKind kind) {
                      ASSERT_LT(keys, labels.size());
                      EXPECT_EQ(key, labels[keys].hash.key());
                      EXPECT_EQ(kind, labels[keys].kind);
                      ++keys;
                    })
                    .ok());
    EXPECT_EQ(keys, labels.size());
    file.value().release();
    for (const Label& label : labels) {
      EXPECT_EQ(file.value().find(label.kind, label.hash).value(), label);
      EXPECT_TRUE(file.value().contains(label.kind, label.hash).value());
    }
    for (int i = 0; i < 100; ++i) {
      const Label label = some_label(random, 100'000);
      const bool there = std::ranges::any_of(
          labels, [&](const Label& one) { return compare_labels(one, label) == 0; });
      EXPECT_EQ(file.value().contains(label.kind, label.hash).value(), there);
    }
  }
}

// A merge is of pages if any of its parts is, in any order; where nothing says so, none is.
TEST(LabelFile, SaysWhetherItsLabelsAreOfPages) {
  MemoryFiles files;
  LabelFacts of_pages = facts;
  of_pages.pages = true;
  std::mt19937 random(3);
  write(files, "texts", some_labels(random, 9, 100));
  write(files, "pages", some_labels(random, 9, 100), of_pages);
  EXPECT_EQ(files.read("texts").find("pages"), std::string::npos);
  EXPECT_FALSE(LabelFile::open(files, "texts").value().facts().pages);
  EXPECT_EQ(LabelFile::open(files, "pages").value().facts(), of_pages);
  const RunContext context = context_on(files);
  for (const std::vector<std::string>& parts :
       {std::vector<std::string>{"texts", "pages"}, {"pages", "texts"}}) {
    const auto merged = merge_labels(context, parts, parts[0] + " first");
    ASSERT_TRUE(merged.ok()) << merged.error().message;
    EXPECT_TRUE(LabelFile::open(files, parts[0] + " first").value().facts().pages);
  }
  EXPECT_EQ(files.read("texts first"), files.read("pages first"));
}

TEST(LabelFile, HoldsTheLargestLabel) {
  MemoryFiles files;
  Label label{.count = ~std::uint64_t{0}, .documents = ~std::uint64_t{0}};
  label.hash.bytes.fill(0xFF);
  for (std::size_t i = 0; i < most_label_samples; ++i) {
    add_sample(label, {std::string(most_url_bytes - 1, 'u') + std::to_string(i), ~std::uint64_t{0},
                       ~std::uint64_t{0}});
  }
  add_text(label, std::string(most_label_text_bytes, 't'));
  write(files, "x", {label});
  EXPECT_EQ(read(files, "x").value(), Labels{label});
}

TEST(LabelFile, EveryDamagedByteIsAnError) {
  std::mt19937 random(2);
  MemoryFiles files;
  write(files, "x", some_labels(random, 8, 100));
  const std::string good = files.read("x");
  const RunContext context = context_on(files);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    ASSERT_TRUE(files.write("x", bad).ok());
    const auto labels = read(files, "x");
    const auto table = Table<LabelRow, Fingerprint>::open(files, "x", {"labels", 1, 0});
    // The hash of the content is compared by verify() alone.
    EXPECT_TRUE(!labels.ok() || !table.ok() || !table.value().verify(context).ok()) << at;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    ASSERT_TRUE(files.write("x", good.substr(0, size)).ok());
    EXPECT_FALSE(read(files, "x").ok()) << size;
  }
}

/// A table of the kind with checksums that are right, and rows that no writer makes.
Result<Labels> read_rows(const std::vector<LabelRow>& rows, const std::string& description) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  TableWriter<LabelRow, Fingerprint> writer(context, "x", {"labels", 1, 0}, description);
  TWINSET_TRY(writer.append(rows));
  TWINSET_TRY(writer.finish());
  return read(files, "x");
}

TEST(LabelFile, RefusesRowsThatNoWriterMakes) {
  const std::string description = R"({"rules":"r","hash":"sha1"})";
  ASSERT_EQ(read_rows({LabelRow{}}, description).value().size(), 1U);
  EXPECT_FALSE(read_rows({LabelRow{}, LabelRow{}}, description).ok()) << "twice";
  for (const auto& [description_of, said] : std::vector<std::pair<std::string, std::string>>{
           {R"({"rules":"r","hash":"md5"})", "byte 20: hash is not a known word"},
           {R"({"rules":7,"hash":"sha1"})", "byte 9: rules is not a string"},
           {R"({"rules":"r"})", "byte 0: hash is missing"}}) {
    const Result<Labels> read = read_rows({LabelRow{}}, description_of);
    ASSERT_FALSE(read.ok()) << description_of;
    EXPECT_EQ(read.error().message, "x is damaged, or of another version: line 1, " + said);
  }
  EXPECT_FALSE(read_rows({LabelRow{}}, "").ok());
  EXPECT_FALSE(read_rows({LabelRow{.part = 1}}, description).ok());
  EXPECT_FALSE(read_rows({LabelRow{.bytes = 1}}, description).ok()) << "a part too few";
  EXPECT_FALSE(read_rows({LabelRow{.bytes = 0xFFFF}}, description).ok());
  LabelRow head{.bytes = 1};
  const auto with = [&](std::initializer_list<std::uint8_t> bytes, std::uint16_t part = 1) {
    LabelRow row{.part = part, .bytes = static_cast<std::uint16_t>(bytes.size())};
    std::ranges::copy(bytes, row.piece);
    return read_rows({head, row}, description).ok();
  };
  EXPECT_TRUE(with({0, 1, 'x'})) << "no samples, a text of one byte";
  EXPECT_FALSE(with({0, 1, 'x'}, 2));
  EXPECT_FALSE(with({0, 1, 'x', 0})) << "goes on";
  EXPECT_FALSE(with({0, 2, 'x'})) << "cut off";
  EXPECT_FALSE(with({0, 0})) << "empty";
  EXPECT_FALSE(with({11}));
  EXPECT_TRUE(with({2, 1, 'a', 0, 0, 1, 'b', 0, 0, 0}));
  EXPECT_FALSE(with({2, 1, 'b', 0, 0, 1, 'a', 0, 0, 0})) << "samples that descend";
  EXPECT_FALSE(with({2, 1, 'a', 0, 0, 1, 'a', 0, 0, 0})) << "a sample twice";
  LabelRow kind;
  kind.piece[32] = 2;
  EXPECT_FALSE(read_rows({kind}, description).ok()) << "no kind";
  LabelRow more;
  more.piece[33] = 1;
  EXPECT_FALSE(read_rows({more}, description).ok()) << "bytes that mean nothing";
}

TEST(MergeLabels, IsTheSumInAnyOrderAndAnyGrouping) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 30; ++trial) {
    MemoryFiles files;
    const RunContext context = context_on(files);
    std::map<std::pair<ChunkDigest, LabelKind>, Label> expected;
    std::vector<std::string> paths;
    for (const char* const path : {"a", "b", "c", "d"}) {
      const Labels labels = some_labels(random, random() % 60, 60);
      for (const Label& label : labels) {
        auto& sum = expected[{label.hash, label.kind}];
        sum.hash = label.hash;
        sum.kind = label.kind;
        add_label(sum, label);
      }
      write(files, path, labels);
      paths.emplace_back(path);
    }
    ASSERT_TRUE(merge_labels(context, paths, "all").ok());
    Labels sums;
    for (const auto& [key, label] : expected) sums.push_back(label);
    ASSERT_EQ(read(files, "all").value(), sums);

    std::ranges::shuffle(paths, random);
    ASSERT_TRUE(merge_labels(context, paths, "shuffled").ok());
    EXPECT_EQ(files.read("shuffled"), files.read("all"));
    const std::string some[] = {paths[0], paths[1]};
    ASSERT_TRUE(merge_labels(context, some, "some").ok());
    const std::string rest[] = {paths[2], paths[3]};
    ASSERT_TRUE(merge_labels(context, rest, "rest").ok());
    const std::string both[] = {"rest", "some"};
    ASSERT_TRUE(merge_labels(context, both, "grouped").ok());
    EXPECT_EQ(files.read("grouped"), files.read("all"));
  }
}

TEST(MergeLabels, RefusesOtherRulesAndHashes) {
  MemoryFiles files;
  const RunContext context = context_on(files);
  write(files, "web", {Label{}}, {to_text(ChunkRules{}), ChunkHash::xxh3});
  write(files, "tuna", {Label{}});
  write(files, "sha1", {Label{}}, {to_text(auntietuna_chunks()), ChunkHash::sha1});
  const std::string with_web[] = {"tuna", "web"};
  const std::string with_sha1[] = {"tuna", "sha1"};
  for (const auto& paths : {std::span(with_web), std::span(with_sha1)}) {
    const auto merged = merge_labels(context, paths, "out");
    ASSERT_FALSE(merged.ok());
    EXPECT_EQ(merged.error().code, ErrorCode::usage);
    for (const std::string& path : paths) {
      EXPECT_NE(merged.error().message.find(path), std::string::npos) << merged.error().message;
    }
  }
  EXPECT_FALSE(merge_labels(context, {}, "out").ok());
  const std::string missing[] = {"nowhere"};
  EXPECT_FALSE(merge_labels(context, missing, "out").ok());
  EXPECT_FALSE(LabelFile::open(files, "out").ok()) << "nothing is left of a merge that failed";
}

TEST(ReadAuntieTunaLabels, ReadsListsAndExports) {
  const std::string one = "131f95c51cc819465fa1797f6ccacf9d494aaaff46fa3eac73ae63ffbdfd8267";
  const std::string two = "8394eaf6060547d4f348b644583d3dcc3299082d29946b7e1e2690bf1948d515";
  const std::string list = R"({"domain": "a.test", "last_updated": "1970-01-01", "hashes": [")" +
                           two + R"(",")" + one + R"("]})";
  const auto labels = read_auntietuna_labels(list, "a.json");
  ASSERT_TRUE(labels.ok()) << labels.error().message;
  ASSERT_EQ(labels.value().size(), 2U);
  EXPECT_EQ(to_hex(labels.value()[0].hash, ChunkHash::sha256), one);
  EXPECT_EQ(labels.value()[1].samples, (std::vector<LabelSample>{{"a.test", 0, 0}}));
  EXPECT_EQ(labels.value()[1].kind, LabelKind::chunk);

  // An export is an array, with a number for the date. A hash of two lists is one label.
  const auto both = read_auntietuna_labels(
      "[" + list + R"(, {"id": 7, "domain": "b.test", "last_updated": 1567, "hashes": [")" + one +
          R"("]}])",
      "a.json");
  ASSERT_TRUE(both.ok()) << both.error().message;
  ASSERT_EQ(both.value().size(), 2U);
  EXPECT_EQ(both.value()[0].count, 2U);
  EXPECT_EQ(both.value()[0].samples,
            (std::vector<LabelSample>{{"a.test", 0, 0}, {"b.test", 0, 0}}));

  MemoryFiles files;
  write(files, "tuna", both.value());
  EXPECT_EQ(read(files, "tuna").value(), both.value());
}

TEST(ReadAuntieTunaLabels, RefusesOtherFiles) {
  for (const char* const bad : {"", "{", "{}", "7", R"({"hashes": 7})", R"({"hashes": ["ab"]})",
                                R"({"hashes": [7]})", R"([{"hashes": []}, {}])"}) {
    const auto labels = read_auntietuna_labels(bad, "a.json");
    ASSERT_FALSE(labels.ok()) << bad;
    EXPECT_NE(labels.error().message.find("a.json"), std::string::npos) << labels.error().message;
  }
  EXPECT_TRUE(read_auntietuna_labels(R"({"hashes": []})", "a.json").value().empty());
}

}  // namespace
}  // namespace twinset
