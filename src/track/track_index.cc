// The versions of one page that an index holds: the rules of track over what is stored of each.
//
// Where the index keeps texts, signatures and samples are made of them as track() makes them. Else
// the schemes of the index tell: the first with a distance weighs a change, and the first that
// estimates shares does the rest.
//
// This file's interface is Index::track() of twinset/index.h; the rest is private.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/plain_bytes.h"
#include "scheme/spec.h"
#include "search/index.h"
#include "search/locate.h"
#include "system/context.h"
#include "text/dates.h"
#include "track/version_chain.h"
#include "twinset/index.h"

namespace twinset {
namespace {

class StoredVersions {
 public:
  StoredVersions(const IndexSnapshot& snapshot, const std::atomic<bool>* cancel)
      : snapshot_(snapshot), cancel_(cancel), view_(snapshot.signer().view()) {}

  Status choose_schemes();
  /// Those of a URL with a date, in its order.
  Result<std::vector<PageVersion>> of_url(std::string_view url);
  const Scheme* signer() const { return signer_; }
  const Scheme* sampler() const { return sampler_; }

 private:
  Result<std::optional<PageVersion>> version(IndexPlace place);
  Status take_text(const std::string& text, Markup markup, PageVersion& version);
  Status take_sketches(IndexPlace place, PageVersion& version) const;
  std::string stored(const Scheme& scheme);

  const IndexSnapshot& snapshot_;
  const std::atomic<bool>* cancel_;
  RecordView view_;
  Sketch sketch_;
  std::unique_ptr<Scheme> made_signer_;  ///< of an index with texts
  std::unique_ptr<Scheme> made_sampler_;
  const Scheme* signer_ = nullptr;
  const Scheme* sampler_ = nullptr;
  std::size_t signer_number_ = 0;  ///< of the index
  std::size_t sampler_number_ = 0;
};

Status StoredVersions::choose_schemes() {
  const IndexSigner& of_index = snapshot_.signer();
  if (of_index.settings().texts) {
    const Analyzer& analyzer = *of_index.view().analyzer;
    FileSystem& files = files_of({});
    TWINSET_ASSIGN(made_signer_,
                   make_scheme(spec_for(analyzer, TrackOptions().scheme), 0.5, files));
    TWINSET_ASSIGN(made_sampler_, make_scheme(spec_for(analyzer, version_sampler), 0.5, files));
    signer_ = made_signer_.get();
    sampler_ = made_sampler_.get();
    return {};
  }
  for (std::size_t i = of_index.schemes().size(); i-- > 0;) {
    const Scheme& scheme = *of_index.schemes()[i].scheme;
    if (scheme.declaration().tells == Tells::distance) {
      signer_ = &scheme;
      signer_number_ = i;
    } else if (scheme.estimates()) {
      sampler_ = &scheme;
      sampler_number_ = i;
    }
  }
  return {};
}

Result<std::vector<PageVersion>> StoredVersions::of_url(std::string_view url) {
  TWINSET_ASSIGN(const std::vector<IndexPlace> places, snapshot_.find_url(url));
  std::vector<PageVersion> versions;
  for (const IndexPlace place : places) {
    TWINSET_TRY(check_stop(cancel_));
    TWINSET_ASSIGN(std::optional<PageVersion> version, this->version(place));
    if (version.has_value()) versions.push_back(std::move(*version));
  }
  std::ranges::sort(versions, ByPageAndDate());
  return versions;
}

/// nullopt: it has no date.
Result<std::optional<PageVersion>> StoredVersions::version(IndexPlace place) {
  TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(place));
  const std::optional<Date> date = parse_date(document.date);
  if (!date.has_value()) return std::optional<PageVersion>();
  PageVersion version;
  version.url = document.url;
  version.date = *date;
  version.written = document.date;
  version.id = document.id;
  version.record = document.serial;
  version.bytes_hash = document.bytes_hash.low;
  version.tokens_hash = document.tokens_hash;
  if (document.survivor.has_value()) {
    // Of a removed document the one in its place tells, which is the same or nearly so.
    TWINSET_ASSIGN(const auto survivor, snapshot_.find_serial(document.survivor->serial));
    if (survivor.has_value()) place = *survivor;
  }
  const Segment& segment = *snapshot_.parts()[place.segment].segment;
  TWINSET_ASSIGN(const std::optional<std::string> text, segment.text(place.number));
  if (text.has_value()) {
    TWINSET_TRY(take_text(*text, document.markup, version));
  } else {
    TWINSET_TRY(take_sketches(place, version));
  }
  return std::optional(std::move(version));
}

Status StoredVersions::take_text(const std::string& text, Markup markup, PageVersion& version) {
  Record record;
  record.text = text;
  record.markup = markup;
  view_.look_at(record);
  version.signature = stored(*signer_);
  version.sample = stored(*sampler_);
  return {};
}

std::string StoredVersions::stored(const Scheme& scheme) {
  scheme.sketch(view_, sketch_);
  if (sketch_.empty) return {};
  return std::string(bytes_of(std::span<const std::uint8_t>(sketch_.stored)));
}

Status StoredVersions::take_sketches(IndexPlace place, PageVersion& version) const {
  const Segment& segment = *snapshot_.parts()[place.segment].segment;
  const auto take = [&](const Scheme* scheme, std::size_t number, std::string& out) -> Status {
    if (scheme == nullptr) return {};
    TWINSET_ASSIGN(const std::span<const std::uint8_t> sketch,
                   segment.sketch(number, place.number));
    out = bytes_of(sketch);
    return {};
  };
  TWINSET_TRY(take(signer_, signer_number_, version.signature));
  return take(sampler_, sampler_number_, version.sample);
}

}  // namespace

Result<TrackedPage> Index::track(std::string_view url, const std::atomic<bool>* cancel) const {
  const IndexSnapshot& snapshot = OpenIndex::snapshot(*this);
  StoredVersions stored(snapshot, cancel);
  TWINSET_TRY(stored.choose_schemes());
  TrackedPage page;
  TWINSET_ASSIGN(page.url, known_url(snapshot, url));
  if (page.url.empty()) {
    page.url = url;
    return page;
  }
  TWINSET_ASSIGN(const std::vector<PageVersion> versions, stored.of_url(page.url));
  VersionChain chain(stored.signer(), stored.sampler(), TrackOptions().distance);
  for (const PageVersion& version : versions) chain.add(version, page.versions);
  chain.end(page.versions);
  page.recrawl_days = chain.recrawl_days();
  // Error (usage) if none of the documents has a date.
  TWINSET_ASSIGN(const PageLocation now, locate(page.url, {}, cancel));
  page.gone = now.status == PageStatus::gone;
  if (now.status == PageStatus::moved) page.moved_to = now.newest->url;
  return page;
}

}  // namespace twinset
