// A label as a line of JSON, and the line before all, which says how the chunks were made
// (docs/formats/labels.md). People edit such lines and write their own.
//
//   FieldLine<LabelLine> line;
//   *line = LabelLine(label, facts.hash);
//   line.append(out);
//   *line = {};
//   TWINSET_TRY(line.read(text, "stop.jsonl:7"));
//   TWINSET_ASSIGN(const Label label, label_of(*line, facts.hash, "stop.jsonl:7"));
//
// Threads: pure functions and values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/field_json.h"
#include "io/json_read.h"
#include "labels/label_file.h"
#include "twinset/field.h"

namespace twinset {

std::vector<Field> fields_of(LabelSample& sample);

/// {"rules": ..., "hash": "xxh3", "labels": 12}
struct LabelHeader {
  std::string rules;
  std::string hash;          ///< its name, which the rules have too
  bool pages = false;        ///< some labels are of pages
  std::uint64_t labels = 0;  ///< in the set
};
std::vector<Field> fields_of(LabelHeader& header);

/// {"hash": ..., "kind": "chunk", "count", "documents", "samples": [...], "text"}. Bytes of the
/// text that are not UTF-8 become U+FFFD. Without its other fields it is a chunk seen once.
struct LabelLine {
  LabelLine() = default;
  LabelLine(Label of, ChunkHash by) : hash(to_hex(of.hash, by)), label(std::move(of)) {}

  std::string hash;  ///< hexadecimal digits
  Label label{.count = 1, .documents = 1};
};
std::vector<Field> fields_of(LabelLine& line);

/// True of the line before all.
inline bool is_label_header(const JsonNode& line) { return static_cast<bool>(line["rules"]); }

/// True of a label.
inline bool is_label_line(const JsonNode& line) {
  return line["hash"].kind() == JsonKind::string && !is_label_header(line);
}

/// The facts of labels. Errors (io): rules that this twinset does not know, or another hash than
/// they have; `place` names the line.
Result<LabelFacts> facts_of(const LabelHeader& header, const std::string& place);

/// The facts of labels made by the rules in `text`; nothing if these are none.
std::optional<LabelFacts> label_facts(std::string_view text);

/// The label of a line that was read. Error (io): its hash is none.
Result<Label> label_of(const LabelLine& line, ChunkHash hash, const std::string& place);

}  // namespace twinset
