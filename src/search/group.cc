// What the asker may not see is left out first, and nothing after that knows of it. The hits that
// are left are ordered by the rule; in that order each joins the first lead that it resembles, or
// becomes one. Ranks among seen hits then tell the order.
//
// This file's interface is search/group.h, and Index::group() of twinset/hits.h.
#include "search/group.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/message.h"
#include "io/json.h"
#include "io/json_read.h"
#include "run/keep_order.h"
#include "scheme/identity.h"
#include "scheme/shingle_set.h"
#include "search/index.h"
#include "search/lead_finder.h"
#include "system/context.h"
#include "web/url.h"

namespace twinset {
namespace {

/// A hit that the asker may see.
struct SeenHit {
  std::size_t hit = 0;  ///< its place in the list
  std::string id;       ///< a JSON value
  std::optional<IndexPlace> place;
  IndexedDocument document{};  ///< if it has a place; of a text: tokens alone
  HeldDocument held;
  std::string host;
};

/// The field of a hit, as the list has it, or its document; no value if neither has it.
std::optional<std::string> field_json(const ListedHit& hit, const IndexedDocument* document,
                                      const std::string& name) {
  for (const std::string_view fields :
       {std::string_view(hit.fields), document == nullptr ? "" : document->fields}) {
    if (fields.empty()) continue;
    const Result<JsonNode> read = read_json(fields, "fields");
    const JsonNode value = read.ok() ? read.value()[name] : JsonNode();
    if (value) return std::string(value.raw());
  }
  std::string json;
  const auto named = [&](std::string_view text) { append_json_string(json, text); };
  if (name == "url" && !hit.url.empty()) {
    named(hit.url);
  } else if (document != nullptr && name == "url" && !document->url.empty()) {
    named(document->url);
  } else if (document != nullptr && name == "date" && !document->date.empty()) {
    named(document->date);
  } else {
    return std::nullopt;
  }
  return json;
}

class HitGrouper {
 public:
  HitGrouper(const IndexSnapshot& snapshot, const HitList& list, const GroupRules& rules,
             ShingleCache& cache, const std::atomic<bool>* cancel)
      : snapshot_(snapshot),
        list_(list),
        rules_(rules),
        cache_(cache),
        cancel_(cancel),
        least_{rules.settings.resemblance, rules.settings.containment},
        values_(list.access.has_value() ? *list.access : rules.access_values),
        view_(snapshot.signer().view()) {}

  Result<GroupedHits> run();

 private:
  struct Group {
    std::uint32_t lead = 0;
    std::vector<std::uint32_t> members;  ///< of seen_, the lead included
  };

  Status look_up();
  bool may_see(const ListedHit& hit, const IndexedDocument* document) const;
  Result<std::optional<IndexPlace>> find(const ListedHit& hit) const;
  Result<std::optional<IndexPlace>> last_seen(const ListedHit& hit,
                                              const std::vector<IndexPlace>& places) const;
  Status take_text(const ListedHit& hit, SeenHit& seen);
  std::vector<std::uint32_t> lead_order(std::uint64_t& valued) const;
  void order_by_rule(std::vector<std::uint32_t>& order, std::uint64_t& valued) const;
  void order_by_load(std::vector<std::uint32_t>& order) const;
  Status group(const std::vector<std::uint32_t>& order);
  Result<bool> compare(std::uint32_t member, std::uint32_t lead, Likeness& likeness);
  bool has_text(const SeenHit& seen) const;
  Status take_shingles(const SeenHit& seen, std::vector<std::uint64_t>& shingles);
  Result<ShingleCache::Shingles*> shingles_of(const SeenHit& seen);
  GroupedHits answer() const;
  std::vector<std::uint32_t> first_page(const std::vector<std::uint32_t>& shown) const;

