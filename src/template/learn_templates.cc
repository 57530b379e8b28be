#include "template/learn_templates.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <utility>

#include "io/field_json.h"
#include "rows/table.h"
#include "template/template_fields.h"

namespace twinset {
namespace {

/// Found with all pages of a site, and with a sample of 2,000: link blocks of local menus are rare
/// on a large site, so this does not grow with it.
constexpr std::uint64_t link_pages_of_all = 15;
constexpr std::uint64_t link_pages_of_sample = 3;
constexpr std::uint64_t bytes_of_site = 256;
constexpr std::size_t listed_sites = 20;
/// One part in so many of the memory is for counters, and no more than these, which a large cache
/// holds.
constexpr std::uint64_t counters_part = 8;
constexpr std::uint64_t most_counters = std::uint64_t{16} << 20;

RowsOptions for_rows(RowsOptions options, const char* suffix) {
  options.path += suffix;
  const std::uint64_t memory = options.memory_bytes;
  options.memory_bytes -= memory / 4 + std::min(memory / counters_part, most_counters);
  return options;
}

}  // namespace

TemplateFacts LearnedTemplates::facts() const {
  TemplateFacts facts;
  facts.texts = texts;
  facts.sites = sites.size() + left_alone;
  facts.pages = pages_left_alone;
  facts.left_alone = left_alone;
  facts.too_alike = too_alike;
  facts.first_too_alike = first_too_alike.value_or("");
  facts.not_learned = not_learned;
  facts.first_not_learned = first_not_learned.value_or("");
  std::vector<const LearnedSite*> largest;
  for (const LearnedSite& site : sites) {
    facts.pages += site.pages;
    largest.push_back(&site);
  }
  std::ranges::stable_sort(largest, std::greater(), &LearnedSite::pages);
  largest.resize(std::min(largest.size(), listed_sites));
  for (const LearnedSite* site : largest) {
    facts.largest.push_back({site->host, site->pages, site->copies, site->counted, {}, {}});
  }
  return facts;
}

std::string LearnedTemplates::json() const {
  TemplateFacts learned = facts();
  return fields_json(learned_fields(learned));
}

TemplateLearner::TemplateLearner(const RowsOptions& options, bool texts)
    : options_(options), notes_(for_rows(options, ".pages")), rows_(for_rows(options, "")) {
  learned_.texts = texts;
}

std::uint64_t TemplateLearner::Site::link_pages() const {
  return is_large() ? link_pages_of_sample : link_pages_of_all;
}

std::uint64_t TemplateLearner::Site::least_count() const {
  return std::min(template_rare_pages + 1, link_pages());
}

Status TemplateLearner::note(const NotedPage& page) { return notes_.append(page); }

Status TemplateLearner::choose(
    const std::function<Result<std::string>(std::uint64_t number)>& host_of) {
  TWINSET_TRY(notes_.seal());
  {
    TWINSET_ASSIGN(const auto cursor, notes_.read());
    std::vector<std::uint32_t> lowest;  // Ranks; a heap, the highest first.
    while (const NotedPage* page = cursor->peek()) {
      Site site{page->site, 0, 0, std::numeric_limits<std::uint32_t>::max(), {}};
      const std::uint64_t first_page = page->number;
      lowest.clear();
      for (; page != nullptr && page->site == site.hash; cursor->advance(), page = cursor->peek()) {
        if (page->is_copy != 0) {
          ++site.copies;
          continue;
        }
        ++site.pages;
        if (lowest.size() < sample_pages) {
          lowest.push_back(page->rank);
          std::ranges::push_heap(lowest);
        } else if (page->rank < lowest.front()) {
          std::ranges::pop_heap(lowest);
          lowest.back() = page->rank;
          std::ranges::push_heap(lowest);
        }
      }
      if (site.is_large()) site.highest_rank = lowest.front();
      TWINSET_TRY(choose_site(site, first_page, host_of));
    }
    TWINSET_TRY(cursor->status());
  }
  return notes_.discard();
}

Status TemplateLearner::choose_site(
    const Site& site, std::uint64_t first_page,
    const std::function<Result<std::string>(std::uint64_t number)>& host_of) {
  const std::uint64_t least = learned_.texts ? template_least_texts : template_least_pages;
  const bool alone = site.pages < least;
  const bool too_alike = alone && site.pages + site.copies >= least;
  if (alone) {
    ++learned_.left_alone;
    learned_.pages_left_alone += site.pages;
    if (!too_alike) return {};
  }
  TWINSET_ASSIGN(std::string host, host_of(first_page));
  const auto note_first = [&](std::optional<std::string>& first) {
    if (!first || host < *first) first = host;
  };
  if (too_alike) {
    ++learned_.too_alike;
    note_first(learned_.first_too_alike);
    return {};
  }
  site_bytes_ += bytes_of_site + host.size();
  if (site_bytes_ > options_.memory_bytes / 4) {
    ++learned_.not_learned;
    note_first(learned_.first_not_learned);
    return {};
  }
  sites_.push_back(site);
  sites_.back().host = std::move(host);
  return {};
}

const TemplateLearner::Site* TemplateLearner::find_site(std::uint64_t site) const {
  const auto found = std::ranges::lower_bound(sites_, site, {}, &Site::hash);
  return found != sites_.end() && found->hash == site ? &*found : nullptr;
}

bool TemplateLearner::counts(std::uint64_t site, std::uint32_t rank) const {
  const Site* const found = find_site(site);
  return found != nullptr && rank <= found->highest_rank;
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
  const Site* const found = find_site(site);
  const auto number = static_cast<std::uint32_t>(found - sites_.data());
  const std::uint64_t least = found->least_count();
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
  LearnedTemplates learned = std::move(learned_);
  std::vector<TemplateRow> site_rows;
  for (Site& site : sites_) {
    site_rows.push_back({site_key(site.hash), site.counted() << 8 | site.link_pages()});
    learned.sites.push_back({std::move(site.host), site.pages, site.copies, site.counted()});
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
    if (pages < sites_[site].least_count()) continue;
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
