// openapi.json, from the routes, and what the routes share: paths and failures.
#include <fmt/format.h>

#include <algorithm>

#include "route.h"
#include "twinset/browse.h"
#include "twinset/field.h"
#include "twinset/visible.h"

namespace twinset::service {
namespace {

constexpr std::size_t most_message_bytes = 2000;

struct ToldFailure {
  std::string code;
  std::string message;
};

std::vector<Field> fields_of(ToldFailure& failure) {
  return {{"code", &failure.code, Unit::code, "one word, for programs"},
          {"message", &failure.message, Unit::text, "for people"}};
}

struct FailureAnswer {
  ToldFailure error;
};

std::vector<Field> fields_of(FailureAnswer& answer) {
  return {{"error", Nested(&answer.error), Unit::text, "why there is no answer"}};
}

struct Told {
  unsigned status;
  std::string_view help;
};

std::string failures_of(const Route& route, bool needs_token) {
  std::vector<Told> all = {{400, "not a valid request"},
                           {408, "sent too slowly"},
                           {421, "the Host is not one of this service's"},
                           {429, "too many requests of this client"},
                           {431, "too large a header"},
                           {500, "a file of the index or of the run cannot be read or written"},
                           {503, "busy, not ready, stopping, or past the time limit"}};
  if (needs_token && !route.open) all.push_back({401, "no token, or a wrong one"});
  if (route.needs != Needs::nothing) all.push_back({404, "not there"});
  if (route.takes_body()) {
    all.push_back({403, "sent by a page of another site, or nothing may be changed"});
    all.push_back({413, "too large a body"});
    all.push_back({415, "another media type"});
  }
  if (route.changes) {
    all.push_back({409, "another process changes it"});
    all.push_back({507, "no space left on the disk"});
  }
  std::string out;
  for (const auto& [status, help] : all) {
    out += fmt::format(
        R"(, "{}": {{"description": {}, "content": {{"application/json": {{"schema": {}}}}}}})",
        status, json_string(help), reference_to("Failure"));
  }
  return out;
}

bool in_path(const Route& route, const std::string& name) {
  return route.path.find("{" + name + "}") != std::string_view::npos;
}

std::string parameters_of(const Route& route) {
  std::string out;
  route.with_members([&](const Members& members) {
    for (const Option& option : members.options) {
      const bool is_path = in_path(route, option.name());
      const bool required = is_path || option.is_required;
      std::string schema = schema_of(option);
      // In a path or a query there is no null.
      for (const std::string_view type : {R"(["integer", "null"])", R"(["string", "null"])"}) {
        if (const std::size_t at = schema.find(type); at != std::string::npos) {
          schema.replace(at, type.size(), type.substr(1, type.find(',') - 1));
        }
      }
      if (const std::size_t at = schema.find(", null]"); at != std::string::npos) {
        schema.replace(at, 7, "]");
      }
      out += fmt::format(R"({}{{"name": {}, "in": "{}", "required": {}, "schema": {}}})",
                         out.empty() ? "" : ", ", json_string(option.name()),
                         is_path ? "path" : "query", required, schema);
    }
  });
  return out;
}

std::string body_of(const Route& route) {
  std::string schema;
  route.with_members([&](const Members& members) { schema = schema_of(members); });
  std::string out =
      R"(, "requestBody": {"required": true, "content": {"application/json": {"schema": )" +
      schema + "}";
  if (route.lines) {
    out += R"(, "application/x-ndjson": {"schema": {"type": "string", "description": )" +
           json_string("a request a line, each answered by a line, in their order") + "}}";
  }
  return out + "}}";
}

std::string operation_of(const Route& route, bool needs_token) {
  std::string id(route.path == "/" ? "page" : route.path.substr(1));
  for (char& c : id) c = (c >= 'a' && c <= 'z') ? c : '_';
  std::string answer = route.is_page() ? R"({"type": "string"})" : route.answer_schema();
  std::string out =
      fmt::format(R"({{"operationId": "{}_{}", "summary": {})", route.takes_body() ? "post" : "get",
                  id, json_string(route.summary));
  if (!route.takes_body()) out += R"(, "parameters": [)" + parameters_of(route) + "]";
  if (route.takes_body()) out += body_of(route);
  if (needs_token && route.open) out += R"(, "security": [])";
  out += fmt::format(
      R"(, "responses": {{"200": {{"description": "done", "content": {{"{}": {{"schema": {}}})",
      route.type.substr(0, route.type.find(';')), answer);
  if (route.lines) out += R"(, "application/x-ndjson": {"schema": {"type": "string"}})";
  return out + "}}" + failures_of(route, needs_token) + "}}";
}

}  // namespace

std::string failure_json(const Failure& failure) {
  // It may repeat what the request has, which could steer the terminal of whoever prints it.
  FailureAnswer answer{{failure.code, visible_name(render_message(Door::plain, failure.message),
                                                   most_message_bytes)}};
  return to_json(fields_of(answer));
}

bool match_path(std::string_view pattern, std::string_view path, Parameters& names) {
  const auto next = [](std::string_view& rest) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('/'));
    rest.remove_prefix(part.size());
    return part;
  };
  names.clear();
  if (!path.starts_with('/')) return false;
  while (!pattern.empty() && !path.empty()) {
    const std::string_view wanted = next(pattern);
    const std::string_view given = next(path);
    if (wanted.starts_with('{')) {
      if (given.empty()) return false;
      Result<std::string> value = decoded(given, false);
      if (!value.ok()) return false;
      names.emplace_back(std::string(wanted.substr(1, wanted.size() - 2)),
                         std::move(value).value());
    } else if (wanted != given) {
      return false;
    }
  }
  return pattern.empty() && path.empty();
}

std::string reference_to(std::string_view schema) {
  return fmt::format(R"({{"$ref": "#/components/schemas/{}"}})", schema);
}

std::map<std::string, std::string> made_schemas() {
  std::map<std::string, std::string> all = RunBrowser::schemas();
  FailureAnswer failure;
  all["Failure"] = schema_of(fields_of(failure));
  all["OpenApi"] =
      R"({"type": "object", "properties": {"openapi": {"const": "3.1.0"}}, "required": ["openapi", "info", "components", "paths"]})";
  return all;
}

std::string openapi_json(const std::vector<Route>& routes, bool needs_token) {
  std::string paths;
  std::vector<std::string_view> done;
  for (const Route& route : routes) {
    if (std::find(done.begin(), done.end(), route.path) != done.end()) continue;
    done.push_back(route.path);
    std::string operations;
    for (const Route& other : routes) {
      if (other.path != route.path) continue;
      operations += (operations.empty() ? "" : ", ") +
                    std::string(other.takes_body() ? "\"post\": " : "\"get\": ") +
                    operation_of(other, needs_token);
    }
    paths += (paths.empty() ? "" : ",\n") + json_string(route.path) + ": {" + operations + "}";
  }
  std::string schemas;
  for (const auto& [name, schema] : made_schemas()) {
    schemas += (schemas.empty() ? "" : ",\n") + json_string(name) + ": " + schema;
  }
  return R"({"openapi": "3.1.0", "info": {"title": "twinset", "description": "An index of documents and a finished run, over HTTP", "version": )" +
         json_string(version()) + "}, \"components\": {\"schemas\": {\n" + schemas + "}" +
         (needs_token
              ? R"(, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}, "security": [{"token": []}])"
              : "}") +
         ", \"paths\": {\n" + paths + "\n}}\n";
}

}  // namespace twinset::service
