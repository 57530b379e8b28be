#include "run/run_fields.h"

#include <charconv>
#include <iterator>

#include "base/file_header.h"

namespace twinset {
namespace {

bool read_checksum(std::string_view text, std::uint64_t& value) {
  if (text.size() != 2 * sizeof value) return false;
  const char* const end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, value, 16);
  return failed == std::errc() && at == end;
}

}  // namespace

std::vector<Field> fields_of(Interval& interval) {
  return {{"value", &interval.value, Unit::share, "the estimate"},
          {"low", &interval.low, Unit::share, "lower end of its 95 % interval"},
          {"high", &interval.high, Unit::share, "upper end of it"}};
}

std::vector<Field> fields_of(StageTime& time) {
  return {measured({"seconds", &time.seconds, Unit::seconds, "time that it took"}),
          measured({"cpu_seconds", &time.cpu_seconds, Unit::seconds, "CPU time of all threads"}),
          if_set(measured({"alone_seconds", &time.alone_seconds, Unit::seconds,
                           "CPU time while only one thread could work"})),
          if_set(measured({"ordered_seconds", &time.ordered_seconds, Unit::seconds,
                           "CPU time of what is done in order, by one thread beside the others"}))};
}

std::vector<Field> fields_of(OutputFile& file) {
  return {{"file", &file.name, Unit::text, "its name below the folder"},
          {"bytes", &file.bytes, Unit::bytes, "its size"}};
}

std::vector<Field> reading_fields(InputFacts& input) {
  return {{"name", &input.name, Unit::text, "the name of its output"},
          {"format", &input.format, Unit::text, "`jsonl`, `text`, ..."},
          {"html", &input.html, Unit::text, "whether its texts are pages"},
          {"html_by_text", &input.html_by_text, Unit::text,
           "whether only those that begin like HTML are: `--format auto`"},
          {"compression", &input.compression, Unit::text, "`gzip`, `zstd` or empty"},
          {"lines", &input.lines, Unit::count,
           "lines that were read; 1 for a file that is one document"},
          {"checksum", checksum_form(input.checksum), Unit::code,
           "XXH3-64 of the bytes of all its records, as 16 hexadecimal digits; zeros if it could "
           "not be read"}};
}

std::vector<Field> fields_of(InputFacts& input) {
  std::vector<Field> fields{{"file", &input.file, Unit::text, "its name, as you would write it"},
                            {"reference", &input.reference, Unit::text, "true for `--against`"}};
  add_fields(fields, reading_fields(input));
  return fields;
}

std::vector<Field> fields_of(LostInput& lost) {
  return {{"file", &lost.file, Unit::text, "its name, as you would write it"},
          {"reason", &lost.reason, Unit::text, "one word; see below"},
          {"cause", &lost.cause, Unit::sentence,
           "in words, with a command that repairs it if there is one"},
          {"bytes_read", &lost.bytes_read, Unit::bytes,
           "bytes of the file as stored, up to the damage"},
          {"records_read", &lost.records_read, Unit::count,
           "records of the file, in all; after damage, reading continues where possible"}};
}

std::vector<Field> fields_of(CountedRecords& counted) {
  return {{"records", &counted.records, Unit::count, "records of this kind"},
          {"files", &counted.files, Unit::count, "files that have such records"},
          {"first", &counted.first, Unit::text, "the first of these files"}};
}

std::vector<Field> fields_of(GuessedInputs& guessed) {
  return {{"format", &guessed.format, Unit::text, "`jsonl`, `html`, `warc` ..."},
          {"files", &guessed.files, Unit::count, "files that are read so"},
          {"first", &guessed.first, Unit::text, "the first of these files"}};
}

std::vector<Field> fields_of(LeftOutContent& content) {
  return {{"scripts", &content.scripts, Unit::count, "scripts"},
          {"style_sheets", &content.style_sheets, Unit::count, "style sheets"},
          {"empty_pages", &content.empty_pages, Unit::count, "pages and texts of no bytes"}};
}

std::vector<Field> fields_of(DecodedTexts& decoded) {
  return {{"charset", &decoded.charset, Unit::text, "its name"},
          {"records", &decoded.records, Unit::count, "records in it"},
          {"guessed", &decoded.guessed, Unit::count,
           "... of which no byte order mark and no name tells it"}};
}

std::vector<Field> fields_of(WithoutSignature& without) {
  return {{"no_words", &without.no_words, Unit::count, "documents without a word"},
          {"few_terms", &without.few_terms, Unit::count, "... with few terms of the lexicon"},
          {"small_share", &without.small_share, Unit::count,
           "... few of whose different words are in the lexicon"},
          {"no_features", &without.no_features, Unit::count,
           "... whose features were all cut, or weigh nothing"}};
}