  const IndexSnapshot& snapshot_;
  const HitList& list_;
  const GroupRules& rules_;
  ShingleCache& cache_;  ///< of documents
  const std::atomic<bool>* cancel_;
  LeastShares least_;
  const std::vector<std::string>& values_;  ///< that the asker has
  std::deque<SeenHit> seen_;                ///< by rank
  std::deque<std::vector<Marks>> marks_;    ///< of texts
  std::vector<Group> groups_;
  std::vector<Likeness> likeness_;  ///< of seen_, to their leads
  std::map<std::string_view, double> load_;
  // Texts:
  RecordView view_;
  ShingleCache listed_{shingle_cache_bytes};  ///< of texts of the list, by their places in it
  ShingleCache::Shingles shingles_;           ///< scratch
  PairCounter counter_;
};

Result<GroupedHits> HitGrouper::run() {
  if (list_.access.has_value() && rules_.access_field.empty()) {
    return usage_error("a list says what its asker has, and no field what a document needs; give " +
                       option("access", "FIELD"));
  }
  for (const HostLoad& of : list_.load) load_[of.host] = of.load;
  TWINSET_TRY(look_up());
  std::uint64_t valued = 0;
  TWINSET_TRY(group(lead_order(valued)));
  GroupedHits grouped = answer();
  grouped.valued = valued;
  return grouped;
}

/// Leaves out what the asker may not see.
Status HitGrouper::look_up() {
  const bool needs_hosts = rules_.settings.per_host > 0 || !load_.empty();
  for (std::size_t i = 0; i < list_.hits.size(); ++i) {
    TWINSET_TRY(check_stop(cancel_));
    const ListedHit& hit = list_.hits[i];
    if (hit.hidden) continue;
    SeenHit seen;
    seen.hit = i;
    TWINSET_ASSIGN(seen.place, find(hit));
    if (seen.place.has_value()) {
      TWINSET_ASSIGN(seen.document, snapshot_.document(*seen.place));
      if (!hit.text.has_value()) TWINSET_TRY(hold(snapshot_, *seen.place, seen.held));
    } else if (!may_see(hit, nullptr)) {
      continue;
    }
    if (hit.is_number) {
      seen.id = hit.id;
    } else {
      append_json_string(seen.id, hit.id);
    }
    if (needs_hosts) {
      const std::string_view url = !hit.url.empty()             ? std::string_view(hit.url)
                                   : !seen.document.url.empty() ? seen.document.url
                                                                : std::string_view(hit.id);
      seen.host = host_of(url);
    }
    if (hit.text.has_value()) TWINSET_TRY(take_text(hit, seen));
    seen_.push_back(std::move(seen));
    // Hidden ones do not count, or the error would tell of them.
    if (seen_.size() > most_hits) {
      return usage_error("a list of more than " + std::to_string(most_hits) + " hits");
    }
  }
  return {};
}

/// Fails closed: nobody sees a document without the field, or one that is not known.
bool HitGrouper::may_see(const ListedHit& hit, const IndexedDocument* document) const {
  if (rules_.access_field.empty()) return true;
  const std::optional<std::string> json = field_json(hit, document, rules_.access_field);
  if (!json.has_value()) return false;
  const auto has = [&](const JsonNode& value) {
    const std::optional<std::string> text = plain_value(value);
    return text.has_value() && std::ranges::find(values_, *text) != values_.end();
  };
  const Result<JsonNode> value = read_json(*json, "a field");
  if (!value.ok()) return false;
  if (value.value().kind() != JsonKind::array) return has(value.value());
  return std::ranges::any_of(value.value().elements(), has);
}

/// Of the documents of an id, and of a URL, those that may be seen are all there are: a later one
/// that may not takes nobody's place.
Result<std::optional<IndexPlace>> HitGrouper::find(const ListedHit& hit) const {
  if (hit.id.empty()) return std::optional<IndexPlace>();
  std::string quoted;
  append_json_string(quoted, hit.id);
  std::array<std::string_view, 2> ids{quoted, hit.id};
  if (hit.is_number) std::swap(ids[0], ids[1]);
  for (const std::string_view id : ids) {
    TWINSET_ASSIGN(const std::vector<IndexPlace> places, snapshot_.find_ids(id));
    TWINSET_ASSIGN(const std::optional<IndexPlace> place, last_seen(hit, places));
    if (place.has_value()) return place;
  }
  TWINSET_ASSIGN(const std::vector<IndexPlace> places, snapshot_.find_url(hit.id));
  return last_seen(hit, places);
}

/// The last one added, a removed one if there is no other.
Result<std::optional<IndexPlace>> HitGrouper::last_seen(
    const ListedHit& hit, const std::vector<IndexPlace>& places) const {
  std::optional<IndexPlace> removed;
  for (std::size_t i = places.size(); i-- > 0;) {
    TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(places[i]));
    if (!may_see(hit, &document)) continue;
    if (!snapshot_.is_hidden(places[i])) return std::optional(places[i]);
    if (!removed.has_value()) removed = places[i];
  }
  return removed;
}

/// Signs the text of a hit.
Status HitGrouper::take_text(const ListedHit& hit, SeenHit& seen) {
  TWINSET_TRY(check_text_bytes(*hit.text));
  Record record;
  record.text = *hit.text;
  record.markup = hit.html ? Markup::html : Markup::none;
  view_.look_at(record);
  std::vector<Marks>& marks = marks_.emplace_back();
  snapshot_.signer().mark(view_, marks);
  hold(marks, seen.held);
  seen.held.bytes_hash = identical_fingerprint(*hit.text);
  seen.held.tokens_hash = view_.lexical_fingerprint();
  seen.document.tokens = view_.whole_analysis().tokens.size();
  return {};
}

std::vector<std::uint32_t> HitGrouper::lead_order(std::uint64_t& valued) const {
  std::vector<std::uint32_t> order(seen_.size());
  std::iota(order.begin(), order.end(), 0U);
  order_by_rule(order, valued);
  if (!load_.empty()) order_by_load(order);
  return order;
}

void HitGrouper::order_by_rule(std::vector<std::uint32_t>& order, std::uint64_t& valued) const {
  const KeepRule& rule = rules_.best;
  if (rule.by == KeepRule::By::input) return;
  KeepValues values;
  std::vector<std::string> of(seen_.size());
  if (rule.by == KeepRule::By::field) {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const SeenHit& seen = seen_[i];
      const std::optional<std::string> json = field_json(
          list_.hits[seen.hit], seen.place.has_value() ? &seen.document : nullptr, rule.field);
      if (json.has_value()) of[i] = plain_value(*json).value_or("");
      values.add(of[i]);
    }
    values.choose(rule);
    valued = values.documents - values.missing;
  }
  struct Key {
    bool missing = false;
    std::array<char, order_key_bytes> bytes{};
  };
  std::vector<Key> keys(seen_.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto tokens = std::min<std::uint64_t>(seen_[i].document.tokens, UINT32_MAX);
    keys[i].missing = !keep_key(rule, values.compared_as, static_cast<std::uint32_t>(tokens), of[i],
                                keys[i].bytes.data());
  }
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    if (keys[a].missing || keys[b].missing) return keys[b].missing && !keys[a].missing;
    const auto bytes = [&](std::uint32_t i) {
      return std::string_view(keys[i].bytes.data(), order_key_bytes);
    };
    return rule.descending ? bytes(b) < bytes(a) : bytes(a) < bytes(b);
  });
}

