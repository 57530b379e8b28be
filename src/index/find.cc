// This file's interface is index/find.h.
#include "index/find.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/hash.h"
#include "scheme/identity.h"
#include "system/context.h"

namespace twinset {
namespace {

/// In place of a key's number: the document was found by its tokens.
constexpr std::uint32_t no_key = UINT32_MAX;

/// One key in so many is drawn.
constexpr std::uint64_t drawn_part = 4;

bool is_drawn(std::uint64_t key, std::uint64_t number) {
  return mix64(unmix64(key) ^ mix64(number + 1)) % drawn_part == 0;
}

double value_of(const std::optional<Interval>& share) { return share ? share->value : -1; }

}  // namespace

Result<bool> sketches_tell_keys(const IndexSnapshot& snapshot, std::size_t scheme) {
  for (const IndexSnapshot::Part& part : snapshot.parts()) {
    for (std::uint64_t number = 0; number < part.segment->documents(); ++number) {
      TWINSET_ASSIGN(const std::span<const std::uint8_t> sketch,
                     part.segment->sketch(scheme, number));
      Marks marks;
      if (!sketch.empty()) return snapshot.signer().restore(scheme, sketch, marks);
    }
  }
  return true;
}

Deadline::Deadline(std::optional<std::uint64_t> milliseconds) {
  // A limit of a hundred years is none.
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  if (!milliseconds.has_value() || *milliseconds > most) return;
  at_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(*milliseconds);
}

bool Deadline::passed() const {
  return at_.has_value() && std::chrono::steady_clock::now() >= *at_;
}

Result<IndexAnswer> IndexFinder::find(const RecordView& view, const QuerySettings& query) {
  snapshot_.signer().mark(view, marks_);
  hold(marks_, query_);
  query_.bytes_hash = identical_fingerprint(view.text());
  query_.tokens_hash = view.lexical_fingerprint();
  view_ = &view;
  return answer(query);
}

Result<IndexAnswer> IndexFinder::find(IndexPlace place, const QuerySettings& query) {
  TWINSET_TRY(look_at(place));
  return answer(query);
}

Result<RelatedDocuments> IndexFinder::related(IndexPlace place, std::uint64_t max_group,
                                              const std::vector<DocumentSet>* left_out) {
  TWINSET_TRY(look_at(place));
  RelatedDocuments related;
  related.first_key.push_back(0);
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const Scheme& scheme = *snapshot_.signer().schemes()[i].scheme;
    std::vector<std::uint64_t>& keys = marks_[i].keys;
    if (scheme.facts().nested) std::ranges::sort(keys, {}, unmix64);
    related.first_key.push_back(related.first_key.back() + static_cast<std::uint32_t>(keys.size()));
  }
  drawn_.reset();
  left_out_ = left_out;
  const Status gathered = gather(max_group, related.skipped);
  left_out_ = nullptr;
  TWINSET_TRY(gathered);
  QuerySettings all;
  all.resemblance = all.containment = Ratio(0, 1);
  all.sketches = true;
  for (std::size_t i = 0; i < candidates_.size();) {
    TWINSET_TRY(check_stop(cancel_));
    RelatedDocument each{.place = candidates_[i].place, .hit = {}, .keys = {}, .counts = {}};
    for (; i < candidates_.size() && candidates_[i].place == each.place; ++i) {
      if (candidates_[i].key != no_key) each.keys.push_back(candidates_[i].key);
    }
    TWINSET_TRY(compare(all, each));
    related.documents.push_back(std::move(each));
  }
  return related;
}

Result<std::vector<bool>> IndexFinder::compare_exactly(RelatedDocument& related) {
  TWINSET_TRY(compare_texts(related));
  const ShingleSet& mine = view_->distinct_shingles();
  std::vector<bool> has(mine.size());
  for (const std::uint64_t shingle : prober_.shingles()) {
    const std::uint32_t place = mine.place(shingle);
    if (place != ShingleSet::not_found) has[place] = true;
  }
  return has;
}

