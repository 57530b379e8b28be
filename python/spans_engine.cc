// Steps of spans over columns, for engines that move rows between machines: the module
// twinset/spark.py stands on it. The rules are those of twinset/spans.h.
//
// This file's interface is verbs.h; the rest is private.
#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numbers.h"
#include "options.h"
#include "texts.h"
#include "twinset/spans.h"
#include "verbs.h"

namespace twinset::python {
namespace {

/// Columns that are filled row by row.
template <std::size_t size>
class NumberRows {
 public:
  template <class... Values>
  void add(Values... values) {
    static_assert(sizeof...(values) == size);
    std::size_t i = 0;
    (columns_[i++].push_back(static_cast<std::int64_t>(values)), ...);
  }
  nb::list take() {
    nb::list all;
    for (auto& each : columns_) all.append(column(std::move(each)));
    return all;
  }

 private:
  std::array<std::vector<std::int64_t>, size> columns_;
};

std::uint32_t small(const Numbers& numbers, std::size_t i) {
  return static_cast<std::uint32_t>(numbers.data()[i]);
}
std::uint64_t large(const Numbers& numbers, std::size_t i) {
  return static_cast<std::uint64_t>(numbers.data()[i]);
}

/// The rule of a run's options, from values as they are typed.
SpanRule rule_of(const nb::dict& typed) {
  SpansOptions options;
  options.min_tokens = 50;
  set_options(options_of(options), typed);
  SpanRule rule;
  rule.analyzer = options.analyzer;
  rule.least_tokens = *options.min_tokens;
  rule.html = options.input.format == "html";
  return rule;
}

class SpanWorker {
 public:
  explicit SpanWorker(const nb::dict& typed) : steps_(or_raise(SpanSteps::make(rule_of(typed)))) {}

  /// (tokens of each text; row, key, first run and runs of the anchors). A missing text has none.
  nb::tuple anchors(const Texts& texts) const {
    std::vector<std::int64_t> tokens;
    NumberRows<4> rows;
    std::vector<SpanAnchor> found;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      tokens.push_back(0);
      if (!texts.texts.has(i)) continue;
      tokens.back() = static_cast<std::int64_t>(steps_.anchors(texts.texts.views()[i], found));
      for (const SpanAnchor& each : found) rows.add(i, each.key, each.first_run, each.runs);
    }
    return nb::make_tuple(column(std::move(tokens)), rows.take());
  }

  /// key, check, text and first token of the runs that chose anchors. `ends` of each text's in the
  /// columns of anchors.
  nb::list runs(const Texts& texts, const Numbers& numbers, const Numbers& ends,
                const Numbers& first_runs, const Numbers& counts) const {
    check_sizes(numbers, ends);
    check_sizes(first_runs, counts);
    NumberRows<4> rows;
    std::vector<SpanAnchor> anchors;
    std::vector<RunRow> found;
    std::size_t next = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      anchors.clear();
      found.clear();
      for (; next < large(ends, i); ++next) {
        anchors.push_back({0, small(first_runs, next), small(counts, next)});
      }
      or_raise(steps_.runs(texts.texts.views()[i], small(numbers, i), anchors, found));
      for (const RunRow& row : found) rows.add(row.key, row.check, row.text, row.begin);
    }
    return rows.take();
  }

