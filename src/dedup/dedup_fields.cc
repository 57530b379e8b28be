#include "dedup/dedup_fields.h"

#include "join/fate.h"
#include "run/run_fields.h"
#include "template/template_fields.h"

namespace twinset {
namespace {

Field kinds_field(Counts& counts) {
  return {"removed_by_kind", Nested([&counts] {
            return std::vector<Field>{
                {"identical", &counts.identical, Unit::count, "removed records of equal bytes"},
                {"lexical", &counts.lexical, Unit::count, "... of equal tokens"},
                {"near", &counts.near, Unit::count, "... that resemble a kept one"},
                {"contained", &counts.contained, Unit::count, "... that a kept one contains"}};
          }),
          Unit::count, "`removed` by kind"};
}

/// The work of matching.
std::vector<Field> matching_fields(DedupSummary& summary) {
  return {{"clusters", &summary.clusters, Unit::count, "kept records with their removed ones"},
          {"largest_cluster", &summary.largest_cluster, Unit::count,
           "records of the largest, its representative included"},
          {"candidate_pairs", &summary.candidate_pairs, Unit::count, "pairs that share a key"},
          {"checked_pairs", &summary.checked_pairs, Unit::count,
           "candidates that passed the sketch check"},
          {"verified_pairs", &summary.verified_pairs, Unit::count,
           "pairs compared in full, including those of repair"},
          {"repair_rounds", &summary.repair_rounds, Unit::count,
           "rounds of repair until nothing was left"},
          {"repair_pairs", &summary.repair_pairs, Unit::count, "pairs added by these rounds"},
          if_set({"by_known_sketch", &summary.by_known_sketch, Unit::count,
                  "near copies that were removed by sketches of an index without texts"}),
          {"text_bytes", &summary.text_bytes, Unit::bytes, "bytes of all texts, decoded"}};
}

/// What was counted of an input, and what is needed to read it again.
std::vector<Field> file_fields(DedupSummary& summary, std::size_t i) {
  std::vector<Field> fields = fields_of(summary.files[i]);
  if (i >= summary.inputs.size()) return fields;
  add_fields(fields, reading_fields(summary.inputs[i]));
  fields.push_back({"", Restored{[&summary, i] {
                      FileCounts& file = summary.files[i];
                      file.name = summary.inputs[i].name;
                      summary.inputs[i].file = file.file;
                      summary.inputs[i].reference = file.reference;
                    }}});
  return fields;
}

Field files_field(DedupSummary& summary) {
  return {"files",
          NestedList(
              ListLayout::lines, [&summary] { return summary.files.size(); },
              [&summary](std::size_t size) {
                summary.files.resize(size);
                summary.inputs.resize(size);
              },
              [&summary](std::size_t i) { return file_fields(summary, i); }),
          Unit::text, "the inputs in the order given, then those of `--against`"};
}

}  // namespace

std::vector<Field> fields_of(Counts& counts) {
  return {{"read", &counts.read, Unit::count, "records"},
          {"kept", &counts.kept, Unit::count, "... that were kept"},
          {"removed", Computed{[&counts] { return counts.removed(); }}, Unit::count,
           "... that were removed"},
          {"quarantined", &counts.quarantined, Unit::count, "... that could not be read"},
          {"filtered", &counts.filtered, Unit::count, "... that `--min-tokens` left out"},
          {"carried", &counts.carried, Unit::count,
           "... that are not documents but belong to the output, to which they are passed on "
           "unchanged"},
          kinds_field(counts),
          {"read = kept + removed + quarantined + filtered + carried", FieldRule{[&counts] {
             return adds_up(counts.read, {counts.kept, counts.identical, counts.lexical,
                                          counts.near, counts.contained, counts.quarantined,
                                          counts.filtered, counts.carried});
           }}}};
}

std::vector<Field> fields_of(CopiesOfWords& copies) {
  return {{"other_signs", &copies.other_signs, Unit::count,
           "lexical copies whose signs, all that is neither a word nor white space, differ from "
           "their survivor's, as in C and C++; `--analyzer code` compares signs, too"},
          {"few_words", &copies.few_words, Unit::count,
           "identical and lexical copies of fewer than five words"}};
}

std::vector<Field> fields_of(FileCounts& file) {
  std::vector<Field> fields{{"file", &file.file, Unit::text, "its name, as you would write it"},
                            {"reference", &file.reference, Unit::text, "true for `--against`"}};
  // `file.name` is among the facts of the input.
  add_fields(fields, fields_of(file.counts));
  return fields;
}

std::vector<Field> fields_of(DedupSummary& summary) {
  if (!summary.shard.empty()) return shard_fields(summary.shard, summary);
  std::vector<Field> fields = fields_of(summary.total);
  fields.push_back({"copies_of_words", Nested(&summary.copies_of_words), Unit::count,
                    "Of the removed records, those that you may not want to lose. 0 where no "
                    "records are written, and without copies of `--against`"});
  fields.push_back({"matching", Nested([&summary] { return matching_fields(summary); }),
                    Unit::count, "the work of matching"});
  fields.push_back(without_signature_field(summary));
  fields.push_back(coordinates_field(summary));
  fields.push_back(by_edits_field(summary));
  fields.push_back({"scheme", &summary.scheme, Unit::code,
                    "the full spec: every parameter; a file is named as NAME@HASH"});
  fields.push_back(
      {"plan", &summary.plan, Unit::text, "the band plan in words; empty without bands"});
  fields.push_back(if_set(
      {"index", &summary.index, Unit::text, "the index that the records were compared with"}));
  fields.push_back(if_set({"index_serials", &summary.index_serials, Unit::count,
                           "documents that the index had been given, those of this run included"}));
  fields.push_back(
      if_set({"added", &summary.added, Unit::count, "kept records that went into the index"}));
  fields.push_back(if_set({"templates", OptionalNested(&summary.templates), Unit::count,
                           "the sites of pages, if templates were left out"}));
  fields.push_back(analyzer_field(summary));
  add_fields(fields, trouble_fields(summary));
  fields.push_back(files_field(summary));
  fields.push_back(run_field(summary));
  fields.push_back({"", Restored{[&summary] {
                      static_cast<RecordCounts&>(summary) = counts_of(summary.total);
                    }}});
  return fields;
}

std::vector<Field> fields_of(Removal& removal) {
  return {
      {"id", AsWritten{&removal.document.id}, Unit::text, "the removed record's id"},
      {"file", &removal.document.file, Unit::text, "its file"},
      {"record", &removal.document.record, Unit::count, "its number there"},
      {"kind", Choice(&removal.kind, removal_kinds()), Unit::text,
       "`identical`: equal text bytes. `lexical`: equal tokens. `near`: resemblance at or above "
       "the threshold. `contained`: containment in the survivor at or above its threshold"},
      {"survivor_id", AsWritten{&removal.survivor.id}, Unit::text,
       "the kept record: the first in keep order among the verified edges"},
      {"survivor_file", &removal.survivor.file, Unit::text, "its file"},
      {"survivor_record", &removal.survivor.record, Unit::count,
       "its number there; of one in an index its number in the order of adding"},
      {"resemblance", &removal.resemblance, Unit::share,
       "of the two, as they were compared: without templates if the run left them out"},
      if_set({"standard_error", &removal.standard_error, Unit::share,
              "with `--verify sketch`: of `resemblance`; the containments and the numbers of "
              "shingles are left out"}),
      if_set({"interval", OptionalNested(&removal.interval), Unit::share,
              "likewise: the `value` and the `low` and `high` ends of its 95 % interval, Wilson's "
              "for a sample of that standard error"}),
      if_set({"containment", &removal.containment, Unit::share,
              "of the removed record in the survivor"}),
      if_set({"survivor_containment", &removal.survivor_containment, Unit::share,
              "of the survivor in the removed record"}),
      if_set({"shared_shingles", &removal.shared_shingles, Unit::count,
              "of a `near` or `contained` record: distinct shingles in both"}),
      if_set({"shingles", &removal.shingles, Unit::count, "... in the removed record"}),
      if_set({"survivor_shingles", &removal.survivor_shingles, Unit::count, "... in the survivor"}),
      if_set({"template_shingles", &removal.template_shingles, Unit::count,
              "if templates were left out: the windows of five words (of the run's shingle length) "
              "of the removed record that were not compared, an equal window counted each time; 0 "
              "of a page compared whole. With `shingles` they say how much of the page the numbers "
              "speak of"}),
      {"fingerprint", checksum_form(removal.document.fingerprint), Unit::code,
       "xXH3-64 of the bytes of each record in its input, without its line end: 16 hexadecimal "
       "digits. With them `explain`, `show` and `restore` see that a record has changed since the "
       "run"},
      {"survivor_fingerprint", checksum_form(removal.survivor.fingerprint), Unit::code,
       "likewise of the survivor; of one in an index it is another hash, of its text"}};
}

RecordCounts counts_of(const Counts& total) {
  const std::uint64_t others = total.quarantined + total.filtered + total.carried;
  return {total.read, total.read - others, total.quarantined, total.filtered, total.carried};
}

}  // namespace twinset