Status IndexFinder::pairs(IndexPlace place, const PairQuery& query, const StoredKeys& keys,
                          const UsePair& use) {
  TWINSET_TRY(look_at(place, query.scheme, keys));
  if (met_.empty()) {
    for (const IndexSnapshot::Part& part : snapshot_.parts()) {
      met_.emplace_back(static_cast<std::size_t>(part.segment->documents()));
    }
  }
  if (query.earlier_only) before_ = place;
  of_pairs_ = &query;
  left_out_ = query.left_out;
  std::vector<bool> skipped;
  const Status gathered = gather(query.max_group, skipped);
  before_.reset();
  of_pairs_ = nullptr;
  left_out_ = nullptr;
  for (const Candidate& candidate : candidates_) {
    met_[candidate.place.segment][candidate.place.number] = false;
  }
  TWINSET_TRY(gathered);
  std::set<Fingerprint> told{query_.tokens_hash};
  for (const Candidate& candidate : candidates_) {
    TWINSET_TRY(check_stop(cancel_));
    if (candidate.place == place) continue;
    if (query.copies_once) {
      TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(candidate.place));
      if (!told.insert(document.tokens_hash).second) continue;
    }
    TWINSET_ASSIGN(const std::optional<Overlap> numbers, numbers_with(candidate.place, query));
    if (numbers.has_value()) TWINSET_TRY(use(candidate.place, *numbers));
  }
  return {};
}

/// What decides a pair; nullopt if it does not reach the floor.
Result<std::optional<Overlap>> IndexFinder::numbers_with(IndexPlace place, const PairQuery& query) {
  constexpr std::optional<Overlap> none;
  const Segment& segment = *snapshot_.parts()[place.segment].segment;
  TWINSET_ASSIGN(const std::span<const std::uint8_t> sketch,
                 segment.sketch(query.scheme, place.number));
  const Sketch& mine = marks_[query.scheme].sketch;
  if (mine.empty || sketch.empty()) return none;
  const Scheme& scheme = *snapshot_.signer().schemes()[query.scheme].scheme;
  const Comparison compared = scheme.compare(mine.stored, sketch);
  const bool counts = scheme.counts_keys() && compared.counts.has_value();
  std::optional<Overlap> numbers;
  if (counts) {
    numbers = overlap_of(*compared.counts);
  } else if (const std::optional<Link> link = link_of(compared)) {
    numbers = link->written();
  }
  if (!query.exact) {
    if (!numbers.has_value() || !query.floor.reached_by(*numbers)) return none;
    return numbers;
  }
  if (counts) {
    PairFloor granted = query.floor;
    granted.kind = LinkKind::keys;
    granted.granted_errors = granted_standard_errors;
    if (!granted.reached_by(*numbers)) return none;
  } else if (const auto& estimate = compared.resemblance;
             estimate.has_value() && !query.floor.containment.has_value() &&
             estimate->value + granted_standard_errors * estimate->standard_error <
                 query.floor.resemblance.value()) {
    return none;
  }
  TWINSET_ASSIGN(const std::optional<Overlap> overlap, overlap_with(place));
  if (!overlap.has_value() || !query.floor.reached_by(*overlap)) return none;
  // The asked document is the later one here.
  return overlap;
}

/// Makes a document of the index the query; `only`: under one scheme.
Status IndexFinder::look_at(IndexPlace place, std::optional<std::size_t> only,
                            const StoredKeys& keys) {
  const Segment& segment = *snapshot_.parts()[place.segment].segment;
  TWINSET_ASSIGN(const IndexedDocument document, segment.document(place.number));
  TWINSET_TRY(hold(snapshot_, place, query_));
  view_ = nullptr;
  TWINSET_ASSIGN(std::optional<std::string> text, segment.text(place.number));
  if (text.has_value()) {
    text_ = std::move(*text);
    record_.text = text_;
    record_.markup = document.markup;
    mine_.look_at(record_);
    view_ = &mine_;
  }
  marks_.resize(snapshot_.signer().schemes().size());
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (only.has_value() && i != *only) {
      marks_[i].keys.clear();
      marks_[i].sketch.empty = true;
      continue;
    }
    TWINSET_ASSIGN(const std::span<const std::uint8_t> sketch, segment.sketch(i, place.number));
    if (snapshot_.signer().restore(i, sketch, marks_[i])) continue;
    if (keys != nullptr) {
      TWINSET_TRY(keys(place, marks_[i].keys));
    } else if (view_ != nullptr) {
      snapshot_.signer().mark(mine_, i, marks_[i]);
    } else {
      TWINSET_TRY(for_each_row(segment.keys(i), [&](const Posting& row) {
        if (row.document == place.number) marks_[i].keys.push_back(row.whole_key());
      }));
    }
  }
  return {};
}

