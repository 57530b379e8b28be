#include "service.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "twinset/visible.h"

namespace twinset::service {
namespace {

using Clock = std::chrono::steady_clock;

/// A value takes 16 bytes beside its text.
constexpr std::size_t most_values = 4'000'000;
/// A piece of an answer of lines ends at so many bytes, or after so long.
constexpr std::size_t piece_bytes = std::size_t{64} << 10;
constexpr std::chrono::milliseconds piece_time{100};
/// Lines that a route takes together.
constexpr std::size_t lines_at_once = 1000;
constexpr std::size_t bytes_at_once = std::size_t{4} << 20;
constexpr std::string_view lines_type = "application/x-ndjson";

std::vector<Route> all_routes() {
  std::vector<Route> routes = server_routes();
  for (Route& route : index_routes()) routes.push_back(std::move(route));
  for (Route& route : run_routes()) routes.push_back(std::move(route));
  return routes;
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

/// "application/json; charset=utf-8" is "application/json".
std::string media_type(std::string_view header) {
  std::string type(header.substr(0, header.find(';')));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
  return type;
}

HttpAnswer answer_of(const Failure& failure) {
  HttpAnswer answer{.status = failure.status, .body = failure_json(failure) + "\n"};
  if (failure.retry_after > 0) {
    answer.headers.emplace_back("Retry-After", std::to_string(failure.retry_after));
  }
  return answer;
}

Failure out_of_memory() { return {503, "busy", "there is no memory for this now", 5}; }

}  // namespace

Service::Service(State& state, Access access, Say say, bool verbose)
    : state_(state),
      access_(std::move(access)),
      say_(std::move(say)),
      verbose_(verbose),
      routes_(all_routes()) {
  if (state.options.rate) rate_.emplace(*state.options.rate);
  state.openapi = openapi_json(routes_, access_.needs_token());
}

const Route* Service::find(const HttpRequest& request, Parameters& names, bool& known) const {
  known = false;
  const std::string_view method =
      request.method == "HEAD" ? std::string_view("GET") : std::string_view(request.method);
  for (const Route& route : routes_) {
    if (!match_path(route.path, path_of(request.target), names)) continue;
    known = true;
    if (route.method == method) return &route;
  }
  return nullptr;
}

std::optional<Failure> Service::barred(const HttpRequest& request) {
  if (request.hosts != 1) return Failure{400, "usage", "one Host header is needed"};
  if (!access_.knows_host(request.host)) {
    return Failure{421, "host", "this service does not go by the name of the Host header"};
  }
  if (rate_) {
    if (const unsigned wait = rate_->take(request.client, Clock::now())) {
      return Failure{429, "rate", "too many requests of this client", wait};
    }
  }
  Parameters names;
  bool known = false;
  const Route* const route = find(request, names, known);
  const bool is_open = route != nullptr && route->open;
  if (access_.needs_token() && !is_open && !access_.knows_token(request.authorization)) {
    return Failure{401, "token",
                   request.authorization.empty() ? "a token is needed: Authorization: Bearer TOKEN"
                                                 : "this is not the token"};
  }
  if (route == nullptr) {
    if (!known) return Failure{404, "not_found", "there is no such path; see /openapi.json"};
    return Failure{405, "method", "the path has other methods"};
  }
  if (route->takes_body()) {
    if (!Access::is_own_page(request.origin, request.host)) {
      return Failure{403, "origin", "a page of another site sent this"};
    }
    const std::string type = media_type(request.content_type);
    if (type != "application/json" && !(route->lines && type == lines_type)) {
      return Failure{415, "media_type",
                     route->lines ? "Content-Type is application/json or application/x-ndjson"
                                  : "Content-Type is application/json"};
    }
  }
  if (route->needs != Needs::nothing) {
    const bool of_index = route->needs == Needs::index;
    if ((of_index ? state_.index_folder : state_.run_folder).empty()) {
      return Failure{404, of_index ? "no_index" : "no_run",
                     of_index ? "no index is served here" : "no run is served here"};
    }
    if (state_.phase == Phase::opening) {
      return Failure{503, "not_ready", "the folders are being opened", 1};
    }
  }
  if (route->changes && state_.options.read_only) {
    return Failure{403, "read_only", "this service only reads"};
  }
  return std::nullopt;
}

std::optional<HttpAnswer> Service::admit(const HttpRequest& request) {
  const std::optional<Failure> failure = barred(request);
  if (!failure) return std::nullopt;
  HttpAnswer answer = answer_of(*failure);
  if (failure->status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (failure->status == 405) {
    std::string allowed;
    Parameters names;
    for (const Route& route : routes_) {
      if (!match_path(route.path, path_of(request.target), names)) continue;
      allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
      if (route.method == "GET") allowed += ", HEAD";
    }
    answer.headers.emplace_back("Allow", allowed);
  }
  return answer;
}

HttpTurn Service::turn_of(const HttpRequest& request) const {
  Parameters names;
  bool known = false;
  const Route* const route = find(request, names, known);
  if (route == nullptr) return HttpTurn::computing;
  if (route->quick) return HttpTurn::at_once;
  return route->changes ? HttpTurn::changing : HttpTurn::computing;
}

HttpAnswer Service::answer(HttpRequest& request) {
  try {
    Asked asked;
    bool known = false;
    const Route* const route = find(request, asked.parameters, known);
    if (route == nullptr) return answer_of({404, "not_found", "there is no such path"});
    HttpAnswer answer{.type = std::string(route->type)};
    Outcome<std::string> made = std::string();
    if (!route->takes_body()) {
      const std::size_t question = request.target.find('?');
      if (question != std::string::npos) {
        const Result<Parameters> parameters =
            parse_parameters(std::string_view(request.target).substr(question + 1));
        if (!parameters.ok()) return answer_of(failure_of(parameters.error()));
        for (const auto& parameter : parameters.value()) asked.parameters.push_back(parameter);
      }
      made = route->handle(state_, asked);
    } else if (media_type(request.content_type) == lines_type) {
      return answer_lines(*route, std::move(request.body));
    } else {
      made = answer_line(*route, request.body);
    }
    if (!made.ok()) {
      if (made.error().status >= 500 && say_) {
        say_("twinset: " + std::string(route->path) + ": " + made.error().message);
      }
      return answer_of(made.error());
    }
    answer.body = std::move(made).value();
    if (!route->policy.empty()) {
      answer.headers.emplace_back("Content-Security-Policy", route->policy);
    }
    if (!route->is_page() && !answer.body.ends_with('\n')) answer.body += '\n';
    return answer;
  } catch (const std::bad_alloc&) {
    return answer_of(out_of_memory());
  } catch (const std::length_error&) {
    return answer_of(out_of_memory());
  }
}

Outcome<std::string> Service::answer_line(const Route& route, std::string_view line) {
  Result<JsonTree> tree = JsonTree::parse(std::string(line), most_values);
  if (!tree.ok()) return failure_of(tree.error());
  const JsonValue root = tree.value().root();
  return route.handle(state_, {.body = &root});
}

/// Lines are answered piece by piece, each by whichever thread of the pool is free then.
HttpAnswer Service::answer_lines(const Route& route, std::string body) {
  struct Rest {
    std::string body;
    std::size_t at = 0;

    /// The next line that is not empty; nullopt: there is none.
    std::optional<std::string_view> next() {
      while (at < body.size()) {
        const std::size_t end = std::min(body.find('\n', at), body.size());
        std::string_view line(body.data() + at, end - at);
        at = end + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) return line;
      }
      return std::nullopt;
    }
  };
  const auto rest = std::make_shared<Rest>(Rest{std::move(body)});
  const auto more = [this, &route, rest](std::string& piece) {
    const Clock::time_point end = Clock::now() + piece_time;
    try {
      if (route.handle_lines) {
        std::vector<std::string_view> lines;
        for (std::size_t bytes = 0; lines.size() < lines_at_once && bytes < bytes_at_once;) {
          const std::optional<std::string_view> line = rest->next();
          if (!line) break;
          lines.push_back(*line);
          bytes += line->size();
        }
        if (!lines.empty()) piece = route.handle_lines(state_, lines);
        return !lines.empty();
      }
      while (piece.size() < piece_bytes && Clock::now() < end) {
        const std::optional<std::string_view> line = rest->next();
        if (!line) break;
        Outcome<std::string> made = answer_line(route, *line);
        piece += (made.ok() ? std::move(made).value() : failure_json(made.error())) + "\n";
      }
    } catch (const std::bad_alloc&) {
      piece += failure_json(out_of_memory()) + "\n";
    }
    return !piece.empty();
  };
  return {.type = std::string(lines_type), .more = more};
}

HttpAnswer Service::refuse(HttpRefusal refusal) {
  switch (refusal) {
    case HttpRefusal::malformed:
      return answer_of({400, "usage", "this is no valid HTTP request"});
    case HttpRefusal::slow:
      return answer_of({408, "slow", "the request came too slowly"});
    case HttpRefusal::large_body:
      return answer_of(
          {413, "too_large", fmt::format("a body has at most {} bytes", state_.options.max_body)});
    case HttpRefusal::large_header:
      return answer_of({431, "too_large", "the header is too large"});
    case HttpRefusal::stopping:
      return answer_of({503, "stopping", "the service is stopping", 5});
    case HttpRefusal::busy:
      break;
  }
  return answer_of({503, "busy", "there is too much to do now", 1});
}

std::vector<std::pair<std::string, std::string>> Service::common_headers() const {
  return {{"Cache-Control", "no-store"},
          {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Referrer-Policy", "no-referrer"},
          {"X-Content-Type-Options", "nosniff"}};
}

void Service::done(const HttpExchange& exchange) {
  std::string_view name = "other";
  if (exchange.request != nullptr) {
    Parameters names;
    for (const Route& route : routes_) {
      if (match_path(route.path, path_of(exchange.request->target), names)) name = route.path;
    }
  }
  state_.metrics.count(name, exchange.status, exchange.body_bytes, exchange.answer_bytes,
                       exchange.seconds);
  if (!verbose_ || !say_ || exchange.request == nullptr) return;
  say_(fmt::format("{} {} {} {} {:.1f} ms", exchange.request->client, exchange.request->method,
                   visible_name(path_of(exchange.request->target)), exchange.status,
                   exchange.seconds * 1000));
}

}  // namespace twinset::service