std::vector<Field> place_fields(NamedDocument& document) {
  return {{"id", AsWritten{&document.id}, Unit::text, "the record's id, or `\"file:record\"`"},
          {"file", &document.file, Unit::text, "the input, as you would name it"},
          {"record", &document.record, Unit::count, "its number in the file, from 1"}};
}

std::vector<Field> fields_of(NamedDocument& document) {
  std::vector<Field> fields = place_fields(document);
  fields.push_back({"fingerprint", checksum_form(document.fingerprint), Unit::code,
                    "of its bytes, as in [`removed.jsonl.zst`](removed.md)"});
  return fields;
}

Field json_field(std::string_view name, std::string& value, std::string_view help) {
  return {name,
          JsonForm{[&value] { return value; },
                   [&value](std::string_view json) -> Status {
                     value = json;
                     return {};
                   }},
          Unit::code, help};
}

TextForm checksum_form(std::uint64_t& checksum) {
  return {[&checksum] { return fingerprint_text(checksum); },
          [&checksum](std::string_view text) { return read_checksum(text, checksum); }};
}

Field analyzer_field(RunFacts& facts) {
  return {"analyzer", Nested([&facts] {
            return std::vector<Field>{{"name", &facts.analyzer, Unit::text, "its name"},
                                      {"version", &facts.analyzer_version, Unit::count,
                                       "its version; tokens of another may differ"}};
          }),
          Unit::text, "the analyzer that made tokens of the texts"};
}

Field without_signature_field(RunFacts& facts) {
  return if_set({"without_signature", OptionalNested(&facts.without_signature), Unit::count,
                 "with a scheme of whole signatures (`simhash`, `imatch`): the documents that have "
                 "none, copies too, by reason"});
}

std::vector<Field> fields_of(SignedCoordinates& coordinates) {
  return {{"coordinates", &coordinates.coordinates, Unit::count, "of the scheme"},
          {"signed", &coordinates.mean, Unit::count,
           "those at which a document with a word has a signature, on average"}};
}

std::vector<Field> fields_of(FoundByEdits& found) {
  return {{"edits", &found.edits, Unit::count, "lexicon terms added or taken away"},
          {"found", &found.found, Unit::share, "the share of such copies that match"},
          {"lexicons", &found.lexicons, Unit::count,
           "the parts of the lexicon (`signatures`) by which 95 % of such copies would match, if "
           "documents had a signature at each"}};
}

Field coordinates_field(RunFacts& facts) {
  return if_set({"coordinates", OptionalNested(&facts.coordinates), Unit::count,
                 "with a scheme of several signatures (`imatch`): how many documents have"});
}

Field by_edits_field(RunFacts& facts) {
  return if_set({"by_edits", NestedList(&facts.by_edits), Unit::share,
                 "likewise: the copies that are found by the edits in them, as expected"});
}

Field lost_inputs_field(std::vector<LostInput>& lost) {
  return {"lost_inputs", NestedList(&lost, ListLayout::lines), Unit::text,
          "inputs that were [lost](../inputs.md#lost-inputs) in whole or part; with one in it the "
          "exit code is 5, unless `--allow-lost-inputs` is given"};
}

std::vector<Field> input_trouble_fields(RunFacts& facts) {
  return {{"skipped", &facts.skipped, Unit::sentence,
           "paths that were not read, and why: hidden files, loops, second names, special files, "
           "pictures and other files that are not text"},
          {"guessed", NestedList(&facts.guessed, ListLayout::lines), Unit::text,
           "formats that the contents of inputs told, because their names say nothing"},
          lost_inputs_field(facts.lost_inputs),
          {"invalid_utf8", Nested(&facts.invalid_utf8), Unit::count,
           "texts with bytes that are not UTF-8"},
          {"raw_html", Nested(&facts.raw_html), Unit::count,
           "texts of JSON Lines that begin like HTML, and whose tags were compared as words"},
          if_set({"text_per_line", &facts.text_per_line, Unit::text,
                  "the only input, if it was read as one text and seems to have a text a line"}),
          if_set({"exact_only", &facts.exact_only, Unit::count,
                  "documents shorter than `--exact-below`, which were compared byte for byte"}),
          if_set({"short_documents", &facts.short_documents, Unit::count,
                  "documents with fewer words than a shingle, all of which counts as one, if any"}),
          {"without_document", Nested(&facts.without_document), Unit::count,
           "archives whose records are all no documents; `records` is how many they have"},
          {"mended_lengths", Nested(&facts.mended_lengths), Unit::count,
           "records of archives whose lengths count bytes that are gone (ClueWeb09)"},
          {"without_value", Nested(&facts.without_value), Unit::count,
           "documents without the field of `--within`, which meet each other alone"},
          {"left_out_content", Nested(&facts.left_out_content), Unit::count,
           "records of archives that are documents only with `--content scripts`"},
          if_set({"decoded", NestedList(&facts.decoded, ListLayout::lines), Unit::count,
                  "the charsets other than UTF-8 that [texts were in](../inputs.md#charsets), if "
                  "any"}),
          if_set({"loose_xhtml", &facts.loose_xhtml, Unit::count,
                  "pages named XHTML that are not well-formed XML, if any: they were read by "
                  "[looser rules](../html.md#xhtml)"}),
          if_set({"broken_mails", &facts.broken_mails, Unit::count,
                  "[mails](../mail.md#broken-mail) with broken parts, or a coding or charset that "
                  "is none, if any"})};
}

