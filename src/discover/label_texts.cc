#include "discover/label_texts.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "rows/cursor.h"
#include "system/clean_up.h"

namespace twinset {
namespace {

constexpr const char* table_name = "label_table";

TableKind places_kind() { return {.name = "label places", .version = 1, .fingerprint = 0}; }

/// A blob: the kind, the hash, the text.
struct BlobHead {
  std::uint8_t kind = 0;
  ChunkDigest hash;
};
constexpr std::size_t head_bytes = 1 + sizeof(ChunkDigest);
static_assert(sizeof(BlobHead) == head_bytes);

BlobHead head_of(std::string_view blob) {
  BlobHead head;
  std::memcpy(&head, blob.data(), head_bytes);
  return head;
}

}  // namespace

void LabelTextRows::begin(const BatchPlace&) {
  blobs.clear();
  ends.clear();
}

void LabelTextRows::release_large() {
  reader.reset();
  page = ReadPage();
}

LabelTexts::LabelTexts(const Job& job, const PageRule& rule, const DocumentTable& documents,
                       Places places)
    : job_(job),
      rule_(rule),
      documents_(documents),
      places_(std::move(places)),
      wanted_(documents.size(), false),
      blobs_({&job.context, job.spill + "label_texts", 0, job.signer.fingerprint}) {}

Result<std::unique_ptr<LabelTexts>> LabelTexts::make(const Job& job, const PageRule& rule,
                                                     const DocumentTable& documents,
                                                     const FoundLabelRows& labels) {
  const std::string path = job.spill + table_name;
  TableWriter<FoundLabel, Fingerprint> writer(job.context, path, places_kind(), "");
  TWINSET_ASSIGN(auto rows, labels.read());
  TWINSET_TRY(for_each_row(*rows, [&](const FoundLabel& label) { return writer.append(label); }));
  TWINSET_TRY(writer.finish());
  TWINSET_ASSIGN(Places places, Places::open(*job.context.files, path, places_kind()));
  std::unique_ptr<LabelTexts> texts(new LabelTexts(job, rule, documents, std::move(places)));
  TWINSET_ASSIGN(auto again, labels.read());
  TWINSET_TRY(for_each_row(*again, [&](const FoundLabel& label) -> Status {
    texts->wanted_[documents.index(label.document)] = true;
    return {};
  }));
  return texts;
}

LabelTexts::~LabelTexts() {
  // A leftover file is harmless.
  clean_up([&] { return remove_if_there(*job_.context.files, job_.spill + table_name); });
  clean_up([&] { return blobs_.discard(); });
}

Status LabelTexts::take(const ReadRecord& record, LabelTextRows& rows) const {
  if (!record.is_document() || !wanted_[documents_.index(record.id)]) return {};
  if (!rows.reader) rows.reader.emplace(rule_, job_.collection->sources());
  TWINSET_TRY(rows.reader->read(record, rows.page));
  TWINSET_TRY(note(record, LabelKind::file, rows.page.file, 0, rows, nullptr));
  for (const Chunk& chunk : rows.page.chunks) {
    TWINSET_TRY(note(record, LabelKind::chunk, chunk.hash, chunk.bytes.begin, rows, &chunk));
  }
  return {};
}

Status LabelTexts::note(const ReadRecord& record, LabelKind kind, const ChunkDigest& hash,
                        std::uint32_t offset, LabelTextRows& rows, const Chunk* chunk) const {
  TWINSET_ASSIGN(const auto found, places_.find(hash.key()));
  const bool is_first = std::ranges::any_of(found, [&](const FoundLabel& label) {
    return label.is(kind) && label.document == record.id && label.offset == offset;
  });
  if (!is_first) return {};
  BlobHead head{static_cast<std::uint8_t>(kind), hash};
  rows.blobs.append(reinterpret_cast<const char*>(&head), head_bytes);
  rows.blobs += rows.reader->quote(
      chunk != nullptr ? rows.reader->content(*chunk) : record.record.text, most_label_text_bytes);
  rows.ends.push_back(rows.blobs.size());
  return {};
}

Status LabelTexts::put(LabelTextRows& rows) {
  std::size_t begin = 0;
  for (const std::size_t end : rows.ends) {
    TWINSET_TRY(blobs_.append(std::string_view(rows.blobs).substr(begin, end - begin)));
    begin = end;
  }
  return {};
}

Result<std::unique_ptr<SortedBlobs>> LabelTexts::sorted(std::uint64_t memory_bytes) {
  TWINSET_TRY(blobs_.seal());
  auto rows = sort_blobs(
      blobs_,
      {&job_.context, job_.spill + "sorted_texts", memory_bytes / 2, job_.signer.fingerprint},
      [](std::string_view blob) { return head_of(blob).hash.key(); });
  TWINSET_TRY(blobs_.hold_for_any_order(memory_bytes / 2));
  return rows;
}

Status LabelTexts::read(std::uint64_t number, LabelText& out) const {
  TWINSET_TRY(blobs_.read(number, out.text));
  const BlobHead head = head_of(out.text);
  out.kind = static_cast<LabelKind>(head.kind);
  out.hash = head.hash;
  out.text.erase(0, head_bytes);
  return {};
}

}  // namespace twinset
