// A label takes a row for its numbers, and one for each 44 bytes of its samples and text, which are
// written as numbers of 7 bits a byte and strings after their length. Most labels of a list have
// neither, and take one row.
//
// This file's interface is labels/label_file.h; the rest is private.
#include "labels/label_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "base/sized_text.h"
#include "base/varint.h"
#include "io/field_json.h"
#include "io/json_read.h"
#include "web/chunks.h"

namespace twinset {
namespace {

const TableKind kind_of_table{"labels", 1, 0};

/// After its key the first row has the rest of the hash, the two counts, and the kind.
constexpr std::size_t head_bytes = 16 + 8 + 8 + 1;
static_assert(head_bytes <= LabelRow::piece_bytes);

void store_head(const Label& label, LabelRow& row) {
  std::memcpy(row.piece, label.hash.bytes.data() + 16, 16);
  std::memcpy(row.piece + 16, &label.count, 8);
  std::memcpy(row.piece + 24, &label.documents, 8);
  row.piece[32] = static_cast<std::uint8_t>(label.kind);
}

/// False if its kind is none, or bytes that mean nothing are not 0.
bool load_head(const LabelRow& row, Label& label) {
  for (int i = 0; i < 8; ++i) {
    const int shift = 56 - 8 * i;
    label.hash.bytes[i] = static_cast<std::uint8_t>(row.key.high >> shift);
    label.hash.bytes[8 + i] = static_cast<std::uint8_t>(row.key.low >> shift);
  }
  std::memcpy(label.hash.bytes.data() + 16, row.piece, 16);
  std::memcpy(&label.count, row.piece + 16, 8);
  std::memcpy(&label.documents, row.piece + 24, 8);
  label.kind = static_cast<LabelKind>(row.piece[32]);
  return row.piece[32] <= static_cast<std::uint8_t>(LabelKind::file) &&
         std::all_of(row.piece + head_bytes, std::end(row.piece),
                     [](std::uint8_t byte) { return byte == 0; });
}

std::string encode_rest(const Label& label) {
  std::string bytes;
  if (label.samples.empty() && label.text.empty()) return bytes;
  append_varint(label.samples.size(), bytes);
  for (const LabelSample& sample : label.samples) {
    append_sized(sample.url, bytes);
    append_varint(sample.offset, bytes);
    append_varint(sample.length, bytes);
  }
  append_sized(label.text, bytes);
  return bytes;
}

/// False if the bytes are not those of encode_rest().
bool decode_rest(std::string_view bytes, Label& label) {
  label.samples.clear();
  label.text.clear();
  if (bytes.empty()) return true;
  std::span<const std::uint8_t> rest(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                     bytes.size());
  std::uint64_t samples = 0;
  if (!take_varint(rest, samples) || samples > most_label_samples) return false;
  for (std::uint64_t i = 0; i < samples; ++i) {
    LabelSample sample;
    if (!take_sized(rest, sample.url, most_url_bytes) || !take_varint(rest, sample.offset) ||
        !take_varint(rest, sample.length)) {
      return false;
    }
    if (i > 0 && !(label.samples.back() < sample)) return false;
    label.samples.push_back(std::move(sample));
  }
  return take_sized(rest, label.text, most_label_text_bytes) && rest.empty() &&
         (samples > 0 || !label.text.empty());
}

/// The most rows that a label takes.
constexpr std::size_t most_parts = (most_label_samples * (most_url_bytes + 3 * max_varint_bytes) +
                                    most_label_text_bytes + 2 * max_varint_bytes) /
                                       LabelRow::piece_bytes +
                                   1;
static_assert(most_parts <= 0xFFFF);

/// Of the table's description.
std::vector<Field> fields_of(LabelFacts& facts) {
  return {{"rules", &facts.rules, Unit::code},
          {"hash", Choice(&facts.hash, chunk_hash_names())},
          if_set({"pages", &facts.pages, Unit::text})};
}

Error other_facts(const LabelFile& one, const LabelFile& other) {
  const auto named = [](const LabelFile& file) {
    return file.path() + " has labels of \"" + file.facts().rules + "\", hash " +
           std::string(chunk_hash_name(file.facts().hash));
  };
  return usage_error(named(one) + "; " + named(other) +
                     ": they never meet; make both by the same rules");
}

/// Appends the labels of one list.
Status read_list(const JsonNode& list, const std::string& what, std::vector<Label>& out) {
  if (list["hashes"].kind() != JsonKind::array) {
    return io_error(what + " has no \"hashes\", an array; a list of AuntieTuna has it");
  }
  const std::string domain = list["domain"].text();
  for (const JsonNode& hash : list["hashes"].elements()) {
    const std::optional<ChunkDigest> digest = parse_hex(hash.text(), ChunkHash::sha256);
    if (!digest) {
      return io_error(what + " has " + std::string(hash.raw().substr(0, 80)) +
                      " among its hashes, which is no SHA-256 in 64 digits");
    }
    out.push_back({.hash = *digest, .count = 1, .documents = 1});
    if (!domain.empty()) add_sample(out.back(), {domain, 0, 0});
  }
  return {};
}

}  // namespace

// Writing.

LabelWriter::LabelWriter(const RunContext& context, const std::string& path,
                         const LabelFacts& facts)
    : table_(context, path, kind_of_table, fields_json(fields_of(to_write(facts)))) {}

Status LabelWriter::append(const Label& label) {
  assert(!last_ || compare_labels(*last_, label) < 0);
  assert(label.samples.size() <= most_label_samples && label.text.size() <= most_label_text_bytes);
  const std::string rest = encode_rest(label);
  LabelRow head;
  head.key = label.hash.key();
  head.bytes =
      static_cast<std::uint16_t>((rest.size() + LabelRow::piece_bytes - 1) / LabelRow::piece_bytes);
  store_head(label, head);
  TWINSET_TRY(table_.append(head));
  for (std::size_t at = 0; at < rest.size(); at += LabelRow::piece_bytes) {
    LabelRow row;
    row.key = head.key;
    row.part = static_cast<std::uint16_t>(at / LabelRow::piece_bytes + 1);
    row.bytes = static_cast<std::uint16_t>(std::min(LabelRow::piece_bytes, rest.size() - at));
    std::memcpy(row.piece, rest.data() + at, row.bytes);
    TWINSET_TRY(table_.append(row));
  }
  last_ = Label{.kind = label.kind, .hash = label.hash};
  return {};
}

// Reading.

Result<LabelFile> LabelFile::open(FileSystem& files, const std::string& path) {
  TWINSET_ASSIGN(Rows table, Rows::open(files, path, kind_of_table));
  LabelFacts facts;
  TWINSET_TRY(read_fields(table.description(), path, fields_of(facts)));
  return LabelFile(std::move(table), std::move(facts));
}

Error LabelFile::damaged(std::string_view how) const {
  return io_error(path() + " is damaged: " + std::string(how) + "; make it again");
}

Result<Label> LabelFile::take(std::span<const LabelRow>& rows) const {
  Label label;
  const LabelRow& head = rows.front();
  if (head.part != 0 || head.bytes > most_parts || head.bytes >= rows.size()) {
    return damaged("a label of it is cut off");
  }
  if (!load_head(head, label)) return damaged("a label of it has numbers that cannot be");
  std::string rest;
  for (std::size_t part = 1; part <= head.bytes; ++part) {
    const LabelRow& row = rows[part];
    const bool last = part == head.bytes;
    if (row.key != head.key || row.part != part || row.bytes > LabelRow::piece_bytes ||
        row.bytes == 0 || (!last && row.bytes != LabelRow::piece_bytes)) {
      return damaged("a label of it is cut off");
    }
    rest.append(reinterpret_cast<const char*>(row.piece), row.bytes);
  }
  if (!decode_rest(rest, label)) return damaged("a label of it has samples that cannot be");
  rows = rows.subspan(std::size_t{head.bytes} + 1);
  return label;
}

Result<bool> LabelFile::contains(LabelKind kind, const ChunkDigest& hash) const {
  TWINSET_ASSIGN(std::span<const LabelRow> rows, table_.find(hash.key()));
  while (!rows.empty()) {
    Label label;
    const LabelRow& head = rows.front();
    if (head.part != 0 || head.bytes >= rows.size() || !load_head(head, label)) {
      return damaged("a label of it is cut off");
    }
    if (label.kind == kind && label.hash == hash) return true;
    rows = rows.subspan(std::size_t{head.bytes} + 1);
  }
  return false;
}

Result<std::optional<Label>> LabelFile::find(LabelKind kind, const ChunkDigest& hash) const {
  TWINSET_ASSIGN(std::span<const LabelRow> rows, table_.find(hash.key()));
  while (!rows.empty()) {
    TWINSET_ASSIGN(Label label, take(rows));
    if (label.kind == kind && label.hash == hash) return std::optional<Label>(std::move(label));
  }
  return std::optional<Label>();
}

Result<const Label*> LabelFile::Cursor::next() {
  if (rows_ == nullptr) {
    TWINSET_ASSIGN(rows_, file_->table_.read());
  }
  TWINSET_ASSIGN(const LabelRow* const first, rows_->next());
  if (first == nullptr) return static_cast<const Label*>(nullptr);
  // A batch of the cursor may end within a label.
  std::vector<LabelRow> rows{*first};
  const std::size_t parts = std::min<std::size_t>(first->bytes, most_parts);
  while (rows.size() <= parts) {
    TWINSET_ASSIGN(const LabelRow* const row, rows_->next());
    if (row == nullptr) break;
    rows.push_back(*row);
  }
  std::span<const LabelRow> span(rows);
  TWINSET_ASSIGN(label_, file_->take(span));
  if (before_ && compare_labels(*before_, label_) >= 0) {
    return file_->damaged("its labels are not in order");
  }
  before_ = Label{.kind = label_.kind, .hash = label_.hash};
  return static_cast<const Label*>(&label_);
}

Status LabelFile::for_each_key(
    const std::function<void(const Fingerprint& key, LabelKind kind)>& use) const {
  return for_each_row(table_, [&](const LabelRow& row) {
    const bool is_file = row.piece[32] == static_cast<std::uint8_t>(LabelKind::file);
    if (row.part == 0) use(row.key, is_file ? LabelKind::file : LabelKind::chunk);
  });
}

Status LabelFile::for_each(const std::function<Status(const Label&)>& use) const {
  Cursor cursor(*this);
  while (true) {
    TWINSET_ASSIGN(const Label* const label, cursor.next());
    if (label == nullptr) return {};
    TWINSET_TRY(use(*label));
  }
}

// Merging.

Result<Fingerprint> merge_labels(const RunContext& context, std::span<const std::string> paths,
                                 const std::string& path) {
  if (paths.empty()) return usage_error("no file of labels to merge; name at least one");
  std::vector<LabelFile> files;
  bool pages = false;
  for (const std::string& one : paths) {
    TWINSET_ASSIGN(LabelFile file, LabelFile::open(*context.files, one));
    if (!files.empty() && !file.facts().meets(files.front().facts())) {
      return other_facts(files.front(), file);
    }
    pages |= file.facts().pages;
    files.push_back(std::move(file));
  }
  std::vector<LabelFile::Cursor> cursors;
  cursors.reserve(files.size());  // A label belongs to its cursor, which must not move.
  std::vector<const Label*> heads;
  for (const LabelFile& file : files) {
    cursors.emplace_back(file);
    TWINSET_ASSIGN(const Label* const head, cursors.back().next());
    heads.push_back(head);
  }
  LabelFacts facts = files.front().facts();
  facts.pages = pages;
  LabelWriter writer(context, path, facts);
  while (true) {
    const Label* least = nullptr;
    for (const Label* const head : heads) {
      if (head != nullptr && (least == nullptr || compare_labels(*head, *least) < 0)) least = head;
    }
    if (least == nullptr) return writer.finish();
    Label merged{.kind = least->kind, .hash = least->hash};
    for (std::size_t i = 0; i < heads.size(); ++i) {
      if (heads[i] == nullptr || compare_labels(*heads[i], merged) != 0) continue;
      add_label(merged, *heads[i]);
      TWINSET_ASSIGN(heads[i], cursors[i].next());
    }
    TWINSET_TRY(writer.append(merged));
  }
}

Result<std::vector<Label>> read_auntietuna_labels(std::string_view json, const std::string& what) {
  TWINSET_ASSIGN(const JsonNode root, read_json(json, what));
  std::vector<Label> labels;
  if (root.kind() == JsonKind::array) {
    for (const JsonNode& list : root.elements()) TWINSET_TRY(read_list(list, what, labels));
  } else {
    TWINSET_TRY(read_list(root, what, labels));
  }
  std::ranges::stable_sort(labels,
                           [](const Label& a, const Label& b) { return compare_labels(a, b) < 0; });
  std::vector<Label> merged;
  for (Label& label : labels) {
    if (!merged.empty() && compare_labels(merged.back(), label) == 0) {
      add_label(merged.back(), label);
    } else {
      merged.push_back(std::move(label));
    }
  }
  return merged;
}

}  // namespace twinset
