// Lost and found. A page of the last sweep is here. Any other is followed: from the last document
// of its URL to later ones of other URLs that have its content, and from the last document of such
// a URL on, until one is in the last sweep.
//
// Pages of a site are alike by their menus and footers, and pages anywhere by what they quote. So a
// likeness is no evidence unless it is the page's own: what no other page had while the page was
// there, and few have at all. The dates of the index tell who was there. A page at another host
// that was a near copy all along is a mirror, and a place where the content may be found; one at
// the same host has only the same form.
//
// What is compared are the shingles of texts, or where an index keeps none the keys of a sample.
// Samples nest: a long page has only the coarsest of the keys that it shares with a short one, so
// the finer ones tell nothing of what is own.
//
// How much of the own content must be there follows from edits: of a page with a fifth of its words
// replaced, a third of the shingles of five words stays (0.8^5), and of a half of it, a sixth,
// which is again a third of that half.
//
// This file's interface is search/locate.h; the rest is private.
#include "search/locate.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "base/hash.h"
#include "base/message.h"
#include "index/find.h"
#include "run/common_options.h"
#include "system/context.h"
#include "web/url.h"

namespace twinset {
namespace {

/// A later document has at least so much of what is the page's own, ...
constexpr double least_part = 0.12;
/// ... and so much of it is that, or it has so much of the page's own.
constexpr double least_share = 0.15;
/// Fewer shared pieces are an accident, such as half a sentence that is quoted.
constexpr std::size_t least_pieces = 3;
/// A page of another host is a mirror from this resemblance on.
constexpr double mirror_resemblance = 0.8;
/// What more other pages have on one day is nobody's own.
constexpr std::size_t most_pages = 4;
/// Of the pages that were there, and of those that came later, so many are looked at, the likest.
constexpr std::size_t most_examined = 64;
/// A document without content of its own, such as "not found", is passed over for an earlier one of
/// its URL, so many times.
constexpr int most_passed_over = 8;
/// Places that are looked at for a page.
constexpr std::size_t most_places = 32;

/// A document with its date.
struct Sighting {
  Date date;
  IndexPlace place;
  auto operator<=>(const Sighting&) const = default;
};

/// A URL where the page's content may be.
struct PagePlace {
  std::string url;
  double share = 1;                    ///< of the content: the product over the moves
  std::vector<MoveEvidence> evidence;  ///< the moves
  std::vector<Sighting> seen;          ///< the documents of the URL, by date

  const Sighting& last() const { return seen.back(); }
};

class PageSearch {
 public:
  PageSearch(const IndexSnapshot& snapshot, std::uint64_t max_group,
             const std::atomic<bool>* cancel)
      : snapshot_(snapshot), cancel_(cancel), finder_(snapshot, cancel), max_group_(max_group) {
    // Keys that are counted are a sample of a document; others are of bands, or of the whole.
    const std::vector<IndexScheme>& schemes = snapshot.signer().schemes();
    const auto counted = std::ranges::find_if(schemes, [](const IndexScheme& each) {
      return each.scheme->declaration().shared_key == SharedKey::count;
    });
    if (counted != schemes.end()) scheme_ = static_cast<std::size_t>(counted - schemes.begin());
  }

  /// The documents of a URL that have a date, the earliest first.
  Result<std::vector<Sighting>> sightings(std::string_view url) const;
  /// Later documents of other URLs that have what is the page's own, the likest of each URL.
  Result<std::vector<MoveEvidence>> moves(const PagePlace& page);

 private:
  /// A document of another URL, and the pieces of the page that it has.
  struct Other {
    RelatedDocument found;
    IndexedDocument document;
    Date date;
    std::vector<bool> has{};  ///< pieces, by number
    /// It could have the pieces before this number; the others are too fine for its sample.
    std::size_t visible = 0;
    double pieces = 0;  ///< of its own, of those that the page could have
  };
  /// The pieces of a page: distinct shingles, or keys, the coarsest first.
  struct Pieces {
    std::vector<bool> own;
    std::size_t known = 0;  ///< of the pieces from this number on nobody knows whether they are own
    std::size_t count = 0;  ///< of own ones
  };