  /// Of texts that each have a row with `others` negative, then rows of the other texts, by number,
  /// that its places name: (number, tokens, those in any span; number, earlier text, begin and end
  /// there, begin and end here, tokens, 1 for the first place, 1 for the nearest one). `ends` of
  /// each row's in the columns of places.
  nb::tuple follow(const Texts& texts, const Numbers& numbers, const Numbers& others,
                   const Numbers& ends, const Numbers& begins, const Numbers& first_texts,
                   const Numbers& first_begins, const Numbers& nearest_texts,
                   const Numbers& nearest_begins, HeldTexts& held) const {
    check_sizes(numbers, others, ends);
    check_sizes(begins, first_texts, first_begins, nearest_texts, nearest_begins);
    NumberRows<3> followed;
    NumberRows<9> spans;
    std::map<std::uint32_t, std::string_view> by_number;
    std::vector<EarlierPlaces> places;
    std::size_t next = 0;
    for (std::size_t row = 0; row < texts.size();) {
      const std::size_t own = row;
      const std::uint32_t number = small(numbers, own);
      by_number.clear();
      for (++row; row < texts.size() && others.data()[row] >= 0; ++row) {
        by_number[small(others, row)] = texts.texts.views()[row];
      }
      places.clear();
      for (; next < large(ends, own); ++next) {
        places.push_back({{number, small(begins, next)},
                          {small(first_texts, next), small(first_begins, next)},
                          {small(nearest_texts, next), small(nearest_begins, next)}});
      }
      const FollowedText found = or_raise(steps_.follow(
          texts.texts.views()[own], places, [&](std::uint32_t other) { return by_number[other]; },
          held));
      followed.add(number, found.tokens, found.reused_tokens);
      for (const FollowedSpan& each : found.spans) {
        const TextSpan& span = each.span;
        spans.add(number, each.earlier, span.begin_a, span.end_a, span.begin_b, span.end_b,
                  span.tokens, each.is_first, each.is_nearest);
      }
    }
    return nb::make_tuple(followed.take(), spans.take());
  }

  std::uint32_t run_tokens() const { return steps_.run_tokens(); }

 private:
  SpanSteps steps_;
};

/// Finds earlier places, of rows that come in batches, by key, check, text and first token.
class PlaceScan {
 public:
  PlaceScan(std::uint32_t run_tokens, bool across) : scan_(run_tokens, across) {}

  /// text, begin, first text, its begin, nearest text, its begin.
  nb::list add(const Numbers& keys, const Numbers& checks, const Numbers& texts,
               const Numbers& begins) {
    check_sizes(keys, checks, texts, begins);
    NumberRows<6> rows;
    for (std::size_t i = 0; i < keys.shape(0); ++i) {
      const auto found =
          scan_.next({large(keys, i), large(checks, i), small(texts, i), small(begins, i)});
      if (!found.has_value()) continue;
      rows.add(found->place.text, found->place.begin, found->first.text, found->first.begin,
               found->nearest.text, found->nearest.begin);
    }
    return rows.take();
  }
  /// Runs that stand twice or more, by 2^i to 2^(i+1) - 1 texts that have them. The last call.
  nb::list by_documents() {
    nb::list bars;
    for (const std::uint64_t runs : scan_.counts().second) bars.append(runs);
    return bars;
  }

 private:
  EarlierPlaceScan scan_;
};

}  // namespace

void add_spans_engine(nb::module_& module) {
  nb::class_<HeldTexts>(module, "HeldTexts")
      .def(nb::init<std::uint64_t>(), nb::arg("memory_bytes"));
  nb::class_<SpanWorker>(module, "SpanWorker")
      .def(nb::init<const nb::dict&>(), nb::arg("typed"))
      .def("anchors", &SpanWorker::anchors, nb::arg("texts"))
      .def("runs", &SpanWorker::runs, nb::arg("texts"), nb::arg("numbers"), nb::arg("ends"),
           nb::arg("first_runs"), nb::arg("counts"))
      .def("follow", &SpanWorker::follow, nb::arg("texts"), nb::arg("numbers"), nb::arg("others"),
           nb::arg("ends"), nb::arg("begins"), nb::arg("first_texts"), nb::arg("first_begins"),
           nb::arg("nearest_texts"), nb::arg("nearest_begins"), nb::arg("held"))
      .def_prop_ro("run_tokens", &SpanWorker::run_tokens);
  nb::class_<PlaceScan>(module, "PlaceScan")
      .def(nb::init<std::uint32_t, bool>(), nb::arg("run_tokens"), nb::arg("across"))
      .def("add", &PlaceScan::add, nb::arg("keys"), nb::arg("checks"), nb::arg("texts"),
           nb::arg("begins"))
      .def("by_documents", &PlaceScan::by_documents);
}

}  // namespace twinset::python
