// The faults of each input: where it is damaged, how many of its records are not documents
// and why, and which fields these records have. An input without faults has no entry.
//
//   InputTrouble batch;                                  // of one batch of one input
//   batch.note(record);                                  // for each bad record of it
//   troubles.add(std::move(batch));                      // in input order
//   troubles.end_input(source, records_read);
//   describe_troubles(troubles, collection, facts);  // lost inputs and warnings
//
// An entry takes a few hundred bytes. It depends on the input's records only, not on the
// batches they came in.
//
// Threads: values; add() one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "collection/collection.h"
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
    std::string detail;               ///< of the first one
    std::uint64_t stored_offset = 0;  ///< of the first one, if the stream itself is damaged
  };

  std::uint64_t source = 0;
  std::uint64_t records = 0;  ///< of the input, bad ones included; known at its end
  std::vector<Kind> kinds;    ///< in the order of their first records
  /// Names of the fields of the first few records without the text field.
  std::vector<std::vector<std::string>> fields;

  void note(const Record& record);
  void add(InputTrouble&& later);
  bool empty() const { return kinds.empty(); }
};

class InputTroubles {
 public:
  /// `batch` is of the next records of its source; inputs come in order.
  void add(InputTrouble&& batch);
  void end_input(std::uint64_t source, std::uint64_t records);
  /// `later` are of later inputs.
  void append(const InputTroubles& later) {
    inputs_.insert(inputs_.end(), later.inputs_.begin(), later.inputs_.end());
  }

  const std::vector<InputTrouble>& inputs() const { return inputs_; }
  /// For a checkpoint: one line for each input, without its line end.
  std::string line(std::size_t i) const;
  /// Error (io) if it is not a line() of this class.
  Status add_line(const std::string& line);

 private:
  std::vector<InputTrouble> inputs_;
};

/// Texts that were not in UTF-8, pages that were not what their name says, and broken mails.
struct DecodedCounts {
  std::array<std::uint64_t, charset_count> records{};  ///< by charset
  std::array<std::uint64_t, charset_count> guessed{};  ///< of them
  std::uint64_t loose_xhtml = 0;
  std::uint64_t broken_mails = 0;

  void note(const Record& record);
  void add(const DecodedCounts& other);
};

/// Sets decoded, loose_xhtml and broken_mails of `facts`, with a warning for each.
void describe_decoded(const DecodedCounts& counts, RunFacts& facts);

/// Adds to `facts` the lost inputs: those left out, those damaged, and those without any
/// document; and a warning for each input with more bad records than documents.
void describe_troubles(const InputTroubles& troubles, const Collection& collection,
                       RunFacts& facts);

/// The error of a verb that finds no document because inputs were lost.
Status nothing_left(const std::vector<LostInput>& lost);

/// Adds the warnings that the counts of texts in `facts` are worth.
void warn_of_texts(RunFacts& facts);

}  // namespace twinset
