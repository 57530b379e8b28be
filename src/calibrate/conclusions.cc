// This file's interface is calibrate/conclusions.h; the rest is private.
#include "calibrate/conclusions.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "base/file_header.h"
#include "base/message.h"
#include "calibrate/calibration_fields.h"
#include "run/common_options.h"
#include "run/shares.h"
#include "words/numbers.h"

namespace twinset {
namespace {

constexpr std::uint64_t usual_sample = 2000;
constexpr std::uint64_t usual_labeled = 10'000;
constexpr std::uint64_t most_sampled = 100'000;
/// A group with more of the pairs makes halves that are not alike.
constexpr double large_group = 0.5;

/// "100:2,3" of the classes' values.
std::string distance_by_length(const std::vector<CalibrationClass>& classes) {
  std::string out;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::string& value = classes[i].rows[*classes[i].chosen].value;
    if (i + 1 == classes.size()) return out + value;
    const CalibrationClass& next = classes[i + 1];
    if (next.rows[*next.chosen].value == value) continue;
    out += fmt::format("{}:{},", classes[i].tokens.below, value);
  }
  return out;
}

std::string token_range_text(const TokenRange& range) {
  if (range.below == 0 && range.least == 0) return "all lengths";
  if (range.below == 0) return fmt::format("from {} tokens", range.least);
  return range.least == 0 ? fmt::format("below {} tokens", range.below)
                          : fmt::format("{} to {} tokens", range.least, range.below - 1);
}

}  // namespace

bool plants_copies(const CalibrateOptions& options) {
  return options.labels.empty() && options.pairs.empty();
}

std::uint64_t sample_of(const CalibrateOptions& options) {
  return options.sample.value_or(options.labels.empty() ? usual_sample : usual_labeled);
}

Status check_options(const CalibrateOptions& options) {
  if (options.scheme.empty()) {
    return usage_error("no " + option("scheme") +
                       " given: name the one whose threshold is to be chosen");
  }
  if (!options.labels.empty() && !options.pairs.empty()) {
    return usage_error(option("labels") + " and " + option("pairs") +
                       " both say which documents are the same; leave one out");
  }
  if (options.precision.numerator() == 0) {
    return usage_error(option("precision", "0") +
                       " would accept every value; give a share such as 0.95");
  }
  if (options.precision.numerator() == options.precision.denominator()) {
    return usage_error(
        option("precision", "1") +
        " cannot be told from a sample, however many pairs are right; give a share below it, "
        "such as 0.99");
  }
  TWINSET_TRY(check_shares(options.resemblance, std::nullopt));
  if (options.sample == 0) return usage_error(option("sample") + " is at least 1");
  if (options.sample > most_sampled) {
    return usage_error(fmt::format("{} is at most {}", option("sample"), most_sampled));
  }
  if (plants_copies(options) && options.verify == Check::exact) {
    return usage_error(option("verify", "exact") +
                       " decides by the exact resemblance, which is also the truth without " +
                       option("labels") + " and " + option("pairs") +
                       ": give one of them, or leave " + option("verify") + " out");
  }
  return {};
}

Status check_analyzer(const CalibrateOptions& options, const Job& job) {
  if (plants_copies(options) && job.signer.view.analyzer->takes_features()) {
    return usage_error("copies with edited words are planted without " + option("labels") +
                       " and " + option("pairs") +
                       ", and lists of features have no words: give one of them");
  }
  return {};
}

Status check_reads_texts(const Scheme& scheme) {
  if (scheme.record_fields().empty()) return {};
  return usage_error("scheme " + scheme.spec() +
                     " reads fields of records, which the sampled texts do not have; leave them "
                     "out to calibrate the rest");
}

Status check_verify(const CalibrateOptions& options, const Scheme& scheme) {
  if (!options.verify.has_value()) return {};
  return usage_error(option("verify") + " is for schemes that estimate resemblance; scheme " +
                     std::string(scheme.declaration().name) +
                     " tells more by itself. Leave it out");
}

