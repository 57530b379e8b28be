// Steps of evaluate over columns, for engines that move rows between machines: the module
// twinset/spark.py stands on it. Workers rank texts, and what may be sampled comes to one place,
// which evaluates; the rules are those of twinset/evaluate.h.
//
// This file's interface is verbs.h; the rest is private.
#include <nanobind/stl/string.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "fields.h"
#include "numbers.h"
#include "options.h"
#include "texts.h"
#include "twinset/evaluate.h"
#include "verbs.h"

namespace twinset::python {
namespace {

std::uint64_t value_at(const Numbers& numbers, std::size_t i) {
  return static_cast<std::uint64_t>(numbers.data()[i]);
}

EvaluateOptions evaluate_options(const nb::dict& typed) {
  EvaluateOptions options;
  set_options(options_of(options), typed);
  return options;
}

/// (analyzer, tokens of a shingle, html, seed, documents): plain values, which go to workers.
nb::tuple rule_of_sample(const nb::dict& typed) {
  const SampleRule rule = or_raise(sample_rule(evaluate_options(typed), RunControl{}));
  return nb::make_tuple(rule.analyzer, rule.shingle_tokens, rule.html, rule.seed,
                        rule.limits.documents);
}

class SampleWorker {
 public:
  SampleWorker(const std::string& analyzer, unsigned shingle_tokens, bool html, std::uint64_t seed,
               std::uint64_t documents)
      : ranker_(or_raise(
            SampleRanker::make({analyzer, shingle_tokens, html, seed, {.documents = documents}}))) {
  }

  /// (bytes of each text, whether it has a token; whether it may be sampled, score, tie, shingle).
  /// Scores are the bits of floating numbers, which are in order, as they are not negative.
  nb::tuple rank(const Texts& texts, const Numbers& numbers) const {
    if (texts.size() != numbers.shape(0)) raise(usage_error("there are not as many texts"));
    std::vector<std::uint64_t> records;
    for (std::size_t i = 0; i < texts.size(); ++i) records.push_back(value_at(numbers, i));
    std::vector<std::int64_t> bytes;
    std::vector<std::uint8_t> has_tokens;
    std::vector<std::uint8_t> ranked;
    std::vector<std::int64_t> scores;
    std::vector<std::uint64_t> ties;
    std::vector<std::uint64_t> shingles;
    for (const RankedText& text : or_raise(ranker_.rank(texts.texts.views(), records))) {
      const SampleRank rank = text.rank.value_or(SampleRank{});
      bytes.push_back(static_cast<std::int64_t>(text.bytes));
      has_tokens.push_back(text.has_tokens ? 1 : 0);
      ranked.push_back(text.rank.has_value() ? 1 : 0);
      scores.push_back(std::bit_cast<std::int64_t>(rank.score));
      ties.push_back(rank.tie);
      shingles.push_back(rank.shingle);
    }
    return nb::make_tuple(column(std::move(bytes)), column(std::move(has_tokens)),
                          column(std::move(ranked)), column(std::move(scores)),
                          column(std::move(ties)), column(std::move(shingles)));
  }

 private:
  SampleRanker ranker_;
};

/// SampleScan, of ranks that come in batches.
class Sampling {
 public:
  /// `whole`: of a whole collection, whose texts are held, not of a part of it.
  Sampling(std::uint64_t documents, bool whole) : scan_(limits_of(documents, whole)) {}

  /// For each row 1 if it may be sampled so far.
  nb::object add(const Numbers& scores, const Numbers& ties, const Numbers& shingles,
                 const Numbers& bytes, const Numbers& records) {
    check_sizes(scores, ties, shingles, bytes, records);
    std::vector<std::uint8_t> taken;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
      const bool held =
          scan_.add({std::bit_cast<double>(scores.data()[i]), value_at(ties, i),
                     value_at(shingles, i), value_at(bytes, i), value_at(records, i)});
      taken.push_back(held ? 1 : 0);
    }
    return column(std::move(taken));
  }
  nb::object records() const {
    std::vector<std::int64_t> all;
    for (const SampleRank& rank : scan_.held()) {
      all.push_back(static_cast<std::int64_t>(rank.record));
    }
    return column(std::move(all));
  }
  /// (scores, documents) of those that are too like others, and were refused.
  nb::tuple refused_alike() const {
    std::vector<std::int64_t> scores;
    std::vector<std::int64_t> documents;
    for (const auto& [score, count] : scan_.refused_alike()) {
      scores.push_back(std::bit_cast<std::int64_t>(score));
      documents.push_back(static_cast<std::int64_t>(count));
    }
    return nb::make_tuple(column(std::move(scores)), column(std::move(documents)));
  }
  void add_alike(const Numbers& scores, const Numbers& documents) {
    check_sizes(scores, documents);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
      scan_.add_alike(std::bit_cast<double>(scores.data()[i]), value_at(documents, i));
    }
  }
  std::uint64_t too_alike() const { return scan_.too_alike(); }
  bool too_much_text() const { return scan_.too_much_text(); }

