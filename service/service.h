// The handler of the server: lets requests in, finds their routes, and answers them as JSON.
//
// Threads: see HttpHandler.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access.h"
#include "http.h"
#include "rate_limit.h"
#include "route.h"
#include "state.h"

namespace twinset::service {

class Service final : public HttpHandler {
 public:
  /// `state` outlives it.
  Service(State& state, Access access, Say say, bool verbose);

  std::optional<HttpAnswer> admit(const HttpRequest& request) override;
  HttpTurn turn_of(const HttpRequest& request) const override;
  HttpAnswer answer(HttpRequest& request) override;
  HttpAnswer refuse(HttpRefusal refusal) override;
  std::vector<std::pair<std::string, std::string>> common_headers() const override;
  void done(const HttpExchange& exchange) override;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  /// Null: there is none. `known`: there is one of another method.
  const Route* find(const HttpRequest& request, Parameters& names, bool& known) const;
  std::optional<Failure> barred(const HttpRequest& request);
  HttpAnswer answer_lines(const Route& route, std::string body);
  Outcome<std::string> answer_line(const Route& route, std::string_view line);

  State& state_;
  const Access access_;
  const Say say_;
  const bool verbose_;
  const std::vector<Route> routes_;
  std::optional<RateLimit> rate_;
};

}  // namespace twinset::service