  Result<std::vector<Other>> other_pages(const PagePlace& page, RelatedDocuments& related) const;
  Status examine(const RelatedDocuments& related, Other& other);
  Result<Pieces> own_pieces(const PagePlace& page, const RelatedDocuments& related,
                            std::vector<Other>& others, const std::vector<Other*>& later);
  static std::vector<Other*> likest(std::vector<Other*> others, bool one_of_each);
  static std::optional<MoveEvidence> move_to(const Pieces& pieces, const Other& other);

  const IndexSnapshot& snapshot_;
  const std::atomic<bool>* cancel_;
  IndexFinder finder_;
  std::uint64_t max_group_;
  std::size_t scheme_ = 0;  ///< whose keys are the pieces
};

Result<std::vector<Sighting>> PageSearch::sightings(std::string_view url) const {
  TWINSET_ASSIGN(const std::vector<IndexPlace> places, snapshot_.find_url(url));
  std::vector<Sighting> seen;
  for (const IndexPlace place : places) {
    TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(place));
    if (const std::optional<Date> date = parse_date(document.date)) seen.push_back({*date, place});
  }
  std::ranges::sort(seen);
  return seen;
}

Result<std::vector<MoveEvidence>> PageSearch::moves(const PagePlace& page) {
  Fingerprint tried;
  int passed_over = 0;
  // The page's own versions are no others, and do not make a key common.
  std::vector<DocumentSet> left_out;
  for (const IndexSnapshot::Part& part : snapshot_.parts()) left_out.push_back(part.hidden);
  for (const Sighting& own : page.seen) left_out[own.place.segment].add(own.place.number);
  for (std::size_t i = page.seen.size(); i-- > 0 && passed_over < most_passed_over;) {
    TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(page.seen[i].place));
    if (document.tokens == 0 || document.tokens_hash == tried) continue;
    tried = document.tokens_hash;
    TWINSET_ASSIGN(RelatedDocuments related,
                   finder_.related(page.seen[i].place, max_group_, &left_out));
    TWINSET_ASSIGN(std::vector<Other> others, other_pages(page, related));
    std::vector<Other*> later;
    for (Other& other : others) {
      if (other.date > page.last().date) later.push_back(&other);
    }
    later = likest(std::move(later), true);
    for (Other* other : later) TWINSET_TRY(examine(related, *other));
    TWINSET_ASSIGN(const Pieces pieces, own_pieces(page, related, others, later));
    if (pieces.count < least_pieces) {
      ++passed_over;
      continue;
    }
    std::vector<MoveEvidence> moves;
    for (const Other* other : later) {
      std::optional<MoveEvidence> move = move_to(pieces, *other);
      if (!move.has_value()) continue;
      move->from = page.url;
      move->from_date = std::string(document.date);
      moves.push_back(std::move(*move));
    }
    return moves;
  }
  return std::vector<MoveEvidence>();
}

/// The documents of other URLs that have a date.
Result<std::vector<PageSearch::Other>> PageSearch::other_pages(const PagePlace& page,
                                                               RelatedDocuments& related) const {
  std::vector<Other> others;
  for (RelatedDocument& each : related.documents) {
    TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(each.place));
    if (document.url.empty() || document.url == page.url) continue;
    const std::optional<Date> date = parse_date(document.date);
    if (date.has_value()) others.push_back({std::move(each), document, *date});
  }
  return others;
}

/// Those that have the most keys of the page; of each URL one, if `one_of_each`.
std::vector<PageSearch::Other*> PageSearch::likest(std::vector<Other*> others, bool one_of_each) {
  std::ranges::stable_sort(others, std::greater<>(),
                           [](const Other* other) { return other->found.keys.size(); });
  std::set<std::string_view> urls;
  std::erase_if(others, [&](const Other* other) {
    return one_of_each && !urls.insert(other->document.url).second;
  });
  if (others.size() > most_examined) others.resize(most_examined);
  return others;
}

