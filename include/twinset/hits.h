// Search results in groups: a ranked list of hits, of which near copies become one group each, with
// the version to show in its place (B 6.3).
//
//   const Index index = Index::open("crawl.index").value();
//   HitList list;
//   for (const std::string& id : found) list.hits.push_back({.id = id});
//   list.access = {"staff", "everybody"};                    // what the asker has
//   const GroupedHits grouped = index.group(list, {.access = "readers"}).value();
//   for (const ShownHit& shown : grouped.order) use(list.hits[shown.hit]);
//
// Hits are documents of the index, by id or URL, or texts, which are signed on the fly. The best
// one of a group is the first by a rule, and every member resembles it: stars, never chains.
//
// Rights are asked at query time, before anything else: a hit that the asker may not see is as one
// that is not in the list, so the answer is that to the list without it, to the byte, over an index
// without its document (S 7.1.3).
//
// Threads: values; many may ask one Index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/index.h"
#include "twinset/option.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// A hit of a search.
struct ListedHit {
  std::string id;          ///< as people write it: the id or the URL of a document of the index
  bool is_number = false;  ///< JSON has the id as a number
  /// Compared in place of what the index has; nullopt: a document of the index.
  std::optional<std::string> text{};
  bool html = false;     ///< the text is a page
  std::string url{};     ///< in place of the document's; empty: that, or the id if it is a URL
  std::string fields{};  ///< a JSON object; they come before those of the document
  bool hidden = false;   ///< the caller knows that the asker may not see it
};

struct HostLoad {
  std::string host;
  double load = 0;
};

/// What a search has found, the best first, and for whom.
struct HitList {
  std::vector<ListedHit> hits;
  /// The values of GroupSettings::access that the asker has; nullopt: those in the settings.
  std::optional<std::vector<std::string>> access{};
  /// Of several hits of equal words the one whose host has the least load comes first; a host that
  /// is not named has 0.
  std::vector<HostLoad> load{};
  std::string id{};  ///< a JSON value that the answer repeats; empty: none
};

/// What becomes of the members of a group that do not keep their places.
enum class RestOfGroup : std::uint8_t {
  demote,  ///< they come behind all groups, in their order
  skip     ///< they are left out of the order
};

struct GroupSettings {
  /// Of a hit and the best of its group, as for query().
  Ratio resemblance{1, 2};
  std::optional<Ratio> containment{};  ///< or of either in the other
  bool sketches = false;               ///< sketches judge even where texts are at hand
  /// The rule for the best one, as for DedupOptions::keep; ties go by rank.
  std::string best = "first";
  /// FIELD: a document is seen by those who have one of the values of this field; one without the
  /// field by nobody. FIELD=VALUE: where a list does not say what its asker has. Empty: by all.
  std::string access{};
  std::uint64_t per_group = 1;  ///< members of a group that keep their places
  RestOfGroup rest = RestOfGroup::demote;
  std::uint64_t per_host = 0;  ///< most groups of one host in the first page; 0: any number
  std::uint64_t page = 10;     ///< results in the first page
};

std::vector<Option> options_of(GroupSettings& settings);

/// What a hit does in the order.
enum class HitAction : std::uint8_t { show, demote, skip };

/// A member of a group, and how it is like the best one: `containment` is of it in that.
struct GroupedHit : Likeness {
  std::string id;       ///< a JSON value
  std::size_t hit = 0;  ///< its place in the list
  bool best = false;    ///< then the likeness is empty
  HitAction action = HitAction::show;
  bool unknown = false;  ///< the index has no such document, and there is no text
};

struct HitGroup {
  std::string best;                 ///< the id of its best one
  std::vector<GroupedHit> members;  ///< by rank, the best one included
};

struct ShownHit {
  std::string id;       ///< a JSON value
  std::size_t hit = 0;  ///< its place in the list
};

struct GroupedHits {
  std::string id;                ///< HitList::id
  std::vector<HitGroup> groups;  ///< by the rank of their first member
  std::vector<ShownHit> order;   ///< what to show, from the first place on
  std::uint64_t valued = 0;      ///< seen hits that have a value for the rule
};

/// A list from a line of JSON (docs/group.md). Errors (usage): it is no JSON, or not a list, or has
/// a field that is not known, which could have been meant to hide something.
Result<HitList> read_hit_list(std::string_view json);

struct GroupOptions : GroupSettings {
  std::string index;                ///< the folder
  std::vector<std::string> inputs;  ///< files of lists, a line each; none, or "-": standard input
};

std::vector<Option> options_of(GroupOptions& options);

struct GroupSummary : RunFacts {
  std::uint64_t lists = 0;   ///< lines, those that are no lists too
  std::uint64_t hits = 0;    ///< that their askers may see
  std::uint64_t groups = 0;  ///< of these
  std::vector<std::string>
      bad_records;  ///< the first lines that are no lists, as file:line: reason
};

/// Answers each line of the inputs by one in control.kept, at once: the groups of a list, or what
/// is wrong with it as {"error": ...}. Errors: usage (a setting), io, and those of Index::open().
Result<GroupSummary> group_hits(const GroupOptions& options, const RunControl& control);

/// What JSON holds (twinset/field.h).
std::vector<Field> fields_of(GroupedHit& hit);
std::vector<Field> fields_of(HitGroup& group);
std::vector<Field> fields_of(GroupedHits& grouped);
std::vector<Field> fields_of(GroupSummary& summary);

/// A line, without its end.
std::string to_json(const GroupedHits& grouped);
/// For a terminal.
std::string to_text(const GroupSummary& summary);

}  // namespace twinset
