#include "run/summary.h"

#include <fmt/core.h>

#include <span>

#include "base/file_header.h"
#include "io/json.h"
#include "run/input_troubles.h"
#include "twinset/version.h"

namespace twinset {
namespace {

void add_counts(JsonObject& object, const Counts& counts) {
  std::string kinds;
  JsonObject by_kind(kinds);
  by_kind.number("identical", counts.identical)
      .number("lexical", counts.lexical)
      .number("near", counts.near)
      .number("contained", counts.contained);
  by_kind.end();
  object.number("read", counts.read)
      .number("kept", counts.kept)
      .number("removed", counts.removed())
      .number("quarantined", counts.quarantined)
      .number("filtered", counts.filtered)
      .raw("removed_by_kind", kinds);
}

void add_input(JsonObject& object, const InputFacts& input) {
  object.string("name", input.name)
      .string("format", input.format)
      .boolean("html", input.html)
      .string("compression", input.compression)
      .number("lines", input.lines)
      .string("checksum", fingerprint_text(input.checksum));
}

std::string files_json(const DedupSummary& summary) {
  std::string out = "[";
  for (std::size_t i = 0; i < summary.files.size(); ++i) {
    const FileCounts& file = summary.files[i];
    out += out.size() > 1 ? ",\n    " : "\n    ";
    JsonObject object(out);
    object.string("file", file.file).boolean("reference", file.reference);
    add_counts(object, file.counts);
    if (i < summary.inputs.size()) add_input(object, summary.inputs[i]);
    object.end();
  }
  return out + "]";
}

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

std::string json_list(std::span<const std::string> values) {
  std::string out = "[";
  for (const std::string& value : values) {
    if (out.size() > 1) out += ',';
    append_json_string(out, value);
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

std::string options_json(const DedupOptions& options) {
  std::string out;
  JsonObject object(out);
  object.raw("inputs", json_list(options.inputs))
      .raw("against", json_list(options.references))
      .string("format", options.input.format)
      .string("text", options.input.text_field)
      .string("id", options.input.id_field)
      .number("max_record", options.input.max_record_bytes)
      .number("limit", options.input.limit)
      .string("analyzer", options.analyzer)
      .string("scheme", options.scheme)
      .string("resemblance", options.resemblance.text())
      .string("containment", options.containment.has_value() ? options.containment->text() : "")
      .string("keep", options.keep)
      .string("verify", options.verification == Verification::exact ? "exact" : "sketch")
      .string("emit", options.emit == Emit::records ? "records" : "ids")
      .boolean("write_removed", options.write_removed)
      .number("min_tokens", options.min_tokens)
      .string("max_removed", options.max_removed.has_value() ? options.max_removed->text() : "")
      .string("max_bad", options.max_bad.has_value() ? std::to_string(*options.max_bad) : "")
      .number("max_group", options.max_group)
      .number("seed", options.seed)
      .string("report", options.report);
  object.end();
  return out;
}

std::string summary_json(const DedupSummary& summary, const DedupOptions& options,
                         std::string_view identity) {
  std::string totals;
  JsonObject kinds(totals);
  kinds.number("identical", summary.total.identical)
      .number("lexical", summary.total.lexical)
      .number("near", summary.total.near)
      .number("contained", summary.total.contained);
  kinds.end();
  std::string work;
  JsonObject pairs(work);
  pairs.number("clusters", summary.clusters)
      .number("largest_cluster", summary.largest_cluster)
      .number("candidate_pairs", summary.candidate_pairs)
      .number("checked_pairs", summary.checked_pairs)
      .number("verified_pairs", summary.verified_pairs)
      .number("repair_rounds", summary.repair_rounds)
      .number("repair_pairs", summary.repair_pairs)
      .number("text_bytes", summary.text_bytes);
  pairs.end();
  std::string out;
  SummaryLines lines(out);
  lines.number("read", summary.total.read);
  lines.number("kept", summary.total.kept);
  lines.number("removed", summary.total.removed());
  lines.number("quarantined", summary.total.quarantined);
  lines.number("filtered", summary.total.filtered);
  lines.raw("removed_by_kind", totals);
  lines.raw("matching", work);
  lines.string("scheme", summary.scheme);
  lines.string("plan", summary.plan);
  lines.raw("analyzer", analyzer_json(summary));
  lines.raw("warnings", json_list(summary.warnings));
  lines.raw("skipped", json_list(summary.skipped));
  add_input_facts(summary, lines);
  lines.raw("options", options_json(options));
  lines.raw("files", files_json(summary));
  lines.raw("run", run_json(summary, options.command, identity));
  lines.end();
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
