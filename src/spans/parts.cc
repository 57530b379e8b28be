#include "spans/parts.h"

#include "run/stored_rows.h"
#include "scheme/little_endian.h"

namespace twinset {
namespace {

/// In checkpoints.
constexpr const char* parts_name = "span_parts";

}  // namespace

Status Parts::take(const ReadRecord& record, PartRows& rows) const {
  if (!record.is_document()) return {};
  rows.pieces.push_back({record.id.record() - rows.first_line - 1, sizeof record.part});
  rows.parts.append(reinterpret_cast<const char*>(&record.part), sizeof record.part);
  return {};
}

Result<std::uint64_t> Parts::read(std::uint64_t index) const {
  std::vector<std::uint8_t> bytes;
  TWINSET_TRY(file_.read(index, bytes));
  return load_little_endian<std::uint64_t>(bytes.data());
}

Status Parts::open(const StateFile* checkpoint) {
  return restore_rows(checkpoint, parts_name, file_);
}

Status Parts::checkpoint(StateFile& file) { return checkpoint_rows(file_, parts_name, file); }

}  // namespace twinset
