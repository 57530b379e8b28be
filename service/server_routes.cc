// The routes that tell of the service itself. This file's interface is server_routes() of route.h.
#include "route.h"
#include "twinset/field.h"
#include "twinset/page.h"

namespace twinset::service {
namespace {

struct Word {
  std::string status = "ok";
};

std::vector<Field> fields_of(Word& word) { return {{"status", &word.status, Unit::code, "`ok`"}}; }

struct ServedRun {
  std::string folder;
  std::string verb;
  std::string title;
  bool decisions = false;
};

std::vector<Field> fields_of(ServedRun& run) {
  return {{"folder", &run.folder, Unit::text, "of the run"},
          {"verb", &run.verb, Unit::code, "that made it"},
          {"title", &run.title, Unit::text, "of its page"},
          {"decisions", &run.decisions, Unit::text, "decisions about records are kept"}};
}

struct About {
  std::string version;
  std::optional<IndexStats> index;
  std::optional<ServedRun> run;
  bool read_only = false;
  bool needs_token = false;
};

std::vector<Field> fields_of(About& about) {
  return {{"version", &about.version, Unit::text, "of twinset"},
          {"index", OptionalNested(&about.index), Unit::text, "that is served, or null"},
          {"run", OptionalNested(&about.run), Unit::text, "that is served, or null"},
          {"read_only", &about.read_only, Unit::text, "nothing is added, deleted or decided"},
          {"needs_token", &about.needs_token, Unit::text, "requests need a token"}};
}

Outcome<Word> health(State&, Nothing&) { return Word{}; }

Failure not_ready(const State& state) {
  if (state.phase == Phase::stopping) return {503, "stopping", "the service is stopping", 5};
  return {503, "not_ready", "the folders are being opened", 1};
}

Outcome<Word> ready(State& state, Nothing&) {
  if (state.phase != Phase::ready) return not_ready(state);
  if (state.index) {
    if (const std::optional<Error> trouble = state.index->trouble()) return *trouble;
  }
  return Word{};
}

Outcome<About> about(State& state, Nothing&) {
  if (state.phase == Phase::opening) return not_ready(state);
  About about;
  about.version = version();
  about.read_only = state.options.read_only;
  about.needs_token = state.needs_token;
  if (state.index) about.index = state.index->current()->stats();
  if (state.run) {
    about.run = ServedRun{state.run->folder(), state.run->verb(), state.run->title(),
                          !state.options.read_only};
  }
  return about;
}

Outcome<MadeJson> openapi(State& state, Nothing&) { return MadeJson{state.openapi}; }

/// A page or a text, not JSON; json_of_answer() passes it on.
Outcome<MadeJson> metrics(State& state, Nothing&) {
  const HttpLoad load = state.load();
  std::vector<Gauge> gauges = {
      {"twinset_connections", "Open connections.", static_cast<double>(load.connections)},
      {"twinset_requests_in_flight", "Requests that are not answered yet.",
       static_cast<double>(load.in_flight)},
      {"twinset_requests_waiting", "Of them, those that wait for a thread.",
       static_cast<double>(load.waiting)},
      {"twinset_held_body_bytes", "Bytes of bodies in memory.", static_cast<double>(load.bodies)},
      {"twinset_resident_bytes", "Memory of the process.", static_cast<double>(resident_bytes())},
      {"twinset_ready", "1 if all folders are open.", state.phase == Phase::ready ? 1.0 : 0.0}};
  if (state.phase != Phase::opening && state.index) {
    const IndexStats stats = state.index->current()->stats();
    gauges.push_back({"twinset_index_documents", "Documents of the index.",
                      static_cast<double>(stats.documents)});
    gauges.push_back(
        {"twinset_index_bytes", "Bytes of the index's files.", static_cast<double>(stats.bytes)});
    gauges.push_back(
        {"twinset_index_segments", "Segments of the index.", static_cast<double>(stats.segments)});
  }
  return MadeJson{state.metrics.text(gauges)};
}

const LivePage& the_page() {
  static const LivePage page = live_page();
  return page;
}

Outcome<MadeJson> page(State&, Nothing&) { return MadeJson{the_page().html}; }

}  // namespace

std::vector<Route> server_routes() {
  return {asks_with<Nothing, MadeJson>({.method = "GET",
                                        .path = "/",
                                        .summary = "the page, for browsers",
                                        .open = true,
                                        .quick = true,
                                        .type = "text/html; charset=utf-8",
                                        .policy = the_page().policy},
                                       page),
          asks_with<Nothing, Word>({.method = "GET",
                                    .path = "/health",
                                    .summary = "ok, while the process answers at all",
                                    .open = true,
                                    .quick = true},
                                   health),
          asks_with<Nothing, Word>({.method = "GET",
                                    .path = "/ready",
                                    .summary = "ok, once all folders are open; 503 before, and "
                                               "while it stops",
                                    .open = true,
                                    .quick = true},
                                   ready),
          asks_with<Nothing, About>(
              {.method = "GET", .path = "/about", .summary = "what is served"}, about),
          asks_with<Nothing, MadeJson>({.method = "GET",
                                        .path = "/metrics",
                                        .summary = "counters for Prometheus; they name no document",
                                        .quick = true,
                                        .type = "text/plain; version=0.0.4; charset=utf-8"},
                                       metrics),
          asks_with<Nothing, MadeJson>({.method = "GET",
                                        .path = "/openapi.json",
                                        .summary = "the description of all this (OpenAPI 3.1)",
                                        .quick = true,
                                        .made = "OpenApi"},
                                       openapi)};
}

}  // namespace twinset::service
