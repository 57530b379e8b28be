// Writes options as JSON, the member `options` of summary.json, and reads them back.
//
//   summary.raw("options", options_json(options));    // any struct that options_of() knows
//   TWINSET_TRY(read_options(made["options"], options_of(again), "out/summary.json"));
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "io/json_read.h"
#include "twinset/option.h"
#include "twinset/result.h"

namespace twinset {

/// The options of all roles up to `last`, as one object.
std::string json_of(const std::vector<Option>& options, OptionRole last);

/// By value: options_of() takes an object that may be changed.
template <class Options>
std::string options_json(Options options) {
  return json_of(options_of(options), OptionRole::recorded);
}

/// The verb and all options that affect its output, as text: part of a run's identity.
template <class Options>
std::string options_identity(std::string_view verb, Options options) {
  return std::string(verb) + " " + json_of(options_of(options), OptionRole::decides);
}

/// Sets `options`, whose values must be the defaults, to those that options_json() wrote. An option
/// that `made` lacks keeps its default: the run is older than the option. Error (io), which names
/// `what`, if `made` is not an object or a value is not valid for its option.
Status read_options(const JsonNode& made, const std::vector<Option>& options,
                    const std::string& what);

}  // namespace twinset
