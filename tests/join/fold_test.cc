// Folding against a map of lists, over random classes in random order.
#include "join/fold.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "join/join_testing.h"
#include "scheme/identity.h"
#include "twinset/group.h"

namespace twinset {
namespace {

using testing::append_shuffled;
using testing::for_each_span;
using testing::keep_order_of;
using testing::random_table;
using testing::shards_of;
using testing::SpillFolder;

Fingerprint made_fingerprint(std::uint64_t value) { return {mix64(value), mix64(~value)}; }

/// A text by numbers: texts with equal `bytes` are identical, with equal `tokens` lexically equal;
/// 0 means no tokens.
struct MadeText {
  std::uint64_t bytes;
  std::uint64_t tokens;
};

FingerprintRow row_of(const MadeText& text, DocumentId document) {
  const Fingerprint raw = made_fingerprint(text.bytes);
  const Fingerprint lexical = text.tokens == 0
                                  ? lexical_fingerprint(std::to_string(text.bytes), Analysis())
                                  : made_fingerprint(text.tokens << 32);
  return {lexical, raw, document};
}

/// Folds `texts` (one a document) and checks every standing against the definition.
void expect_folded(const std::vector<MadeText>& texts, DocumentTable table, unsigned threads,
                   std::uint64_t memory, std::mt19937_64& random) {
  const SpillFolder spill(threads);
  PartitionedRows<FingerprintRow> rows(spill.options("fold", memory));
  std::vector<FingerprintRow> all;
  for (std::uint64_t i = 0; i < texts.size(); ++i) {
    all.push_back(row_of(texts[i], table.document(i)));
  }
  append_shuffled(rows, all, random);
  ASSERT_TRUE(fold_copies(rows, nullptr, table).ok());

  // Equal: the same tokens, or none and the same bytes.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> representatives;
  for (const std::uint64_t i : keep_order_of(table)) {
    const MadeText& text = texts[i];
    const auto [at, first] =
        representatives.try_emplace({text.tokens, text.tokens == 0 ? text.bytes : 0}, i);
    const Standing standing = table.standing(i);
    if (first) {
      ASSERT_EQ(standing.fate, Fate::kept) << i;
    } else {
      const bool same_bytes = texts[at->second].bytes == text.bytes;
      ASSERT_EQ(standing.fate, same_bytes ? Fate::identical : Fate::lexical) << i;
      ASSERT_EQ(standing.other, at->second) << i;
    }
  }
}

TEST(FoldCopies, TheFirstInKeepOrderStandsForItsClass) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const std::array<std::uint64_t, 3> lines{random() % 300, random() % 300, random() % 300};
    const DocumentTable table = random_table(lines, random() % 2, random() % 3 * 50, random);
    const std::uint64_t classes = 1 + random() % 200;
    std::vector<MadeText> texts(table.size());
    for (MadeText& text : texts) {
      text.tokens = random() % classes;
      // Bytes determine tokens: equal bytes have equal tokens.
      text.bytes = text.tokens * 8 + random() % 4;
    }
    expect_folded(texts, table, 1 + static_cast<unsigned>(random() % 3), random() % 2'000'000,
                  random);
  }
}

