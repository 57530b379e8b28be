// KnownDocuments: of an index those that a run needs, by key and by tokens, removed ones with their
// survivors.
#include "run/known_documents.h"

#include <gtest/gtest.h>

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

constexpr std::uint64_t source = 4;  // behind four inputs

/// Equal texts with one more word: all share most keys.
std::string text_of(std::uint64_t number) {
  return made_text(1, 60) + " n" + std::to_string(number);
}

struct Adding {
  IndexWriter& writer;
  TextView views{writer.snapshot().signer()};
  std::vector<Marks> marks{};

  std::uint64_t add(const std::string& text, std::optional<Survivor> survivor = std::nullopt) {
    const RecordView& view = views.of(text);
    writer.snapshot().signer().mark(view, marks);
    const std::string id = quoted(text.substr(text.rfind(' ') + 1));
    const auto serial = writer.append({.id = id,
                                       .url = {},
                                       .date = {},
                                       .fields = {},
                                       .text_bytes = text.size(),
                                       .tokens = view.analysis().tokens.size(),
                                       .bytes_hash = identical_fingerprint(text),
                                       .tokens_hash = view.lexical_fingerprint(),
                                       .survivor = survivor},
                                      marks, text);
    EXPECT_TRUE(serial.ok());
    return serial.ok() ? serial.value() : 0;
  }
};

/// Twelve documents in three segments: 0 to 3, 4 to 7, 8 to 11. Document 2 was removed in favor of
/// 1, and 9 in favor of 0; the writer deletes `deleted`.
void make(MemoryFiles& files, const std::vector<std::string>& deleted) {
  IndexSettings settings{.scheme = {"fss"}, .resemblance = Ratio(4, 5)};
  settings.texts = true;
  ASSERT_TRUE(IndexWriter::create(files, "x", settings).ok());
  const RunContext context = context_on(files);
  for (std::uint64_t first : {0, 4, 8}) {
    const auto writer = IndexWriter::open(context, "x", "a test").value();
    ASSERT_TRUE(writer->begin_adding(1 << 20).ok());
    Adding adding{*writer};
    for (std::uint64_t number = first; number < first + 4; ++number) {
      std::optional<Survivor> survivor;
      if (number == 2) survivor = Survivor{.serial = 1, .link = Link::exact({9, 10, 10})};
      if (number == 9) survivor = Survivor{.serial = 0, .link = Link::exact({8, 10, 10})};
      EXPECT_EQ(adding.add(text_of(number), survivor), number);
    }
    ASSERT_TRUE(writer->commit().ok());
  }
  ASSERT_TRUE(change(files, "x", {}, deleted).ok());
}

/// The numbers of the documents found by a key that all have.
std::vector<std::uint64_t> found_by_key(const IndexSnapshot& snapshot,
                                        const KnownDocuments& known) {
  TextView views(snapshot.signer());
  std::vector<Marks> one;
  std::vector<Marks> other;
  snapshot.signer().mark(views.of(text_of(0)), one);
  for (std::uint64_t number = 1; number < 12; ++number) {
    snapshot.signer().mark(views.of(text_of(number)), other);
    std::erase_if(one[0].keys, [&](std::uint64_t key) {
      return !std::ranges::binary_search(other[0].keys, key);
    });
  }
  EXPECT_FALSE(one[0].keys.empty());
  std::vector<DocumentId> found;
  EXPECT_TRUE(known.with_key(one[0].keys.front(), found).ok());
  std::vector<std::uint64_t> numbers;
  for (const DocumentId document : found) {
    EXPECT_TRUE(known.has(document));
    numbers.push_back(known.document(document).value().serial);
  }
  return numbers;
}

TEST(KnownDocuments, AreTheFirstAndTheLastOfAKey) {
  using Numbers = std::vector<std::uint64_t>;
  const auto found = [](const std::vector<std::string>& deleted) {
    MemoryFiles files;
    make(files, deleted);
    const IndexSnapshot snapshot = IndexSnapshot::open(files, "x").value();
    KnownDocuments known(snapshot, "x", 0);
    known.stand_behind(source);
    return found_by_key(snapshot, known);
  };
  EXPECT_EQ(found({}), (Numbers{0, 1, 2, 3, 11}));
  EXPECT_EQ(found({"\"n11\"", "\"n10\""}), (Numbers{0, 1, 2, 3, 9}));
  // What was removed in favor of a deleted one leads nowhere.
  EXPECT_EQ(found({"\"n1\"", "\"n0\"", "\"n11\"", "\"n10\""}), (Numbers{3, 4, 5, 6, 8}));
}

TEST(KnownDocuments, TellWhatTheyAre) {
  MemoryFiles files;
  make(files, {"\"n5\""});
  const IndexSnapshot snapshot = IndexSnapshot::open(files, "x").value();
  KnownDocuments known(snapshot, "the index", 0);
  known.stand_behind(source);
  EXPECT_EQ(known.shown(), "the index");
  EXPECT_TRUE(known.has_texts());
  TextView views(snapshot.signer());
  const auto equal = [&](std::uint64_t number) {
    return known.of_tokens(views.of(text_of(number)).lexical_fingerprint()).value();
  };
  ASSERT_TRUE(equal(6).has_value());
  EXPECT_EQ(equal(6)->document, DocumentId(source, 7));
  EXPECT_EQ(equal(6)->raw, identical_fingerprint(text_of(6)));
  EXPECT_FALSE(equal(5).has_value()) << "deleted";
  EXPECT_FALSE(equal(77).has_value());
  ASSERT_TRUE(equal(9).has_value()) << "removed, and leads to another";

  std::string text;
  Record record;
  ASSERT_TRUE(known.record(DocumentId(source, 7), text, record).ok());
  EXPECT_EQ(record.text, text_of(6));
  std::vector<Marks> marks;
  snapshot.signer().mark(views.of(text_of(6)), marks);
  std::vector<std::uint8_t> sketch;
  ASSERT_TRUE(known.sketch(DocumentId(source, 7), sketch).ok());
  EXPECT_EQ(sketch, marks[0].sketch.stored);

  DocumentTable table(std::vector<std::uint64_t>(source, 3), 0);
  table.use_earlier();
  known.set_standings(table);
  const std::uint64_t removed = table.index({source, 10});
  EXPECT_EQ(table.standing(removed).fate, Fate::near);
  EXPECT_EQ(table.document(table.standing(removed).other), DocumentId(source, 1));
  EXPECT_EQ(table.standing(table.index({source, 7})).fate, Fate::kept);
  std::vector<DocumentId> told;
  ASSERT_TRUE(known
                  .for_each_removed([&](DocumentId document, const KnownDocuments::Removed& of) {
                    EXPECT_EQ(of.survivor, DocumentId(source, 1));
                    EXPECT_EQ(of.link.numbers.shared, 8U);
                    told.push_back(document);
                    return Status();
                  })
                  .ok());
  EXPECT_EQ(told, (std::vector<DocumentId>{{source, 10}}));
}

}  // namespace
}  // namespace twinset::testing