 private:
  static SampleLimits limits_of(std::uint64_t documents, bool whole) {
    SampleLimits limits{.documents = documents};
    if (!whole) limits.bytes = std::numeric_limits<std::uint64_t>::max();
    return limits;
  }

  SampleScan scan_;
};

/// What run() gives of evaluate, over the rows that were brought together. `counts` has the
/// members of DrawnSample; `sampled` is 1 for each row of the sample.
nb::dict evaluate_drawn(const nb::dict& typed, Texts& texts, const nb::dict& counts,
                        const Numbers& sampled) {
  if (texts.size() != sampled.shape(0)) raise(usage_error("there are not as many texts"));
  const auto count = [&](const char* name) { return nb::cast<std::uint64_t>(counts[name]); };
  DrawnSample drawn{.documents = count("documents"),
                    .too_long = count("too_long"),
                    .too_alike = count("too_alike"),
                    .too_much_text = nb::cast<bool>(counts["too_much_text"]),
                    .labeled = count("labeled"),
                    .unlabeled = count("unlabeled"),
                    .labeled_bytes = count("labeled_bytes"),
                    .sampled = {}};
  for (std::size_t i = 0; i < texts.size(); ++i) drawn.sampled.push_back(sampled.data()[i] != 0);
  EvaluateOptions options = evaluate_options(typed);
  options.columns = {texts.column("memory")};
  options.drawn = &drawn;
  Evaluation done = watched(nb::none(), {},
                            [&](const RunControl& control) { return evaluate(options, control); });
  nb::dict answer;
  answer["fields"] = values_of(fields_of(done));
  answer["text"] = text_of(render_message(Door::python, to_text(done)));
  answer["json"] = text_of("");
  answer["tables"] = nb::dict();
  answer["lines"] = nb::bytes("", 0);
  return answer;
}

}  // namespace

void add_evaluate_engine(nb::module_& module) {
  module.def("sample_rule", &rule_of_sample, nb::arg("typed"));
  nb::class_<SampleWorker>(module, "SampleWorker")
      .def(nb::init<const std::string&, unsigned, bool, std::uint64_t, std::uint64_t>(),
           nb::arg("analyzer"), nb::arg("shingle_tokens"), nb::arg("html"), nb::arg("seed"),
           nb::arg("documents"))
      .def("rank", &SampleWorker::rank, nb::arg("texts"), nb::arg("numbers"));
  nb::class_<Sampling>(module, "Sampling")
      .def(nb::init<std::uint64_t, bool>(), nb::arg("documents"), nb::arg("whole"))
      .def("add", &Sampling::add, nb::arg("scores"), nb::arg("ties"), nb::arg("shingles"),
           nb::arg("bytes"), nb::arg("records"))
      .def("records", &Sampling::records)
      .def("refused_alike", &Sampling::refused_alike)
      .def("add_alike", &Sampling::add_alike, nb::arg("scores"), nb::arg("documents"))
      .def_prop_ro("too_alike", &Sampling::too_alike)
      .def_prop_ro("too_much_text", &Sampling::too_much_text);
  module.attr("most_labeled_documents") = most_labeled_documents;
  module.attr("most_labeled_bytes") = most_labeled_bytes;
  module.def("evaluate_drawn", &evaluate_drawn, nb::arg("typed"), nb::arg("texts"),
             nb::arg("counts"), nb::arg("sampled"));
}

}  // namespace twinset::python
