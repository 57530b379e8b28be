#include "io/field_json.h"
#include "run/run_fields.h"
#include "twinset/field.h"
#include "twinset/phish.h"

namespace twinset {

std::vector<Field> fields_of(PhishPart& part) {
  return {{"text", &part.text, Unit::text, "its first words, at most 240 bytes"},
          {"offset", &part.offset, Unit::bytes, "where it begins in the text of the page"},
          {"length", &part.length, Unit::bytes, "its bytes there"}};
}

std::vector<Field> fields_of(PhishPage& page) {
  return {{"url", &page.url, Unit::text,
           "as its record has it; else the file, with `:RECORD` if that has many"},
          {"imitates", &page.imitates, Unit::text,
           "the known page that has most of its parts, as the labels name it"},
          {"site", &page.site, Unit::text, "the registered domain of that"},
          {"chunks", &page.chunks, Unit::count, "its parts, without short ones and stop chunks"},
          {"labeled", &page.labeled, Unit::count, "those of them that pages of `site` have"},
          {"contains", Computed{[&page] { return page.contains(); }}, Unit::share,
           "`labeled` / `chunks`, with 6 decimals"},
          {"parts", NestedList(&page.parts), Unit::count, "the first of these parts, at most 20"},
          {"file", &page.file, Unit::text, "its file, as you would write it"},
          {"record", &page.record, Unit::count, "its number in the file"},
          {"labeled <= chunks", FieldRule{[&page] { return page.labeled <= page.chunks; }}}};
}

std::vector<Field> fields_of(PhishSummary& summary) {
  std::vector<Field> fields{
      {"read", &summary.read, Unit::count, "records"},
      {"quarantined", &summary.quarantined, Unit::count, "... that could not be read"},
      {"pages", &summary.pages, Unit::count, "pages that were looked at"},
      {"imitations", &summary.imitations, Unit::count, "pages that imitate a known one"},
      {"own_pages", &summary.own_pages, Unit::count,
       "pages that hold parts of their own site alone, or are of a site of `--allow`"},
      {"pages_without_site", &summary.pages_without_site, Unit::count,
       "pages that have no URL with a host"},
      if_set({"first_without_site", &summary.first_without_site, Unit::text, "the first of them"}),
      {"chunks", &summary.chunks, Unit::count, "chunks of the pages"},
      {"short_chunks", &summary.short_chunks, Unit::count,
       "chunks left out because they are short"},
      {"stop_chunks", &summary.stop_chunks, Unit::count,
       "chunks left out because they are in the file of stop chunks"},
      {"labels", &summary.labels, Unit::count, "labels of chunks in the file"},
      {"labels_without_site", &summary.labels_without_site, Unit::count,
       "those of them that name no page with a host"},
      {"rules", &summary.rules, Unit::code, "how the chunks were cut and hashed"},
      {"labels_hash", &summary.labels_hash, Unit::code,
       "hash of the content of the file of labels"},
      {"stop_hash", &summary.stop_hash, Unit::code,
       "likewise of the file of stop chunks; empty if there is none"},
      {"public_suffixes", &summary.public_suffixes, Unit::code,
       "SHA-1 of the list by which registered domains are told"},
      {"bad_records", &summary.bad_records, Unit::text, "the first ones, as file:record: reason"},
      {"found", NestedList(&summary.found, ListLayout::lines), Unit::count,
       "the first of the ranked pages"}};
  add_fields(fields, trouble_fields(summary));
  fields.push_back(inputs_field(summary));
  fields.push_back(run_field(summary));
  return fields;
}

std::string to_json(const PhishSummary& summary) {
  std::string out;
  for (const PhishPage& page : summary.found) out += fields_json(fields_of(to_write(page))) + '\n';
  return out;
}

}  // namespace twinset
