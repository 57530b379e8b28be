// Shared by the tests of index: documents, an index made of them, queries, and a comparison of all
// stored sketches, the slow way.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/find.h"
#include "index/index_writer.h"
#include "rows/rows_testing.h"
#include "scheme/identity.h"
#include "system/memory_files.h"

namespace twinset::testing {

/// A document to be added.
struct AddedDocument {
  std::string id;  ///< a JSON value
  std::string text;
  std::string url{};
  std::string date{};
  auto operator<=>(const AddedDocument&) const = default;
};

/// `words` words of 20,000, the same for a seed.
inline std::string made_text(std::uint64_t seed, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    text += (i > 0 ? " w" : "w") + std::to_string(mix64(seed << 20 | i) % 20'000);
  }
  return text;
}

/// The text with words from the `at`-th on replaced by others.
inline std::string edited(std::string text, std::size_t at, std::size_t words, std::uint64_t seed) {
  std::string out;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const bool is_edited = number >= at && number < at + words;
    if (!out.empty()) out += ' ';
    out += is_edited ? "e" + std::to_string(mix64(seed << 20 | number))
                     : text.substr(begin, end - begin);
    begin = end + 1;
  }
  return out;
}

inline std::string quoted(const std::string& id) { return "\"" + id + "\""; }

inline const IndexSettings two_schemes{.scheme = {"mod(samples=64)", "fss"}};

/// Views of texts by an index's own rule.
class TextView {
 public:
  explicit TextView(const IndexSigner& signer) : view_(signer.view()) {}
  const RecordView& of(const std::string& text) {
    record_ = {};
    record_.text = text;
    view_.look_at(record_);
    return view_;
  }

 private:
  Record record_;
  RecordView view_;
};

inline Status add_documents(IndexWriter& writer, const std::vector<AddedDocument>& documents) {
  TextView views(writer.snapshot().signer());
  std::vector<Marks> marks;
  TWINSET_TRY(writer.begin_adding(std::uint64_t{1} << 20));
  for (const AddedDocument& document : documents) {
    const RecordView& view = views.of(document.text);
    writer.snapshot().signer().mark(view, marks);
    TWINSET_TRY(writer.add({.id = document.id,
                            .url = document.url,
                            .date = document.date,
                            .fields = {},
                            .text_bytes = document.text.size(),
                            .tokens = view.analysis().tokens.size(),
                            .bytes_hash = identical_fingerprint(document.text),
                            .tokens_hash = view.lexical_fingerprint()},
                           marks, document.text));
  }
  return {};
}

/// One change: documents deleted, then others added.
inline Result<IndexChange> change(FileSystem& files, const std::string& index,
                                  const std::vector<AddedDocument>& added,
                                  const std::vector<std::string>& removed = {}) {
  const RunContext context = context_on(files);
  TWINSET_ASSIGN(const auto writer, IndexWriter::open(context, index, "a test"));
  for (const std::string& id : removed) TWINSET_TRY(writer->remove(id));
  if (!added.empty()) TWINSET_TRY(add_documents(*writer, added));
  return writer->commit();
}

/// What the log has becomes a segment.
inline Status seal(FileSystem& files, const std::string& index) {
  const RunContext context = context_on(files);
  TWINSET_ASSIGN(const auto writer, IndexWriter::open(context, index, "a test"));
  return writer->seal();
}

/// The ids and URLs of all documents, in order.
inline Result<std::vector<std::pair<std::string, std::string>>> all_of(FileSystem& files,
                                                                       const std::string& index) {
  TWINSET_ASSIGN(const IndexSnapshot snapshot, IndexSnapshot::open(files, index));
  std::vector<std::pair<std::string, std::string>> all;
  for (std::uint32_t part = 0; part < snapshot.parts().size(); ++part) {
    const std::uint64_t documents = snapshot.parts()[part].listed.documents;
    for (std::uint32_t number = 0; number < documents; ++number) {
      if (snapshot.is_deleted({part, number})) continue;
      TWINSET_ASSIGN(const IndexedDocument document, snapshot.document({part, number}));
      all.emplace_back(document.id, document.url);
      TWINSET_ASSIGN(const std::optional<IndexPlace> place, snapshot.find_id(document.id));
      EXPECT_EQ(place, std::optional<IndexPlace>({part, number}));
    }
    TWINSET_TRY(snapshot.parts()[part].segment->verify(context_on(files)));
  }
  EXPECT_EQ(snapshot.documents(), all.size());
  return all;
}

}  // namespace twinset::testing
