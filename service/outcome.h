// What became of a request: its answer, or why there is none, with a status of HTTP.
//
//   Outcome<IndexAnswer> query(Service& service, TextQuery& asked);
//
// Threads: values.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "twinset/result.h"

namespace twinset::service {

struct Failure {
  unsigned status = 500;
  std::string code = "io";   ///< one word, for programs
  std::string message;       ///< for render_message()
  unsigned retry_after = 0;  ///< seconds; 0: not told
};

/// By the kind of the error: usage is 400, a full disk 507, another cause outside 500.
Failure failure_of(const Error& error);

template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : state_(std::in_place_index<0>, std::move(value)) {}            // NOLINT
  Outcome(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}  // NOLINT
  Outcome(const Error& error) : Outcome(failure_of(error)) {}                       // NOLINT
  Outcome(Result<T> result)                                                         // NOLINT
      : Outcome(result.ok() ? Outcome(std::move(result).value()) : Outcome(result.error())) {}

  bool ok() const { return state_.index() == 0; }
  const Failure& error() const { return std::get<1>(state_); }
  T& value() & { return std::get<0>(state_); }
  T value() && { return std::get<0>(std::move(state_)); }

 private:
  std::variant<T, Failure> state_;
};

}  // namespace twinset::service