std::vector<Field> trouble_fields(RunFacts& facts) {
  std::vector<Field> fields{{"warnings", &facts.warnings, Unit::sentence, "a sentence each"}};
  add_fields(fields, input_trouble_fields(facts));
  return fields;
}

Field inputs_field(RunFacts& facts) {
  return {"files", NestedList(&facts.inputs, ListLayout::lines), Unit::text,
          "the inputs in the order given, then those of `--against`"};
}

std::vector<Field> shard_fields(std::string& shard, RunFacts& facts) {
  std::vector<Field> fields{
      {"shard", &shard, Unit::code, "its number and that of all shards, as in `3/8`"},
      {"read", &facts.read, Unit::count, "records of its inputs"},
      {"documents", &facts.documents, Unit::count, "... that will be compared"},
      {"quarantined", &facts.quarantined, Unit::count, "... that could not be read"},
      {"filtered", &facts.filtered, Unit::count, "... that `--min-tokens` left out"},
      {"carried", &facts.carried, Unit::count, "... of an archive, that are not documents"},
      analyzer_field(facts)};
  add_fields(fields, trouble_fields(facts));
  fields.push_back(inputs_field(facts));
  fields.push_back(run_field(facts));
  return fields;
}

Field run_field(RunFacts& facts) {
  return measured(
      {"run", Nested([&facts] {
         return std::vector<Field>{
             {"verb", &facts.verb, Unit::text, "`dedup`, `cluster`, `recut`, `spans`, `detect`"},
             {"folder", &facts.folder, Unit::text,
              "where the run was made: relative names of inputs start from it"},
             {"identity", &facts.identity, Unit::code,
              "tells whether a later run is of the same command and inputs"},
             {"command", &facts.command, Unit::code, "the command, as typed"},
             {"version", &facts.version, Unit::text, "the version of twinset"},
             measured({"started", &facts.started, Unit::text, "when the run began, in UTC"}),
             measured({"seconds", &facts.seconds, Unit::seconds, "time that it took"}),
             measured(
                 {"cpu_seconds", &facts.cpu_seconds, Unit::seconds, "CPU time of all threads"}),
             measured({"stages", NestedMap(&facts.stages, &StageTime::stage), Unit::seconds,
                       "the same two of each stage; a continued run has only those it did"}),
             measured({"peak_memory_bytes", &facts.peak_memory_bytes, Unit::bytes,
                       "the most memory that the process held"}),
             measured({"spilled_bytes", &facts.spilled_bytes, Unit::bytes,
                       "bytes that were written to files of its own and removed"}),
             measured({"resumed", &facts.resumed, Unit::text, "true if it continued a killed run"}),
             {"outputs", NestedList(&facts.outputs), Unit::text,
              "each file of the folder but this one: the same command later checks that they are "
              "there before it says that the output is complete"}};
       }),
       Unit::text, "how the run went; the only part that differs between two equal runs"});
}

std::vector<Field> fields_of(RunFacts& facts) {
  std::vector<Field> fields{
      without_signature_field(facts),
      coordinates_field(facts),
      by_edits_field(facts),
      analyzer_field(facts),
      {"text_bytes", &facts.text_bytes, Unit::bytes, "bytes of all texts, decoded"}};
  add_fields(fields, trouble_fields(facts));
  fields.push_back(inputs_field(facts));
  fields.push_back(run_field(facts));
  return fields;
}

}  // namespace twinset
