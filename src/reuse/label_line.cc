#include "reuse/label_line.h"

#include <utility>

#include "base/message.h"
#include "io/json.h"
#include "web/chunks.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t shown_bytes = 80;  ///< of a value in a message

std::string shown(const JsonNode& value) { return visible_name(value.raw(), shown_bytes); }

/// A number that may be missing.
Status read_number(const JsonNode& line, const char* name, const std::string& place,
                   std::uint64_t& out) {
  const JsonNode value = line[name];
  if (!value) return {};
  const std::optional<std::uint64_t> number = value.integer();
  if (!number.has_value()) {
    return io_error(place + " has the " + name + " " + shown(value) +
                    ", which is not a number from 0");
  }
  out = *number;
  return {};
}

Result<LabelSample> read_sample(const JsonNode& node, const std::string& place) {
  LabelSample sample;
  if (node["url"].kind() != JsonKind::string) {
    return io_error(place + " has the sample " + shown(node) +
                    ", which is no object with a \"url\"");
  }
  sample.url = node["url"].text();
  if (sample.url.size() > most_url_bytes) {
    return io_error(place + " has a sample whose URL is longer than " +
                    std::to_string(most_url_bytes) + " bytes");
  }
  TWINSET_TRY(read_number(node, "offset", place, sample.offset));
  TWINSET_TRY(read_number(node, "length", place, sample.length));
  return sample;
}

}  // namespace

std::vector<Field> fields_of(LabelSample& sample) {
  return {{"url", &sample.url, Unit::text, "its page"},
          {"offset", &sample.offset, Unit::bytes, "its first byte in the page"},
          {"length", &sample.length, Unit::bytes, "its bytes there"}};
}

void append_label_header(std::string& out, const LabelFacts& facts, std::uint64_t labels) {
  JsonObject header(out);
  header.string("rules", facts.rules).string("hash", chunk_hash_name(facts.hash));
  if (facts.pages) header.boolean("pages", true);
  header.number("labels", labels).end();
  out += '\n';
}

void append_label_line(std::string& out, const Label& label, ChunkHash hash) {
  std::string samples;
  for (const LabelSample& sample : label.samples) {
    samples += samples.empty() ? "" : ", ";
    JsonObject(samples)
        .string("url", sample.url)
        .number("offset", sample.offset)
        .number("length", sample.length)
        .end();
  }
  JsonObject(out)
      .string("hash", to_hex(label.hash, hash))
      .string("kind", label.kind == LabelKind::file ? "file" : "chunk")
      .number("count", label.count)
      .number("documents", label.documents)
      .raw("samples", "[" + samples + "]")
      .string("text", label.text)
      .end();
  out += '\n';
}

std::optional<LabelFacts> label_facts(std::string_view text) {
  const std::optional<ChunkRules> rules = parse_chunk_rules(text);
  if (!rules.has_value()) return std::nullopt;
  return LabelFacts{std::string(text), rules->hash};
}

Result<LabelFacts> read_label_header(const JsonNode& line, const std::string& place) {
  std::optional<LabelFacts> facts = label_facts(line["rules"].text());
  if (!facts.has_value()) {
    return io_error(place + " has the rules " + shown(line["rules"]) +
                    ", which this twinset does not know; " + verb("labels show") + " " +
                    switch_on("json") + " prints some");
  }
  const JsonNode hash = line["hash"];
  if (hash && hash.text() != chunk_hash_name(facts->hash)) {
    return io_error(place + " has the hash " + shown(hash) + ", and its rules " +
                    std::string(chunk_hash_name(facts->hash)));
  }
  facts->pages = line["pages"].boolean().value_or(false);
  return *std::move(facts);
}

Result<Label> read_label_line(const JsonNode& line, ChunkHash hash, const std::string& place) {
  Label label{.count = 1, .documents = 1};
  const std::optional<ChunkDigest> digest = parse_hex(line["hash"].text(), hash);
  if (!digest.has_value()) {
    return io_error(place + " has " +
                    (line["hash"] ? "the hash " + shown(line["hash"]) : "no hash") +
                    "; these labels have hashes by " + std::string(chunk_hash_name(hash)) +
                    ", of " + std::to_string(chunk_hash_bits(hash) / 4) + " hexadecimal digits");
  }
  label.hash = *digest;
  if (const JsonNode kind = line["kind"]; kind) {
    if (kind.text() != "chunk" && kind.text() != "file") {
      return io_error(place + " has the kind " + shown(kind) + "; known are chunk and file");
    }
    label.kind = kind.text() == "file" ? LabelKind::file : LabelKind::chunk;
  }
  TWINSET_TRY(read_number(line, "count", place, label.count));
  TWINSET_TRY(read_number(line, "documents", place, label.documents));
  if (const JsonNode samples = line["samples"]; samples) {
    if (samples.kind() != JsonKind::array) {
      return io_error(place + " has samples that are " +
                      std::string(json_kind_name(samples.kind())) + ", not an array");
    }
    for (const JsonNode& node : samples.elements()) {
      TWINSET_ASSIGN(LabelSample sample, read_sample(node, place));
      add_sample(label, std::move(sample));
    }
  }
  if (const JsonNode text = line["text"]; text) {
    if (text.kind() != JsonKind::string) {
      return io_error(place + " has a text that is " + std::string(json_kind_name(text.kind())) +
                      ", not a string");
    }
    add_text(label, text.text());
  }
  return label;
}

}  // namespace twinset
