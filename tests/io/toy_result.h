// A toy result that has a field of every kind, with nested parts and what holds between them.
//
// Threads: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "twinset/field.h"
#include "twinset/json.h"

namespace twinset::testing {

struct ToyPart {
  std::string stage;
  double seconds = 0;
  std::vector<std::uint64_t> sizes;
  bool operator==(const ToyPart&) const = default;
};

struct ToyRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const ToyRange&) const = default;
};

inline std::vector<Field> fields_of(ToyRange& range) {
  return {{"begin", &range.begin}, {"end", &range.end}};
}

inline std::vector<Field> fields_of(ToyPart& part) {
  return {measured({"seconds", &part.seconds, Unit::seconds, "that it took"}),
          {"sizes", &part.sizes}};
}

enum class ToyShape : std::uint8_t { round, square };

struct ToyResult {
  bool done = false;
  std::uint64_t read = 0;
  std::uint64_t kept = 0;
  std::uint64_t removed = 0;
  std::uint32_t version = 0;
  double share = 0;
  double exact = 0;
  double expected = 0;
  Ratio threshold{1, 2};
  std::string name;
  ToyShape shape = ToyShape::round;
  std::optional<ToyShape> other;
  std::uint64_t checksum = 0;
  std::string id;  ///< a JSON value
  std::optional<std::uint64_t> limit;
  std::optional<double> mean;
  std::optional<std::uint32_t> tries;
  std::optional<Ratio> floor;
  std::optional<std::string> first;
  std::vector<std::uint64_t> counts;
  std::vector<double> shares;
  std::vector<std::string> warnings;
  std::vector<std::vector<std::string>> names;
  ToyPart part;
  std::optional<ToyPart> rest;
  std::vector<ToyPart> parts;
  std::vector<ToyPart> lines;
  std::vector<ToyPart> stages;
  ToyRange range;
  std::vector<ToyRange> ranges;
  std::vector<ToyRange> steps;
  std::uint64_t given = 1;
  ToyRange last;
  bool has_last = false;
  std::uint64_t parts_listed = 0;  ///< in no field: follows from `parts`
  bool operator==(const ToyResult&) const = default;
};

inline std::vector<Field> fields_of(ToyResult& toy) {
  const std::vector<std::string_view> shapes{"round", "square"};
  return {
      {"read", &toy.read, Unit::count, "records"},
      {"kept", &toy.kept, Unit::count, "... that stay"},
      {"removed", &toy.removed, Unit::count, "... that go"},
      {"gone", Computed{[&toy] { return toy.read - toy.kept; }}},
      {"read = kept + removed", FieldRule{[&toy] { return toy.read == toy.kept + toy.removed; }}},
      {"done", &toy.done},
      {"version", &toy.version},
      {"share", &toy.share, Unit::share},
      {"exact", Real{&toy.exact}},
      {"expected", Real{&toy.expected, Real::Digits::two}},
      {"threshold", &toy.threshold, Unit::share},
      {"name", &toy.name, Unit::text},
      {"shape", Choice(&toy.shape, shapes), Unit::text},
      if_set({"other", Choice(&toy.other, shapes), Unit::text}),
      {"checksum",
       TextForm{[&toy] { return std::to_string(toy.checksum); },
                [&toy](std::string_view text) {
                  toy.checksum = 0;
                  for (const char c : text) {
                    if (c < '0' || c > '9' || toy.checksum > 1'000'000) return false;
                    toy.checksum = 10 * toy.checksum + static_cast<std::uint64_t>(c - '0');
                  }
                  return true;
                }},
       Unit::code},
      {"id", JsonForm{[&toy] { return toy.id; },
                      [&toy](std::string_view json) {
                        if (json == "null") return Status(usage_error("names nothing"));
                        toy.id = json;
                        return Status();
                      }}},
      if_set({"limit", &toy.limit}),
      {"mean", &toy.mean},
      if_set({"tries", &toy.tries}),
      if_set({"floor", &toy.floor}),
      if_set({"first", &toy.first}),
      {"counts", &toy.counts},
      if_set({"shares", &toy.shares}),
      {"warnings", &toy.warnings, Unit::text},
      if_set({"names", &toy.names, Unit::text}),
      {"part", Nested(&toy.part)},
      {"group", Nested([&toy] {
         return std::vector<Field>{{"read", Computed{[&toy] { return toy.read; }}}};
       })},
      if_set({"rest", OptionalNested(&toy.rest)}),
      {"parts", NestedList(&toy.parts)},
      if_set({"lines", NestedList(&toy.lines, ListLayout::lines)}),
      {"stages", NestedMap(&toy.stages, &ToyPart::stage)},
      {"range", Nested([&toy] { return fields_of(toy.range); }, NestedForm::row)},
      {"ranges", NestedList(&toy.ranges, ListLayout::rows)},
      {"steps", NumberRows(
                    &toy.steps, {{"from", "where it begins"}, {"to", ""}},
                    [](const ToyRange& range) {
                      return NumberRows::Numbers{range.begin, range.end};
                    },
                    [](const NumberRows::Numbers& numbers) -> std::optional<ToyRange> {
                      if (numbers[0] > numbers[1]) return std::nullopt;
                      return ToyRange{numbers[0], numbers[1]};
                    })},
      if_given({"given", &toy.given}),
      {"last", OptionalNested(&toy.last, &toy.has_last)},
      {"kept_share", Computed{[&toy] {
         return toy.read == 0 ? 0.0 : static_cast<double>(toy.kept) / static_cast<double>(toy.read);
       }},
       Unit::share},
      {"any_left", Computed{[&toy] { return toy.kept > 0; }}},
      if_set({"kept_in_words", Computed{[&toy] {
                return toy.kept == 3 ? std::string("\"three\"") : std::string();
              }}}),
      {"", Restored{[&toy] { toy.parts_listed = toy.parts.size(); }}},
  };
}

}  // namespace twinset::testing
