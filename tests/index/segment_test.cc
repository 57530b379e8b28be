// Segment: what was added is read by number and found by its names and keys.
#include "index/segment.h"

#include "index/index_testing.h"
#include "io/codecs.h"

namespace twinset::testing {
namespace {

struct MadeSegment {
  MemoryFiles files;
  std::unique_ptr<IndexSigner> signer;
  std::vector<AddedDocument> documents;
  std::vector<std::vector<Marks>> marks;

  Status make(IndexSettings settings, std::uint64_t count, std::uint64_t memory_bytes) {
    TWINSET_ASSIGN(IndexSigner made, IndexSigner::make(settings, files));
    signer = std::make_unique<IndexSigner>(std::move(made));
    const RunContext context = context_on(files);
    SegmentWriter writer(context, "x/4", *signer, memory_bytes);
    TextView views(*signer);
    for (std::uint64_t i = 0; i < count; ++i) {
      documents.push_back({quoted("d" + std::to_string(i)), i % 7 == 0 ? "" : made_text(i, i % 90),
                           i % 5 == 0 ? "" : "http://h/" + std::to_string(i / 3), "2024-01-01"});
      const RecordView& view = views.of(documents.back().text);
      marks.emplace_back();
      signer->mark(view, marks.back());
      const AddedDocument& document = documents.back();
      TWINSET_TRY(writer.append({.id = document.id,
                                 .url = document.url,
                                 .date = document.date,
                                 .fields = "{}",
                                 .text_bytes = document.text.size(),
                                 .tokens_hash = view.lexical_fingerprint()},
                                marks.back(), document.text));
    }
    EXPECT_EQ(writer.documents(), count);
    return writer.finish();
  }
};

void expect_found(const Segment& segment, std::size_t part, std::uint64_t key,
                  std::uint64_t number) {
  const PostingRange range = segment.postings(part).find(key).value();
  bool found = false;
  for (std::uint64_t at = range.begin; at < range.end; ++at) {
    found = found || segment.postings(part).document(at).value() == number;
  }
  EXPECT_TRUE(found) << part << " " << number;
}

TEST(Segment, HoldsEachDocument) {
  for (const bool texts : {false, true}) {
    for (const std::uint64_t count : {0, 1, 200}) {
      MadeSegment made;
      IndexSettings settings = two_schemes;
      settings.texts = texts;
      // So little memory that keys are sorted in files.
      ASSERT_TRUE(made.make(settings, count, 1 << 16).ok());
      const auto opened = Segment::open(made.files, "x/4", *made.signer);
      ASSERT_TRUE(opened.ok()) << opened.error().message;
      const Segment& segment = *opened.value();
      EXPECT_EQ(segment.documents(), count);
      EXPECT_TRUE(segment.verify(context_on(made.files)).ok());
      for (std::uint64_t i = 0; i < count; ++i) {
        const AddedDocument& document = made.documents[i];
        const IndexedDocument read = segment.document(i).value();
        EXPECT_EQ(read.id, document.id);
        EXPECT_EQ(read.url, document.url);
        EXPECT_EQ(read.date, document.date);
        EXPECT_EQ(segment.text(i).value(), texts ? std::optional(document.text) : std::nullopt);
        expect_found(segment, SegmentFiles::ids, name_key(document.id), i);
        if (!document.url.empty()) {
          expect_found(segment, SegmentFiles::urls, name_key(document.url), i);
        }
        expect_found(segment, SegmentFiles::tokens, tokens_key(read.tokens_hash), i);
        for (std::size_t scheme = 0; scheme < 2; ++scheme) {
          const Marks& marks = made.marks[i][scheme];
          const auto sketch = segment.sketch(scheme, i).value();
          EXPECT_TRUE(std::ranges::equal(sketch, marks.sketch.stored));
          for (const std::uint64_t key : marks.keys) {
            expect_found(segment, SegmentFiles::first_scheme + scheme, key, i);
          }
        }
      }
      // No file is left of the sorting.
      EXPECT_EQ(made.files.list("x/4").value().size(), texts ? 6U : 5U);
    }
  }
}

TEST(Segment, AFileInAnothersPlaceIsRefused) {
  MadeSegment made;
  ASSERT_TRUE(made.make(two_schemes, 20, 1 << 16).ok());
  const std::string first = made.files.read("x/4/0.sketches");
  ASSERT_TRUE(made.files.write("x/4/0.sketches", made.files.read("x/4/1.sketches")).ok());
  EXPECT_FALSE(Segment::open(made.files, "x/4", *made.signer).ok());
  ASSERT_TRUE(made.files.write("x/4/0.sketches", first).ok());
  EXPECT_TRUE(Segment::open(made.files, "x/4", *made.signer).ok());
  // Another segment's number.
  for (const std::string& name : made.files.list("x/4").value()) {
    ASSERT_TRUE(made.files.write("x/5/" + name, made.files.read("x/4/" + name)).ok());
  }
  EXPECT_FALSE(Segment::open(made.files, "x/5", *made.signer).ok());
  ASSERT_TRUE(made.files.remove_file("x/4/keys").ok());
  EXPECT_EQ(Segment::open(made.files, "x/4", *made.signer).error().message,
            "cannot open x/4/keys: there is no such file");
}

}  // namespace
}  // namespace twinset::testing
