// This file's interface is index/segment.h.
#include "index/segment.h"

#include "base/hash.h"
#include "base/plain_bytes.h"
#include "io/codecs.h"

namespace twinset {

Result<std::unique_ptr<const Segment>> Segment::open(FileSystem& files, const std::string& folder,
                                                     const IndexSigner& signer) {
  auto segment = std::make_unique<Segment>();
  const SegmentFiles names(folder, signer.fingerprint());
  const std::size_t schemes = signer.schemes().size();
  segment->has_texts_ = signer.settings().texts;
  for (const std::string& name : SegmentFiles::blobs(schemes, segment->has_texts_)) {
    TWINSET_ASSIGN(FrozenBlobs blobs, FrozenBlobs::open(files, names.path(name), names.kind(name)));
    segment->blobs_.push_back(std::move(blobs));
    const std::uint64_t documents = segment->blobs_.front().size();
    if (segment->blobs_.back().size() != documents) {
      return io_error(names.path(name) + " is of " + std::to_string(segment->blobs_.back().size()) +
                      " documents, and the segment has " + std::to_string(documents) +
                      "; take a copy of the index");
    }
  }
  const std::uint64_t documents = segment->blobs_.front().size();
  TWINSET_ASSIGN(segment->keys_file_, FrozenFile::open(files, names.path(SegmentFiles::keys),
                                                       names.kind(SegmentFiles::keys)));
  for (std::size_t i = 0; i < SegmentFiles::first_scheme + schemes; ++i) {
    TWINSET_ASSIGN(const FrozenPart part, segment->keys_file_->part(SegmentFiles::postings(i)));
    TWINSET_ASSIGN(const Postings postings, Postings::open(part, documents));
    segment->postings_.push_back(postings);
  }
  TWINSET_ASSIGN(segment->removed_file_, FrozenFile::open(files, names.path(SegmentFiles::removed),
                                                          names.kind(SegmentFiles::removed)));
  TWINSET_ASSIGN(segment->removed_, DocumentSet::read(*segment->removed_file_, documents));
  RunningFingerprint hash;
  for (const FrozenFile* file : segment->files()) {
    segment->facts_.bytes += file->bytes();
    hash.add(bytes_of(file->hash()));
  }
  segment->facts_.documents = documents;
  segment->facts_.hash = hash.value();
  return std::unique_ptr<const Segment>(std::move(segment));
}

std::vector<const FrozenFile*> Segment::files() const {
  std::vector<const FrozenFile*> all{keys_file_.get(), removed_file_.get()};
  for (const FrozenBlobs& blobs : blobs_) all.push_back(&blobs.file());
  return all;
}

Error Segment::damaged(std::size_t file, std::uint64_t number, const std::string& how) const {
  return io_error(blobs_[file].file().path() + " is damaged: document " + std::to_string(number) +
                  " " + how + "; take a copy of the index");
}

Result<IndexedDocument> Segment::document(std::uint64_t number) const {
  TWINSET_ASSIGN(const std::string_view bytes, stored(SegmentFiles::documents, number));
  IndexedDocument document;
  if (!read_document(bytes, document)) {
    return damaged(SegmentFiles::documents, number, "is not in the form of one");
  }
  return document;
}

Result<std::span<const std::uint8_t>> Segment::sketch(std::size_t scheme,
                                                      std::uint64_t number) const {
  TWINSET_ASSIGN(const std::string_view bytes,
                 stored(SegmentFiles::first_sketches + scheme, number));
  return std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

Result<std::optional<std::string>> Segment::text(std::uint64_t number) const {
  if (!has_texts_) return std::optional<std::string>();
  const std::size_t texts = blobs_.size() - 1;
  TWINSET_ASSIGN(const IndexedDocument document, this->document(number));
  if (document.survivor.has_value()) return std::optional<std::string>();
  TWINSET_ASSIGN(const std::string_view frame, stored(texts, number));
  std::optional<std::string> text = unpack_zstd(frame, document.text_bytes);
  if (!text.has_value()) return damaged(texts, number, "has a text that does not unpack");
  return text;
}

Result<std::optional<std::uint64_t>> Segment::find_serial(std::uint64_t serial) const {
  std::uint64_t begin = 0;
  for (std::uint64_t end = documents(); begin < end;) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    TWINSET_ASSIGN(const IndexedDocument document, this->document(middle));
    if (document.serial == serial) return std::optional(middle);
    (document.serial < serial ? begin : end) = document.serial < serial ? middle + 1 : middle;
  }
  return std::optional<std::uint64_t>();
}

Status Segment::verify(const RunContext& context) const {
  for (const FrozenFile* file : files()) TWINSET_TRY(file->verify(context));
  const Postings& ids = postings_[SegmentFiles::ids];
  for (std::uint64_t number = 0; number < documents(); ++number) {
    if (number % 4096 == 0) TWINSET_TRY(context.check_cancelled());
    TWINSET_ASSIGN(const IndexedDocument document, this->document(number));
    TWINSET_ASSIGN(const PostingRange found, ids.find(name_key(document.id)));
    bool listed = false;
    for (std::uint64_t i = found.begin; i < found.end && !listed; ++i) {
      TWINSET_ASSIGN(const std::uint64_t other, ids.document(i));
      listed = other == number;
    }
    if (!listed) return damaged(SegmentFiles::documents, number, "is not found by its id");
    if (document.survivor.has_value() != removed_.has(number)) {
      return damaged(SegmentFiles::documents, number, "is removed by one file, and not by another");
    }
    TWINSET_TRY(text(number));
  }
  for (const Postings& postings : postings_) {
    Posting last;
    bool first = true;
    TWINSET_TRY(for_each_row(postings, [&](const Posting& row) -> Status {
      if (!first && !(last < row)) {
        return keys_file_->damaged(0, "postings are out of order, those found");
      }
      first = false;
      last = row;
      return {};
    }));
  }
  return {};
}

// Writing.

namespace {

/// Of a segment's postings, keys have a larger part of the memory than names.
constexpr std::uint64_t share_of_keys = 4;

}  // namespace

SegmentWriter::SegmentWriter(const RunContext& context, const std::string& folder,
                             const IndexSigner& signer, std::uint64_t memory_bytes)
    : context_(context),
      names_(folder, signer.fingerprint()),
      keeps_texts_(signer.settings().texts),
      packer_(make_zstd_encoder()) {
  const std::size_t schemes = signer.schemes().size();
  for (const std::string& name : SegmentFiles::blobs(schemes, keeps_texts_)) {
    blobs_.push_back(
        std::make_unique<FrozenBlobsWriter>(context, names_.path(name), names_.kind(name)));
  }
  const std::uint64_t share = memory_bytes / (SegmentFiles::first_scheme + share_of_keys * schemes);
  for (std::size_t i = 0; i < SegmentFiles::first_scheme + schemes; ++i) {
    const bool is_of_names = i < SegmentFiles::first_scheme;
    postings_.push_back(std::make_unique<SortedPostings>(
        RowsOptions{.context = &context,
                    .path = names_.path("sort." + std::to_string(i)),
                    .memory_bytes = is_of_names ? share : share_of_keys * share,
                    .fingerprint = signer.fingerprint()}));
  }
}

Status SegmentWriter::append(const IndexedDocument& document, std::span<const Marks> marks,
                             std::string_view text) {
  const std::uint64_t number = documents();
  const auto post = [&](std::size_t part, std::uint64_t key) {
    return postings_[part]->append(Posting{Posting::kept(key), number});
  };
  bytes_.clear();
  append_document(document, bytes_);
  TWINSET_TRY(blobs_[SegmentFiles::documents]->append(bytes_));
  if (keeps_texts_) {
    bytes_.clear();
    if (!document.survivor.has_value()) TWINSET_TRY(packer_->encode(text, bytes_));
    TWINSET_TRY(blobs_.back()->append(bytes_));
  }
  TWINSET_TRY(post(SegmentFiles::ids, name_key(document.id)));
  if (!document.url.empty()) TWINSET_TRY(post(SegmentFiles::urls, name_key(document.url)));
  const bool folded = document.survivor.has_value() && document.survivor->folded;
  if (!folded) TWINSET_TRY(post(SegmentFiles::tokens, tokens_key(document.tokens_hash)));
  if (document.survivor.has_value()) removed_.push_back(number);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Sketch& sketch = marks[i].sketch;
    TWINSET_TRY(blobs_[SegmentFiles::first_sketches + i]->append(
        {reinterpret_cast<const char*>(sketch.stored.data()),
         sketch.empty ? 0 : sketch.stored.size()}));
    // Keys ascend, and two of them may be one in the bits that are kept.
    std::optional<std::uint64_t> last;
    for (const std::uint64_t key : marks[i].keys) {
      if (last == Posting::kept(key)) continue;
      last = Posting::kept(key);
      TWINSET_TRY(post(SegmentFiles::first_scheme + i, key));
    }
  }
  return {};
}

Status SegmentWriter::finish() {
  for (const auto& blobs : blobs_) TWINSET_TRY(blobs->finish());
  FrozenWriter keys(context_, names_.path(SegmentFiles::keys), names_.kind(SegmentFiles::keys));
  for (std::size_t i = 0; i < postings_.size(); ++i) {
    SortedPostings& postings = *postings_[i];
    TWINSET_TRY(postings.seal());
    TWINSET_ASSIGN(const auto rows, postings.read());
    // No two rows are equal.
    TWINSET_TRY(
        write_postings(keys, SegmentFiles::postings(i), *rows, postings.rows_added(), documents()));
    TWINSET_TRY(postings.discard());
  }
  TWINSET_TRY(keys.finish());
  DocumentSet removed(documents());
  for (const std::uint64_t number : removed_) removed.add(number);
  return removed.write(context_, names_.path(SegmentFiles::removed),
                       names_.kind(SegmentFiles::removed));
}

}  // namespace twinset
