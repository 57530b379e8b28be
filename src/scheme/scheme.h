// A scheme: document -> sketch -> keys, and what two sketches tell. Every method of finding
// near-duplicates has this form.
//
// A scheme is one file in src/scheme/schemes/ with a class and one constant that
// declares it, `extern const SchemeEntry <stem>_scheme`; CMake lists the folder, and from the
// constant alone come the spec parser ("mod(shingle=10, modulus=25)"), --help, the docs table, the
// conformance test and the benchmark row. Nothing else is edited.
//
// Threads: a Scheme is immutable and shared; Sketch objects belong to one.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "scheme/document_view.h"
#include "scheme/parameters.h"
#include "system/files.h"
#include "twinset/result.h"
#include "twinset/scheme.h"

namespace twinset {

/// Why a document has no signature.
enum class NoSignature : std::uint8_t {
  words,    ///< it has no token
  terms,    ///< too few terms of the lexicon
  share,    ///< these are too small a part of its different words
  features  ///< all features were cut, or weigh nothing
};

/// A document under a scheme. `empty` is "no signature": it has no keys and
/// compares as unknown with everything, itself included.
struct Sketch {
  std::vector<std::uint64_t> values;  ///< full-width values that the keys are made of
  std::vector<std::uint8_t> stored;   ///< the scheme's stored form
  bool empty = true;
  NoSignature reason = NoSignature::words;  ///< if it is empty
  /// Of nested samples: log2 of the modulus that this one was taken under.
  unsigned level = 0;
};

/// Of copies with so many edits a share is found; below `least` of them a run is refused.
struct Promise {
  unsigned edits = 0;
  double share = 0;
  double least = 0;
};

/// The properties of a scheme's sketches, once it has its parameters.
struct SketchFacts {
  std::size_t stored_bytes = 0;       ///< of every stored sketch; 0 if their sizes differ
  std::size_t most_stored_bytes = 0;  ///< of the largest; 0 if there is no such size
  /// Below this number of distinct shingles, a document's sketch has a chance above 1 % to know
  /// nothing of it; 0 if there is no such number.
  std::uint64_t blind_shingles = 0;
  /// Chance of a shingle to be a key if all documents select keys by one modulus; 0 if it depends
  /// on the document.
  double key_chance = 0;
  /// Keys are mixed sample values, and samples nest: see Sketch::level and key_level().
  bool nested = false;
  /// The common part of two documents must be counted over both sketches: the numbers of their keys
  /// and of shared keys do not determine it. See Comparison::counts.
  bool counts_unions = false;
  bool uses_shingles = true;  ///< of the width in its parameter `shingle`
  bool reads_places = false;  ///< it asks for DocumentView::visible()
  /// The bits of the signature by whose distance documents are joined, 64 or 128; 0 if they are
  /// joined by keys. The stored form is then a byte of 1 and the signature's words, little-endian,
  /// and keys() gives none.
  unsigned signature_bits = 0;
  /// The first so many bits of a signature, the highest of its first word, are no part of the
  /// distance: documents that differ there never match.
  unsigned reserved_bits = 0;
  /// An estimate of resemblance is the share of so many values that are equal in two sketches; 0 if
  /// it is made in another way.
  std::uint64_t compared_values = 0;
  unsigned value_bits = 0;  ///< of such a value, if it is so short that chance counts; else 0
  bool may_reject = false;  ///< a document with tokens may have no signature
  /// Two documents that have so many tokens in a row in common share a key, always; 0: there is no
  /// such number.
  unsigned sure_run = 0;
  /// The documents that its table of document frequencies counted; 0: it has none.
  std::uint64_t df_documents = 0;
  /// The analyzer whose tokens it knows, and its version; empty: any.
  std::string analyzer = {};
  std::uint32_t analyzer_version = 0;
};

/// A key, and the tokens of a document that it was made of.
struct KeyPlace {
  std::uint64_t key = 0;
  std::uint32_t token = 0;  ///< the first one
  std::uint32_t tokens = 0;
};

class Scheme {
 public:
  virtual ~Scheme() = default;
  Scheme(const Scheme&) = delete;
  Scheme& operator=(const Scheme&) = delete;

  const SchemeDeclaration& declaration() const { return declaration_; }
  /// The canonical spec with every parameter, e.g. "fss(bins=256, bits=4, ...)"; parameters left to
  /// the threshold (a band plan) have the chosen values. A file is NAME@HASH, so that a scheme made
  /// from the spec again has the same content or is an error.
  std::string spec() const;
  /// The same with files as their content alone: @HASH.
  std::string content_spec() const;
  /// The shingle width that it asks of DocumentView::shingles(), its parameter `shingle`; 0 if it
  /// uses none.
  unsigned shingle_tokens() const { return shingle_tokens_; }
  const SketchFacts& facts() const { return facts_; }
  /// Does one shared key say that two documents are the same?
  bool equal_keys() const { return declaration_.shared_key == SharedKey::equal; }
  /// Does the number of shared keys tell how alike two documents are?
  bool counts_keys() const { return declaration_.shared_key == SharedKey::count; }
  /// Are its sketches signatures, which are near or equal, and not samples?
  bool makes_signatures() const {
    return declaration_.tells == Tells::distance || declaration_.tells == Tells::coordinate;
  }
  /// Do its sketches estimate resemblance?
  bool estimates() const { return declaration_.tells == Tells::resemblance; }
  /// True if the counts of shared keys also tell containment, whatever the documents' sizes: then
  /// all documents select keys by one modulus.
  bool tells_containment() const { return facts_.key_chance > 0; }
  /// Of nested samples: the coarsest level whose samples still hold this key.
  unsigned key_level(std::uint64_t key) const {
    return facts_.nested ? static_cast<unsigned>(std::countl_zero(unmix64(key))) : 64;
  }

