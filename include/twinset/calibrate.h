// Chooses the value of a scheme's threshold from your own documents: the distance of signatures,
// the resemblance of estimates, or the number of I-Match's lexicons, at which enough of the pairs
// that a run would find are right. The choice is made on one half of the documents and checked on
// the other.
//
//   CalibrateOptions options;
//   options.inputs = {"crawl.jsonl.zst"};
//   options.scheme = "simhash";
//   options.labels = "topic";                 // documents of one label are the same
//   options.output = "crawl.profile";         // cluster and dedup take it (--profile)
//   const Calibration made = calibrate(options, RunControl{}).value();
//   made.chosen;                              // "100:2,3"
//
// docs/calibrate.md says what is measured against what.
//
// Threads: as dedup(); results are plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinset/collection.h"
#include "twinset/evaluate.h"
#include "twinset/option.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// The truth about a pair comes from `labels`, or from `pairs`; without either, two documents are
/// the same if their exact resemblance reaches `resemblance`, and planted copies tell the recall.
struct CalibrateOptions : ReadingOptions {
  std::string analyzer = "words";
  std::string scheme;              ///< a spec; empty: as cluster's
  std::uint64_t max_group = 1000;  ///< a key of more documents is common (B 5.1); 0: never
  std::string labels;              ///< field of a record's label, nested by dots; empty: none
  /// File of lines {"a": ID, "b": ID, "same": true} or {..., "verdict": "same"}; empty: none.
  std::string pairs;
  Ratio precision{19, 20};  ///< the share of found pairs that must be the same
  Ratio resemblance{1, 2};  ///< of the truth, without labels and pairs
  std::optional<Check>
      verify;  ///< as cluster's; nullopt: exact, or sketch without labels and pairs
  std::uint64_t sample_seed = 1;  ///< chooses documents, copies and halves
  /// Found pairs of each length and value, and documents to plant in: at most [2,000; with labels
  /// 10,000].
  std::optional<std::uint64_t> sample;
  std::string output;  ///< profile to make; empty: none
};

std::vector<Option> options_of(CalibrateOptions& options);

/// Documents by the tokens of the shorter one of a pair.
struct TokenRange {
  std::uint64_t least = 0;
  std::uint64_t below = 0;  ///< 0: no end
};

/// The shares of one half, which is of the pairs that were drawn evenly from all that a run finds:
/// so the intervals of 95 %, of Clopper and Pearson, are for that collection's pairs, and hold at
/// any share. Of judged pairs it is half of the groups: in a precision, wrong pairs of two groups
/// count twice, because half of them are between the halves, in neither; and a share's interval is
/// not narrower than Wilson's with as many observations as groups.
struct HalfShares {
  Share recall;     ///< of the pairs that are the same, those found
  Share precision;  ///< of the pairs found, those that are the same
};

/// One value at one length.
struct CalibrationRow {
  std::string value;
  std::uint64_t found = 0;  ///< all pairs, those that were not judged too
  HalfShares choosing;
  HalfShares held_out;
};

/// The values at one length, from the strictest to the loosest.
struct CalibrationClass {
  TokenRange tokens;
  std::vector<CalibrationRow> rows;
  /// The chosen row; nullopt if all lengths have one value and this is not the class of all.
  std::optional<std::size_t> chosen;
  /// False: no value reaches the precision, so the strictest stands in.
  bool reached = false;
};

/// The planted copies of one length with one share of their distinct words replaced, and those of
/// them that each value finds. Each original has one such copy, so the pairs are independent.
struct PlantedRecall {
  double replaced = 0;
  TokenRange tokens;
  std::vector<Share> found;  ///< as Calibration::values
};

struct Calibration : RunFacts {
  std::string scheme;         ///< full spec, with the choice if it is a parameter
  std::string fingerprint;    ///< of the scheme and analyzer
  std::string option;         ///< that is chosen: "distance", "resemblance" or "scheme"
  std::string chosen;         ///< its value as it would be typed
  std::string truth;          ///< in words
  std::uint64_t sampled = 0;  ///< compared
  std::uint64_t found = 0;    ///< pairs of all documents at the last value; 0 of judged pairs
  std::uint64_t pairs = 0;    ///< with a known truth, found or the same
  /// Components of the pairs that are the same, and other documents; 0 with `found`.
  std::uint64_t groups = 0;
  double largest_group = 0;  ///< share of the documents with a pair that are in the largest one
  double precision = 0;      ///< asked for
  std::uint64_t needed = 0;  ///< groups, or with `found` pairs, that a length needs to tell
  std::vector<std::string> values;
  std::vector<CalibrationClass> classes;  ///< by length; if one value is for all, all are the last
  std::vector<PlantedRecall> planted;     ///< empty with labels or pairs
  std::string profile;                    ///< the profile, byte for byte
};

std::vector<Field> fields_of(Calibration& calibration);

/// Standard input is stored in a folder under resources.tmp, which is removed.
/// Errors: as evaluate(); usage also if the truth or the sample cannot tell a precision, if a pair
/// names a document that the inputs lack, or if the output exists. Nothing is written then.
Result<Calibration> calibrate(const CalibrateOptions& options, const RunControl& control);

/// Tables of at most 100 columns, and a JSON object.
std::string to_text(const Calibration& calibration);
std::string to_json(const Calibration& calibration);

}  // namespace twinset