/// Finds the pieces of the page that it has.
Status PageSearch::examine(const RelatedDocuments& related, Other& other) {
  TWINSET_TRY(check_stop(cancel_));
  const IndexHit& hit = other.found.hit;
  if (finder_.has_texts()) {
    TWINSET_ASSIGN(other.has, finder_.compare_exactly(other.found));
    other.visible = other.has.size();
    if (hit.contains.has_value() && hit.contains->value > 0) {
      other.pieces = static_cast<double>(hit.shared.value_or(0)) / hit.contains->value;
    }
  } else {
    const std::uint32_t first = related.first_key[scheme_];
    const std::uint32_t end = related.first_key[scheme_ + 1];
    other.has.assign(end - first, false);
    for (const std::uint32_t key : other.found.keys) {
      if (first <= key && key < end) other.has[key - first] = true;
    }
    const std::optional<SampleCounts>& counts = other.found.counts;
    other.visible = counts.has_value() ? counts->in_a : other.has.size();
    other.pieces = counts.has_value() ? static_cast<double>(counts->in_b) : 0;
  }
  return {};
}

/// What no other page had while the page was there, and few have later.
Result<PageSearch::Pieces> PageSearch::own_pieces(const PagePlace& page,
                                                  const RelatedDocuments& related,
                                                  std::vector<Other>& others,
                                                  const std::vector<Other*>& later) {
  const std::string host = host_of(page.url);
  std::vector<Other*> there;
  for (Other& other : others) {
    const IndexHit& hit = other.found.hit;
    const bool is_mirror =
        hit.same != Sameness::none ||
        (hit.resemblance.has_value() && hit.resemblance->value >= mirror_resemblance &&
         host_of(other.document.url) != host);
    if (page.seen.front().date <= other.date && other.date <= page.last().date && !is_mirror) {
      there.push_back(&other);
    }
  }
  there = likest(std::move(there), false);
  Pieces pieces;
  double most_alike = 0;
  for (Other* other : there) {
    TWINSET_TRY(examine(related, *other));
    const std::optional<Interval>& share = other->found.hit.containment;
    if (share.has_value()) most_alike = std::max(most_alike, share->low);
  }
  // A piece is known to be own if those who have the most of the page could have it.
  for (const Other* other : there) {
    const std::optional<Interval>& share = other->found.hit.containment;
    if (!share.has_value() || share->value >= most_alike) {
      pieces.known = std::max(pieces.known, other->visible);
    }
  }
  const std::size_t all = finder_.has_texts()
                              ? finder_.shingles()
                              : related.first_key[scheme_ + 1] - related.first_key[scheme_];
  if (there.empty() || finder_.has_texts()) pieces.known = all;
  pieces.own.assign(all, true);
  std::fill(pieces.own.begin() + static_cast<std::ptrdiff_t>(pieces.known), pieces.own.end(),
            false);
  for (std::size_t i = 0; i < pieces.known; ++i) {
    if (!finder_.has_texts() && related.skipped[related.first_key[scheme_] + i])
      pieces.own[i] = false;
    for (const Other* other : there) {
      if (other->has[i]) pieces.own[i] = false;
    }
    std::map<Date, std::size_t> pages;
    for (const Other* other : later) {
      if (other->has[i] && ++pages[day_of(other->date)] > most_pages) pieces.own[i] = false;
    }
  }
  pieces.count = static_cast<std::size_t>(std::ranges::count(pieces.own, true));
  return pieces;
}