  /// A key in one of several parts of a collection: equal keys stay equal within a part alone.
  /// Keeps key_level(). `part` is a hash; 0 leaves the key as it is.
  std::uint64_t key_in(std::uint64_t part, std::uint64_t key) const {
    if (!facts_.nested || part == 0) return key ^ part;
    const std::uint64_t value = unmix64(key);
    return value == 0 ? key : mix64(value ^ (part & (std::bit_floor(value) - 1)));
  }

  /// Replaces `out`.
  void sketch(const DocumentView& document, Sketch& out) const {
    out.values.clear();
    out.stored.clear();
    out.empty = true;
    out.reason = NoSignature::words;
    out.level = 0;
    fill(document, out);
  }
  /// Appends the keys to be joined to `out`; none for an empty sketch.
  virtual void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const = 0;
  /// The sketch of a stored form, so that keys() gives those of its document; false: the stored
  /// form, or this scheme's, does not tell them.
  virtual bool restore(std::span<const std::uint8_t> /*stored*/, Sketch& /*sketch*/) const {
    return false;
  }
  /// Of a scheme with SketchFacts::sure_run: where its keys stand, each as often as it does, in
  /// order. Replaces `out`.
  virtual void key_places(const DocumentView& /*document*/, std::vector<KeyPlace>& out) const {
    out.clear();
  }
  /// Compares two stored forms; an empty span is an empty sketch.
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) const {
    return compare(a, b, {});
  }
  /// The same; a scheme whose keys are counted leaves out those of `common`, which is sorted.
  virtual Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                             std::span<const std::uint64_t> common) const = 0;
  /// Fields of records that it reads through DocumentView::field(), as FieldNames has them.
  virtual std::vector<std::string> record_fields() const { return {}; }
  /// Chance that two documents of resemblance `j` share a key; nullopt if it depends on more, such
  /// as their sizes. A lower bound if the scheme is more concentrated than independent draws (fss).
  virtual std::optional<double> match_probability(double /*j*/) const { return std::nullopt; }
  /// Chance that a document of so many keys shares one with a copy from which `edits` of the terms
  /// that decide them were taken, or to which so many were added; nullopt if it depends on more.
  virtual std::optional<double> survival(unsigned /*edits*/, std::size_t /*keys*/) const {
    return std::nullopt;
  }
  /// The least number of keys with which survival() is at least `chance`, beside the one that no
  /// edit survives; infinite if no number is enough.
  virtual double keys_to_survive(unsigned /*edits*/, double /*chance*/) const { return 0; }
  /// The most keys of a document, if survival() tells a chance.
  virtual std::size_t coordinates() const { return 0; }
  /// The features that decide a document's signature, `most` of them by name; none of a scheme
  /// whose declaration does not say that it weighs features.
  virtual DocumentFeatures features(const DocumentView& /*document*/, std::size_t /*most*/) const {
    return {};
  }
  /// What it promises of edited copies; no edits: nothing.
  virtual Promise promise() const { return {}; }

 protected:
  Scheme(const SchemeDeclaration& declaration, Parameters values, const SketchFacts& facts);
  /// A parameter's integer, or the index of its choice.
  std::uint64_t value(std::size_t parameter) const { return values_[parameter]; }
  const Parameters& values() const { return values_; }

 private:
  /// Makes the sketch in an empty one.
  virtual void fill(const DocumentView& document, Sketch& out) const = 0;

  const SchemeDeclaration& declaration_;
  Parameters values_;
  SketchFacts facts_;
  unsigned shingle_tokens_ = 0;
};

/// The arguments that a scheme is built with: its parameters (validated, defaults filled), the
/// threshold that band plans are chosen for, and the file system of file parameters.
struct SchemeArguments {
  Parameters values;
  double threshold = 0.8;
  FileSystem* files = nullptr;
};

/// One line of the generated list.
struct SchemeEntry {
  const SchemeDeclaration* declaration;
  Result<std::unique_ptr<Scheme>> (*make)(const SchemeArguments&);
};

/// All schemes, by name. Generated from the folder at build time.
std::span<const SchemeEntry* const> schemes();

/// The declaration of the scheme that a spec names; null if it names none.
const SchemeDeclaration* declared_scheme(std::string_view spec);

/// A scheme from its spec: a name, or name(parameter=value, ...). Errors name the unknown part and
/// the nearest known one, or the file that cannot be read or whose content is not the one in the
/// spec. Threshold in (0, 1].
Result<std::unique_ptr<Scheme>> make_scheme(std::string_view spec, double threshold,
                                            FileSystem& files = disk());

/// Error (usage) if the scheme knows only the tokens of another analyzer, or of another version.
Status check_analyzer(const Scheme& scheme, const Analyzer& analyzer);

/// 64-bit fingerprint of everything that decides a sketch: spec, with files by their content,
/// scheme and hash version, and the rule that makes views of records. Files made under different
/// fingerprints are never joined.
std::uint64_t scheme_fingerprint(const Scheme& scheme, const ViewRule& rule);

}  // namespace twinset
