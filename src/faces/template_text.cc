// This file's interface is faces/template_text.h and to_text() of TemplateFacts; the rest is
// private.
#include "faces/template_text.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t shown_sites = 20;
constexpr std::size_t shown_blocks = 10;

std::string site_name(const TemplateSiteFacts& site) {
  return site.site.empty() ? "(no URL)" : visible_name(site.site);
}

}  // namespace

std::string to_text(const TemplateFacts& facts) {
  if (facts.largest.empty()) {
    return facts.texts ? "no templates could be learned; whole texts are compared"
                       : "no site has templates that could be learned; whole pages are compared";
  }
  const std::uint64_t learned = facts.sites - facts.left_alone;
  const std::string of = facts.texts ? format_count(learned, "group of texts", "groups of texts")
                                     : format_count(learned, "site", "sites");
  if (facts.left_out.words == 0) return "templates of " + of + " learned; pairs are of whole texts";
  return fmt::format("templates of {} left out of the comparison: {} of {}", of,
                     format_percent(facts.left_out.words_left_out, facts.left_out.words),
                     format_count(facts.left_out.words, "word", "words"));
}

void add_template_sections(const TemplateFacts& facts, ReportFacts& report) {
  Section section{.name = "templates", .title = "Templates"};
  section.lead =
      "Blocks that many unlike pages of a site have in common were left out of the comparison. "
      "Pages are counted once for each group of copies; a page with fewer than 20 words left got "
      "its rarest blocks back. The records themselves are whole.";
  section.numbers = {
      {"Sites", Value::count(facts.sites),
       format_count(facts.left_alone) + " left alone: fewer than 50 unlike pages"},
      {"Words left out", Value::percent(facts.left_out.words_left_out, facts.left_out.words),
       "of " + format_count(facts.left_out.words, "word", "words")},
      {"Pages of 20 words", Value::count(facts.left_out.pages_at_floor), "compared by little"}};
  Table sites{{"site", "pages", "copies", "counted", "words left out", "pages of 20 words"}, {}};
  Table blocks{{"site", "pages", "words", "block"}, {}};
  for (const TemplateSiteFacts& site : facts.largest) {
    if (sites.rows.size() == shown_sites) break;
    const std::string name = site_name(site);
    sites.rows.push_back({Value::text(name), Value::count(site.pages), Value::count(site.copies),
                          Value::count(site.counted),
                          Value::percent(site.left_out.words_left_out, site.left_out.words),
                          Value::count(site.left_out.pages_at_floor)});
    std::size_t shown = 0;
    for (const TemplateBlock& block : site.blocks) {
      if (shown++ == shown_blocks) break;
      blocks.rows.push_back({Value::text(name), Value::count(block.pages),
                             Value::count(block.words), Value::text(visible_name(block.text))});
    }
  }
  if (!sites.rows.empty()) section.tables.push_back(std::move(sites));
  report.sections.push_back(std::move(section));
  if (blocks.rows.empty()) return;
  Section most{.name = "blocks", .title = "Blocks left out most often"};
  most.lead = "By the number of unlike pages that have an equal block; each with its first words.";
  most.tables.push_back(std::move(blocks));
  report.sections.push_back(std::move(most));
}

}  // namespace twinset
