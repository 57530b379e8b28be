// Reads the inputs of a run once more, in order, to write what becomes of them: gives their
// batches, marks where each input begins and ends, and checks that the bytes are still those of the
// first pass.
//
//   InputFeed feed(job, state);
//   steps.take = [&](Task& task, TaskPlace) { return feed.next(task); };   // Task: an InputBatch
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "io/reader.h"
#include "run/job.h"
#include "run/prepare.h"
#include "twinset/result.h"

namespace twinset {

/// A batch of an input.
struct InputBatch {
  std::uint64_t source = 0;
  bool begins_source = false;
  bool ends_source = false;
  RecordBatch batch;  ///< raw records; empty at the end of the source
  /// Of the source as stored: all that end before a byte of the batch, each given once.
  std::vector<StoredFrame> frames;
  BatchRoom room;
};

class InputFeed {
 public:
  /// `state`: of the first pass. References are not read.
  InputFeed(const Job& job, const ReadState& state)
      : job_(job), state_(state), source_(job.reference_sources) {}

  /// False at the end of all inputs. Errors: io, if an input has changed; usage, if a record does
  /// not fit into the memory; interrupted.
  Result<bool> next(InputBatch& task);

 private:
  bool readable() const;
  bool unread() const;
  Status open();
  bool end_source(InputBatch& task);
  Error changed() const;

  const Job& job_;
  const ReadState& state_;
  std::uint64_t source_;
  std::uint64_t lines_ = 0;
  std::vector<StoredFrame> frames_;  ///< not yet given
  std::unique_ptr<Reader> reader_;
  std::optional<RunningChecksum> checksum_;
};

}  // namespace twinset