/// Hits of equal words have the same places, but those of hosts with less load the earlier ones.
void HitGrouper::order_by_load(std::vector<std::uint32_t>& order) const {
  const auto load_of = [&](std::uint32_t seen) {
    const auto found = load_.find(seen_[seen].host);
    return found == load_.end() ? 0 : found->second;
  };
  std::map<Fingerprint, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const SeenHit& seen = seen_[order[i]];
    if (seen.held.sketches.empty()) continue;
    places[seen.held.tokens_hash].push_back(i);
  }
  for (const auto& [tokens, of] : places) {
    std::vector<std::uint32_t> hits;
    for (const std::size_t i : of) hits.push_back(order[i]);
    std::ranges::stable_sort(hits, std::less<>(), load_of);
    for (std::size_t i = 0; i < of.size(); ++i) order[of[i]] = hits[i];
  }
}

/// Each joins the first lead that it resembles, or becomes one.
Status HitGrouper::group(const std::vector<std::uint32_t>& order) {
  likeness_.resize(seen_.size());
  const bool texts =
      !rules_.settings.sketches && (snapshot_.manifest().settings.texts || !marks_.empty());
  LeadFinder finder(snapshot_.signer(), least_, texts);
  std::vector<std::uint32_t> known;  // What the finder has, by its numbers.
  for (const std::uint32_t i : order) {
    if (seen_[i].held.sketches.empty()) continue;
    finder.add(seen_[i].held);
    known.push_back(i);
  }
  finder.ready();
  std::vector<std::uint32_t> group_of(known.size());  // Of leads.
  std::map<std::string_view, std::uint32_t> of_unknown;
  std::uint32_t number = 0;
  for (const std::uint32_t i : order) {
    TWINSET_TRY(check_stop(cancel_));
    const bool is_known = number < known.size() && known[number] == i;
    bool joined = false;
    if (is_known) {
      for (const std::uint32_t lead : finder.candidates(number)) {
        TWINSET_ASSIGN(joined, compare(i, known[lead], likeness_[i]));
        if (!joined) continue;
        groups_[group_of[lead]].members.push_back(i);
        break;
      }
    } else {
      const auto [of, is_new] =
          of_unknown.emplace(seen_[i].id, static_cast<std::uint32_t>(groups_.size()));
      joined = !is_new;
      if (joined) {
        likeness_[i].same = Sameness::bytes;  // It is the same document, whatever that is.
        groups_[of->second].members.push_back(i);
      }
    }
    if (!joined) {
      if (is_known) {
        group_of[number] = static_cast<std::uint32_t>(groups_.size());
        finder.lead(number);
      }
      groups_.push_back({i, {i}});
    }
    if (is_known) ++number;
  }
  return {};
}

