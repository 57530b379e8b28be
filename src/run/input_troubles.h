// What was wrong with each input as it was read: where it is damaged, how many of its
// records are no documents and why, and which fields they do have. Inputs that came
// through whole leave nothing here.
//
//   InputTrouble batch;                                  // of one batch of one input
//   batch.note(record);                                  // for each bad record of it
//   troubles.add(std::move(batch));                      // in input order
//   troubles.end_input(source, records_read);
//   describe_troubles(troubles, list, text_field, facts);  // lost inputs and warnings
//
// What is kept of an input is a few hundred bytes, and a function of its records alone:
// the batches they came in change nothing.
//
// Threads: values; add() one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/inputs.h"
#include "io/json_read.h"
#include "io/record.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

/// The bad records of one input, or of one batch of it.
struct InputTrouble {
  struct Kind {
    BadReason reason = BadReason::none;
    std::uint64_t records = 0;
    std::uint64_t first_record = 0;
    std::string detail;               ///< of the first
    std::uint64_t stored_offset = 0;  ///< of the first, where the stream itself is damaged
  };

  std::uint64_t source = 0;
  std::uint64_t records = 0;  ///< read of the input, bad ones counted; known at its end
  std::vector<Kind> kinds;    ///< in the order of their first records
  /// Names of the fields of the first few records that have no text field.
  std::vector<std::vector<std::string>> fields;

  void note(const Record& record);
  void add(InputTrouble&& later);
  bool empty() const { return kinds.empty(); }
};

class InputTroubles {
 public:
  /// `batch` is of its source's next records; inputs come in order.
  void add(InputTrouble&& batch);
  void end_input(std::uint64_t source, std::uint64_t records);

  const std::vector<InputTrouble>& inputs() const { return inputs_; }
  /// For a checkpoint: one line each, without its end.
  std::string line(std::size_t i) const;
  /// Error (io) if it is no such line.
  Status add_line(const std::string& line);

 private:
  std::vector<InputTrouble> inputs_;
};

/// Adds to `facts` the inputs that were lost: those left out, those damaged, those of
/// which no record is a document; and a warning for each of which more than half are none.
void describe_troubles(const InputTroubles& troubles, const InputList& list, RunFacts& facts);

/// The error of a verb that has no document to answer from, if inputs were lost.
Status nothing_left(const std::vector<LostInput>& lost);

/// One sentence; `invalid` counts at least one record.
std::string invalid_utf8_warning(const InvalidText& invalid);

/// The member "lost_inputs" of a summary, and back from one.
std::string lost_inputs_json(const std::vector<LostInput>& lost);
std::vector<LostInput> lost_inputs_of(const JsonNode& summary);
InvalidText invalid_text_of(const JsonNode& summary);

}  // namespace twinset
