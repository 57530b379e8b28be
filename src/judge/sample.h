// A sample of pairs: so many of each class, chosen by a hash of each pair and the seed. A label is
// taken for the pair of its hash and its kind.
//
//   Sampler sampler({.by = JudgeBy::distance, .pairs = 200, .seed = 1});
//   TWINSET_TRY(sampler.add(pair));        // every pair once, in any order
//   const Sample sample = sampler.finish().value();
//   sample.pairs;                          // in an order without regard to class
//
// A class keeps the pairs of the lowest hashes, so the sample is without replacement, the same on
// every machine and in every order, and takes memory for the kept pairs alone. A larger sample of
// the same seed contains the smaller one.
//
// Threads: belongs to one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "look/asked_record.h"
#include "twinset/judge.h"
#include "twinset/result.h"

namespace twinset {

/// The value of a pair, as far as its source tells it.
struct PairValue {
  std::optional<std::uint64_t> distance = {};
  std::optional<double> resemblance = {};
  std::string label = {};
  std::optional<std::uint64_t> count = {};  ///< of a label
};

/// The value by which classes are made, as JSON; without classes any value, or null.
std::string value_json(const PairValue& value, std::optional<JudgeBy> by);
/// The class of such JSON; nullopt if it is no value of that kind.
std::optional<std::string> class_of(std::string_view json, std::optional<JudgeBy> by);
/// True if class `a` comes before `b` in tables.
bool class_before(const std::string& a, const std::string& b, std::optional<JudgeBy> by);

/// "distance", "resemblance", "label", "count"; empty for no classes.
std::string_view by_name(std::optional<JudgeBy> by);
/// The classes of such a name; false if there are none.
bool set_by(std::optional<JudgeBy>& by, std::string_view name);

struct SamplePair {
  RecordPlace a;
  RecordPlace b;
  PairValue value;
  /// What the source needs to find the pair again, or texts that it already has.
  DocumentId document_a = {};
  DocumentId document_b = {};
  std::optional<std::string> text_a = {};
  std::optional<std::string> text_b = {};
  std::uint64_t line = 0;  ///< of a file of pairs, for messages

  /// Names both records: their files and numbers, or ids where they have none.
  std::string identity() const;
  /// "a": {...}, "b": {...}: the beginning of its line in a judged file.
  std::string names_json() const;
};

/// identity() of two names, as an id, a file and a record each.
std::string identity_of(const RecordName& a, const RecordName& b);

struct PairSampleRule {
  std::optional<JudgeBy> by;
  std::uint64_t pairs = 0;  ///< of each class, at most
  std::uint64_t seed = 0;
};

struct SampleClass {
  std::string name;
  std::uint64_t pairs = 0;    ///< seen
  std::uint64_t sampled = 0;  ///< kept
};

struct Sample {
  std::vector<SamplePair> pairs;     ///< in the order of their hashes
  std::vector<SampleClass> classes;  ///< in the order of tables
  /// The hash of all kept pairs: equal samples have equal ones.
  std::uint64_t fingerprint() const;
};

class Sampler {
 public:
  explicit Sampler(const PairSampleRule& rule) : rule_(rule) {}

  const PairSampleRule& rule() const { return rule_; }
  /// Errors (usage): a pair without a value of the rule's kind; more than 1,000 classes.
  Status add(SamplePair pair);
  std::uint64_t seen() const { return seen_; }
  /// Error (usage): a pair is in two classes.
  Result<Sample> finish() &&;

 private:
  struct Kept {
    std::uint64_t hash = 0;
    std::string identity;
    SamplePair pair;
  };
  struct Lower {
    bool operator()(const Kept& a, const Kept& b) const {
      return a.hash != b.hash ? a.hash < b.hash : a.identity < b.identity;
    }
  };
  struct Class {
    std::uint64_t pairs = 0;
    std::set<Kept, Lower> kept;
  };

  PairSampleRule rule_;
  std::uint64_t seen_ = 0;
  std::map<std::string, Class> classes_;
};

}  // namespace twinset