TEST(FoldCopies, AHundredThousandCopiesOfOne) {
  std::mt19937_64 random(2);
  const std::array<std::uint64_t, 2> lines{50'000, 50'000};
  const std::vector<MadeText> texts(100'000, MadeText{5, 7});
  expect_folded(texts, random_table(lines, 0, 10, random), 2, 1 << 20, random);
}

// A text without tokens is equal to the same bytes only, and not to a text with tokens, even if its
// bytes' fingerprint is that of the tokens.
TEST(FoldCopies, WithoutTokensOnlyIdenticalBytesAreEqual) {
  std::mt19937_64 random(3);
  const std::array<std::uint64_t, 1> lines{6};
  const DocumentTable table(lines, 0);
  expect_folded({{1, 0}, {2, 0}, {1, 0}, {3, 0}, {2, 0}, {4, 9}}, table, 1, 0, random);
}

// Two classes whose fingerprints agree only in the first word stay apart.
TEST(FoldCopies, AKeyOfTwoClassesIsTwoClasses) {
  const SpillFolder spill;
  const std::array<std::uint64_t, 1> lines{6};
  DocumentTable table(lines, 0);
  PartitionedRows<FingerprintRow> rows(spill.options("fold"));
  for (std::uint64_t record = 1; record <= 6; ++record) {
    const FingerprintRow row{{77, record % 2}, {1, record % 2}, {0, record}};
    ASSERT_TRUE(rows.append(std::span(&row, 1)).ok());
  }
  ASSERT_TRUE(fold_copies(rows, nullptr, table).ok());
  EXPECT_EQ(table.standing(0).fate, Fate::kept);
  EXPECT_EQ(table.standing(1).fate, Fate::kept);
  for (std::uint64_t i = 2; i < 6; ++i) {
    EXPECT_EQ(table.standing(i).fate, Fate::identical);
    EXPECT_EQ(table.standing(i).other, i % 2);
  }
}

/// A document that another one represents.
struct Copy {
  DocumentId document;
  DocumentId representative;
  CopyKind kind;
  auto operator<=>(const Copy&) const = default;
};

// Shards of classes, each folded alone, together give the result of one run and of the definition.
TEST(Fold, ShardsOfKeysFoldAsTheWhole) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 20; ++round) {
    const std::array<std::uint64_t, 2> lines{random() % 200, 1 + random() % 400};
    const DocumentTable table = random_table(lines, random() % 2, random() % 3 * 50, random);
    const std::uint64_t classes = 1 + random() % 300;
    std::vector<FingerprintRow> rows;
    std::map<Fingerprint, std::map<Place, FingerprintRow>> by_tokens;
    for (std::uint64_t i = 0; i < table.size(); ++i) {
      const std::uint64_t tokens = random() % classes;
      rows.push_back(row_of({tokens * 8 + random() % 4, tokens}, table.document(i)));
      by_tokens[rows.back().key][table.place_at(i)] = rows.back();
    }
    std::set<Copy> expected;
    for (const auto& [tokens, members] : by_tokens) {
      const FingerprintRow& first = members.begin()->second;
      for (const auto& [place, row] : members) {
        if (row.document == first.document) continue;
        const CopyKind kind = row.raw == first.raw ? CopyKind::identical : CopyKind::lexical;
        expected.insert({row.document, first.document, kind});
      }
    }
    for (const std::size_t count : {1U, 2U, 7U}) {
      std::set<Copy> merged;
      std::vector<Copy> copies;
      const auto fold_group = [&](std::span<const FingerprintRow> group) {
        fold(
            group, [](const FingerprintRow& row) { return row.raw; },
            [&](const FingerprintRow& copy, const FingerprintRow& first, CopyKind kind) {
              copies.push_back({copy.document, first.document, kind});
            });
      };
      fold_group({});
      EXPECT_TRUE(copies.empty());
      for (const auto& shard :
           shards_of(rows, count, [](const FingerprintRow& row) { return row.key.low; })) {
        for_each_span(
            shard, [](const FingerprintRow&) { return true; }, KeepOrder{&table}, random,
            fold_group);
      }
      merged.insert(copies.begin(), copies.end());
      ASSERT_EQ(merged.size(), copies.size()) << "a copy of two documents";
      ASSERT_EQ(merged, expected) << "round " << round << ", " << count << " shards";
    }
  }
}