Status check_labels(const CalibrateOptions& options, std::uint64_t labels, std::uint64_t sampled) {
  const std::string field = "field '" + options.labels + "' (" + option("labels") + ")";
  if (labels == 1) {
    return usage_error("all " + format_count(sampled) + " sampled documents have one value in " +
                       field + ", so no found pair could be wrong");
  }
  if (labels == sampled) {
    return usage_error("no two of " + format_count(sampled) +
                       " sampled documents have the same value in " + field +
                       ", so no found pair could be right");
  }
  return {};
}

std::string no_label(const CalibrateOptions& options) {
  return "no record has a string or a number in its field '" + options.labels + "' (" +
         option("labels") + ")";
}

std::string truth_of_labels(const CalibrateOptions& options, std::uint64_t sampled,
                            std::uint64_t labeled) {
  return fmt::format("documents with one value in '{}' are the same: {} of {}", options.labels,
                     format_count(sampled),
                     format_count(labeled, "labeled document", "labeled documents"));
}

VerbOptions calibrate_verb() {
  VerbOptions verb;
  verb.name = verb.identity = "calibrate";
  verb.works_in = WorksIn::own;
  return verb;
}

ComparisonOptions comparison_of(const CalibrateOptions& options) {
  ComparisonOptions comparison = analyzed_by(options.analyzer);
  comparison.scheme = options.scheme;
  comparison.max_group = options.max_group;
  return comparison;
}

void conclude_choice(const CalibrateOptions& options, Choices chosen, Calibration& made) {
  made.groups = chosen.groups;
  made.largest_group = chosen.largest_group;
  made.needed = chosen.needed;
  made.precision = options.precision.value();
  made.classes = std::move(chosen.classes);
  made.chosen = made.option == "distance" ? distance_by_length(made.classes)
                                          : made.values[*made.classes.back().chosen];
  if (made.largest_group > large_group) {
    made.warnings.push_back(
        fmt::format("one group of documents that are the same has {:.0f} % of the documents, so "
                    "the halves are not alike",
                    100 * made.largest_group));
  }
  for (const CalibrationClass& of : made.classes) {
    if (!of.chosen) continue;
    const Share& held = of.rows[*of.chosen].held_out.precision;
    const std::string at = token_range_text(of.tokens);
    if (!of.reached) {
      made.warnings.push_back(fmt::format(
          "{}: no value reaches the precision by the lower end of its interval, so the strictest "
          "stands in",
          at));
    }
    if (held.known() && held.high < made.precision) {
      made.warnings.push_back(
          fmt::format("{}: on the half that did not choose, the precision is {:.3f} ({:.3f} to "
                      "{:.3f}), below {}",
                      at, held.value(), held.low, held.high, options.precision.text()));
    }
  }
}

Result<Profile> chosen_profile(const Job& job, const FoundPairs& found, Check check,
                               Calibration& made) {
  const std::string& spec = found.spec_of(*made.classes.back().chosen);
  double threshold = 1;
  if (made.option == "resemblance") {
    TWINSET_ASSIGN(const Ratio resemblance, Ratio::parse(made.chosen));
    threshold = resemblance.value();
  }
  if (made.option == "scheme") made.chosen = spec;
  TWINSET_ASSIGN(const auto scheme, make_scheme(spec, threshold, *job.context.files));
  Profile profile;
  profile.analyzer = job.signer.view.analyzer->name();
  profile.analyzer_version = job.signer.view.analyzer->version();
  if (made.option == "distance") profile.distance = made.chosen;
  if (made.option == "resemblance") {
    TWINSET_ASSIGN(profile.resemblance, Ratio::parse(made.chosen));
    profile.check = check;
  }
  profile.scheme = made.scheme = scheme->spec();
  // Runs compare it before they know whether their inputs are pages.
  ViewRule rule = job.signer.view;
  rule.pages = false;
  profile.fingerprint = made.fingerprint = fingerprint_text(scheme_fingerprint(*scheme, rule));
  profile.checked = checked_json(made.classes);
  return profile;
}

}  // namespace twinset
