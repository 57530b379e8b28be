// The values that a scheme's threshold can have, and the pairs of a small collection that a run
// would find at each of them.
//
//   TWINSET_ASSIGN(const FoundPairs found, FoundPairs::make(spec, documents, options));
//   found.values();          // "0", "1", ..., "7": distances
//   found.at(3, 7);          // bit i: found at value i
//
// Signatures are joined at distances 0 to 7; equal signatures of I-Match by shares of terms left
// out and numbers of lexicons; other schemes at resemblances from 0.95 down to 0.3, each made for
// the threshold, as a run makes it.
//
// Threads: immutable once made; make() uses options.threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/choice.h"
#include "evaluate/oracle.h"
#include "join/held_pairs.h"
#include "scheme/overlap.h"
#include "scheme/scheme.h"
#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

struct FoundPairsOptions {
  Check verify = Check::exact;  ///< of resemblance: by the texts, or by the sketches
  unsigned threads = 1;
  FileSystem* files = nullptr;  ///< of the scheme's parameters
  /// Keys that are too common in the collection to be counted, sorted; borrowed.
  std::span<const std::uint64_t> common = {};
  /// By value: of documents that lose nearly all keys to these, if texts decide
  /// (run/lost_keys.h). Borrowed; empty: no document does.
  std::span<const std::unique_ptr<Scheme>> of_lost = {};
};

/// The keys are without common ones.
struct ComparedDocuments : SketchedDocuments {
  /// By value and document: the keys of FoundPairsOptions::of_lost, if it lost nearly all others.
  std::vector<std::vector<std::vector<std::uint64_t>>> of_lost;
};

class FoundPairs {
 public:
  /// Borrows `documents`, and the shingles by which the texts are compared. Errors (usage): a spec
  /// that cannot be made, a scheme without a threshold, or one that reads fields of records.
  static Result<FoundPairs> make(const std::string& spec, std::span<const GivenView> documents,
                                 const ShingleCollection& shingles,
                                 const FoundPairsOptions& options);

  /// Strictest first, at most 32.
  const std::vector<std::string>& values() const { return values_; }
  /// "distance", "resemblance", or "scheme", whose values "1/3x5" are shares left out and numbers
  /// of lexicons.
  const std::string& option() const { return option_; }
  Prefer prefer() const { return option_ == "scheme" ? Prefer::recall : Prefer::last; }
  /// The scheme of a value, with every parameter.
  const std::string& spec_of(std::size_t value) const { return specs_[value]; }

  std::uint32_t at(std::uint32_t a, std::uint32_t b) const;

  /// Other documents under a scheme of the values, and the values at which two of them are found;
  /// if texts decide, those at which their texts are compared.
  ComparedDocuments sketch(std::size_t scheme, std::span<const GivenView> documents,
                           unsigned threads) const;
  std::uint32_t compared(std::size_t scheme, const ComparedDocuments& documents, std::uint32_t a,
                         std::uint32_t b) const;

  /// The schemes that the values are of, each once.
  std::size_t schemes() const { return made_.size(); }
  const Scheme& scheme(std::size_t number) const { return *made_[number].scheme; }
  /// The values of a scheme at which a run finds two documents that it compares, by their sketches
  /// or by the exact resemblance.
  std::uint32_t values_of(std::size_t scheme, const Comparison& comparison) const;
  std::uint32_t values_of(std::size_t scheme, Fraction exact) const;
  /// The values at which a run takes a pair of these counted keys, or if texts decide compares it.
  std::uint32_t values_of_counted(std::size_t scheme, const Overlap& keys) const;
  /// Of a value, if it is a resemblance.
  const Ratio& threshold(std::size_t value) const { return thresholds_[value]; }
  /// The lowest resemblance of its values, if they are such.
  Ratio loosest(std::size_t scheme) const;

 private:
  struct Made {
    std::unique_ptr<Scheme> scheme;
    ComparedDocuments sketched;
  };
  FoundPairs(std::span<const GivenView> documents, const ShingleCollection& shingles,
             const FoundPairsOptions& options)
      : documents_(documents), shingles_(&shingles), options_(options) {}
  Status add_value(const std::string& value, const std::string& spec, double threshold);
  Status make_distances(const std::string& spec);
  Status make_coordinates(const std::string& spec);
  Status make_resemblances(const std::string& spec);
  std::uint32_t alike(std::size_t made, std::uint32_t a, std::uint32_t b) const;

  std::span<const GivenView> documents_;
  const ShingleCollection* shingles_;
  FoundPairsOptions options_;
  std::string option_;
  std::vector<std::string> values_;
  std::vector<std::string> specs_;    ///< by value
  std::vector<Ratio> thresholds_;     ///< by value, of resemblances
  std::vector<unsigned> lexicons_;    ///< by value, of coordinates
  std::vector<std::size_t> made_of_;  ///< by value
  std::vector<Made> made_;
};

}  // namespace twinset
