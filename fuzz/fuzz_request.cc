// Any bytes as a request of the service: its path, its parameters or its body, read as each route
// declares them. What is refused is told as a failure that is JSON itself; a body that is taken is
// the same when it is written and read again.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "service/route.h"

namespace {

using namespace twinset;
using namespace twinset::service;
using twinset::fuzzing::require;

constexpr std::size_t most_values = 10'000;

void check(const twinset::Status& read) {
  if (read.ok()) return;
  const Failure failure = failure_of(read.error());
  require(failure.status == 400);
  require(JsonTree::parse(failure_json(failure), most_values).ok());
}

void ask_with_body(const Route& route, const std::string& body) {
  const Result<JsonTree> tree = JsonTree::parse(body, most_values);
  if (!tree.ok()) return check(tree.error());
  const std::string raw = tree.value().root().raw();
  const Result<JsonTree> again = JsonTree::parse(raw, most_values);
  require(again.ok() && again.value().root().raw() == raw);
  route.with_members(
      [&](const Members& members) { check(read_members(tree.value().root(), members)); });
}

void ask_with_parameters(const Route& route, std::string_view target) {
  const std::size_t question = target.find('?');
  Parameters asked;
  if (match_path(route.path, target.substr(0, question), asked)) {
    for (const auto& [name, value] : asked) {
      require(invalid_utf8_at(value) == std::string_view::npos);
    }
  }
  if (question == std::string_view::npos) return;
  const Result<Parameters> parameters = parse_parameters(target.substr(question + 1));
  if (!parameters.ok()) return check(parameters.error());
  for (const auto& parameter : parameters.value()) asked.push_back(parameter);
  route.with_members([&](const Members& members) { check(read_parameters(asked, members)); });
}

std::vector<Route> all_routes() {
  std::vector<Route> all = index_routes();
  for (Route& route : run_routes()) all.push_back(std::move(route));
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Route> routes = all_routes();
  twinset::fuzzing::FuzzInput input(data, size);
  const Route& route = routes[input.below(routes.size())];
  if (route.takes_body()) {
    ask_with_body(route, std::string(input.rest()));
  } else {
    ask_with_parameters(route, input.rest());
  }
  return 0;
}
