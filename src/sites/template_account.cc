// This file's interface is sites/template_account.h; the rest is private.
#include "sites/template_account.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "io/field_json.h"
#include "io/json.h"
#include "io/json_read.h"
#include "sites/left_out_shingles.h"
#include "template/template_fields.h"
#include "template/template_table.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr const char* account_state = "template_account";

/// More pages first, then more words.
bool listed_before(const LeftOutBlock& a, const LeftOutBlock& b) {
  return std::pair(b.pages, b.words) < std::pair(a.pages, a.words);
}

std::vector<Field> sums_fields(LeftOutSums& sums) {
  std::vector<Field> fields{{"compared", &sums.pages}};
  add_fields(fields, fields_of(static_cast<TemplateSums&>(sums)));
  return fields;
}

/// The sums and blocks of a site, as a checkpoint has them.
struct SiteState {
  LeftOutSums sums;
  std::vector<LeftOutBlock> blocks;
};

std::vector<Field> state_fields(LeftOutBlock& block) {
  std::vector<Field> fields = fields_of(static_cast<TemplateBlock&>(block));
  fields.push_back({"hash", &block.hash});
  return fields;
}

std::vector<Field> state_fields(SiteState& site) {
  std::vector<Field> fields = sums_fields(site.sums);
  std::vector<LeftOutBlock>* const blocks = &site.blocks;
  fields.push_back({"blocks", NestedList(
                                  ListLayout::one_line, [blocks] { return blocks->size(); },
                                  [blocks](std::size_t size) { blocks->resize(size); },
                                  [blocks](std::size_t i) { return state_fields((*blocks)[i]); })});
  return fields;
}

/// What a checkpoint has: the sums of all pages, and of each listed site.
struct AccountState {
  LeftOutSums all;
  std::vector<SiteState> sites;
};

std::vector<Field> state_fields(AccountState& state) {
  std::vector<Field> fields = sums_fields(state.all);
  std::vector<SiteState>* const sites = &state.sites;
  fields.push_back({"sites", NestedList(
                                 ListLayout::one_line, [sites] { return sites->size(); },
                                 [sites](std::size_t size) { sites->resize(size); },
                                 [sites](std::size_t i) { return state_fields((*sites)[i]); })});
  return fields;
}

/// All of it? Of some blocks a name stays.
bool is_left_out(const PageRest& rest, const PageBlock& block) {
  for (std::size_t token = block.begin; token < block.end; ++token) {
    if (!rest.dropped[token]) return false;
  }
  return true;
}

}  // namespace

LeftOutSums& LeftOutSums::operator+=(const LeftOutSums& other) {
  pages += other.pages;
  words += other.words;
  words_left_out += other.words_left_out;
  shingles_dropped += other.shingles_dropped;
  pages_at_floor += other.pages_at_floor;
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
  for (const TemplateSiteFacts& site : job.signer.view.templates->learned().largest) {
    numbers_.emplace(site.site, numbers_.size());
  }
  return {this};
}

Status TemplateAccount::open(const StateFile* checkpoint) {
  all_ = {};
  sites_.assign(numbers_.size(), {});
  known_.clear();
  least_ = std::vector<std::atomic<std::uint64_t>>(numbers_.size());
  if (checkpoint == nullptr) return {};
  AccountState state;
  TWINSET_TRY(read_fields(checkpoint->text(account_state), "the checkpoint of templates",
                          state_fields(state)));
  all_ = state.all;
  for (std::size_t i = 0; i < std::min(state.sites.size(), sites_.size()); ++i) {
    sites_[i].sums = state.sites[i].sums;
    for (LeftOutBlock& block : state.sites[i].blocks) list(i, std::move(block));
  }
  return {};
}

Status TemplateAccount::checkpoint(StateFile& file) {
  AccountState state{all_, {}};
  for (const Site& site : sites_) state.sites.push_back({site.sums, site.blocks});
  file.set(account_state, fields_json(state_fields(state)));
  return {};
}

Status TemplateAccount::take(const ReadRecord& record, AccountRows& rows) const {
  if (!record.is_document()) return {};
  const RecordView& view = record.view;
  const PageRest* const rest = view.rest();
  if (rest == nullptr) return {};
  const std::uint64_t words = view.whole_analysis().tokens.size();
  const std::uint64_t left = view.analysis().tokens.size();
  const LeftOutSums page{
      {words, words - left, windows_of(words, shingle_tokens_) - windows_of(left, shingle_tokens_),
       rest->at_floor ? std::uint64_t{1} : 0},
      1};
  rows.all += page;
  const auto found = numbers_.find(view.site());
  if (found == numbers_.end()) return {};
  rows.sites.resize(numbers_.size());
  rows.sites[found->second] += page;
  for (std::size_t i = 0; i < view.blocks().size(); ++i) {
    const PageBlock& block = view.blocks()[i];
    if (is_left_out(*rest, block)) note_block(view, i, found->second, rows);
  }
  return {};
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
  rows.blocks.push_back({site, {{pages, place.size(), first_words(view.block_text(block))}, hash}});
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

TemplateFacts TemplateAccount::facts(const TemplateTable& table) const {
  TemplateFacts facts = table.learned();
  facts.left_out = all_;
  for (TemplateSiteFacts& site : facts.largest) {
    const Site& found = sites_[numbers_.at(site.site)];
    site.left_out = found.sums;
    site.blocks.assign(found.blocks.begin(), found.blocks.end());
  }
  return facts;
}

}  // namespace twinset
