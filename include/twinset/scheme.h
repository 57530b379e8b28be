// A scheme as an object: sketches and keys of texts, and the verdict on two of them. Also the
// schemes and analyzers of this build, and the instructions that it may use.
//
//   const TextScheme fss = make_scheme("fss(shingle=5)").value();
//   const TextSketch s = fss.sketch(a).value();            // 128 bytes, whatever the text
//   const TextSketch t = fss.sketch(b).value();
//   const Estimate e = *fss.compare(s, t).value().resemblance;   // 0.81, [0.76, 0.85]
//
//   const SignedTexts all = fss.sign(texts, 8).value();    // flat arrays, as Arrow has them
//   if (shares_a_key(all.keys_of(0), all.keys_of(1))) {
//     const Comparison found = fss.compare(all.sketch_of(0), all.sketch_of(1));
//     if (verdict(found, {.resemblance = Ratio(4, 5)}) == Verdict::reached) use(all);
//   }
//
// docs/schemes.md lists the schemes. Sketches are the same on every machine, as long as the
// scheme's version and the analyzer's are: TextScheme::fingerprint() covers all of that.
//
// Threads: a TextScheme is immutable and shared; the rest are values and pure functions. Call
// limit_simd() before anything else runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/ratio.h"
#include "twinset/result.h"

namespace twinset {

class FileSystem;  // twinset/files.h

/// An estimate in [0, 1], its 95 % interval, and its standard error.
struct Estimate : Interval {
  double standard_error = 0;
};

/// The estimates from two sketches; nullopt is "unknown", never 0 or 1.
struct Estimates {
  std::optional<Estimate> resemblance;
  std::optional<Estimate> containment_a_in_b;
  std::optional<Estimate> containment_b_in_a;
};

/// Two samples that cover the same part of all possible values.
struct SampleCounts {
  std::uint64_t shared = 0;
  std::uint64_t in_a = 0;
  std::uint64_t in_b = 0;
};

/// Two signatures, bit by bit.
struct BitDistance {
  std::uint32_t differ = 0;
  std::uint32_t bits = 0;
};

/// The judgment of a scheme on two sketches: estimates, a distance, or a coordinate in which they
/// are equal. Each scheme fills in one kind; if it fills in none, the answer is unknown.
struct Comparison : Estimates {
  /// The numbers from which the estimates come, of a scheme that counts shared keys.
  std::optional<SampleCounts> counts{};
  std::optional<BitDistance> distance{};
  std::optional<std::uint32_t> coordinate{};
};

/// Where the texts decide, an estimate so many of its standard errors below a share may still reach
/// it: a pair that exactly reaches it is missed less than once in 30,000 times.
inline constexpr double granted_standard_errors = 4;

/// The shares of which a pair must reach one, and the distance that it must keep to.
struct PairThreshold {
  std::optional<Ratio> resemblance = Ratio(4, 5);
  std::optional<Ratio> containment{};  ///< of either document in the other
  /// The most bits in which two signatures differ, of a scheme that tells a distance.
  std::uint32_t distance = 3;
  /// An estimate reaches a share from so many of its standard errors below it:
  /// granted_standard_errors where the texts decide then.
  double granted_errors = 0;
};

enum class Verdict : std::uint8_t {
  below,    ///< no threshold is reached
  reached,  ///< one is
  unknown   ///< the sketches cannot tell: only the texts can
};

/// The verdict of two sketches: an estimate reaches a share, two signatures are near enough, or
/// equal at a coordinate. `unknown` if no share is reached and one that was asked for is not
/// estimated, as between an empty sketch and any other, or lists of signatures that are equal
/// nowhere. Of documents that share a key, the unknown ones are to be verified. Shares are compared
/// in whole millionths, rounded down: as written to files, and 1/3 reaches 1/3. O(1).
Verdict verdict(const Comparison& comparison, const PairThreshold& threshold);

/// Do two sorted lists of keys have one in common? O(a + b).
bool shares_a_key(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

/// The sketch of a text. The bytes may be stored: a sketch made from them again under the same
/// fingerprint is the same.
class TextSketch {
 public:
  TextSketch() = default;
  /// Bytes that no sketch of the scheme can have tell nothing about a text; any others are taken
  /// for its sketch.
  TextSketch(std::uint64_t scheme, std::vector<std::uint8_t> bytes)
      : scheme_(scheme), bytes_(std::move(bytes)) {}

  /// The TextScheme::fingerprint() of the scheme that made it.
  std::uint64_t scheme() const { return scheme_; }
  /// Empty if the text has no signature: it has no token.
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }
  bool operator==(const TextSketch&) const = default;

 private:
  std::uint64_t scheme_ = 0;
  std::vector<std::uint8_t> bytes_;
};

/// 128 bits of hash, as two words.
using Hash128 = std::array<std::uint64_t, 2>;

/// The sketches and keys of n texts, in Arrow's layout: `sketches` and `offsets` are a LargeBinary,
/// `keys` and `key_offsets` a LargeList of UInt64, the hashes two FixedSizeBinary(16), and
/// `validity` a bitmap, lowest bit first.
struct SignedTexts {
  std::uint64_t scheme = 0;              ///< TextScheme::fingerprint()
  std::vector<std::uint8_t> sketches;    ///< sketch i is sketches[offsets[i], offsets[i + 1])
  std::vector<std::int64_t> offsets{0};  ///< n + 1, ascending
  std::vector<std::uint64_t> keys;       ///< keys of text i: from key_offsets[i], sorted, unique
  std::vector<std::int64_t> key_offsets{0};  ///< n + 1, ascending
  /// n, of the bytes of a text: equal ones are identical texts.
  std::vector<Hash128> byte_hashes;
  /// n, of its canonical tokens, or of its bytes if it has none: what group.h folds by.
  std::vector<Hash128> token_hashes;
  std::vector<std::uint8_t> validity;  ///< (n + 7) / 8 bytes; bit i: text i has a signature
  std::uint64_t without = 0;           ///< texts without: Arrow's null count

