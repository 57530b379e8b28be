// The log of an index: what was logged is read again; a batch that is not in the form of one is an
// Error, whatever its checksums say.
#include "index/index_log.h"

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

WholeDocument whole_document(const IndexSigner& signer, std::uint64_t serial) {
  const std::string id = quoted("d" + std::to_string(serial));
  const std::string text = made_text(serial, 30);
  TextView views(signer);
  const RecordView& view = views.of(text);
  WholeDocument whole;
  signer.mark(view, whole.marks);
  append_document({.id = id,
                   .url = "http://a",
                   .date = {},
                   .fields = {},
                   .text_bytes = text.size(),
                   .tokens = 30,
                   .bytes_hash = identical_fingerprint(text),
                   .tokens_hash = view.lexical_fingerprint(),
                   .serial = serial},
                  whole.document);
  return whole;
}

Result<LoggedChanges> logged(MemoryFiles& files, const IndexSigner& signer,
                             const std::vector<std::string>& batches) {
  const RunContext context = context_on(files);
  const std::uint64_t fingerprint = index_log_fingerprint(3, signer);
  TWINSET_TRY(LogFile::create(files, "x", fingerprint));
  TWINSET_ASSIGN(const auto log, LogFile::open(context, "x", fingerprint, OpenMode::append));
  for (const std::string& batch : batches) TWINSET_TRY(log->append(batch));
  return read_index_log(*log, signer);
}

TEST(IndexLog, IsReadAsItWasWritten) {
  MemoryFiles files;
  const IndexSigner signer = IndexSigner::make(two_schemes, files).value();
  std::vector<std::string> batches(2);
  for (const std::uint64_t serial : {4, 5, 9}) {
    log_added(whole_document(signer, serial), batches[serial / 6]);
  }
  log_removed(1'000'000, batches[1]);
  const LoggedChanges read = logged(files, signer, batches).value();
  EXPECT_EQ(read.batches, 2U);
  EXPECT_EQ(read.next_serial, 10U);
  EXPECT_EQ(read.removed, std::vector<std::uint64_t>{1'000'000});
  ASSERT_EQ(read.added.size(), 3U);
  const auto segment = segment_of(read.added, signer).value();
  EXPECT_TRUE(segment->verify(context_on(files)).ok());
  for (std::size_t i = 0; i < 3; ++i) {
    const WholeDocument expected = whole_document(signer, i == 2 ? 9 : i + 4);
    EXPECT_EQ(read.added[i].document, expected.document);
    EXPECT_EQ(read.added[i].marks[1].keys, expected.marks[1].keys);
    EXPECT_EQ(segment->stored(SegmentFiles::documents, i).value(), expected.document);
    const auto sketch = segment->sketch(0, i).value();
    EXPECT_TRUE(std::ranges::equal(sketch, expected.marks[0].sketch.stored));
  }
}

TEST(IndexLog, WhatIsNoBatchIsAnError) {
  MemoryFiles files;
  const IndexSigner signer = IndexSigner::make(two_schemes, files).value();
  std::string whole;
  log_added(whole_document(signer, 4), whole);
  log_removed(300, whole);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const bool is_whole = size == whole.size() - 3;  // Without the second entry.
    EXPECT_EQ(logged(files, signer, {whole.substr(0, size)}).ok(), is_whole) << size;
  }
  EXPECT_FALSE(logged(files, signer, {"x"}).ok());
  EXPECT_FALSE(logged(files, signer, {whole, whole}).ok()) << "serials ascend";
  WholeDocument less = whole_document(signer, 5);
  less.marks.pop_back();
  std::string of_one_scheme;
  log_added(less, of_one_scheme);
  EXPECT_EQ(logged(files, signer, {whole, of_one_scheme}).error().message,
            "x is damaged: the batch at byte " + std::to_string(48 + 32 + whole.size()) +
                " is not in the form of one; take a copy of the file, or cut it there and lose "
                "what follows");
}

}  // namespace
}  // namespace twinset::testing
