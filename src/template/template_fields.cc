#include "template/template_fields.h"

namespace twinset {
namespace {

std::vector<Field> site_fields(TemplateSiteFacts& site) {
  return {{"site", &site.site, Unit::text, "its host; empty: of all records without a URL"},
          {"pages", &site.pages, Unit::count, "its pages, copies left out"},
          {"copies", &site.copies, Unit::count, "copies of these pages"},
          {"counted", &site.counted, Unit::count, "pages that were counted"}};
}

std::vector<Field> site_counts(TemplateFacts& facts) {
  return {
      if_set({"texts", &facts.texts, Unit::code,
              "true if the inputs have no pages: then a site is a group of texts, and a page a "
              "text"}),
      {"sites", &facts.sites, Unit::count, "sites of the pages"},
      {"pages", &facts.pages, Unit::count, "pages of these sites, copies left out"},
      {"left_alone", &facts.left_alone, Unit::count,
       "sites with fewer than 50 such pages, or 11 such texts"},
      {"too_alike", &facts.too_alike, Unit::count, "those of them with so many when copies count"},
      {"first_too_alike", &facts.first_too_alike, Unit::text, "the first of these by name"},
      {"not_learned", &facts.not_learned, Unit::count, "sites that memory could not hold"},
      {"first_not_learned", &facts.first_not_learned, Unit::text, "the first of these by name"}};
}

}  // namespace

std::vector<Field> fields_of(TemplateSums& sums) {
  return {{"words", &sums.words, Unit::count, "words of the pages of learned sites"},
          {"words_left_out", &sums.words_left_out, Unit::count, "words left out of the comparison"},
          {"shingles_dropped", &sums.shingles_dropped, Unit::count,
           "windows of five words, equal ones counted each time"},
          {"pages_at_floor", &sums.pages_at_floor, Unit::count, "pages left with some 20 words"}};
}

std::vector<Field> fields_of(TemplateBlock& block) {
  return {{"pages", &block.pages, Unit::count, "counted pages that have it"},
          {"words", &block.words, Unit::count, "words of the block"},
          {"text", &block.text, Unit::text, "its first words"}};
}

std::vector<Field> fields_of(TemplateSiteFacts& site) {
  std::vector<Field> fields = site_fields(site);
  add_fields(fields, fields_of(site.left_out));
  fields.push_back({"blocks", NestedList(&site.blocks), Unit::count,
                    "blocks that were left out: the 20 that most counted pages have"});
  return fields;
}

std::vector<Field> fields_of(TemplateFacts& facts) {
  std::vector<Field> fields = site_counts(facts);
  add_fields(fields, fields_of(facts.left_out));
  fields.push_back(
      {"largest", NestedList(&facts.largest), Unit::count, "up to 20 sites, most pages first"});
  return fields;
}

std::vector<Field> learned_fields(TemplateFacts& facts) {
  std::vector<Field> fields = site_counts(facts);
  std::vector<TemplateSiteFacts>* const sites = &facts.largest;
  fields.push_back({"largest", NestedList(
                                   ListLayout::one_line, [sites] { return sites->size(); },
                                   [sites](std::size_t size) { sites->resize(size); },
                                   [sites](std::size_t i) { return site_fields((*sites)[i]); })});
  return fields;
}

}  // namespace twinset
