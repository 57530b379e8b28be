// The names of faults, and the life of a batch's buffers.
//
// This file's interface is io/record.h and io/scratch.h; the rest is private.
#include "io/record.h"

#include "io/scratch.h"

namespace twinset {

std::string_view reason_name(BadReason reason) {
  switch (reason) {
    case BadReason::none:
      return "none";
    case BadReason::invalid_json:
      return "invalid_json";
    case BadReason::missing_text:
      return "missing_text";
    case BadReason::text_not_string:
      return "text_not_string";
    case BadReason::record_too_long:
      return "record_too_long";
    case BadReason::truncated_stream:
      return "truncated_stream";
    case BadReason::corrupt_stream:
      return "corrupt_stream";
    case BadReason::decompression_bomb:
      return "decompression_bomb";
    case BadReason::unreadable:
      return "unreadable";
    case BadReason::text_not_features:
      return "text_not_features";
    case BadReason::damaged_record:
      return "damaged_record";
    case BadReason::undecodable_body:
      return "undecodable_body";
    case BadReason::invalid_row:
      return "invalid_row";
    case BadReason::over_memory:
      return "over_memory";
  }
  return "none";
}

bool is_stream_fault(BadReason reason) {
  return reason == BadReason::truncated_stream || reason == BadReason::corrupt_stream ||
         reason == BadReason::decompression_bomb || reason == BadReason::unreadable;
}

RecordBatch::RecordBatch() : scratch(std::make_unique<Scratch>()) {}
RecordBatch::~RecordBatch() = default;
RecordBatch::RecordBatch(RecordBatch&&) noexcept = default;
RecordBatch& RecordBatch::operator=(RecordBatch&&) noexcept = default;

std::string fault_place(std::uint64_t stored_offset) {
  return "byte " + std::to_string(stored_offset) + " of the file as stored: ";
}

std::string fault_words(const StreamFault& fault) {
  return fault_place(fault.stored_offset) + fault.detail;
}

void prepare_batch(RecordBatch& batch, std::size_t bytes) {
  // A batch that was moved from has lost its scratch.
  if (!batch.scratch) batch.scratch = std::make_unique<RecordBatch::Scratch>();
  batch.records.clear();
  batch.header.clear();
  batch.scratch->words.clear();
  const std::size_t wanted = bytes + batch_padding_bytes;
  if (batch.bytes.capacity() / 4 > wanted) {
    std::string().swap(batch.bytes);  // Assigning an empty string would keep the memory.
    batch.scratch->room.reset();
    batch.scratch->room_bytes = 0;
  }
  if (batch.bytes.size() < wanted) batch.bytes.resize(wanted);
}

}  // namespace twinset