/// Whether the page's own pieces are there; nullopt: they are not.
std::optional<MoveEvidence> PageSearch::move_to(const Pieces& pieces, const Other& other) {
  const std::size_t known = std::min(pieces.known, other.visible);
  MoveEvidence move;
  for (std::size_t i = 0; i < known; ++i) {
    move.own += pieces.own[i] ? 1 : 0;
    move.kept += pieces.own[i] && other.has[i] ? 1 : 0;
  }
  if (move.kept < least_pieces) return std::nullopt;
  const auto shared = static_cast<double>(move.kept);
  const double part = shared / static_cast<double>(move.own);
  const double whole =
      other.pieces * static_cast<double>(known) / static_cast<double>(other.visible);
  move.share = std::min(1.0, whole > 0 ? std::max(part, shared / whole) : part);
  if (part < least_part || move.share < least_share) return std::nullopt;
  const IndexHit& hit = other.found.hit;
  move.to = named_document(other.document);
  move.resemblance = hit.resemblance;
  move.containment = hit.containment;
  move.contains = hit.contains;
  move.exact = hit.exact;
  return move;
}

/// The best place last: it has the most of the content, or is reached by the fewest moves.
bool is_worse(const PagePlace& a, const PagePlace& b) {
  return std::tuple(a.share, b.evidence.size(), b.url) <
         std::tuple(b.share, a.evidence.size(), a.url);
}

/// When the last sweep began.
Result<Date> begin_of_sweep(const SweepDates& dates, const LocateSettings& settings,
                            std::string& written) {
  if (settings.since.empty()) {
    written = dates.newest()->written;
    return day_of(dates.newest()->date);
  }
  written = settings.since;
  return read_since(settings.since);
}

/// The places in the last sweep that the page's content is at, the best first, and if there are
/// none the last one before it.
struct Followed {
  std::vector<PagePlace> found;
  PagePlace lost;
};

Result<Followed> follow(PageSearch& search, PagePlace page, const Date& since) {
  Followed followed{.found = {}, .lost = page};
  std::set<std::string> known{page.url};
  std::vector<PagePlace> places{std::move(page)};
  for (std::size_t looked_at = 0; !places.empty() && looked_at < most_places; ++looked_at) {
    std::ranges::pop_heap(places, is_worse);
    PagePlace place = std::move(places.back());
    places.pop_back();
    if (place.last().date >= since) {
      followed.found.push_back(std::move(place));
      continue;
    }
    if (place.last().date > followed.lost.last().date) followed.lost = place;
    TWINSET_ASSIGN(std::vector<MoveEvidence> moves, search.moves(place));
    for (MoveEvidence& move : moves) {
      if (!known.insert(move.to.url).second) continue;
      PagePlace next{move.to.url, place.share * move.share, place.evidence, {}};
      TWINSET_ASSIGN(next.seen, search.sightings(next.url));
      next.evidence.push_back(std::move(move));
      places.push_back(std::move(next));
      std::ranges::push_heap(places, is_worse);
    }
  }
  return followed;
}

/// How often at least such answers were right where the truth was planted, at edits of up to a
/// fifth of the words in each sweep (papers/001/lost_and_found.py). Nobody can tell a host that is
/// gone from one that was not visited.
double confidence_in(PageStatus status, double share, bool host_was_seen) {
  if (status == PageStatus::here) return 1;
  if (status == PageStatus::gone) return host_was_seen ? 0.85 : 0.5;
  return share >= 0.5 ? 0.99 : share >= 0.15 ? 0.95 : 0.9;
}

void take_newer(const Date& date, std::string_view written, SweepDates::Seen& seen) {
  if (written.empty()) return;
  if (!seen.written.empty() && date <= seen.date) return;
  seen = {date, std::string(written)};
}

}  // namespace

Result<std::string> known_url(const IndexSnapshot& snapshot, std::string_view url) {
  std::vector<std::string> forms{std::string(url)};
  CanonicalUrl canonical;
  if (write_canonical_address(url, canonical)) forms.push_back(canonical.text);
  for (std::string& form : forms) {
    TWINSET_ASSIGN(const std::vector<IndexPlace> places, snapshot.find_url(form));
    if (!places.empty()) return std::move(form);
  }
  return std::string();
}

