#include "run/document_keys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "join/shared_keys.h"
#include "run/stored_rows.h"
#include "run/without_signature.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

template <class Value>
void append_bytes(const Value& value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string_view bytes_of(const std::vector<std::uint8_t>& stored) {
  return {reinterpret_cast<const char*>(stored.data()), stored.size()};
}

constexpr std::array all_reasons{NoSignature::words, NoSignature::terms, NoSignature::share,
                                 NoSignature::features};

}  // namespace

DocumentKeys::DocumentKeys(RowsOptions options, const Scheme& scheme, Stored stored)
    : options_(std::move(options)),
      name_(options_.path.substr(options_.path.rfind('/') + 1)),
      scheme_(scheme),
      stored_(stored) {}

std::size_t DocumentKeys::stored_bytes_of(const Scheme& scheme, Stored stored) {
  switch (stored) {
    case Stored::sketch:
      return scheme.facts().stored_bytes;
    case Stored::count:
      return sizeof(std::uint32_t);
    case Stored::sample:
      return sizeof(SampleSizes) + (scheme.facts().counts_unions
                                        ? sizeof(std::uint32_t) + scheme.facts().most_stored_bytes
                                        : 0);
  }
  return 0;
}

Status DocumentKeys::take(const ReadRecord& record, KeyRows& rows) const {
  if (!record.is_document() || (wanted_ && !wanted_(record.id))) return {};
  if (record.view.analysis().tokens.empty()) {
    if (!record.view.compares_bytes_only()) ++rows.without.no_words;
    return {};
  }
  scheme_.sketch(record.view, rows.sketch);
  if (rows.sketch.empty) ++count_of(rows.sketch.reason, rows.without);
  rows.keys.clear();
  scheme_.keys(rows.sketch, rows.keys);
  rows.counts.add(rows.keys.size());
  for (const std::uint64_t key : rows.keys)
    rows.rows.push_back({scheme_.key_in(record.part, key), record.id});
  const std::size_t before = rows.stored.size();
  store(rows);
  rows.pieces.push_back({record.id.record() - rows.first_line - 1,
                         static_cast<std::uint32_t>(rows.stored.size() - before)});
  return {};
}

void DocumentKeys::store(KeyRows& rows) const {
  switch (stored_) {
    case Stored::sketch:
      rows.stored += bytes_of(rows.sketch.stored).substr(0, scheme_.facts().stored_bytes);
      return;
    case Stored::count:
      append_bytes(static_cast<std::uint32_t>(rows.keys.size()), rows.stored);
      return;
    case Stored::sample:
      append_bytes(SampleSizes::of(scheme_, rows.sketch, rows.keys), rows.stored);
      if (!scheme_.facts().counts_unions) return;
      append_bytes(static_cast<std::uint32_t>(rows.sketch.stored.size()), rows.stored);
      rows.stored += bytes_of(rows.sketch.stored);
  }
}

Status DocumentKeys::counted_sketch(std::uint64_t index, std::vector<std::uint8_t>& out) const {
  TWINSET_TRY(file_->read(index, out));
  constexpr std::size_t begin = sizeof(SampleSizes) + sizeof(std::uint32_t);
  const auto length = load_little_endian<std::uint32_t>(&out[sizeof(SampleSizes)]);
  if (length > out.size() - begin) return io_error("a stored sketch is damaged; run again");
  out.erase(out.begin(), out.begin() + begin);
  out.resize(length);
  return {};
}

Status DocumentKeys::put(KeyRows& rows) {
  add_counts(rows.without, without_);
  counts_.add(rows.counts);
  return file_->append(rows.lines, rows.pieces, rows.stored);
}

void DocumentKeys::add_counts_of(const StateFile& checkpoint) {
  for (const NoSignature reason : all_reasons) {
    count_of(reason, without_) += checkpoint.number(name_of(reason));
  }
  for (std::size_t keys = 0; keys <= KeysPerDocument::most_keys; ++keys) {
    counts_.documents[keys] += checkpoint.number(name_of(keys));
  }
}

Status DocumentKeys::take_over(const ShardFolder& shard) {
  add_counts_of(shard.state());
  const std::string file = name_ + ".sketches";
  TWINSET_TRY(file_->take_over(shard.path(file), shard.parts(file)));
  return take_over_rows(shard, name_, *rows_);
}

Status DocumentKeys::open(const StateFile* checkpoint) {
  without_ = {};
  counts_ = {};
  if (checkpoint != nullptr) add_counts_of(*checkpoint);
  RowsOptions stored = options_;
  stored.path += ".sketches";
  file_ = std::make_unique<SketchFile>(stored, stored_bytes_of(scheme_, stored_));
  TWINSET_TRY(restore_rows(checkpoint, name_ + ".sketches", *file_));
  return open_rows(options_, checkpoint, name_, rows_);
}

Status DocumentKeys::checkpoint(StateFile& file) {
  for (const NoSignature reason : all_reasons) {
    file.set(name_of(reason), count_of(reason, without_));
  }
  for (std::size_t keys = 0; keys <= KeysPerDocument::most_keys; ++keys) {
    file.set(name_of(keys), counts_.documents[keys]);
  }
  if (rows_ == nullptr) return {};  // Already grouped: a resumed run does not need them.
  TWINSET_TRY(checkpoint_rows(*file_, name_ + ".sketches", file));
  return checkpoint_rows(*rows_, name_, file);
}

}  // namespace twinset
