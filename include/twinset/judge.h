// A person judges sampled pairs of a run, so that the run's precision is known with an interval; or
// sampled labels of a file of labels, so that it is known what the labels are.
//
//   JudgeOptions options;
//   options.sources = {"groups"};          // a folder that cluster or dedup made
//   options.output = "groups.judged";
//   options.judge = "ann";
//   Result<JudgedTables> done = judge(options, desk, RunControl{});   // a JudgeDesk shows and asks
//   done.value().judges.front().classes.front().precision;            // with its 95 % interval
//
// The sample depends on the pairs and the seed alone: neither on their order nor on the machine.
// Each verdict is synced before the next pair is shown; the same call continues with the pairs that
// this judge has not judged (docs/formats/judged.md).
//
// Threads: one call at a time per output; the desk is called by the caller's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/collection.h"
#include "twinset/option.h"
#include "twinset/pair.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// What is judged.
enum class Judged : std::uint8_t { pairs, labels };

/// What the classes of pairs or labels are made by.
enum class JudgeBy : std::uint8_t {
  distance,     ///< the bits that differ: a class each
  resemblance,  ///< ten classes of 0.1
  label,        ///< the kind of a pair or label, or a pair's own label
  count         ///< how often a label was seen: from 1, 10, 100 and so on
};

inline constexpr const char* pair_categories = "same,different,unclear";
/// Those of Tables 2 and 3 of "Precise Detection of Content Reuse in the Web", where JavaScript
/// that advertises or tracks is commercial.
inline constexpr const char* label_categories =
    "commercial,possibly-commercial,template,stop,other,unclear";

struct JudgeOptions {
  /// A folder that dedup, cluster or detect made, a file of pairs, a JSON object a line, or a file
  /// of labels. With `table`: judged files.
  std::vector<std::string> sources;
  std::string output;          ///< the judged file: made, or continued
  std::uint64_t sample = 200;  ///< pairs or labels of each class
  std::optional<JudgeBy> by;   ///< nullopt: all are one class
  std::uint64_t seed = 1;
  /// Names separated by commas, told apart by their first letters. Of pairs the first is the good
  /// one; what is judged "unclear" is left out of all shares. Empty: pair_categories or
  /// label_categories.
  std::string categories;
  std::string judge;  ///< the judge's name
  std::string page;   ///< a page to make, on which to judge; the desk is not asked
  bool table = false;
  /// How the records that a file of pairs names are read; a folder knows it.
  InputSettings input;
  std::string analyzer = "words";
};

std::vector<Option> options_of(JudgeOptions& options);

/// A pair as the judge sees it; neither its value nor its class is told. Of a label texts.name_a
/// says its kind and hash, texts.name_b how often it was seen, texts.text_a is the begin of its
/// content, and texts.text_b has the places where it was seen, a line each.
struct PairToJudge {
  Judged kind = Judged::pairs;
  std::uint64_t number = 0;  ///< in the sample, from 1
  std::uint64_t of = 0;
  std::uint64_t left = 0;  ///< pairs without a verdict of this judge, this one included
  ComparedTexts texts;
  std::vector<std::string> categories;
  std::optional<std::size_t> verdict;  ///< given before
};

/// The names and both texts: with `whole` or of a label one after the other, else as one text that
/// marks the differences and leaves out most of the passages that both have.
std::string to_text(const PairToJudge& pair, const AnswerOptions& answer, bool whole);

struct JudgeAnswer {
  enum class Kind : std::uint8_t { verdict, back, stop };
  Kind kind = Kind::stop;
  std::size_t category = 0;  ///< of a verdict
};

/// Shows pairs to a person and takes the answers.
class JudgeDesk {
 public:
  virtual ~JudgeDesk() = default;
  /// An Error ends the call of judge(); the verdicts before it are kept.
  virtual Result<JudgeAnswer> ask(const PairToJudge& pair) = 0;
};

/// The verdicts of one judge on one class.
struct JudgedClass {
  std::string name;           ///< "2", "0.8-0.9", "near"; "all" without classes
  std::uint64_t pairs = 0;    ///< in the run; or labels, in the file
  std::uint64_t sampled = 0;  ///< of these
  std::uint64_t judged = 0;
  std::vector<std::uint64_t> verdicts;  ///< by category
  std::optional<Interval> precision;    ///< nullopt: each verdict is "unclear", or there is none
  /// Of labels: of each category, of the verdicts that are not "unclear"; empty as `precision`.
  std::vector<Interval> shares{};
};

struct JudgeVerdicts {
  std::string judge;
  std::uint64_t judged = 0;
  std::vector<JudgedClass> classes;
};

/// How far two judges agree on the pairs that both judged.
struct JudgeAgreement {
  std::string a;
  std::string b;
  std::uint64_t both = 0;
  std::uint64_t agreed = 0;
  Interval share;
  std::optional<double> kappa;  ///< Cohen's; nullopt if both know one category only
  double kappa_error = 0;       ///< its standard error
};

/// The verdicts of judged files.
struct JudgedTables {
  Judged kind = Judged::pairs;
  std::string source;         ///< as the first call named it
  std::string by;             ///< "distance", "resemblance", "label", "count"; empty: one class
  std::uint64_t sampled = 0;  ///< pairs or labels
  std::vector<std::string> categories;
  std::vector<JudgeVerdicts> judges;  ///< by name
  std::vector<JudgeAgreement> agreements;
  std::vector<std::string> notes;  ///< a sentence each
};

std::vector<Field> fields_of(JudgedTables& tables);

/// Samples, has the pairs without a verdict judged, and counts the verdicts of the output. With
/// `page` makes the page instead; with `table` only counts. Errors: usage (an option, a source
/// without pairs or labels, an output that is no judged file or is of another sample), io (an input
/// that has changed since the run; the output cannot be written), interrupted, and those of the
/// desk.
Result<JudgedTables> judge(const JudgeOptions& options, JudgeDesk& desk, const RunControl& control);

std::string to_text(const JudgedTables& tables);
/// One object on a line.
std::string to_json(const JudgedTables& tables);

}  // namespace twinset