// B-18: a copy by its set of shingles stands for nothing: its own copies become copies of its
// representative, whatever they were.
TEST(FoldSets, CopiesOfACopyHaveItsRepresentative) {
  const SpillFolder spill;
  const std::array<std::uint64_t, 1> lines{6};
  DocumentTable table(lines, 0);
  table.set(2, {Fate::lexical, 1});
  table.set(5, {Fate::identical, 4});
  PartitionedRows<FingerprintRow> rows(spill.options("sets"));
  for (int time = 0; time < 2; ++time) {  // as a continued run does
    for (const auto& [record, set] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {1, 7}, {2, 7}, {3, 7}, {4, 8}, {5, 9}}) {
      const FingerprintRow row = row_of({set, 0}, {0, record});
      ASSERT_TRUE(rows.append(std::span(&row, 1)).ok());
    }
  }
  ASSERT_TRUE(fold_sets(rows, table).ok());
  EXPECT_EQ(table.standing(0).fate, Fate::kept);
  for (const std::uint64_t copy : {1U, 2U}) {
    EXPECT_EQ(table.standing(copy).fate, Fate::shingles);
    EXPECT_EQ(table.standing(copy).other, 0U);
  }
  EXPECT_EQ(table.standing(3).fate, Fate::kept);
  EXPECT_EQ(table.standing(4).fate, Fate::kept);
  EXPECT_EQ(table.standing(5).fate, Fate::identical);
  EXPECT_EQ(table.standing(5).other, 4U);
}

// Rows that are added twice, as by a continued run, change nothing.
TEST(FoldCopies, RowsAddedTwiceCountOnce) {
  const SpillFolder spill;
  const std::array<std::uint64_t, 1> lines{3};
  DocumentTable table(lines, 0);
  PartitionedRows<FingerprintRow> rows(spill.options("fold"));
  for (int time = 0; time < 3; ++time) {
    for (std::uint64_t record = 1; record <= 3; ++record) {
      const FingerprintRow row = row_of({record, record == 3 ? 2U : 1U}, {0, record});
      ASSERT_TRUE(rows.append(std::span(&row, 1)).ok());
    }
  }
  ASSERT_TRUE(fold_copies(rows, nullptr, table).ok());
  EXPECT_EQ(table.standing(0).fate, Fate::kept);
  EXPECT_EQ(table.standing(1).fate, Fate::lexical);
  EXPECT_EQ(table.standing(2).fate, Fate::kept);
}

/// One document, known by its tokens.
class OneEarlier final : public EarlierDocuments {
 public:
  explicit OneEarlier(const FingerprintRow& row) : row_(row) {}
  Status with_key(std::uint64_t, std::vector<DocumentId>& out) const override {
    out.clear();
    return {};
  }
  Result<std::optional<Equal>> of_tokens(const Fingerprint& tokens) const override {
    if (tokens != row_.key) return std::optional<Equal>();
    return std::optional(Equal{row_.document, row_.raw});
  }

 private:
  FingerprintRow row_;
};

TEST(Fold, EarlierDocumentsStandForTheirCopies) {
  const SpillFolder spill(2);
  PartitionedRows<FingerprintRow> rows(spill.options("rows", 1 << 20));
  const Key128 known{mix64(1), 1};
  const Key128 other{mix64(2), 2};
  const std::array<FingerprintRow, 4> all{
      FingerprintRow{known, {7, 7}, {0, 1}}, FingerprintRow{known, {8, 8}, {0, 2}},
      FingerprintRow{other, {9, 9}, {0, 3}}, FingerprintRow{other, {9, 9}, {0, 4}}};
  ASSERT_TRUE(rows.append(all).ok());
  DocumentTable table(std::vector<std::uint64_t>{4}, 0);
  table.use_earlier();
  const OneEarlier earlier({known, {7, 7}, {1, 33}});
  ASSERT_TRUE(fold_copies(rows, &earlier, table).ok());
  EXPECT_EQ(table.standing(0).fate, Fate::identical);
  EXPECT_EQ(table.standing(1).fate, Fate::lexical);
  for (const std::uint64_t copy : {0, 1}) {
    EXPECT_EQ(table.document(table.standing(copy).other), DocumentId(1, 33));
  }
  EXPECT_EQ(table.standing(2).fate, Fate::kept);
  EXPECT_EQ(table.standing(3).other, 2U);
}

}  // namespace
}  // namespace twinset
