#include "run/summary.h"

#include <fmt/core.h>

#include <charconv>
#include <span>

#include "base/file_header.h"
#include "collection/input_troubles.h"
#include "io/json.h"
#include "twinset/version.h"

namespace twinset {
namespace {

/// [{"file": NAME, "bytes": N}, ...]
std::string outputs_json(const RunFacts& facts) {
  std::string out = "[";
  for (const OutputFile& file : facts.outputs) {
    if (out.size() > 1) out += ", ";
    JsonObject object(out);
    object.string("file", file.name).number("bytes", file.bytes);
    object.end();
  }
  return out + "]";
}

}  // namespace

void add_input(JsonObject& object, const InputFacts& input) {
  object.string("name", input.name)
      .string("format", input.format)
      .boolean("html", input.html)
      .string("compression", input.compression)
      .number("lines", input.lines)
      .string("checksum", fingerprint_text(input.checksum));
}

std::string inputs_json(const RunFacts& facts) {
  std::string out = "[";
  for (const InputFacts& input : facts.inputs) {
    out += out.size() > 1 ? ",\n    " : "\n    ";
    JsonObject object(out);
    object.string("file", input.file).boolean("reference", input.reference);
    add_input(object, input);
    object.end();
  }
  return out + "]";
}

std::string analyzer_json(const RunFacts& facts) {
  std::string out;
  JsonObject object(out);
  object.string("name", facts.analyzer).number("version", facts.analyzer_version);
  object.end();
  return out;
}

std::string stages_json(const std::vector<StageTime>& stages) {
  std::string out;
  JsonObject object(out);
  for (const StageTime& time : stages) {
    std::string times;
    JsonObject both(times);
    both.real("seconds", time.seconds).real("cpu_seconds", time.cpu_seconds);
    both.end();
    object.raw(time.stage, times);
  }
  object.end();
  return out;
}

void SummaryLines::string(std::string_view name, std::string_view value) {
  std::string json;
  append_json_string(json, value);
  raw(name, json);
}

void SummaryLines::raw(std::string_view name, std::string_view json) {
  out_ += first_ ? "  " : ",\n  ";
  first_ = false;
  append_json_string(out_, name);
  out_ += ": ";
  out_ += json;
}

void add_input_facts(const RunFacts& facts, SummaryLines& lines) {
  std::string invalid;
  JsonObject object(invalid);
  object.number("records", facts.invalid_utf8.records)
      .number("files", facts.invalid_utf8.files)
      .string("first", facts.invalid_utf8.first)
      .end();
  lines.raw("lost_inputs", lost_inputs_json(facts.lost_inputs));
  lines.raw("invalid_utf8", invalid);
}

void add_without_signature(const RunFacts& facts, SummaryLines& lines) {
  if (!facts.without_signature.has_value()) return;
  std::string counts;
  JsonObject object(counts);
  object.number("no_words", facts.without_signature->no_words)
      .number("few_terms", facts.without_signature->few_terms)
      .number("small_share", facts.without_signature->small_share)
      .number("no_features", facts.without_signature->no_features);
  object.end();
  lines.raw("without_signature", counts);
}

std::optional<WithoutSignature> read_without_signature(const JsonNode& made) {
  const JsonNode counts = made["without_signature"];
  if (counts.kind() != JsonKind::object) return std::nullopt;
  const auto number = [&](std::string_view name) { return counts[name].integer().value_or(0); };
  return WithoutSignature{number("no_words"), number("few_terms"), number("small_share"),
                          number("no_features")};
}

std::string json_list(std::span<const std::string> values) {
  std::string out = "[";
  for (const std::string& value : values) {
    if (out.size() > 1) out += ',';
    append_json_string(out, render_message(Door::plain, value));
  }
  return out + "]";
}

std::string run_json(const RunFacts& facts, std::string_view command, std::string_view identity) {
  std::string out;
  JsonObject run(out);
  run.string("verb", facts.verb)
      .string("folder", facts.folder)
      .string("identity", identity)
      .string("command", command)
      .string("version", version())
      .string("started", facts.started)
      .real("seconds", facts.seconds)
      .real("cpu_seconds", facts.cpu_seconds)
      .raw("stages", stages_json(facts.stages))
      .number("peak_memory_bytes", facts.peak_memory_bytes)
      .number("spilled_bytes", facts.spilled_bytes)
      .boolean("resumed", facts.resumed)
      .raw("outputs", outputs_json(facts));
  run.end();
  return out;
}

std::vector<InputFacts> read_input_facts(const JsonNode& made) {
  std::vector<InputFacts> out;
  for (const JsonNode& file : made["files"].elements()) {
    InputFacts facts;
    facts.file = file["file"].text();
    facts.name = file["name"].text();
    facts.reference = file["reference"].boolean().value_or(false);
    facts.format = file["format"].text();
    facts.html = file["html"].boolean().value_or(false);
    facts.compression = file["compression"].text();
    facts.lines = file["lines"].integer().value_or(0);
    facts.checksum = read_fingerprint_text(file["checksum"].text());
    out.push_back(std::move(facts));
  }
  return out;
}

std::uint64_t read_fingerprint_text(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, value, 16);
  return failed == std::errc() && at == end ? value : 0;
}

}  // namespace twinset
