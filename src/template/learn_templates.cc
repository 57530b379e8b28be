#include "template/learn_templates.h"

#include <algorithm>
#include <bit>
#include <functional>
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
/// One part in so many of the memory is for counters, and no more than these, which a large cache
/// holds.
constexpr std::uint64_t counters_part = 8;
constexpr std::uint64_t most_counters = std::uint64_t{16} << 20;

RowsOptions for_rows(RowsOptions options) {
  const std::uint64_t memory = options.memory_bytes;
  options.memory_bytes -= memory / 4 + std::min(memory / counters_part, most_counters);
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

TemplateLearner::Site* TemplateLearner::find_site(std::string_view host) {
  const std::uint64_t hash = site_hash(host);
  if (const auto found = numbers_.find(hash); found != numbers_.end()) {
    return &sites_[found->second];
  }
  if (site_bytes_ + bytes_of_site + host.size() > options_.memory_bytes / 4) {
    if (first_not_learned_.empty()) first_not_learned_ = host;
    // Their number is exact as long as there are no more than sites that are learned.
    if (not_learned_.size() < sites_.size()) not_learned_.insert(hash);
    return nullptr;
  }
  site_bytes_ += bytes_of_site + host.size();
  numbers_.emplace(hash, static_cast<std::uint32_t>(sites_.size()));
  sites_.push_back({std::string(host), 0, 0});
  return &sites_.back();
}

const TemplateLearner::Site* TemplateLearner::site_of(std::uint64_t site,
                                                      std::uint32_t& number) const {
  const auto found = numbers_.find(site);
  if (found == numbers_.end()) return nullptr;
  number = found->second;
  return &sites_[number];
}

void TemplateLearner::note(std::string_view host) {
  if (Site* const site = find_site(host)) ++site->pages;
}

void TemplateLearner::note_copy(std::string_view host) {
  if (Site* const site = find_site(host)) ++site->copies;
}

bool TemplateLearner::has_large_sites() {
  return std::ranges::any_of(sites_, [&](const Site& site) { return is_large(site); });
}

void TemplateLearner::note_rank(std::uint64_t site, std::uint32_t rank) {
  std::uint32_t number = 0;
  const Site* const found = site_of(site, number);
  if (found == nullptr || !is_large(*found)) return;
  std::vector<std::uint32_t>& lowest = lowest_[number];
  if (lowest.size() < sample_pages) {
    lowest.push_back(rank);
    std::ranges::push_heap(lowest);
  } else if (rank < lowest.front()) {
    std::ranges::pop_heap(lowest);
    lowest.back() = rank;
    std::ranges::push_heap(lowest);
  }
}

std::uint64_t TemplateLearner::least_count(const Site& site) const {
  return std::min(template_rare_pages + 1, is_large(site) ? link_pages_of_sample : link_pages);
}

bool TemplateLearner::counts(std::uint64_t site, std::uint32_t rank) const {
  std::uint32_t number = 0;
  const Site* const found = site_of(site, number);
  if (found == nullptr || found->pages < template_least_pages) return false;
  if (!is_large(*found)) return true;
  const auto lowest = lowest_.find(number);
  return lowest != lowest_.end() && rank <= lowest->second.front();
}

void TemplateLearner::expect(std::span<const std::uint64_t> keys) {
  if (counters_.empty()) {
    const std::uint64_t bytes = std::bit_floor(
        std::clamp(options_.memory_bytes / counters_part, std::uint64_t{2}, most_counters));
    counters_.resize(bytes);
    counter_shift_ = 64 - static_cast<unsigned>(std::countr_zero(bytes));
  }
  for (const std::uint64_t key : keys) {
    std::uint8_t& counter = counters_[counter_of(key)];
    counter = static_cast<std::uint8_t>(counter + (counter < UINT8_MAX ? 1 : 0));
  }
}

Status TemplateLearner::add(std::uint64_t site, std::uint32_t rank,
                            std::span<const std::uint64_t> keys) {
  std::uint32_t number = 0;
  const std::uint64_t least = least_count(*site_of(site, number));
  page_.clear();
  for (const std::uint64_t key : keys) {
    if (!counters_.empty() && counters_[counter_of(key)] < least) continue;
    page_.push_back({key, number, rank});
  }
  return rows_.append(page_);
}

Result<LearnedTemplates> TemplateLearner::freeze(const std::string& path) {
  counters_ = {};
  TWINSET_TRY(rows_.seal());
  LearnedTemplates learned{{}, not_learned_.size(), first_not_learned_};
  std::vector<std::uint64_t> least(sites_.size());  // count that is stored
  std::vector<TemplateRow> site_rows;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    Site& site = sites_[i];
    const bool large = is_large(site);
    const bool alone = site.pages < template_least_pages;
    const std::uint64_t pages = large ? sample_pages : site.pages;
    least[i] = least_count(site);
    if (!alone) {
      site_rows.push_back({site_key(site_hash(site.host)),
                           pages << 8 | (large ? link_pages_of_sample : link_pages)});
    }
    learned.sites.push_back({std::move(site.host), site.pages, site.copies, alone ? 0 : pages});
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
    for (; row != nullptr && row->key == key; cursor->advance(), row = cursor->peek()) ++pages;
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
