#include "reuse/label_line.h"

#include <utility>

#include "base/message.h"
#include "web/chunks.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t shown_bytes = 80;  ///< of a value in a message

std::string shown(const std::string& value) { return visible_name('"' + value + '"', shown_bytes); }

/// Of a sample in a line, which people write.
std::vector<Field> written_fields(LabelSample& sample) {
  std::vector<Field> fields = fields_of(sample);
  for (Field& field : fields) {
    if (field.name != "url") field = if_given(std::move(field));
  }
  fields.push_back({"url has at most 2,048 bytes",
                    FieldRule{[&sample] { return sample.url.size() <= most_url_bytes; }}});
  return fields;
}

}  // namespace

std::vector<Field> fields_of(LabelSample& sample) {
  return {{"url", &sample.url, Unit::text, "its page"},
          {"offset", &sample.offset, Unit::bytes, "its first byte in the page"},
          {"length", &sample.length, Unit::bytes, "its bytes there"}};
}

std::vector<Field> fields_of(LabelHeader& header) {
  return {{"rules", &header.rules, Unit::code, "the rules, as in the description of the table"},
          if_given(
              {"hash", &header.hash, Unit::code, "the name of the hash, which the rules have too"}),
          if_set({"pages", &header.pages, Unit::text, "true if some labels are of pages"}),
          if_given(
              {"labels", &header.labels, Unit::count, "labels in the set; not needed to read it"})};
}

std::vector<Field> fields_of(LabelLine& line) {
  Label& label = line.label;
  return {
      {"hash", &line.hash, Unit::code, "hexadecimal digits: 32, 40 or 64, as the hash has"},
      if_given({"kind", Choice(&label.kind, {"chunk", "file"}), Unit::text,
                "`chunk`, also if it is missing, or `file`"}),
      if_given({"count", &label.count, Unit::count, "how often it was seen; 1 if missing"}),
      if_given({"documents", &label.documents, Unit::count,
                "in how many documents it was seen; 1 if missing"}),
      if_given({"samples", NestedList(&label.samples, written_fields), Unit::text,
                "at most 10, ascending; of more the least are kept"}),
      if_given(
          {"text", &label.text, Unit::text,
           "what a reader sees of it first, or the begin of its content, cut to 240 bytes; bytes "
           "that are not UTF-8 are U+FFFD"})};
}

std::optional<LabelFacts> label_facts(std::string_view text) {
  const std::optional<ChunkRules> rules = parse_chunk_rules(text);
  if (!rules.has_value()) return std::nullopt;
  return LabelFacts{std::string(text), rules->hash};
}

Result<LabelFacts> facts_of(const LabelHeader& header, const std::string& place) {
  std::optional<LabelFacts> facts = label_facts(header.rules);
  if (!facts.has_value()) {
    return io_error(place + " has the rules " + shown(header.rules) +
                    ", which this twinset does not know; " + verb("labels show") + " " +
                    switch_on("json") + " prints some");
  }
  const std::string_view hash = chunk_hash_name(facts->hash);
  if (!header.hash.empty() && header.hash != hash) {
    return io_error(place + " has the hash " + shown(header.hash) + ", and its rules " +
                    std::string(hash));
  }
  facts->pages = header.pages;
  return *std::move(facts);
}

Result<Label> label_of(const LabelLine& line, ChunkHash hash, const std::string& place) {
  const std::optional<ChunkDigest> digest = parse_hex(line.hash, hash);
  if (!digest.has_value()) {
    return io_error(place + " has the hash " + shown(line.hash) + "; these labels have hashes by " +
                    std::string(chunk_hash_name(hash)) + ", of " +
                    std::to_string(chunk_hash_bits(hash) / 4) + " hexadecimal digits");
  }
  const Label& read = line.label;
  Label label{.kind = read.kind, .hash = *digest, .count = read.count, .documents = read.documents};
  for (const LabelSample& sample : read.samples) add_sample(label, sample);
  add_text(label, read.text);
  return label;
}

}  // namespace twinset
