// IndexFinder: its answers are those of a slow comparison of the query with every stored sketch,
// and of the texts where the index keeps them.
#include "index/find.h"

#include <set>

#include "index/index_testing.h"
#include "scheme/overlap.h"
#include "twinset/pair.h"

namespace twinset::testing {
namespace {

/// Documents in families: an original and copies with more and more words replaced, copies that are
/// a part of it, and one with a long addition.
std::vector<AddedDocument> families(std::uint64_t count) {
  std::vector<AddedDocument> documents;
  for (std::uint64_t family = 0; family < count; ++family) {
    const std::string original = made_text(family + 1, 60 + family * 37 % 400);
    const std::string name = "f" + std::to_string(family);
    documents.push_back({quoted(name), original});
    for (std::size_t words = 1; words <= 64; words *= 4) {
      documents.push_back(
          {quoted(name + "." + std::to_string(words)), edited(original, 10, words, family)});
    }
    documents.push_back({quoted(name + ".part"), original.substr(0, original.size() / 3)});
    documents.push_back({quoted(name + ".more"), original + " " + made_text(family + 1000, 300)});
  }
  return documents;
}

/// An index of the documents in three changes, some of them deleted.
Result<std::unique_ptr<IndexSnapshot>> made_index(FileSystem& files, IndexSettings settings,
                                                  const std::vector<AddedDocument>& documents) {
  TWINSET_TRY(IndexWriter::create(files, "x", settings));
  const std::size_t third = documents.size() / 3;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto begin = documents.begin() + static_cast<std::ptrdiff_t>(i * third);
    const auto end = i == 2 ? documents.end() : begin + static_cast<std::ptrdiff_t>(third);
    TWINSET_TRY(change(files, "x", {begin, end}));
  }
  std::vector<std::string> removed;
  for (std::size_t i = 5; i < documents.size(); i += 11) removed.push_back(documents[i].id);
  TWINSET_TRY(change(files, "x", {}, removed));
  TWINSET_ASSIGN(IndexSnapshot snapshot, IndexSnapshot::open(files, "x"));
  return std::make_unique<IndexSnapshot>(std::move(snapshot));
}

/// The ids of all documents that the sketches of the schemes judge to reach `least`, the slow way.
std::set<std::string> reaching(const IndexSnapshot& snapshot, const std::vector<Marks>& marks,
                               Ratio least) {
  std::set<std::string> ids;
  for (std::uint32_t part = 0; part < snapshot.parts().size(); ++part) {
    const Segment& segment = *snapshot.parts()[part].segment;
    for (std::uint32_t number = 0; number < segment.documents(); ++number) {
      if (snapshot.is_deleted({part, number})) continue;
      std::optional<Estimate> best;
      for (std::size_t i = 0; i < marks.size(); ++i) {
        const auto sketch = segment.sketch(i, number).value();
        if (sketch.empty() || marks[i].sketch.empty) continue;
        const auto found = snapshot.signer()
                               .schemes()[i]
                               .scheme->compare(marks[i].sketch.stored, sketch)
                               .resemblance;
        if (found && (!best || found->standard_error < best->standard_error)) best = found;
      }
      if (best && least.reached_by(estimate_units(best->value), estimate_scale)) {
        ids.insert(std::string(segment.document(number).value().id));
      }
    }
  }
  return ids;
}

std::set<std::string> ids_of(const IndexAnswer& answer) {
  std::set<std::string> ids;
  for (const IndexHit& hit : answer.hits) ids.insert(hit.document.id);
  EXPECT_EQ(ids.size(), answer.hits.size());
  return ids;
}

// B-23: resemblance and containment on the fly, by threshold, as brute force over the sketches.
TEST(IndexFinder, FindsWhatAComparisonOfAllSketchesFinds) {
  const std::vector<AddedDocument> documents = families(30);
  for (const IndexSettings& settings :
       {IndexSettings{.scheme = {"mod(samples=64)"}}, IndexSettings{.scheme = {"mod(modulus=8)"}},
        IndexSettings{.scheme = {"mod(samples=64)", "fss"}}}) {
    MemoryFiles files;
    const auto snapshot = made_index(files, settings, documents);
    ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
    IndexFinder finder(*snapshot.value());
    TextView views(snapshot.value()->signer());
    std::vector<Marks> marks;
    std::size_t hits = 0;
    for (std::size_t i = 0; i < documents.size(); i += 4) {
      for (const Ratio least : {Ratio(3, 10), Ratio(1, 2), Ratio(9, 10)}) {
        const RecordView& view = views.of(documents[i].text);
        snapshot.value()->signer().mark(view, marks);
        const auto answer = finder.find(view, {.resemblance = least, .top = 0});
        ASSERT_TRUE(answer.ok());
        const std::set<std::string> expected = reaching(*snapshot.value(), marks, least);
        ASSERT_EQ(ids_of(answer.value()), expected) << documents[i].id << " " << least.text();
        hits += expected.size();
        for (std::size_t hit = 1; hit < answer.value().hits.size(); ++hit) {
          const IndexHit& before = answer.value().hits[hit - 1];
          const IndexHit& after = answer.value().hits[hit];
          EXPECT_TRUE(
              before.same > after.same ||
              (before.same == after.same && before.resemblance->value >= after.resemblance->value));
        }
      }
    }
    EXPECT_GT(hits, 300U);
  }
}

TEST(IndexFinder, WithTextsSharesAreExact) {
  const std::vector<AddedDocument> documents = families(20);
  MemoryFiles files;
  const auto made =
      made_index(files, {.scheme = {"mod(samples=64)", "fss"}, .texts = true}, documents);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const IndexSnapshot& snapshot = *made.value();
  std::map<std::string, std::string> texts;
  for (const AddedDocument& document : documents) {
    if (snapshot.find_id(document.id).value()) texts[document.id] = document.text;
  }
  IndexFinder finder(snapshot);
  TextView views(snapshot.signer());
  std::size_t found = 0;
  std::size_t missed = 0;
  for (std::size_t i = 0; i < documents.size(); i += 3) {
    const std::string& text = documents[i].text;
    const auto answer = finder.find(
        views.of(text), {.resemblance = Ratio(3, 5), .containment = Ratio(4, 5), .top = 0});
    ASSERT_TRUE(answer.ok());
    const std::set<std::string> ids = ids_of(answer.value());
    for (const IndexHit& hit : answer.value().hits) {
      const std::string& other = texts.at(hit.document.id);
      EXPECT_TRUE(hit.exact);
      EXPECT_EQ(hit.resemblance->value, resemblance(text, other).value().value);
      EXPECT_EQ(hit.containment->value, containment(text, other).value().value);
      EXPECT_EQ(hit.contains->value, containment(other, text).value().value);
      EXPECT_EQ(hit.shared, resemblance(text, other).value().shared);
      EXPECT_EQ(hit.same == Sameness::bytes, text == other);
    }
    for (const auto& [id, other] : texts) {
      const bool reaches = resemblance(text, other).value().value >= 0.6 ||
                           containment(text, other).value().value >= 0.8 ||
                           containment(other, text).value().value >= 0.8;
      if (ids.contains(id)) {
        EXPECT_TRUE(reaches) << id;
        ++found;
      } else if (reaches) {
        ++missed;
      }
    }
  }
  // A sample of 64 may hold no shingle of a contained part, or too few.
  EXPECT_GT(found, 150U);
  EXPECT_LE(missed, found / 50);
}

// B-24: unseen, local or changed documents.
TEST(IndexFinder, ADocumentThatIsNotIndexedIsAnsweredAsIfItWere) {
  const std::vector<AddedDocument> documents = families(10);
  MemoryFiles files;
  const auto before = made_index(files, two_schemes, documents);
  ASSERT_TRUE(before.ok());
  const std::string text = edited(documents[0].text, 20, 3, 99);
  IndexFinder unseen(*before.value());
  TextView views(before.value()->signer());
  const IndexAnswer first = unseen.find(views.of(text), {.top = 0}).value();
  ASSERT_TRUE(change(files, "x", {{quoted("new"), text}}).ok());
  const IndexSnapshot after = IndexSnapshot::open(files, "x").value();
  IndexFinder seen(after);
  const IndexAnswer second = seen.find(views.of(text), {.top = 0}).value();
  ASSERT_EQ(second.hits.size(), first.hits.size() + 1);
  EXPECT_EQ(second.hits[0].document.id, quoted("new"));
  EXPECT_EQ(second.hits[0].same, Sameness::bytes);
  for (std::size_t i = 0; i < first.hits.size(); ++i) {
    EXPECT_EQ(second.hits[i + 1].document.id, first.hits[i].document.id);
    EXPECT_EQ(second.hits[i + 1].resemblance->value, first.hits[i].resemblance->value);
  }
}

TEST(IndexFinder, SkipsCommonKeysSaysSoAndStillFindsCopies) {
  std::vector<AddedDocument> documents;
  const std::string common = made_text(1, 200);
  for (std::uint64_t i = 0; i < 50; ++i) {
    documents.push_back({quoted("c" + std::to_string(i)), common + " " + made_text(i + 2, 20)});
  }
  MemoryFiles files;
  const auto made = made_index(files, {.scheme = {"mod(samples=64)"}}, documents);
  ASSERT_TRUE(made.ok());
  IndexFinder finder(*made.value());
  TextView views(made.value()->signer());
  const RecordView& view = views.of(documents[0].text);
  const IndexAnswer all = finder.find(view, {.top = 0}).value();
  EXPECT_EQ(all.skipped, 0U);
  EXPECT_GT(all.hits.size(), 40U);
  const IndexAnswer few = finder.find(view, {.top = 0, .max_group = 10}).value();
  EXPECT_GT(few.skipped, 20U);
  EXPECT_LT(few.hits.size(), 10U);
  EXPECT_EQ(few.hits[0].same, Sameness::bytes);
  EXPECT_EQ(finder.find(view, {.top = 3}).value().hits.size(), 3U);
}

TEST(IndexFinder, DeletedDocumentsMakeNoKeyCommon) {
  MemoryFiles files;
  const std::string common = made_text(1, 200);
  ASSERT_TRUE(IndexWriter::create(files, "x", {.scheme = {"mod(samples=64)"}}).ok());
  std::vector<AddedDocument> documents;
  for (std::uint64_t round = 0; round < 3; ++round) {
    documents.clear();
    for (std::uint64_t i = 0; i < 8; ++i) {
      documents.push_back(
          {quoted("c" + std::to_string(i)), common + " " + made_text(round * 100 + i + 2, 20)});
    }
    ASSERT_TRUE(change(files, "x", documents).ok());
  }
  const IndexSnapshot snapshot = IndexSnapshot::open(files, "x").value();
  EXPECT_EQ(snapshot.documents(), 8U);
  IndexFinder finder(snapshot);
  TextView views(snapshot.signer());
  const IndexAnswer answer =
      finder.find(views.of(documents[0].text), {.top = 0, .max_group = 8}).value();
  EXPECT_EQ(answer.skipped, 0U);
  EXPECT_EQ(answer.hits.size(), 8U);
}

TEST(IndexFinder, FindsNearAndEqualSignatures) {
  const std::vector<AddedDocument> documents = families(20);
  for (const std::string scheme : {"simhash", "simhash(bits=128)"}) {
    MemoryFiles files;
    const auto made = made_index(files, {.scheme = {scheme}, .distance = 5}, documents);
    ASSERT_TRUE(made.ok()) << made.error().message;
    const IndexSnapshot& snapshot = *made.value();
    IndexFinder finder(snapshot);
    TextView views(snapshot.signer());
    std::vector<Marks> marks;
    std::size_t hits = 0;
    for (std::size_t i = 0; i < documents.size(); i += 3) {
      const RecordView& view = views.of(documents[i].text);
      snapshot.signer().mark(view, marks);
      std::set<std::string> expected;
      for (std::uint32_t part = 0; part < snapshot.parts().size(); ++part) {
        const Segment& segment = *snapshot.parts()[part].segment;
        for (std::uint32_t number = 0; number < segment.documents(); ++number) {
          const auto compared = snapshot.signer().schemes()[0].scheme->compare(
              marks[0].sketch.stored, segment.sketch(0, number).value());
          if (snapshot.is_deleted({part, number}) || compared.distance->differ > 5) continue;
          expected.insert(std::string(segment.document(number).value().id));
        }
      }
      EXPECT_EQ(ids_of(finder.find(view, {.top = 0}).value()), expected);
      hits += expected.size();
    }
    EXPECT_GT(hits, 60U) << scheme;
  }
}

TEST(IndexFinder, OfATextWithoutWordsFindsItsCopies) {
  MemoryFiles files;
  ASSERT_TRUE(IndexWriter::create(files, "x", two_schemes).ok());
  ASSERT_TRUE(
      change(files, "x", {{quoted("a"), ""}, {quoted("b"), "..."}, {quoted("c"), "word"}}).ok());
  const IndexSnapshot snapshot = IndexSnapshot::open(files, "x").value();
  IndexFinder finder(snapshot);
  TextView views(snapshot.signer());
  EXPECT_EQ(ids_of(finder.find(views.of("..."), {}).value()), std::set{quoted("b")});
  EXPECT_EQ(ids_of(finder.find(views.of(""), {}).value()), std::set{quoted("a")});
  EXPECT_EQ(ids_of(finder.find(views.of("WORD!"), {}).value()), std::set{quoted("c")});
  EXPECT_TRUE(finder.find(views.of("other"), {}).value().hits.empty());
}

/// The text with a word changed in each window of five words that `is_looked_at` holds for.
template <class LookedAt>
std::string dodging(const IndexSigner& signer, const std::string& text, LookedAt is_looked_at) {
  TextView views(signer);
  std::vector<Marks> marks;
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  for (std::size_t i = 0; i + 5 <= words.size(); ++i) {
    std::string window;
    for (std::size_t j = i; j < i + 5; ++j) window += words[j] + " ";
    signer.mark(views.of(window), marks);
    const std::vector<std::uint64_t>& keys = marks[0].keys;
    if (!keys.empty() && is_looked_at(keys[0])) words[i + 4] = "dodged" + std::to_string(i);
  }
  std::string out;
  for (const std::string& word : words) out += word + " ";
  return out;
}

// B-29: of a larger stored sample each query looks at another part, so a copy that dodges what one
// query looked at is found by the others.
TEST(IndexFinder, ACopyThatDodgesOneDrawIsFoundByAnother) {
  constexpr std::uint64_t texts = 20;
  std::vector<AddedDocument> sources;
  for (std::uint64_t i = 0; i < texts; ++i) {
    sources.push_back({quoted(std::to_string(i)), made_text(i, 1500)});
  }
  MemoryFiles files;
  const auto made = made_index(files, {.scheme = {"mod(modulus=4, seed=1)"}}, sources);
  ASSERT_TRUE(made.ok()) << made.error().message;
  IndexFinder finder(*made.value());
  TextView views(made.value()->signer());
  const auto is_drawn = [](std::uint64_t key, std::uint64_t number) {
    return mix64(unmix64(key) ^ mix64(number + 1)) % 4 == 0;
  };
  std::uint64_t dodged = 0;
  std::uint64_t asked = 0;
  double others = 0;
  double whole = 0;
  for (const AddedDocument& source : sources) {
    if (!made.value()->find_id(source.id).value()) continue;  // deleted
    const std::string copy = dodging(made.value()->signer(), source.text,
                                     [&](std::uint64_t key) { return is_drawn(key, 7); });
    const auto alike = [&](std::optional<std::uint64_t> draw) {
      QuerySettings query{.resemblance = Ratio(3, 20)};
      query.draw = draw;
      const IndexAnswer answer = finder.find(views.of(copy), query).value();
      return answer.hits.empty() ? 0.0 : answer.hits[0].resemblance->value;
    };
    ++asked;
    dodged += alike(7) == 0 ? 1 : 0;
    whole += alike({});
    double sum = 0;
    for (std::uint64_t draw = 100; draw < 120; ++draw) {
      const double found = alike(draw);
      EXPECT_GT(found, 0) << source.id << " under draw " << draw;
      sum += found;
    }
    others += sum / 20;
  }
  const auto all = static_cast<double>(asked);
  EXPECT_EQ(dodged, asked) << "the attack does not work, and the test shows nothing";
  EXPECT_GT(others / all, 0.35) << "copies";
  EXPECT_NEAR(whole / all, others / all, 0.03);
}

}  // namespace
}  // namespace twinset::testing