Result<IndexAnswer> IndexFinder::answer(const QuerySettings& query) {
  const Deadline deadline(query.time_limit);
  draw(query.draw);
  IndexAnswer answer;
  std::vector<bool> skipped;
  TWINSET_TRY(gather(query.max_group, skipped, deadline));
  answer.skipped = static_cast<std::uint64_t>(std::ranges::count(skipped, true));
  if (query.passages) {
    TWINSET_TRY(quotes_.begin(snapshot_.signer(), view_, marks_, query));
    quotes_.tell_common(skipped, answer.common);
  }
  std::vector<RelatedDocument> found;
  TWINSET_TRY(find_hits(query, deadline, answer, found));
  answer.timed_out = answer.timed_out || skipped.size() < key_count();
  if (query.passages) {
    if (!answer.timed_out) answer.sure_tokens = quotes_.sure_tokens(skipped);
    answer.hosts = quotes_.hosts();
  }
  const auto better = [](const RelatedDocument& a, const RelatedDocument& b) {
    const auto rank = [](const RelatedDocument& each) {
      const IndexHit& hit = each.hit;
      return std::tuple(
          -static_cast<int>(hit.same), -static_cast<std::int64_t>(hit.quoted.value_or(0)),
          -value_of(hit.resemblance), -std::max(value_of(hit.containment), value_of(hit.contains)),
          hit.distance.value_or(0), each.place);
    };
    return rank(a) < rank(b);
  };
  const std::size_t most =
      query.top == 0 ? found.size()
                     : static_cast<std::size_t>(std::min<std::uint64_t>(query.top, found.size()));
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end(),
                    better);
  found.resize(most);
  for (RelatedDocument& each : found) {
    TWINSET_ASSIGN(each.hit.document, snapshot_.named(each.place));
    answer.hits.push_back(std::move(each.hit));
  }
  return answer;
}

/// Compares the candidates, until the deadline.
Status IndexFinder::find_hits(const QuerySettings& query, const Deadline& deadline,
                              IndexAnswer& answer, std::vector<RelatedDocument>& found) {
  for (std::size_t i = 0; i < candidates_.size();) {
    RelatedDocument each{.place = candidates_[i].place, .hit = {}, .keys = {}, .counts = {}};
    if (deadline.passed()) {
      answer.timed_out = true;
      return {};
    }
    for (; i < candidates_.size() && candidates_[i].place == each.place; ++i) {
      if (candidates_[i].key != no_key) each.keys.push_back(candidates_[i].key);
    }
    ++answer.compared;
    TWINSET_ASSIGN(bool is_hit, compare(query, each));
    if (query.passages && (is_hit || quotes_.may_quote(each.keys))) {
      TWINSET_TRY(find_passages(each));
      is_hit = is_hit || !each.hit.passages.empty();
    }
    if (is_hit) found.push_back(std::move(each));
  }
  return {};
}

/// The passages of a document of the index, and who it belongs to.
Status IndexFinder::find_passages(RelatedDocument& found) {
  const Segment& segment = *snapshot_.parts()[found.place.segment].segment;
  TWINSET_ASSIGN(const IndexedDocument document, segment.document(found.place.number));
  std::optional<std::string> text;
  if (quotes_.reads_texts()) {
    TWINSET_ASSIGN(text, segment.text(found.place.number));
  }
  if (text.has_value()) {
    quotes_.compare(*text, document.markup, found.hit);
    if (!found.hit.exact && !found.hit.passages.empty()) TWINSET_TRY(compare_texts(found));
  } else {
    quotes_.guess(found.keys, found.hit);
  }
  quotes_.count(document.url, found.hit);
  return {};
}

