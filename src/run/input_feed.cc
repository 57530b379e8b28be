#include "run/input_feed.h"

#include <vector>

#include "collection/input_changed.h"

namespace twinset {

Result<bool> InputFeed::next(InputBatch& task) {
  TWINSET_TRY(job_.context.check_cancelled());
  task.batch.records.clear();
  task.room = {};
  task.frames.clear();
  while (reader_ == nullptr && source_ < job_.sources() && !readable()) ++source_;
  if (source_ == job_.sources()) return false;
  task.source = source_;
  task.begins_source = reader_ == nullptr;
  task.ends_source = false;
  if (unread()) return end_source(task);
  if (reader_ == nullptr) TWINSET_TRY(open());
  const std::uint64_t known = state_.lines[source_];
  const bool limited = job_.options.input.limit != 0;
  if (!limited || lines_ < known) {
    TWINSET_ASSIGN(const bool more, reader_->read(task.batch));
    task.frames.swap(frames_);
    if (more) {
      TWINSET_TRY(check_held(job_, job_.source(source_), task.batch, task.room));
      lines_ = task.batch.lines;
      if (lines_ > known && !limited) return changed();
      std::erase_if(task.batch.records,
                    [&](const Record& record) { return record.number > known; });
      for_each_piece(task.batch, [&](std::string_view piece) { checksum_->add(piece); });
      return true;
    }
  }
  const bool same = limited ? lines_ >= known : lines_ == known;
  if (!same || checksum_->value() != state_.checksums[source_]) return changed();
  return end_source(task);
}

/// An input that could not be opened in pass 1 has only one bad record.
bool InputFeed::readable() const {
  return state_.lines[source_] != 1 || state_.checksums[source_] != 0;
}

/// Inputs after --limit were not read: their outputs are empty.
bool InputFeed::unread() const {
  return job_.options.input.limit != 0 && state_.lines[source_] == 0;
}

Status InputFeed::open() {
  frames_.clear();
  TWINSET_ASSIGN(reader_, job_.open(source_, &frames_));
  checksum_.emplace();
  lines_ = 0;
  return {};
}

bool InputFeed::end_source(InputBatch& task) {
  task.batch.records.clear();
  task.batch.stored_bytes = job_.source(source_).stored_bytes;
  task.ends_source = true;
  reader_.reset();
  ++source_;
  return true;
}

Error InputFeed::changed() const { return input_changed(job_.source(source_)); }

}  // namespace twinset