/// Sets `likeness` if the member resembles the lead.
Result<bool> HitGrouper::compare(std::uint32_t member, std::uint32_t lead, Likeness& likeness) {
  const SeenHit& mine = seen_[member];
  HeldLikeness found = compare_held(snapshot_.signer(), mine.held, seen_[lead].held);
  if (!rules_.settings.sketches && has_text(mine) && has_text(seen_[lead])) {
    if (!may_reach(found, least_)) return false;
    if (found.likeness.same != Sameness::none && mine.document.tokens > 0) {
      take_all_of_each_other(found.likeness);
      found.likeness.shared.reset();
    } else {
      // The second call leaves what the first one gave where it is.
      TWINSET_ASSIGN(ShingleCache::Shingles* const later, shingles_of(mine));
      TWINSET_ASSIGN(ShingleCache::Shingles* const earlier, shingles_of(seen_[lead]));
      take_exactly(counter_.count(*later, *earlier), found.likeness);
    }
  }
  if (!reaches(found, least_)) return false;
  likeness = found.likeness;
  return true;
}

bool HitGrouper::has_text(const SeenHit& seen) const {
  if (list_.hits[seen.hit].text.has_value()) return true;
  return snapshot_.manifest().settings.texts && seen.place.has_value() &&
         !seen.document.survivor.has_value();
}

Status HitGrouper::take_shingles(const SeenHit& seen, std::vector<std::uint64_t>& shingles) {
  const ListedHit& hit = list_.hits[seen.hit];
  Record record;
  std::optional<std::string> stored;
  if (hit.text.has_value()) {
    record.text = *hit.text;
    record.markup = hit.html ? Markup::html : Markup::none;
  } else {
    const IndexSnapshot::Part& part = snapshot_.parts()[seen.place->segment];
    TWINSET_ASSIGN(stored, part.segment->text(seen.place->number));
    record.text = *stored;
    record.markup = seen.document.markup;
  }
  view_.look_at(record);
  view_.take_shingles(shingles);
  return {};
}

/// Valid until the second call after this one.
Result<ShingleCache::Shingles*> HitGrouper::shingles_of(const SeenHit& seen) {
  const bool is_listed = list_.hits[seen.hit].text.has_value();
  ShingleCache& cache = is_listed ? listed_ : cache_;
  const IndexPlace place =
      is_listed ? IndexPlace{0, static_cast<std::uint32_t>(seen.hit)} : *seen.place;
  if (ShingleCache::Shingles* const known = cache.find(place)) return known;
  shingles_.clear();
  TWINSET_TRY(take_shingles(seen, shingles_));
  return &cache.keep(place, shingles_);
}

