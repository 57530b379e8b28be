// The parts that the summary.json of every verb has: its inputs and the facts of the run.
//
// Threads: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "io/json_read.h"
#include "twinset/run.h"

namespace twinset {

/// The lines of a summary: one for each top-level member.
class SummaryLines {
 public:
  explicit SummaryLines(std::string& out) : out_(out) { out_ += "{\n"; }
  void number(std::string_view name, std::uint64_t value) { raw(name, std::to_string(value)); }
  void string(std::string_view name, std::string_view value);
  void raw(std::string_view name, std::string_view json);
  void end() { out_ += "\n}\n"; }

 private:
  std::string& out_;
  bool first_ = true;
};

/// Adds the members that are needed to read an input again.
void add_input(JsonObject& object, const InputFacts& input);

/// An array of `facts.inputs`, with the members of add_input().
std::string inputs_json(const RunFacts& facts);

/// {"name": ..., "version": ...} of the run's analyzer.
std::string analyzer_json(const RunFacts& facts);
/// Adds the members on skipped, lost or otherwise faulty inputs.
void add_input_facts(const RunFacts& facts, SummaryLines& lines);

/// Adds the member on documents without a signature, if the run's scheme makes signatures.
void add_without_signature(const RunFacts& facts, SummaryLines& lines);

/// The same from a summary.
std::optional<WithoutSignature> read_without_signature(const JsonNode& made);

/// An array of texts. Names of options in messages are rendered as all files have them
/// (Door::plain).
std::string json_list(std::span<const std::string> values);

/// {"read": {"seconds": ..., "cpu_seconds": ...}, ...}
std::string stages_json(const std::vector<StageTime>& stages);

/// The `run` member: the facts that may differ between two runs of one command.
std::string run_json(const RunFacts& facts, std::string_view command, std::string_view identity);

/// The inputs in the member "files" of a summary.
std::vector<InputFacts> read_input_facts(const JsonNode& made);

/// The number that fingerprint_text() wrote; 0 if `text` is not one.
std::uint64_t read_fingerprint_text(std::string_view text);

}  // namespace twinset
