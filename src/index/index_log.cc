// This file's interface is index/index_log.h.
#include "index/index_log.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/plain_bytes.h"
#include "base/sized_text.h"
#include "system/memory_files.h"

namespace twinset {
namespace {

/// Before each entry of a batch.
constexpr char added_mark = 'a';
constexpr char removed_mark = 'r';

/// A small segment spills into memory, too.
constexpr std::uint64_t sorting_bytes = std::uint64_t{1} << 20;

/// Takes the entries of a batch.
bool take_batch(std::span<const std::uint8_t> rest, std::size_t schemes, LoggedChanges& out) {
  while (!rest.empty()) {
    const auto mark = static_cast<char>(rest.front());
    rest = rest.subspan(1);
    if (mark == removed_mark) {
      if (!take_varint(rest, out.removed.emplace_back())) return false;
      continue;
    }
    std::string_view bytes;
    if (mark != added_mark || !take_sized(rest, bytes)) return false;
    WholeDocument& added = out.added.emplace_back();
    IndexedDocument document;
    if (!WholeDocument::take({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                             added) ||
        added.marks.size() != schemes || !read_document(added.document, document)) {
      return false;
    }
    if (document.serial < out.next_serial || document.serial == UINT64_MAX) return false;
    out.next_serial = document.serial + 1;
  }
  return true;
}

}  // namespace

void WholeDocument::append_to(std::string& out) const {
  append_sized(document, out);
  append_sized(text, out);
  for (const Marks& of : marks) {
    append_sized(bytes_of(std::span<const std::uint8_t>(of.sketch.stored)), out);
    append_sized(bytes_of(std::span<const std::uint64_t>(of.keys)), out);
  }
}

bool WholeDocument::take(std::span<const std::uint8_t> rest, WholeDocument& out) {
  if (!take_sized(rest, out.document) || !take_sized(rest, out.text)) return false;
  out.marks.clear();
  while (!rest.empty()) {
    Marks& of = out.marks.emplace_back();
    std::string_view stored;
    std::string_view keys;
    if (!take_sized(rest, stored) || !take_sized(rest, keys)) return false;
    if (keys.size() % sizeof(std::uint64_t) != 0) return false;
    of.sketch.stored.assign(stored.begin(), stored.end());
    of.sketch.empty = stored.empty();
    of.keys.resize(keys.size() / sizeof(std::uint64_t));
    if (!keys.empty()) std::memcpy(of.keys.data(), keys.data(), keys.size());
    if (!std::ranges::is_sorted(of.keys)) return false;
  }
  return true;
}

std::uint64_t WholeDocument::memory_bytes() const {
  std::uint64_t bytes = sizeof *this + document.capacity() + text.capacity();
  for (const Marks& of : marks) {
    bytes += sizeof of + of.sketch.stored.capacity() + of.keys.capacity() * sizeof of.keys[0];
  }
  return bytes;
}

void log_added(const WholeDocument& added, std::string& batch) {
  std::string bytes;
  added.append_to(bytes);
  batch += added_mark;
  append_sized(bytes, batch);
}

void log_removed(std::uint64_t serial, std::string& batch) {
  batch += removed_mark;
  append_varint(serial, batch);
}

std::string index_log_name(std::uint64_t number) { return "log." + std::to_string(number); }

std::uint64_t index_log_fingerprint(std::uint64_t number, const IndexSigner& signer) {
  return checksum(index_log_name(number), signer.fingerprint());
}

Result<LoggedChanges> read_index_log(const LogFile& log, const IndexSigner& signer) {
  LoggedChanges logged;
  std::uint64_t at = file_header_bytes;
  TWINSET_TRY(log.for_each([&](std::string_view batch) -> Status {
    const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(batch.data()),
                                              batch.size());
    if (!take_batch(bytes, signer.schemes().size(), logged)) {
      return log.damaged(at, "is not in the form of one");
    }
    at += block_bytes(batch.size(), 1);
    return {};
  }));
  logged.batches = log.batches();
  logged.bytes = log.bytes();
  return logged;
}

Status append_whole(const WholeDocument& document, SegmentWriter& writer) {
  IndexedDocument read;
  if (!read_document(document.document, read)) {
    return io_error("a document on its way into the index is damaged; run again");
  }
  return writer.append(read, document.marks, document.text);
}

Result<std::unique_ptr<const Segment>> segment_in_memory(const IndexSigner& signer,
                                                         const SegmentWrite& write) {
  MemoryFiles files;
  RunContext context;
  context.files = &files;
  const std::string folder = "log/0";
  TWINSET_TRY(write(context, folder));
  return Segment::open(files, folder, signer);
}

Result<std::unique_ptr<const Segment>> segment_of(std::span<const WholeDocument> documents,
                                                  const IndexSigner& signer) {
  return segment_in_memory(signer,
                           [&](const RunContext& context, const std::string& folder) -> Status {
                             SegmentWriter writer(context, folder, signer, sorting_bytes);
                             for (const WholeDocument& document : documents)
                               TWINSET_TRY(append_whole(document, writer));
                             return writer.finish();
                           });
}

}  // namespace twinset