GroupedHits HitGrouper::answer() const {
  GroupedHits grouped;
  grouped.id = list_.id;
  std::vector<HitAction> actions(seen_.size(), HitAction::show);
  // By rank: who is shown there, and who comes behind.
  std::vector<std::optional<std::uint32_t>> places(seen_.size());
  std::vector<std::uint32_t> demoted;
  std::vector<const Group*> by_rank(seen_.size());
  for (const Group& group : groups_) {
    std::vector<std::uint32_t> ranks = group.members;
    std::ranges::sort(ranks);
    by_rank[ranks.front()] = &group;
    std::vector<std::uint32_t> best_first = ranks;
    std::stable_partition(best_first.begin(), best_first.end(),
                          [&](std::uint32_t member) { return member == group.lead; });
    for (std::size_t i = 0; i < best_first.size(); ++i) {
      if (i < rules_.settings.per_group) {
        places[ranks[i]] = best_first[i];
        continue;
      }
      const bool skips = rules_.settings.rest == RestOfGroup::skip;
      actions[best_first[i]] = skips ? HitAction::skip : HitAction::demote;
      if (!skips) demoted.push_back(best_first[i]);
    }
  }
  for (const Group* const group : by_rank) {
    if (group == nullptr) continue;
    HitGroup& made = grouped.groups.emplace_back();
    made.best = seen_[group->lead].id;
    std::vector<std::uint32_t> ranks = group->members;
    std::ranges::sort(ranks);
    for (const std::uint32_t member : ranks) {
      GroupedHit& hit = made.members.emplace_back();
      static_cast<Likeness&>(hit) = likeness_[member];
      hit.id = seen_[member].id;
      hit.hit = seen_[member].hit;
      hit.best = member == group->lead;
      hit.action = actions[member];
      hit.unknown = seen_[member].held.sketches.empty();
    }
  }
  std::vector<std::uint32_t> shown;
  for (const std::optional<std::uint32_t> place : places) {
    if (place.has_value()) shown.push_back(*place);
  }
  std::ranges::sort(demoted);
  std::vector<std::uint32_t> order = first_page(shown);
  order.insert(order.end(), demoted.begin(), demoted.end());
  for (const std::uint32_t seen : order) grouped.order.push_back({seen_[seen].id, seen_[seen].hit});
  return grouped;
}

/// The same with at most so many of a host in the first page, as far as there are others.
std::vector<std::uint32_t> HitGrouper::first_page(const std::vector<std::uint32_t>& shown) const {
  const GroupSettings& settings = rules_.settings;
  if (settings.per_host == 0) return shown;
  std::vector<std::uint32_t> page;
  std::vector<std::uint32_t> later;
  std::map<std::string_view, std::uint64_t> of_host;
  for (const std::uint32_t seen : shown) {
    const std::string& host = seen_[seen].host;
    const bool fits =
        page.size() < settings.page && (host.empty() || of_host[host] < settings.per_host);
    if (fits) ++of_host[host];
    (fits ? page : later).push_back(seen);
  }
  page.insert(page.end(), later.begin(), later.end());
  return page;
}

}  // namespace

Result<GroupRules> group_rules(const GroupSettings& settings) {
  GroupRules rules;
  rules.settings = settings;
  if (settings.resemblance.numerator() == 0 ||
      (settings.containment.has_value() && settings.containment->numerator() == 0)) {
    return usage_error(
        option(settings.resemblance.numerator() == 0 ? "resemblance" : "containment") +
        " is above 0, or any two hits were near copies");
  }
  if (settings.per_group == 0) {
    return usage_error(option("per_group") + " is at least 1: the best one is shown");
  }
  TWINSET_ASSIGN(rules.best, KeepRule::parse(settings.best, "best"));
  const std::size_t equals = settings.access.find('=');
  rules.access_field = settings.access.substr(0, equals);
  if (equals != std::string::npos) rules.access_values = {settings.access.substr(equals + 1)};
  if (rules.access_field.empty() && !settings.access.empty()) {
    return usage_error(option("access", settings.access) + " names no field; write " +
                       option("access", "FIELD"));
  }
  return rules;
}

Result<GroupedHits> group_list(const IndexSnapshot& snapshot, const HitList& list,
                               const GroupRules& rules, ShingleCache& cache,
                               const std::atomic<bool>* cancel) {
  return HitGrouper(snapshot, list, rules, cache, cancel).run();
}

}  // namespace twinset