  std::size_t size() const { return offsets.size() - 1; }
  /// Of the texts below, i < size().
  bool has(std::size_t i) const { return (validity[i / 8] >> i % 8 & 1) != 0; }
  /// Empty if the text has no signature.
  std::span<const std::uint8_t> sketch_of(std::size_t i) const {
    return std::span(sketches).subspan(at(offsets[i]), at(offsets[i + 1] - offsets[i]));
  }
  std::span<const std::uint64_t> keys_of(std::size_t i) const {
    return std::span(keys).subspan(at(key_offsets[i]), at(key_offsets[i + 1] - key_offsets[i]));
  }
  bool operator==(const SignedTexts&) const = default;

 private:
  static std::size_t at(std::int64_t offset) { return static_cast<std::size_t>(offset); }
};

/// A scheme and an analyzer.
class TextScheme {
 public:
  TextScheme(TextScheme&&) noexcept;
  TextScheme& operator=(TextScheme&&) noexcept;
  ~TextScheme();

  /// The canonical spec, with every parameter.
  const std::string& spec() const;
  /// Covers everything that decides a sketch: the spec, the analyzer, their versions. Sketches of
  /// different fingerprints are never compared.
  std::uint64_t fingerprint() const;
  /// Tokens of a shingle, 1 to 64, by which pairs of the scheme are verified; nullopt: the scheme
  /// has no shingles of its own.
  std::optional<std::uint64_t> shingle_tokens() const;

  /// Any bytes are a text; invalid UTF-8 is read as U+FFFD. O(text). Errors: usage (a text of
  /// more than 4 GiB - 64 bytes), io (out of memory).
  Result<TextSketch> sketch(std::string_view text) const;
  /// The keys by which documents are joined (SharedKey says what a common one means), sorted and
  /// unique. None if the text has no signature, and of schemes that join by distance. O(text).
  /// Errors as sketch().
  Result<std::vector<std::uint64_t>> keys(std::string_view text) const;
  /// The sketches and keys of many texts, on so many threads, 0 being one for each processor. The
  /// same bytes for any number of threads, and for texts signed one by one. O(texts). Errors as
  /// sketch(), for the first text that has one.
  Result<SignedTexts> sign(std::span<const std::string_view> texts, unsigned threads = 1) const;
  /// The estimates that the scheme's sketches allow, with their errors (docs/schemes.md gives each
  /// scheme's source); none if a sketch is empty or broken. O(bytes). Error (usage) if a sketch was
  /// made by another scheme.
  Result<Comparison> compare(const TextSketch& a, const TextSketch& b) const;
  /// The same of sketches that this scheme made, whose fingerprint the caller knows.
  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) const;

