// The routes of a finished run. This file's interface is run_routes() of route.h.
#include <utility>

#include "answer_kinds.h"
#include "route.h"
#include "twinset/browse.h"
#include "twinset/field.h"

namespace twinset::service {
namespace {

Failure no_such(std::string_view what) {
  return {404, "not_found", "the run has no such " + std::string(what)};
}

/// An answer that may be there.
template <class Found>
Outcome<Found> there(Outcome<std::optional<Found>> found, std::string_view what) {
  if (!found.ok()) return found.error();
  if (!found.value().has_value()) return no_such(what);
  return *std::move(found).value();
}

template <class Found>
Outcome<Found> there(Result<std::optional<Found>> found, std::string_view what) {
  return there(Outcome<std::optional<Found>>(std::move(found)), what);
}

Outcome<MadeJson> overview(State& state, Nothing&) {
  Outcome<std::string> facts = state.within_limit(
      [&](const std::atomic<bool>* passed) { return state.run->overview(passed); });
  if (!facts.ok()) return facts.error();
  return MadeJson{std::move(facts).value()};
}

Outcome<ClusterPage> clusters(State& state, ClustersOptions& asked) {
  return state.within_limit(
      [&](const std::atomic<bool>* passed) { return state.run->clusters(asked, passed); });
}

Outcome<ClusterMembers> cluster(State& state, MembersOptions& asked) {
  return there(state.within_limit([&](const std::atomic<bool>* passed) {
    return state.run->members(asked, passed);
  }),
               "cluster");
}

Outcome<ClusterTiles> tiles(State& state, TilesOptions& asked) {
  return state.within_limit(
      [&](const std::atomic<bool>* passed) { return state.run->tiles(asked, passed); });
}

Outcome<MadeJson> pair_of_records(State& state, SidesOptions& asked) {
  Outcome<std::string> pair = state.within_limit(
      [&](const std::atomic<bool>* passed) { return state.run->pair(asked, passed); });
  if (!pair.ok()) return pair.error();
  return MadeJson{std::move(pair).value()};
}

struct TextsToCompare {
  std::string a;
  std::string b;
  bool html = false;
};

Members members_of(TextsToCompare& asked) {
  return {.fields = {{"a", &asked.a, Unit::text, "a text"},
                     {"b", &asked.b, Unit::text, "another"},
                     if_given({"html", &asked.html, Unit::text, "they are pages"})}};
}

Outcome<MadeJson> compare_texts(State&, TextsToCompare& asked) {
  Result<std::string> pair = RunBrowser::compare(asked.a, asked.b, asked.html);
  if (!pair.ok()) return pair.error();
  return MadeJson{std::move(pair).value()};
}

struct RecordAsked {
  std::string name;
};

Members members_of(RecordAsked& asked) {
  return {.options = {required({"name NAME", &asked.name, OptionRole::decides, Heading::most_used,
                                "an id, or file:record"})}};
}

Outcome<BrowsedRecord> record(State& state, RecordAsked& asked) {
  return state.within_limit(
      [&](const std::atomic<bool>* passed) { return state.run->record(asked.name, passed); });
}

struct ListsOfRun {
  std::vector<BrowsedList> lists;
};

std::vector<Field> fields_of(ListsOfRun& all) {
  return {{"lists", NestedList(&all.lists), Unit::count, "of the folder"}};
}

Outcome<ListsOfRun> lists(State& state, Nothing&) { return ListsOfRun{state.run->lists()}; }

Outcome<ListRows> rows(State& state, ListRowsOptions& asked) {
  return there(state.within_limit(
                   [&](const std::atomic<bool>* passed) { return state.run->rows(asked, passed); }),
               "list");
}

/// A page by its URL, or some pages.
struct VersionsAsked : VersionsOptions {
  std::string url;
};

Members members_of(VersionsAsked& asked) {
  Members members{.options = options_of(static_cast<VersionsOptions&>(asked))};
  members.options.push_back({"url URL", &asked.url, OptionRole::decides, Heading::most_used,
                             "of one page; else pages are listed"});
  return members;
}

/// `pages` has the one page that was asked for.
Outcome<VersionsPage> versions(State& state, VersionsAsked& asked) {
  if (asked.url.empty()) {
    return state.within_limit(
        [&](const std::atomic<bool>* passed) { return state.run->versions(asked, passed); });
  }
  Outcome<TrackedPage> page = there(state.run->versions(asked.url), "page");
  if (!page.ok()) return page.error();
  return VersionsPage{.total = 1, .pages = {std::move(page).value()}};
}

Outcome<RecordDecisions> decisions(State& state, Nothing&) { return state.run->decisions(); }

struct DecisionMade {
  std::string record;
  Decided decision = Decided::restore;
  std::string judge;
};

std::vector<Field> fields_of(DecisionMade& made) {
  return {{"record", &made.record, Unit::text, "an id, or file:record"},
          {"decision", Choice(&made.decision, {"restore", "remove", "none"}), Unit::code,
           "`none` takes a decision back"},
          if_given({"judge", &made.judge, Unit::text, "the name of the person"})};
}

struct DecisionsMade {
  std::vector<DecisionMade> decisions;
};

Members members_of(DecisionsMade& asked) {
  return {.fields = {{"decisions", NestedList(&asked.decisions), Unit::count,
                      "added to the file of decisions; the last about a record counts"}}};
}

Outcome<RecordDecisions> decide(State& state, DecisionsMade& asked) {
  std::vector<RecordDecision> made;
  for (DecisionMade& one : asked.decisions) {
    RecordDecision& decision = made.emplace_back();
    decision.record = std::move(one.record);
    decision.decision = one.decision;
    decision.judge = std::move(one.judge);
  }
  return state.run->decide(made);
}

template <class Query, class Found>
Route of_run(std::string_view path, std::string_view summary,
             Outcome<Found> (*handle)(State&, Query&)) {
  return asks_with<Query, Found>(
      {.method = "GET", .path = path, .summary = summary, .needs = Needs::run}, handle);
}

}  // namespace

std::vector<Route> run_routes() {
  return {
      asks_with<Nothing, MadeJson>({.method = "GET",
                                    .path = "/overview",
                                    .summary = "the facts of the run's report",
                                    .needs = Needs::run,
                                    .made = "Report"},
                                   overview),
      of_run("/clusters", "its clusters, page by page", clusters),
      of_run("/clusters/{cluster}", "a cluster's documents, page by page", cluster),
      of_run("/tiles", "the largest clusters or files, and what is left", tiles),
      asks_with<SidesOptions, MadeJson>({.method = "GET",
                                         .path = "/pair",
                                         .summary = "two records side by side",
                                         .needs = Needs::run,
                                         .made = "ShownPair"},
                                        pair_of_records),
      asks_with<TextsToCompare, MadeJson>({.method = "POST",
                                           .path = "/compare",
                                           .summary = "two texts side by side",
                                           .lines = true,
                                           .made = "ShownPair"},
                                          compare_texts),
      of_run("/record", "what became of a record, and its text", record),
      of_run("/lists", "the lists that the run has", lists),
      of_run("/lists/{list}", "a list's rows, page by page", rows),
      of_run("/versions", "the versions of pages, of a run of track", versions),
      of_run("/decisions", "what people decided about records", decisions),
      asks_with<DecisionsMade, RecordDecisions>(
          {.method = "POST",
           .path = "/decisions",
           .summary = "decides about records; durable when answered, and answered by all decisions",
           .needs = Needs::run,
           .changes = true},
          decide)};
}

}  // namespace twinset::service