/// Of all schemes.
std::size_t IndexFinder::key_count() const {
  std::size_t keys = 0;
  for (const Marks& marks : marks_) keys += marks.keys.size();
  return keys;
}

/// The documents that share a key with the query, or are copies of it. `skipped`: by key; those of
/// keys that were not looked up when the deadline passed are not there.
Status IndexFinder::gather(std::uint64_t max_group, std::vector<bool>& skipped,
                           const Deadline& deadline) {
  candidates_.clear();
  skipped.clear();
  for (std::size_t scheme = 0; scheme < marks_.size(); ++scheme) {
    for (const std::uint64_t key : marks_[scheme].keys) {
      if (deadline.passed()) break;
      TWINSET_TRY(gather_key(scheme, key, max_group, skipped));
    }
  }
  // Copies are found even if all their keys are skipped, or they have none. They are no pairs.
  if (of_pairs_ == nullptr) {
    TWINSET_ASSIGN(const std::vector<IndexPlace> copies, snapshot_.find_tokens(query_.tokens_hash));
    for (const IndexPlace copy : copies) {
      if (!left_out(copy.segment).has(copy.number)) candidates_.push_back({copy, no_key});
    }
  }
  std::ranges::sort(candidates_);
  return {};
}

/// The next key of the query.
Status IndexFinder::gather_key(std::size_t scheme, std::uint64_t key, std::uint64_t most,
                               std::vector<bool>& skipped) {
  const std::vector<IndexSnapshot::Part>& parts = snapshot_.parts();
  ranges_.clear();
  const auto key_number = static_cast<std::uint32_t>(skipped.size());
  skipped.push_back(false);
  std::uint64_t documents = 0;
  for (const IndexSnapshot::Part& part : parts) {
    TWINSET_ASSIGN(const PostingRange range, part.segment->keys(scheme).find(key));
    documents += range.size();
    ranges_.push_back(range);
  }
  if (most != 0 && documents > most) {
    // Hidden ones do not count, so that the answer is the same before and after compaction.
    TWINSET_ASSIGN(const bool common, is_common(scheme, key, most));
    skipped.back() = common;
  }
  if (skipped.back()) return {};
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    TWINSET_TRY(
        parts[i].segment->keys(scheme).for_each_document(ranges_[i], [&](std::uint64_t number) {
          const IndexPlace place{i, static_cast<std::uint32_t>(number)};
          if (before_.has_value() && place >= *before_) return false;
          if (left_out(i).has(number)) return true;
          if (of_pairs_ != nullptr) {
            if (met_[i][number]) return true;
            met_[i][number] = true;
          }
          candidates_.push_back({place, key_number});
          return true;
        }));
  }
  return {};
}

/// Do more than `most` documents of the ranges count? Those who ask for pairs have many keys in
/// common, so that is counted once a key.
Result<bool> IndexFinder::is_common(std::size_t scheme, std::uint64_t key, std::uint64_t most) {
  if (of_pairs_ != nullptr) {
    if (const auto known = common_.find(key); known != common_.end()) return known->second;
  }
  TWINSET_ASSIGN(const std::uint64_t live, count_live(scheme, most));
  if (of_pairs_ != nullptr) common_[key] = live > most;
  return live > most;
}