 private:
  friend Result<TextScheme> make_scheme(std::string_view spec, std::string_view analyzer, bool html,
                                        Ratio threshold, FileSystem* files);
  struct Parts;
  explicit TextScheme(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

/// A scheme from its spec, a name or name(parameter=value, ...), as dedup() takes it. With `html`,
/// texts are pages and their markup is ignored. Keys that are bands are planned so that documents
/// of at least the resemblance `threshold` share one, if the spec does not say how. Errors: usage
/// (an unknown scheme, parameter or analyzer, with the nearest known one; a value out of its
/// range), io (a file that a parameter names). Such files are read now, from `files`; null: from
/// the disk.
Result<TextScheme> make_scheme(std::string_view spec, std::string_view analyzer = "words",
                               bool html = false, Ratio threshold = Ratio(4, 5),
                               FileSystem* files = nullptr);

/// The meaning of a key that two documents share.
enum class SharedKey : std::uint8_t {
  equal,     ///< the documents are the same in the scheme's sense
  count,     ///< the number of shared keys estimates resemblance and containment
  candidate  ///< the documents may resemble each other: verify
};

enum class ParameterKind : std::uint8_t {
  integer,  ///< minimum to maximum
  share,    ///< a Ratio in [0, 1]
  choice,   ///< one of some words
  file,     ///< a path; "" for none
  text,     ///< any text
  secret    ///< a path to a file of 32 hexadecimal digits, which no output tells; "" for none
};

/// The relation of two documents that their sketches tell.
enum class Tells : std::uint8_t {
  resemblance,  ///< an estimate of it
  distance,     ///< the bits in which two signatures differ
  coordinate,   ///< a place at which two lists of signatures are equal
  nothing       ///< only equal keys count; a candidate is unknown before its texts are read
};

/// One parameter of a scheme. Every parameter has a default.
struct ParameterDeclaration {
  std::string_view name;
  std::uint64_t minimum = 0;
  std::uint64_t maximum = 0;
  std::uint64_t standard = 0;  ///< the default of an integer, or the index of a choice's
  std::string_view help;
  ParameterKind kind = ParameterKind::integer;
  std::string_view standard_text = {};  ///< the default of a share, a file or a text
  std::span<const std::string_view> choices = {};
  /// Declared after the scheme's sketches could be stored: a canonical spec leaves it out at its
  /// default, so that these keep their fingerprint.
  bool added = false;
};

/// A scheme's own description of itself: views of constants.
struct SchemeDeclaration {
  std::string_view name;
  std::uint32_t version;  ///< raised when equal input gives another sketch
  SharedKey shared_key;
  std::string_view summary;
  std::string_view source;  ///< paper and section
  std::span<const ParameterDeclaration> parameters;
  Tells tells = Tells::resemblance;
  bool weighs_features = false;  ///< weighted features decide the signature: DocumentFeatures
};

/// A feature of a document, and its vote on the bits of a signature.
struct WeightedFeature {
  std::string text;   ///< its words, or the value of a field
  std::string field;  ///< of the record or page; empty: it is of the text
  std::uint64_t weight = 0;
  double share = 0;            ///< of the weights of all features
  std::string bits;            ///< hexadecimal digits: it votes for these, and against the others
  std::uint64_t agreeing = 0;  ///< bits of the signature that are as it votes
};

/// The features of a document that vote, and the heaviest of them.
struct DocumentFeatures {
  std::uint64_t features = 0;
  std::vector<WeightedFeature> heaviest;  ///< of equal weights those of smaller hashes first
};

/// An analyzer: how text becomes tokens.
struct AnalyzerDeclaration {
  std::string_view name;
  std::uint32_t version;  ///< raised when equal text gives other tokens
  std::string_view summary;
  bool features;  ///< a text is a JSON array of ids, and an id is a token
};

/// The schemes and analyzers of this build, each sorted by name.
std::vector<SchemeDeclaration> known_schemes();
std::vector<AnalyzerDeclaration> known_analyzers();

/// Schemes with their parameters, ranges and sources: for a terminal, as the page docs/schemes.md,
/// and as a JSON array of objects {name, version, shared_key, tells, summary, source, parameters:
/// [{name, minimum, maximum, default, help}]}; a parameter that is not an integer has kind, and a
/// choice its choices, in place of minimum and maximum.
std::string to_text(std::span<const SchemeDeclaration> schemes);
std::string to_markdown(std::span<const SchemeDeclaration> schemes);
std::string to_json(std::span<const SchemeDeclaration> schemes);

/// Limits the instructions kernels use: "portable", "sse4", "avx2", "avx3".
/// Results do not change. It is one limit for the process: set it while no run and no other
/// function of twinset goes on. Error (usage) for other names, or one this CPU lacks.
Status limit_simd(std::string_view level);

}  // namespace twinset
