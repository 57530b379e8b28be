// The parts that the summary.json of every verb has: its inputs, and how the run went.
//
// Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "io/json_read.h"
#include "twinset/run.h"

namespace twinset {

/// The lines of a summary: each top-level member on one of its own.
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

/// Adds how an input is read again.
void add_input(JsonObject& object, const InputFacts& input);

/// What of `facts.inputs` it takes to read them again, an array.
std::string inputs_json(const RunFacts& facts);

/// {"name": ..., "version": ...} of the run's analyzer.
std::string analyzer_json(const RunFacts& facts);
/// The members of a summary on inputs that did not come through as they should.
void add_input_facts(const RunFacts& facts, SummaryLines& lines);

std::string json_list(std::span<const std::string> values);

/// {"read": {"seconds": ..., "cpu_seconds": ...}, ...}
std::string stages_json(const std::vector<StageTime>& stages);

/// The `run` member: what differs between two runs of one command.
std::string run_json(const RunFacts& facts, std::string_view command, std::string_view identity);

/// The inputs that the member "files" of a summary tells of.
std::vector<InputFacts> read_input_facts(const JsonNode& made);

/// The number that fingerprint_text() wrote; 0 if it is none.
std::uint64_t read_fingerprint_text(std::string_view text);

}  // namespace twinset
