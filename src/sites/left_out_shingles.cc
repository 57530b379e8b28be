#include "sites/left_out_shingles.h"

#include "run/stored_rows.h"

namespace twinset {
namespace {

constexpr const char* rows_name = "left_out";

}  // namespace

std::vector<Collector*> LeftOutShingles::collectors() {
  if (job_.signer.view.templates == nullptr) return {};
  return {this};
}

Status LeftOutShingles::open(const StateFile* checkpoint) {
  rows_ = std::make_unique<RowFile<LeftOutRow>>(
      RowsOptions{&job_.context, job_.spill + rows_name, 0, job_.signer.fingerprint});
  if (checkpoint == nullptr) return {};
  const std::vector<PartLength> parts = noted_parts(*checkpoint, rows_name);
  return parts.empty() ? Status() : rows_->restore(parts.front());
}

Status LeftOutShingles::checkpoint(StateFile& file) {
  PartLength part;
  TWINSET_TRY(rows_->checkpoint(part));
  note_parts({part}, rows_name, file);
  return {};
}

std::uint64_t LeftOutShingles::stored_bytes() const { return rows_->rows() * sizeof(LeftOutRow); }

Status LeftOutShingles::take(const ReadRecord& record, LeftOutRows& rows) const {
  if (!record.is_document() || record.view.rest() == nullptr) return {};
  const unsigned width = job_.signer.view.shingle_tokens;
  const std::uint64_t whole = windows_of(record.view.whole_analysis().tokens.size(), width);
  const std::uint64_t compared = windows_of(record.view.analysis().tokens.size(), width);
  if (whole > compared) rows.rows.push_back({record.id, whole - compared});
  return {};
}

Status LeftOutShingles::put(LeftOutRows& rows) {
  return rows.rows.empty() ? Status() : rows_->append(rows.rows);
}

Status LeftOutShingles::seal() { return rows_ == nullptr ? Status() : rows_->seal(); }

Result<std::unique_ptr<RowCursor<LeftOutRow>>> LeftOutShingles::read() const {
  if (rows_ == nullptr) return std::unique_ptr<RowCursor<LeftOutRow>>();
  return rows_->read();
}

Result<std::uint64_t> LeftOutReader::shingles(DocumentId document) {
  const LeftOutRow* row = rows_->peek();
  for (; row != nullptr && row->document < document; row = rows_->peek()) rows_->advance();
  TWINSET_TRY(rows_->status());
  return row != nullptr && row->document == document ? row->shingles : std::uint64_t{0};
}

}  // namespace twinset
