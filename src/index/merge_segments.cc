// This file's interface is index/merge_segments.h.
#include "index/merge_segments.h"

#include <algorithm>
#include <memory>
#include <queue>
#include <vector>

#include "rows/frozen_blobs.h"
#include "rows/postings.h"

namespace twinset {
namespace {

using Parts = std::span<const IndexSnapshot::Part>;

/// The numbers that the documents of a segment get.
class NewNumbers {
 public:
  NewNumbers(const IndexSnapshot::Part& part, std::uint64_t first)
      : deleted_(part.deleted), counts_(part.deleted.counts_before()), first_(first) {}

  bool keeps(std::uint64_t document) const { return !deleted_.has(document); }
  std::uint64_t of(std::uint64_t document) const {
    return first_ + document - deleted_.before(document, counts_);
  }

 private:
  const DocumentSet& deleted_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t first_;
};

/// The postings of all segments, in order, with the new numbers.
class MergedPostings final : public RowCursor<Posting> {
 public:
  static Result<std::unique_ptr<MergedPostings>> make(Parts parts,
                                                      const std::vector<NewNumbers>& numbers,
                                                      std::size_t postings) {
    std::unique_ptr<MergedPostings> merged(new MergedPostings(numbers));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      TWINSET_ASSIGN(auto cursor, parts[i].segment->postings(postings).read());
      merged->cursors_.push_back(std::move(cursor));
      TWINSET_TRY(merged->push_next(i));
    }
    return merged;
  }

 private:
  struct Head {
    Posting row;
    std::size_t part = 0;
    /// For a queue whose top is the least.
    bool operator<(const Head& other) const { return other.row < row; }
  };

  explicit MergedPostings(const std::vector<NewNumbers>& numbers) : numbers_(numbers) {}

  Result<bool> refill() override {
    batch_.clear();
    while (batch_.size() < 4096 && !heads_.empty()) {
      const Head least = heads_.top();
      heads_.pop();
      batch_.push_back(least.row);
      TWINSET_TRY(push_next(least.part));
    }
    this->show(batch_.data(), batch_.data() + batch_.size());
    return !batch_.empty();
  }

  /// The next posting of a segment whose document stays.
  Status push_next(std::size_t part) {
    for (;;) {
      TWINSET_ASSIGN(const Posting* const row, cursors_[part]->next());
      if (row == nullptr) return {};
      if (!numbers_[part].keeps(row->document)) continue;
      heads_.push({{row->key, numbers_[part].of(row->document)}, part});
      return {};
    }
  }

  const std::vector<NewNumbers>& numbers_;
  std::vector<std::unique_ptr<RowCursor<Posting>>> cursors_;
  std::priority_queue<Head> heads_;
  std::vector<Posting> batch_;
};

/// The number of postings that stay.
Result<std::uint64_t> count_kept(Parts parts, std::size_t postings) {
  std::uint64_t kept = 0;
  for (const IndexSnapshot::Part& part : parts) {
    const Postings& of = part.segment->postings(postings);
    if (part.deleted.count() == 0) {
      kept += of.count();
      continue;
    }
    TWINSET_TRY(for_each_row(
        of, [&](const Posting& row) { kept += part.deleted.has(row.document) ? 0 : 1; }));
  }
  return kept;
}

Status merge_blobs(const RunContext& context, Parts parts, const SegmentFiles& names,
                   const std::string& name, std::size_t file) {
  FrozenBlobsWriter writer(context, names.path(name), names.kind(name));
  for (const IndexSnapshot::Part& part : parts) {
    for (std::uint64_t document = 0; document < part.segment->documents(); ++document) {
      if (part.deleted.has(document)) continue;
      TWINSET_ASSIGN(const std::string_view blob, part.segment->stored(file, document));
      TWINSET_TRY(writer.append(blob));
    }
  }
  TWINSET_TRY(writer.finish());
  return {};
}

}  // namespace

Status merge_segments(const RunContext& context, Parts parts, const IndexSigner& signer,
                      const std::string& folder) {
  const SegmentFiles names(folder, signer.fingerprint());
  const std::size_t schemes = signer.schemes().size();
  const std::vector<std::string> blobs = SegmentFiles::blobs(schemes, signer.settings().texts);
  for (std::size_t file = 0; file < blobs.size(); ++file) {
    TWINSET_TRY(merge_blobs(context, parts, names, blobs[file], file));
  }

  std::vector<NewNumbers> numbers;
  std::uint64_t documents = 0;
  for (const IndexSnapshot::Part& part : parts) {
    numbers.emplace_back(part, documents);
    documents += part.segment->documents() - part.deleted.count();
  }
  FrozenWriter keys(context, names.path(SegmentFiles::keys), names.kind(SegmentFiles::keys));
  for (std::size_t i = 0; i < SegmentFiles::first_scheme + schemes; ++i) {
    TWINSET_ASSIGN(const std::uint64_t count, count_kept(parts, i));
    TWINSET_ASSIGN(const auto rows, MergedPostings::make(parts, numbers, i));
    TWINSET_TRY(write_postings(keys, SegmentFiles::postings(i), *rows, count, documents));
  }
  TWINSET_TRY(keys.finish());
  DocumentSet removed(documents);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const Segment& segment = *parts[part].segment;
    for (std::uint64_t document = 0; document < segment.documents(); ++document) {
      if (segment.removed().has(document) && numbers[part].keeps(document)) {
        removed.add(numbers[part].of(document));
      }
    }
  }
  return removed.write(context, names.path(SegmentFiles::removed),
                       names.kind(SegmentFiles::removed));
}

}  // namespace twinset
