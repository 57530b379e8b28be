// This file's interface is evaluate/verdict.h and Evaluation::choice(); the rest is private.
#include "evaluate/verdict.h"

#include <fmt/core.h>

#include <cmath>

#include "base/message.h"
#include "evaluate/trial_set.h"

namespace twinset {
namespace {

/// In percent, cut to one decimal: 100 means all.
double cut_percent(double share) { return std::floor(share * 1000) / 10; }

/// Does scheme a have the better recall at a threshold, or the same for less work?
bool surer(const MethodEvaluation& a, const MethodEvaluation& b, std::size_t threshold) {
  const std::uint64_t found_by_a = a.at[threshold].recall.count;
  const std::uint64_t found_by_b = b.at[threshold].recall.count;
  if (found_by_a != found_by_b) return found_by_a > found_by_b;
  return a.cost->work_microseconds < b.cost->work_microseconds;
}

/// A scheme that was made for the user's threshold, and has a recall there.
bool comparable(const Evaluation& evaluation, const MethodEvaluation& method) {
  const ThresholdEvaluation& at = method.at[evaluation.chosen];
  return !method.run && at.made() && at.recall.known();
}

/// The scheme with the most due pairs. Null if there is none.
const MethodEvaluation* surest(const Evaluation& evaluation) {
  const MethodEvaluation* best = nullptr;
  for (const MethodEvaluation& method : evaluation.methods) {
    if (!comparable(evaluation, method)) continue;
    if (best == nullptr || surer(method, *best, evaluation.chosen)) best = &method;
  }
  return best;
}

/// Containment: what it needs, and the scheme among those tried that finds most.
std::string containment_sentence(const Evaluation& evaluation) {
  const std::size_t part = pair_kinds;  // TrialParts::only_contained()
  const MethodEvaluation* best = nullptr;
  for (const MethodEvaluation& method : evaluation.methods) {
    if (method.run || method.recall.empty() || method.shared_key != SharedKey::count) continue;
    if (!method.recall[part].known()) continue;
    if (best == nullptr || method.recall[part].value() > best->recall[part].value()) {
      best = &method;
    }
  }
  const std::string sentence =
      "Containment needs keys that are counted (scheme mod at one fixed modulus, which dedup " +
      option("containment") + " adds by itself)";
  if (best == nullptr) return sentence + ".";
  return sentence + fmt::format(
                        "; of those tried, {} finds {:.1f} % of the {} pairs that are "
                        "contained to {:g} but less alike than {:g}.",
                        best->name, cut_percent(best->recall[part].value()), best->recall[part].of,
                        evaluation.containment.value(),
                        evaluation.thresholds[evaluation.chosen].value());
}

/// "resemblance 0.8 or more", or another truth.
std::string due_words(const Evaluation& evaluation) {
  if (!evaluation.due.empty()) return evaluation.due;
  return fmt::format("resemblance {:g} or more", evaluation.thresholds[evaluation.chosen].value());
}

/// How good the run is.
std::string run_sentence(const Evaluation& evaluation, const MethodEvaluation& method) {
  const ThresholdEvaluation& at = method.at[evaluation.chosen];
  std::string out = fmt::format("{} removed {} documents, {} of them wrongly", method.name,
                                at.precision.of, at.precision.of - at.precision.count);
  if (!at.recall.known()) {
    return out + "; the sample has no pair of " + due_words(evaluation) + ".";
  }
  return out + fmt::format(", and resolved {:.1f} % (from {:.1f}) of {} pairs of {}.",
                           cut_percent(at.recall.value()), cut_percent(at.recall.low), at.recall.of,
                           due_words(evaluation));
}

/// Which scheme to choose, and by which rule.
std::string choice_sentence(const Evaluation& evaluation) {
  const double threshold = evaluation.thresholds[evaluation.chosen].value();
  if (const MethodEvaluation* const method = evaluation.choice()) {
    const Share& recall = method->at[evaluation.chosen].recall;
    const SchemeCost& cost = *method->cost;
    return fmt::format(
        "At {:g} take {}: of the schemes whose recall is at least {:g} by its lower bound, it has "
        "the least work, {:.1f} us a document ({:.1f} to sketch, {:.1f} to join, {:.2f} candidates "
        "at {:.1f} us to verify), and finds {:.1f} % (from {:.1f}).",
        threshold, method->given, evaluation.least_recall, cost.work_microseconds,
        cost.microseconds, cost.join_microseconds, cost.candidates,
        evaluation.verification_microseconds, cut_percent(recall.value()), cut_percent(recall.low));
  }
  if (const MethodEvaluation* const method = surest(evaluation)) {
    const Share& recall = method->at[evaluation.chosen].recall;
    return fmt::format(
        "At {:g} no scheme tried has a recall of at least {:g} by its lower bound; {} has the "
        "highest, {:.1f} % (from {:.1f}) of {} pairs.",
        threshold, evaluation.least_recall, method->given, cut_percent(recall.value()),
        cut_percent(recall.low), recall.of);
  }
  return fmt::format(
      "Nothing to choose by: the sample has no pair of {}, or no scheme can be made for it.",
      due_words(evaluation));
}

}  // namespace

const MethodEvaluation* Evaluation::choice() const {
  const MethodEvaluation* cheapest = nullptr;
  for (const MethodEvaluation& method : methods) {
    if (!comparable(*this, method) || method.at[chosen].recall.low < least_recall) continue;
    if (cheapest == nullptr || method.cost->work_microseconds < cheapest->cost->work_microseconds) {
      cheapest = &method;
    }
  }
  return cheapest;
}

std::string verdict_on(const Evaluation& evaluation) {
  std::string verdict;
  bool any_scheme = false;
  for (const MethodEvaluation& method : evaluation.methods) {
    if (method.run) verdict += run_sentence(evaluation, method);
    any_scheme = any_scheme || !method.run;
  }
  if (!any_scheme) return verdict;
  if (!verdict.empty()) verdict += '\n';
  verdict += choice_sentence(evaluation);
  // Of another truth, no pair is only contained.
  if (!evaluation.due.empty()) return verdict;
  return verdict + " " + containment_sentence(evaluation);
}

}  // namespace twinset
