// A label as a line of JSON, and the line before all, which says how the chunks were made
// (docs/formats/labels.md). People edit such lines and write their own.
//
//   append_label_line(out, label, facts.hash);
//   TWINSET_ASSIGN(const Label label, read_label_line(line, facts.hash, "stop.jsonl:7"));
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/json_read.h"
#include "labels/label_file.h"
#include "twinset/field.h"

namespace twinset {

std::vector<Field> fields_of(LabelSample& sample);

/// {"rules": ..., "hash": "xxh3", "labels": 12}
void append_label_header(std::string& out, const LabelFacts& facts, std::uint64_t labels);

/// {"hash": ..., "kind": "chunk", "count", "documents", "samples": [...], "text"}. Bytes of the
/// text that are not UTF-8 become U+FFFD.
void append_label_line(std::string& out, const Label& label, ChunkHash hash);

/// True of the line before all.
inline bool is_label_header(const JsonNode& line) { return static_cast<bool>(line["rules"]); }

/// True of a label.
inline bool is_label_line(const JsonNode& line) {
  return line["hash"].kind() == JsonKind::string && !is_label_header(line);
}

/// The labels' facts. Errors (io): rules that this twinset does not know, or another hash than they
/// have; `place` names the line.
Result<LabelFacts> read_label_header(const JsonNode& line, const std::string& place);

/// The facts of labels made by the rules in `text`; nothing if these are none.
std::optional<LabelFacts> label_facts(std::string_view text);

/// Needs the hash alone: a label without kind, count and documents is a chunk seen once. Other
/// fields are ignored. Errors (io): a field of another type, a hash that is none.
Result<Label> read_label_line(const JsonNode& line, ChunkHash hash, const std::string& place);

}  // namespace twinset
