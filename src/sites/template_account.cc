// This file's interface is sites/template_account.h; the rest is private.
#include "sites/template_account.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "io/json.h"
#include "io/json_read.h"
#include "report/numbers.h"
#include "report/visible.h"
#include "sites/left_out_shingles.h"
#include "template/template_table.h"

namespace twinset {
namespace {

constexpr const char* account_state = "template_account";
constexpr std::size_t shown_sites = 20;
constexpr std::size_t shown_blocks = 10;

/// More pages first, then more words.
bool listed_before(const LeftOutBlock& a, const LeftOutBlock& b) {
  return std::pair(b.pages, b.words) < std::pair(a.pages, a.words);
}

void append_sums(JsonObject& object, const LeftOutSums& sums) {
  object.number("words", sums.words)
      .number("words_left_out", sums.words_left_out)
      .number("shingles_dropped", sums.shingles_left_out)
      .number("pages_at_floor", sums.at_floor);
}

LeftOutSums read_sums(const JsonNode& node) {
  const auto number = [&](const char* name) { return node[name].integer().value_or(0); };
  return {number("compared"), number("words"), number("words_left_out"), number("shingles_dropped"),
          number("pages_at_floor")};
}

std::string blocks_json(const std::vector<LeftOutBlock>& blocks, bool with_hash) {
  std::string list = "[";
  for (const LeftOutBlock& block : blocks) {
    if (list.size() > 1) list += ", ";
    JsonObject one(list);
    one.number("pages", block.pages).number("words", block.words);
    if (with_hash) one.number("hash", block.hash);
    one.string("text", block.text).end();
  }
  return list + "]";
}

/// All of it? Of some blocks a name stays.
bool is_left_out(const PageRest& rest, const PageBlock& block) {
  for (std::size_t token = block.begin; token < block.end; ++token) {
    if (!rest.dropped[token]) return false;
  }
  return true;
}

std::string site_name(const JsonNode& site) {
  const std::string host = site["site"].text();
  return host.empty() ? "(no URL)" : visible_name(host);
}

}  // namespace

LeftOutSums& LeftOutSums::operator+=(const LeftOutSums& other) {
  pages += other.pages;
  words += other.words;
  words_left_out += other.words_left_out;
  shingles_left_out += other.shingles_left_out;
  at_floor += other.at_floor;
  return *this;
}

void AccountRows::begin(const BatchPlace&) {
  all = {};
  sites.clear();
  blocks.clear();
  seen.clear();
}

std::vector<Collector*> TemplateAccount::collectors(const Job& job) {
  if (job.signer.view.templates == nullptr) return {};
  shingle_tokens_ = job.signer.view.shingle_tokens;
  // The table was checked when it was opened.
  const Result<JsonNode> learned =
      read_json(job.signer.view.templates->description(), templates_file);
  if (learned.ok()) {
    for (const JsonNode& site : learned.value()["largest"].elements()) {
      numbers_.emplace(site["site"].text(), numbers_.size());
    }
  }
  return {this};
}

Status TemplateAccount::open(const StateFile* checkpoint) {
  all_ = {};
  sites_.assign(numbers_.size(), {});
  known_.clear();
  least_ = std::vector<std::atomic<std::uint64_t>>(numbers_.size());
  if (checkpoint == nullptr) return {};
  const std::string state = checkpoint->text(account_state);
  TWINSET_ASSIGN(const JsonNode read, read_json(state, "the checkpoint of templates"));
  all_ = read_sums(read);
  const std::vector<JsonNode> sites = read["sites"].elements();
  for (std::size_t i = 0; i < std::min(sites.size(), sites_.size()); ++i) {
    sites_[i].sums = read_sums(sites[i]);
    for (const JsonNode& block : sites[i]["blocks"].elements()) {
      const auto number = [&](const char* name) { return block[name].integer().value_or(0); };
      list(i, {number("pages"), number("words"), number("hash"), block["text"].text()});
    }
  }
  return {};
}

Status TemplateAccount::checkpoint(StateFile& file) {
  std::string sites = "[";
  for (const Site& site : sites_) {
    if (sites.size() > 1) sites += ", ";
    JsonObject one(sites);
    one.number("compared", site.sums.pages);
    append_sums(one, site.sums);
    one.raw("blocks", blocks_json(site.blocks, true)).end();
  }
  std::string state;
  JsonObject object(state);
  object.number("compared", all_.pages);
  append_sums(object, all_);
  object.raw("sites", sites + "]").end();
  file.set(account_state, state);
  return {};
}

void TemplateAccount::take(const ReadRecord& record, AccountRows& rows) const {
  if (!record.is_document()) return;
  const RecordView& view = record.view;
  const PageRest* const rest = view.rest();
  if (rest == nullptr) return;
  const std::uint64_t words = view.whole_analysis().tokens.size();
  const std::uint64_t left = view.analysis().tokens.size();
  const LeftOutSums page{1, words, words - left,
                         windows_of(words, shingle_tokens_) - windows_of(left, shingle_tokens_),
                         rest->at_floor ? std::uint64_t{1} : 0};
  rows.all += page;
  const auto found = numbers_.find(view.site());
  if (found == numbers_.end()) return;
  rows.sites.resize(numbers_.size());
  rows.sites[found->second] += page;
  for (std::size_t i = 0; i < view.blocks().size(); ++i) {
    const PageBlock& block = view.blocks()[i];
    if (is_left_out(*rest, block)) note_block(view, i, found->second, rows);
  }
}

/// Blocks dropped for their windows alone have no pages in the table and are not listed.
void TemplateAccount::note_block(const RecordView& view, std::size_t block, std::size_t site,
                                 AccountRows& rows) const {
  const std::uint64_t pages = view.block_pages(block);
  if (pages == 0 || pages < least_[site].load(std::memory_order_relaxed)) return;
  const PageBlock& place = view.blocks()[block];
  const std::uint64_t hash =
      block_hash(std::span(view.whole_analysis().tokens).subspan(place.begin, place.size()));
  if (is_known(hash ^ mix64(site)) || !rows.seen.insert(hash ^ mix64(site)).second) return;
  rows.blocks.push_back({site, {pages, place.size(), hash, first_words(view.block_text(block))}});
}

Status TemplateAccount::put(AccountRows& rows) {
  all_ += rows.all;
  for (std::size_t i = 0; i < rows.sites.size(); ++i) sites_[i].sums += rows.sites[i];
  for (auto& [site, block] : rows.blocks) list(site, std::move(block));
  return {};
}

bool TemplateAccount::is_known(std::uint64_t block) const {
  const std::shared_lock lock(known_mutex_);
  return known_.contains(block);
}

void TemplateAccount::list(std::size_t site, LeftOutBlock block) {
  std::vector<LeftOutBlock>& listed = sites_[site].blocks;
  {
    const std::unique_lock lock(known_mutex_);
    if (!known_.insert(block.hash ^ mix64(site)).second) return;
  }
  listed.insert(std::ranges::upper_bound(listed, block, listed_before), std::move(block));
  if (listed.size() > listed_blocks) listed.pop_back();
  if (listed.size() == listed_blocks) least_[site] = listed.back().pages;
}

std::string TemplateAccount::json(const TemplateTable& table) const {
  const Result<JsonNode> learned = read_json(table.description(), templates_file);
  if (!learned.ok()) return table.description();
  std::string out;
  JsonObject object(out);
  for (const auto& [name, value] : learned.value().fields()) {
    if (name != "largest") object.raw(name, value.raw());
  }
  append_sums(object, all_);
  std::string list = "[";
  for (const JsonNode& node : learned.value()["largest"].elements()) {
    const Site& site = sites_[numbers_.at(node["site"].text())];
    if (list.size() > 1) list += ", ";
    JsonObject one(list);
    for (const auto& [name, value] : node.fields()) one.raw(name, value.raw());
    append_sums(one, site.sums);
    one.raw("blocks", blocks_json(site.blocks, false)).end();
  }
  object.raw("largest", list + "]").end();
  return out;
}

std::string left_out_text(const std::string& json) {
  const Result<JsonNode> facts = read_json(json, templates_file);
  if (!facts.ok()) return {};
  const std::uint64_t sites = facts.value()["largest"].elements().size();
  if (sites == 0) return "no site has templates that could be learned; whole pages are compared";
  const LeftOutSums all = read_sums(facts.value());
  const std::uint64_t learned = facts.value()["sites"].integer().value_or(0) -
                                facts.value()["left_alone"].integer().value_or(0);
  return fmt::format("templates of {} left out of the comparison: {} of {}",
                     format_count(learned, "site", "sites"),
                     format_percent(all.words_left_out, all.words),
                     format_count(all.words, "word", "words"));
}

void add_template_sections(const std::string& json, ReportFacts& report) {
  const Result<JsonNode> read = read_json(json, templates_file);
  if (!read.ok()) return;
  Section section{.name = "templates", .title = "Templates"};
  const JsonNode& facts = read.value();
  const auto number = [](const JsonNode& node, const char* name) {
    return node[name].integer().value_or(0);
  };
  section.lead =
      "Blocks that many unlike pages of a site have in common were left out of the comparison. "
      "Pages are counted once for each group of copies; a page with fewer than 20 words left got "
      "its rarest blocks back. The records themselves are whole.";
  section.numbers = {
      {"Sites", Value::count(number(facts, "sites")),
       format_count(number(facts, "left_alone")) + " left alone: fewer than 50 unlike pages"},
      {"Words left out", Value::percent(number(facts, "words_left_out"), number(facts, "words")),
       "of " + format_count(number(facts, "words"), "word", "words")},
      {"Pages of 20 words", Value::count(number(facts, "pages_at_floor")), "compared by little"}};
  Table sites{{"site", "pages", "copies", "counted", "words left out", "pages of 20 words"}, {}};
  Table blocks{{"site", "pages", "words", "block"}, {}};
  for (const JsonNode& site : facts["largest"].elements()) {
    if (sites.rows.size() == shown_sites) break;
    const std::string name = site_name(site);
    sites.rows.push_back({Value::text(name), Value::count(number(site, "pages")),
                          Value::count(number(site, "copies")),
                          Value::count(number(site, "counted")),
                          Value::percent(number(site, "words_left_out"), number(site, "words")),
                          Value::count(number(site, "pages_at_floor"))});
    std::size_t shown = 0;
    for (const JsonNode& block : site["blocks"].elements()) {
      if (shown++ == shown_blocks) break;
      blocks.rows.push_back({Value::text(name), Value::count(number(block, "pages")),
                             Value::count(number(block, "words")),
                             Value::text(visible_name(block["text"].text()))});
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
