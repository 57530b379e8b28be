// A route of the service: what it is asked with, what it answers, and by what function. Dispatch,
// the checks of requests and openapi.json are made of this declaration.
//
//   struct NameToLookUp : LookupSettings { std::string name; };
//   Members members_of(NameToLookUp& asked);
//   Outcome<IndexLookup> look_up(State& state, NameToLookUp& asked);
//   asks_with<NameToLookUp, IndexLookup>(
//       {.method = "POST", .path = "/lookup", .summary = "...", .needs = Needs::index}, look_up);
//
// Threads: values; a handler is called by several.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "asked.h"
#include "outcome.h"
#include "schema.h"
#include "state.h"
#include "twinset/json.h"

namespace twinset::service {

enum class Needs : std::uint8_t { nothing, index, run };

/// An answer that was made as JSON elsewhere, of the schema that its route names.
struct MadeJson {
  std::string json;
};

/// What a request holds.
struct Asked {
  const JsonValue* body = nullptr;  ///< null: the parameters count
  Parameters parameters{};          ///< those of the path too
};

struct Route {
  std::string_view method;  ///< GET, POST
  std::string_view path;    ///< "/clusters/{cluster}"
  std::string_view summary;
  Needs needs = Needs::nothing;
  bool changes = false;                        ///< what is served; not done when that is read only
  bool open = false;                           ///< without a token, too
  bool quick = false;                          ///< answered at once, however busy the pool is
  bool lines = false;                          ///< takes a request a line
  std::string_view type = "application/json";  ///< of its answer
  std::string policy = {};                     ///< of its content; empty: that of all
  /// Of an answer that is made elsewhere: which of made_schemas() describes it.
  std::string_view made = {};

  /// Calls it with the members of a request.
  std::function<void(const std::function<void(const Members&)>& use)> with_members = {};
  std::function<std::string()> answer_schema = {};
  std::function<Outcome<std::string>(State& state, const Asked& asked)> handle = {};
  /// Of several lines at once, in place of `handle` for each: a line for each.
  std::function<std::string(State& state, const std::vector<std::string_view>& lines)>
      handle_lines = {};

  bool takes_body() const { return method == "POST"; }
  bool is_page() const { return type != "application/json"; }
};

/// Schemas of what is made elsewhere, of failures, and of the objects within these, by their names.
std::map<std::string, std::string> made_schemas();
std::string reference_to(std::string_view schema);

/// What a request without members is asked with.
struct Nothing {};
inline Members members_of(Nothing&) { return {}; }

/// Of options of the shelf, which are all that is asked with.
template <class Options>
requires requires(Options& asked) { options_of(asked); }
Members members_of(Options& asked) { return {.options = options_of(asked)}; }

template <class Found>
std::string json_of_answer(Found& found) {
  return to_json(fields_of(found));
}
inline std::string json_of_answer(MadeJson& found) { return std::move(found.json); }

/// Answers that together have all the fields that there are.
template <class Found>
std::vector<Found> kinds_of() {
  return std::vector<Found>(1);
}

template <class Found>
std::string schema_of_answer() {
  std::vector<Found> kinds = kinds_of<Found>();
  std::vector<std::vector<Field>> fields;
  for (Found& kind : kinds) fields.push_back(fields_of(kind));
  return schema_of(fields);
}

template <class Query, class Found>
Route asks_with(Route route, Outcome<Found> (*handle)(State& state, Query& asked)) {
  route.with_members = [](const std::function<void(const Members&)>& use) {
    Query asked;
    use(members_of(asked));
  };
  if constexpr (std::is_same_v<Found, MadeJson>) {
    route.answer_schema = [name = route.made] { return reference_to(name); };
  } else {
    route.answer_schema = schema_of_answer<Found>;
  }
  route.handle = [handle](State& state, const Asked& asked) -> Outcome<std::string> {
    Query query;
    const Members members = members_of(query);
    const Status read = asked.body != nullptr ? read_members(*asked.body, members)
                                              : read_parameters(asked.parameters, members);
    if (!read.ok()) return failure_of(read.error());
    Outcome<Found> found = handle(state, query);
    if (!found.ok()) return found.error();
    return json_of_answer(found.value());
  };
  return route;
}

std::vector<Route> server_routes();
std::vector<Route> index_routes();
std::vector<Route> run_routes();

/// The values of a path's names in braces: {"cluster", "17"}; false: it is another path.
bool match_path(std::string_view pattern, std::string_view path, Parameters& names);

/// The description of all of them (OpenAPI 3.1).
std::string openapi_json(const std::vector<Route>& routes, bool needs_token);

/// {"error": {"code": "usage", "message": "..."}}
std::string failure_json(const Failure& failure);

}  // namespace twinset::service