/// The documents of the ranges that are not hidden; more than `most` are not counted on.
Result<std::uint64_t> IndexFinder::count_live(std::size_t scheme, std::uint64_t most) const {
  const std::vector<IndexSnapshot::Part>& parts = snapshot_.parts();
  const bool copies_once = of_pairs_ != nullptr && of_pairs_->copies_once;
  std::set<Fingerprint> different;
  std::uint64_t live = 0;
  for (std::size_t i = 0; i < parts.size() && live <= most; ++i) {
    const Segment& segment = *parts[i].segment;
    if (left_out(i).count() == 0 && !copies_once) {
      live += ranges_[i].size();
      continue;
    }
    Status read;
    const auto count = [&](std::uint64_t number) {
      if (left_out(i).has(number)) return true;
      ++live;
      if (copies_once) {
        const Result<IndexedDocument> document = segment.document(number);
        if (!document.ok()) read = document.error();
        if (document.ok() && !different.insert(document.value().tokens_hash).second) --live;
      }
      return read.ok() && live <= most;
    };
    TWINSET_TRY(segment.keys(scheme).for_each_document(ranges_[i], count));
    TWINSET_TRY(read);
  }
  return live;
}

/// Of the keys of samples the query keeps those that the number draws: a new set of samples from a
/// larger stored set (B 6.6).
void IndexFinder::draw(const std::optional<std::uint64_t>& number) {
  drawn_ = number;
  if (!number.has_value()) return;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (!snapshot_.signer().schemes()[i].scheme->counts_keys()) continue;
    std::erase_if(marks_[i].keys, [&](std::uint64_t key) { return !is_drawn(key, *number); });
  }
}

/// The keys of two samples that were not drawn; null: all are.
LeftOutKeys IndexFinder::not_drawn() {
  if (!drawn_.has_value()) return nullptr;
  return [this](const Scheme& scheme, std::span<const std::uint8_t> a,
                std::span<const std::uint8_t> b) -> std::span<const std::uint64_t> {
    not_drawn_.clear();
    for (const std::span<const std::uint8_t> each : {a, b}) {
      if (scheme.restore(each, other_sketch_)) scheme.keys(other_sketch_, not_drawn_);
    }
    std::erase_if(not_drawn_, [this](std::uint64_t key) { return is_drawn(key, *drawn_); });
    std::ranges::sort(not_drawn_);
    return not_drawn_;
  };
}

Result<bool> IndexFinder::compare(const QuerySettings& query, RelatedDocument& found) {
  TWINSET_TRY(hold(snapshot_, found.place, held_));
  HeldLikeness compared = compare_held(snapshot_.signer(), query_, held_, not_drawn());
  found.counts = compared.counts;
  Likeness& hit = found.hit;
  hit = compared.likeness;
  const LeastShares least{query.resemblance, query.containment};
  if (!snapshot_.manifest().settings.texts || view_ == nullptr || query.sketches) {
    return reaches(compared, least);
  }
  TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(found.place));
  if (hit.same != Sameness::none && document.tokens > 0) {
    // Texts of equal tokens need no comparison.
    take_all_of_each_other(hit);
    hit.shared = view_->distinct_shingles().size();
    return true;
  }
  if (!may_reach(compared, least)) return false;
  TWINSET_TRY(compare_texts(found));
  compared.likeness = hit;
  return reaches(compared, least);
}

/// The shingles of the query, the later one, and of a document; nullopt: the index has no text.
Result<std::optional<Overlap>> IndexFinder::overlap_with(IndexPlace place) {
  const Segment& segment = *snapshot_.parts()[place.segment].segment;
  TWINSET_ASSIGN(const IndexedDocument document, segment.document(place.number));
  TWINSET_ASSIGN(const std::optional<std::string> text, segment.text(place.number));
  if (!text.has_value()) return std::optional<Overlap>();
  Record record;
  record.text = *text;
  record.markup = document.markup;
  other_.look_at(record);
  prober_.shingles().clear();
  other_.take_shingles(prober_.shingles());
  prober_.ready();
  const ShingleSet& mine = view_->distinct_shingles();
  const std::uint32_t shared = prober_.count(mine);
  return std::optional<Overlap>({shared, mine.size(), *prober_.size()});
}

Status IndexFinder::compare_texts(RelatedDocument& found) {
  TWINSET_ASSIGN(const std::optional<Overlap> numbers, overlap_with(found.place));
  if (!numbers.has_value()) return {};
  take_exactly(*numbers, found.hit);
  return {};
}

}  // namespace twinset
