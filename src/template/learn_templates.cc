#include "template/learn_templates.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "io/json.h"
#include "rows/table.h"

namespace twinset {
namespace {

/// Found with all pages of a site, and with a sample of 2,000: link blocks of local menus are rare
/// on a large site, so this does not grow with it.
constexpr std::uint64_t link_pages = 15;
constexpr std::uint64_t link_pages_of_sample = 3;
constexpr std::uint64_t bytes_of_site = 128;
constexpr std::size_t listed_sites = 20;

RowsOptions for_rows(RowsOptions options) {
  options.memory_bytes -= options.memory_bytes / 4;
  return options;
}

}  // namespace

std::string LearnedTemplates::json() const {
  std::vector<const LearnedSite*> largest;
  std::uint64_t pages = 0;
  std::uint64_t left_alone = 0;
  std::uint64_t too_alike = 0;
  std::string first_too_alike;
  for (const LearnedSite& site : sites) {
    pages += site.pages;
    left_alone += site.counted == 0 ? 1 : 0;
    if (site.counted == 0 && site.pages + site.copies >= template_least_pages) {
      if (++too_alike == 1) first_too_alike = site.host;
    }
    if (site.counted > 0) largest.push_back(&site);
  }
  std::ranges::stable_sort(largest, std::greater(), &LearnedSite::pages);
  largest.resize(std::min(largest.size(), listed_sites));
  std::string list = "[";
  for (const LearnedSite* site : largest) {
    if (list.size() > 1) list += ", ";
    JsonObject one(list);
    one.string("site", site->host)
        .number("pages", site->pages)
        .number("copies", site->copies)
        .number("counted", site->counted);
    one.end();
  }
  list += "]";
  std::string out;
  JsonObject all(out);
  all.number("sites", sites.size())
      .number("pages", pages)
      .number("left_alone", left_alone)
      .number("too_alike", too_alike)
      .string("first_too_alike", first_too_alike)
      .number("not_learned", sites_not_learned)
      .string("first_not_learned", first_not_learned)
      .raw("largest", list);
  all.end();
  return out;
}

TemplateLearner::TemplateLearner(const RowsOptions& options)
    : options_(options), rows_(for_rows(options)) {}

TemplateLearner::Site* TemplateLearner::find_site(std::string_view host, std::uint32_t& number) {
  const std::uint64_t hash = site_hash(host);
  if (const auto found = numbers_.find(hash); found != numbers_.end()) {
    number = found->second;
    return &sites_[number];
  }
  if (site_bytes_ + bytes_of_site + host.size() > options_.memory_bytes / 4) {
    if (first_not_learned_.empty()) first_not_learned_ = host;
    // Their number is exact as long as there are no more than sites that are learned.
    if (not_learned_.size() < sites_.size()) not_learned_.try_emplace(hash, true);
    return nullptr;
  }
  site_bytes_ += bytes_of_site + host.size();
  number = static_cast<std::uint32_t>(sites_.size());
  numbers_.emplace(hash, number);
  sites_.push_back({std::string(host), 0, 0, {}});
  return &sites_.back();
}

/// Notes the page. False if it cannot be among those that are counted.
bool TemplateLearner::takes_part(Site& site, std::uint32_t rank) const {
  ++site.pages;
  if (site.lowest.size() < sample_pages) {
    site.lowest.push_back(rank);
    std::ranges::push_heap(site.lowest);
  } else if (rank < site.lowest.front()) {
    std::ranges::pop_heap(site.lowest);
    site.lowest.back() = rank;
    std::ranges::push_heap(site.lowest);
  }
  return site.pages <= most_pages || rank <= site.lowest.front();
}

Status TemplateLearner::add(std::string_view host, std::uint32_t rank,
                            std::span<const std::uint64_t> keys) {
  std::uint32_t number = 0;
  Site* const site = find_site(host, number);
  if (site == nullptr || !takes_part(*site, rank)) return {};
  page_.clear();
  for (const std::uint64_t key : keys) page_.push_back({key, number, rank});
  return rows_.append(page_);
}

void TemplateLearner::add_copy(std::string_view host) {
  std::uint32_t number = 0;
  if (Site* const site = find_site(host, number)) ++site->copies;
}

Result<LearnedTemplates> TemplateLearner::freeze(const std::string& path) {
  TWINSET_TRY(rows_.seal());
  LearnedTemplates learned{{}, not_learned_.size(), first_not_learned_};
  std::vector<std::uint32_t> highest(sites_.size());  // rank that counts
  std::vector<std::uint64_t> least(sites_.size());    // count that is stored
  std::vector<TemplateRow> site_rows;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Site& site = sites_[i];
    const bool all = site.pages <= most_pages;
    const bool alone = site.pages < template_least_pages;
    highest[i] = all ? std::numeric_limits<std::uint32_t>::max() : site.lowest.front();
    const std::uint64_t of_links = all ? link_pages : link_pages_of_sample;
    const std::uint64_t pages = all ? site.pages : sample_pages;
    least[i] = alone ? UINT64_MAX : std::min(template_rare_pages + 1, of_links);
    learned.sites.push_back({site.host, site.pages, site.copies, alone ? 0 : pages});
    if (!alone) site_rows.push_back({site_key(site_hash(site.host)), pages << 8 | of_links});
  }
  std::ranges::sort(learned.sites, {}, &LearnedSite::host);
  std::ranges::sort(site_rows, {}, &TemplateRow::key);

  const std::string json = learned.json();
  TableWriter<TemplateRow> writer(*options_.context, path,
                                  TemplateTable::kind(options_.fingerprint), json);
  auto next_site = site_rows.begin();
  const auto put_sites = [&](std::uint64_t before) -> Status {
    for (; next_site != site_rows.end() && next_site->key < before; ++next_site) {
      TWINSET_TRY(writer.append(std::span<const TemplateRow>(&*next_site, 1)));
    }
    return {};
  };
  TWINSET_ASSIGN(const auto cursor, rows_.read());
  while (const Row* row = cursor->peek()) {
    const std::uint64_t key = row->key;
    const std::uint32_t site = row->site;
    std::uint64_t pages = 0;
    for (; row != nullptr && row->key == key; cursor->advance(), row = cursor->peek()) {
      if (row->rank <= highest[site]) ++pages;
    }
    if (pages < least[site]) continue;
    TWINSET_TRY(put_sites(key));
    const TemplateRow frequent{key, pages};
    TWINSET_TRY(writer.append(std::span<const TemplateRow>(&frequent, 1)));
  }
  TWINSET_TRY(cursor->status());
  TWINSET_TRY(put_sites(UINT64_MAX));
  TWINSET_TRY(writer.finish());
  TWINSET_TRY(rows_.discard());
  return learned;
}

}  // namespace twinset