Result<SweepDates> SweepDates::read(const IndexSnapshot& snapshot, const SweepDates* earlier,
                                    const std::atomic<bool>* cancel) {
  SweepDates dates;
  for (const IndexSnapshot::Part& part : snapshot.parts()) {
    std::shared_ptr<const OfSegment> known;
    for (std::size_t i = 0; earlier != nullptr && i < earlier->segments_.size(); ++i) {
      const OfSegment& each = *earlier->segments_[i];
      if (each.segment.lock() == part.segment && each.deleted == part.deleted.count()) {
        known = earlier->segments_[i];
      }
    }
    if (known == nullptr) {
      TWINSET_ASSIGN(known, read_segment(part, cancel));
    }
    take_newer(known->newest.date, known->newest.written, dates.newest_);
    dates.segments_.push_back(std::move(known));
  }
  return dates;
}

Result<std::shared_ptr<const SweepDates::OfSegment>> SweepDates::read_segment(
    const IndexSnapshot::Part& part, const std::atomic<bool>* cancel) {
  auto dates = std::make_shared<OfSegment>();
  dates->segment = part.segment;
  dates->deleted = part.deleted.count();
  for (std::uint64_t number = 0; number < part.listed.documents; ++number) {
    TWINSET_TRY(check_stop(cancel));
    if (part.deleted.has(number)) continue;
    TWINSET_ASSIGN(const IndexedDocument document, part.segment->document(number));
    const std::optional<Date> date = parse_date(document.date);
    if (!date.has_value()) continue;
    take_newer(*date, document.date, dates->newest);
    if (!document.url.empty()) {
      take_newer(*date, document.date, dates->hosts[checksum(host_of(document.url))]);
    }
  }
  return std::shared_ptr<const OfSegment>(std::move(dates));
}

const SweepDates::Seen* SweepDates::of_host(std::string_view url) const {
  const std::uint64_t host = checksum(host_of(url));
  const Seen* newest = nullptr;
  for (const auto& segment : segments_) {
    const auto found = segment->hosts.find(host);
    if (found == segment->hosts.end()) continue;
    if (newest == nullptr || found->second.date > newest->date) newest = &found->second;
  }
  return newest;
}

Result<PageLocation> locate_page(const IndexSnapshot& snapshot, const SweepDates& dates,
                                 std::string_view url, const LocateSettings& settings,
                                 const std::atomic<bool>* cancel) {
  PageLocation location;
  location.url = std::string(url);
  TWINSET_ASSIGN(const std::string known, known_url(snapshot, url));
  if (known.empty()) return location;
  PageSearch search(snapshot, settings.max_group, cancel);
  PagePlace page{known, 1, {}, {}};
  TWINSET_ASSIGN(page.seen, search.sightings(known));
  if (page.seen.empty()) {
    return usage_error("no document of " + known + " has a date that can be read; add documents " +
                       "with " + option("date", "FIELD"));
  }
  TWINSET_ASSIGN(const Date since, begin_of_sweep(dates, settings, location.since));
  const auto document_of = [&](const PagePlace& place) -> Result<IndexDocument> {
    TWINSET_ASSIGN(const IndexedDocument document, snapshot.document(place.last().place));
    return named_document(document);
  };
  TWINSET_ASSIGN(const IndexDocument last, document_of(page));
  location.last_seen = last.date;
  TWINSET_ASSIGN(Followed followed, follow(search, std::move(page), since));
  const bool is_found = !followed.found.empty();
  const PagePlace& newest = is_found ? followed.found.front() : followed.lost;
  location.status = !is_found                 ? PageStatus::gone
                    : newest.evidence.empty() ? PageStatus::here
                                              : PageStatus::moved;
  TWINSET_ASSIGN(location.newest, document_of(newest));
  location.evidence = newest.evidence;
  for (std::size_t i = 1; i < followed.found.size(); ++i) {
    location.others.push_back(std::move(followed.found[i].evidence.back()));
  }
  const SweepDates::Seen* const host = dates.of_host(newest.url);
  if (host != nullptr) location.host_seen = host->written;
  location.confidence =
      confidence_in(location.status, newest.share, host != nullptr && host->date >= since);
  return location;
}

}  // namespace twinset
