// A scheme: document -> sketch -> keys, and what two sketches say (DESIGN of
// the house: every method is this one line).
//
// A scheme is one file in src/scheme/schemes/ with a class and one constant that
// declares it, `extern const SchemeEntry <stem>_scheme`; CMake lists the folder, and from the
// constant alone come the spec parser ("mod(shingle=10, modulus=25)"), --help, the docs table, the
// conformance test and the benchmark row. Nothing else is edited.
//
// Threads: a Scheme is immutable and shared; Sketch objects belong to one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "scheme/document_view.h"
#include "twinset/result.h"

namespace twinset {

/// The meaning of a key that two documents share.
enum class SharedKey : std::uint8_t {
  equal,     ///< the documents are the same in the scheme's sense
  count,     ///< the number of shared keys estimates resemblance and containment
  candidate  ///< the documents may resemble each other: verify
};

/// One parameter of a scheme: every value is an integer.
struct ParameterDeclaration {
  std::string_view name;
  std::uint64_t minimum;
  std::uint64_t maximum;
  std::uint64_t standard;  ///< the default
  std::string_view help;
};

struct SchemeDeclaration {
  std::string_view name;
  std::uint32_t version;  ///< raised when equal input gives another sketch
  SharedKey shared_key;
  std::string_view summary;
  std::string_view source;  ///< paper and section
  std::span<const ParameterDeclaration> parameters;
};

/// A document under a scheme. `empty` is "no signature": it has no keys and
/// compares as unknown with everything, itself included.
struct Sketch {
  std::vector<std::uint64_t> values;  ///< full-width values that keys are made of
  std::vector<std::uint8_t> stored;   ///< what is kept: the scheme's stored form
  bool empty = true;
};

/// An estimate in [0, 1], its standard error, and its 95 % interval.
struct Estimate {
  double value = 0;
  double standard_error = 0;
  double low = 0;
  double high = 1;
};

/// The estimates from two stored sketches; nullopt is "unknown", never 0 or 1.
struct Comparison {
  std::optional<Estimate> resemblance;
  std::optional<Estimate> containment_a_in_b;
  std::optional<Estimate> containment_b_in_a;
};

/// Two samples, each taken of the same part of all possible values.
struct SampleCounts {
  std::uint64_t shared = 0;
  std::uint64_t in_a = 0;
  std::uint64_t in_b = 0;
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  virtual const SchemeDeclaration& declaration() const = 0;
  /// The canonical spec with every parameter, e.g. "fss(bins=256, bits=4, ...)";
  /// what was left to the threshold (a band plan) stands in it as it was chosen.
  virtual std::string spec() const = 0;
  /// Shingle width it wants of DocumentView::shingles(); 0 if it uses none.
  virtual unsigned shingle_tokens() const = 0;
  /// Bytes of a stored sketch when all are the same size, else 0.
  virtual std::size_t stored_bytes() const = 0;
  /// Replaces `out`.
  virtual void sketch(const DocumentView& document, Sketch& out) const = 0;
  /// Appends the keys to be joined to `out`; none for an empty sketch.
  virtual void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const = 0;
  /// Compares two stored forms; an empty span is an empty sketch.
  virtual Comparison compare(std::span<const std::uint8_t> a,
                             std::span<const std::uint8_t> b) const = 0;
  /// Whether two stored sketches estimate a resemblance. Where they do not, they
  /// only tell equal ones: a candidate says nothing before its texts are read, and
  /// of containment its keys know nothing either.
  virtual bool estimates() const { return true; }
  /// Whether what two documents share must be counted over both sketches: the
  /// numbers of their keys and of those they share do not say it. See counts().
  virtual bool counts_sketches() const { return false; }
  /// What compare() is made of, for schemes that count sketches, without the keys of
  /// `common`, which is sorted; nullopt is unknown.
  virtual std::optional<SampleCounts> counts(std::span<const std::uint8_t>,
                                             std::span<const std::uint8_t>,
                                             std::span<const std::uint64_t>) const {
    return std::nullopt;
  }
  /// Bytes of the largest stored sketch; 0 if there is no such size.
  virtual std::size_t most_stored_bytes() const { return stored_bytes(); }
  /// Chance that two documents of resemblance `j` share a key; nullopt if the
  /// scheme declares none. A lower bound where the scheme is more concentrated
  /// than independent draws (fss).
  virtual std::optional<double> match_probability(double j) const = 0;
  /// A document of fewer distinct shingles than this has a chance above 1 % of a
  /// sketch that knows nothing of it; 0 if there is no such length.
  virtual std::uint64_t blind_shingles() const { return 0; }
  /// True if the counts of shared keys tell containment too, whatever the documents'
  /// sizes: keys that all documents select by one modulus.
  virtual bool tells_containment() const { return false; }
  /// Chance of a shingle to be a key where all documents select keys by one modulus; 0 where
  /// that depends on the document.
  virtual double key_chance() const { return 0; }
  /// Of counted keys whose samples nest: log2 of the modulus this sketch was taken
  /// under, in steps at which samples are compared. 0 where all take one modulus.
  virtual unsigned sample_level(const Sketch&) const { return 0; }
  /// The coarsest level whose samples still hold this key.
  virtual unsigned key_level(std::uint64_t) const { return 64; }
};

/// The arguments that a scheme is built with: its parameters (validated, defaults filled,
/// in declaration order) and the threshold that band plans are chosen for.
struct SchemeArguments {
  std::vector<std::uint64_t> values;
  double threshold = 0.8;
};

/// One line of the generated list.
struct SchemeEntry {
  const SchemeDeclaration* declaration;
  Result<std::unique_ptr<Scheme>> (*make)(const SchemeArguments&);
};

/// All schemes, by name. Generated from the folder at build time.
std::span<const SchemeEntry* const> schemes();

/// A scheme from its spec: a name, or name(parameter=value, ...). Errors name
/// the unknown part and the nearest known one. Threshold in (0, 1].
Result<std::unique_ptr<Scheme>> make_scheme(std::string_view spec, double threshold);

/// 64-bit fingerprint of everything that decides a sketch: spec, scheme and hash version, and
/// the rule by which records are seen. Files made under different fingerprints are never
/// joined.
std::uint64_t scheme_fingerprint(const Scheme& scheme, const ViewRule& rule);

}  // namespace twinset
