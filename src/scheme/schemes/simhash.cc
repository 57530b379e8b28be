// Simhash (Charikar 2002; Manku, Jain, Das Sarma 2007; S chapters 3 to 5 and 7): the features of a
// document vote on each bit of its signature, each with its weight. A small change of the document
// moves few votes, so signatures of near duplicates differ in few bits. Random ones differ in half.
//
//   words -> features -> weights -> cuts -> fields -> sums -> signs
//
// Each step is a pure function in a file of its own: scheme/document_words.h, text/shingler.h,
// scheme/position_weights.h, scheme/features.h, scheme/field_features.h, scheme/signature.h. The
// variants that the paper tries are parameters, all off by default. Dividing weights by a
// document's length is none of them: only ratios of weights count.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "base/cpu.h"
#include "base/message.h"
#include "scheme/document_words.h"
#include "scheme/features.h"
#include "scheme/field_features.h"
#include "scheme/little_endian.h"
#include "scheme/position_weights.h"
#include "scheme/scheme.h"
#include "scheme/signature.h"
#include "scheme/term_weights.h"
#include "text/shingler.h"

namespace twinset {
namespace {

enum class Weighting : std::uint8_t { unit, tf, tfidf };
constexpr std::array<std::string_view, 3> weighting_names{"unit", "tf", "tfidf"};
constexpr std::array<std::string_view, 2> bits_names{"64", "128"};

/// The factor for tagged words in S section 5.4, in percent.
constexpr std::uint64_t paper_boost = 150;
/// The bits that S section 7.1.1 reserves, as an example.
constexpr std::uint64_t paper_reserved_bits = 8;

namespace parameter {
enum : std::size_t {
  shingle,
  bits,
  weights,
  idf,
  df,
  blank,
  position,
  positions,
  tags,
  boost,
  clip,
  least,
  most,
  top,
  fields,
  extremes,
  counts,
  field_percent,
  flip,
  reserve,
  reserved_bits,
  count
};
}

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    {"shingle", 1, max_shingle_tokens, 1, "tokens in a feature: 1 for words, 2 for bigrams"},
    choice_parameter("bits", bits_names, 0, "bits of a signature"),
    choice_parameter(
        "weights", weighting_names, 1,
        "weight of a feature: 1, its occurrences (tf), or these times its idf (tfidf)"),
    choice_parameter("idf", idf_names, 0, "inverse document frequency of df: log(N/df), or 1/df"),
    file_parameter(
        "df", "",
        "document frequencies for tfidf, of twinset lexicon count, or the name of a built-in "
        "table such as german"),
    choice_parameter("blank", blanking_names, 0,
                     "words left out: calendars and tables of numbers, or all numbers and dates "
                     "(English names)"),
    choice_parameter("position", position_function_names, 0,
                     "factor of the feature at x of L: log(x+1)/(x+1), 1/x, 1/log(x+1), or "
                     "cos(2 pi x/L) + 1"),
    file_parameter("positions", "",
                   "whole numbers, a factor for each position; later positions have the last"),
    text_parameter("tags", "", "elements of pages whose words count more, such as b,i,h1"),
    {"boost", 100, 100000, paper_boost,
     "weight of words in these elements, in percent of other words"},
    {"clip", 0, UINT32_MAX, 0,
     "no weight counts more than the one of this rank, the largest being 1; 0: as they are"},
    share_parameter("least", "0", "a feature below this share of the largest weight is left out"),
    share_parameter("most", "1", "a feature above this share of the largest weight is left out"),
    text_parameter("top", "0",
                   "only so many features count, the heaviest, or so many percent of them, such as "
                   "10%; 0: all"),
    text_parameter("fields", "",
                   "fields of records whose values are features, such as title,section"),
    text_parameter("extremes", "", "fields with numbers from 0 to 1 whose extremes weigh most"),
    text_parameter("counts", "", "fields with counts, which weigh by their logarithm"),
    {"field_weight", 1, 1000000, 100, "weight of fields, in percent of the largest in the text"},
    {"flip", 0, 128, 0,
     "number of bits, those of the least sums, that all fields together decide; 0: none"},
    text_parameter("reserve", "", "a field whose value is in the first bits of the signature"),
    {"reserved_bits", 1, 32, paper_reserved_bits,
     "number of these bits; documents that differ in them never match"},
}};

constexpr SchemeDeclaration simhash_declaration{
    "simhash",
    1,
    SharedKey::candidate,
    "signatures of 64 or 128 bits that differ in few bits if documents do",
    "Seshasai: Efficient near duplicate document detection for specialized corpora, 2009",
    parameters,
    Tells::distance,
    true};

/// The first byte of a stored signature.
constexpr std::uint8_t stored_form = 1;

unsigned bits_of(const Parameters& values) { return values[parameter::bits] == 0 ? 64 : 128; }

/// The features that `top` keeps.
struct Top {
  std::uint64_t count = 0;    ///< 0: `percent` decides
  std::uint64_t percent = 0;  ///< of the text's features, rounded up; 0: all of them

  bool cuts() const { return count != 0 || percent != 0; }
  std::size_t of(std::size_t features) const {
    return count != 0 ? count : (features * percent + 99) / 100;
  }
};

/// The parameters that are more than numbers, checked.
struct Settings {
  Top top;
  TermWeights terms;
  PositionWeights positions{PositionFunction::none};
  std::vector<html::Tag> tags;
  FieldFeatures fields;
  std::string reserve;
};

SketchFacts facts_of(const Parameters& values, const Settings& settings) {
  const auto weighting = static_cast<Weighting>(values[parameter::weights]);
  const auto blanking = static_cast<Blanking>(values[parameter::blank]);
  SketchFacts facts;
  facts.stored_bytes = 1 + bits_of(values) / 8;
  facts.most_stored_bytes = facts.stored_bytes;
  facts.uses_shingles = false;
  facts.reads_places = blanking != Blanking::none || !settings.tags.empty();
  facts.signature_bits = bits_of(values);
  if (!settings.reserve.empty()) {
    facts.reserved_bits = static_cast<unsigned>(values[parameter::reserved_bits]);
  }
  // Without these, some feature has a weight.
  facts.may_reject = weighting == Weighting::tfidf || blanking != Blanking::none ||
                     !values.text(parameter::positions).empty() ||
                     values.share(parameter::most).value() != 1;
  facts.df_documents = settings.terms.documents();
  facts.analyzer = settings.terms.analyzer();
  facts.analyzer_version = settings.terms.analyzer_version();
  return facts;
}

class SimhashScheme final : public Scheme {
 public:
  SimhashScheme(const Parameters& values, Settings settings)
      : Scheme(simhash_declaration, values, facts_of(values, settings)),
        settings_(std::move(settings)),
        weighting_(static_cast<Weighting>(values[parameter::weights])),
        blanking_(static_cast<Blanking>(values[parameter::blank])),
        level_(simd_level()) {}

  void fill(const DocumentView& document, Sketch& out) const override {
    DocumentWords words;
    read_words(document, blanking_, !settings_.tags.empty(), words);
    std::vector<std::uint64_t>& hashes = out.values;  // until keep()
    shingle(words.hashes, static_cast<unsigned>(value(parameter::shingle)), hashes);
    if (hashes.empty()) {
      if (!document.analysis().tokens.empty()) out.reason = NoSignature::features;
      return;
    }
    if (votes_alike()) {
      return keep(document, signs_of_unweighted(hashes, bits(), level_), out);
    }
    const FeatureList features = weigh(document, words, hashes);
    if (features.size() == 0) {
      out.values.clear();
      out.reason = NoSignature::features;
      return;
    }
    SignatureSums sums(bits(), level_);
    sums.add(features);
    if (decides_bits()) {
      sums.decide_weakest(hash_of_fields(document, settings_.fields.values),
                          static_cast<unsigned>(value(parameter::flip)));
    }
    keep(document, sums.signs(), out);
  }

  /// S-01: by the words at its first place in the text, or the value of its field.
  DocumentFeatures features(const DocumentView& document, std::size_t most) const override {
    DocumentWords words;
    read_words(document, blanking_, true, words);
    const auto width = static_cast<std::size_t>(value(parameter::shingle));
    std::vector<std::uint64_t> hashes;
    shingle(words.hashes, static_cast<unsigned>(width), hashes);
    if (hashes.empty()) return {};
    std::vector<FieldFeature> named;
    const FeatureList all = weigh(document, words, hashes, &named);
    const std::size_t of_text = all.size() - named.size();
    double total = 0;
    for (const std::uint64_t weight : all.weights) total += static_cast<double>(weight);
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (std::size_t at = 0; at < hashes.size(); ++at) places.try_emplace(hashes[at], at);
    Sketch signature;
    sketch(document, signature);
    DocumentFeatures out{all.size(), {}};
    for (const std::size_t i : heaviest(all, most)) {
      WeightedFeature& feature = out.heaviest.emplace_back();
      feature.weight = all.weights[i];
      feature.share = static_cast<double>(feature.weight) / total;
      if (i >= of_text) {
        feature.field = std::move(named[i - of_text].field);
        feature.text = std::move(named[i - of_text].value);
      } else if (!words.places.empty()) {
        const std::size_t first = places[all.hashes[i]];
        for (std::size_t at = first; at < std::min(first + width, words.places.size()); ++at) {
          if (at > first) feature.text += ' ';
          feature.text += word_text(document, words.places[at]);
        }
      }
      const SignatureWords votes{all.hashes[i], second_hash(all.hashes[i])};
      for (std::size_t word = 0; word < bits() / 64; ++word) {
        feature.bits += fmt::format("{:016x}", votes[word]);
        feature.agreeing +=
            64U - static_cast<unsigned>(std::popcount(votes[word] ^ signature.values[word]));
      }
    }
    return out;
  }

  void keys(const Sketch&, std::vector<std::uint64_t>&) const override {}

  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    if (!is_signature(a) || !is_signature(b)) return {};
    Comparison comparison;
    comparison.distance = BitDistance{0, bits()};
    std::uint32_t& differ = comparison.distance->differ;
    for (std::size_t at = 1; at < a.size(); at += sizeof(std::uint64_t)) {
      const std::uint64_t bits_between =
          load_little_endian<std::uint64_t>(&a[at]) ^ load_little_endian<std::uint64_t>(&b[at]);
      differ += static_cast<std::uint32_t>(std::popcount(bits_between));
      if (at == 1 && (bits_between & reserved_mask()) != 0) differ = bits();
    }
    differ = std::min(differ, bits());
    return comparison;
  }

  std::vector<std::string> record_fields() const override {
    std::vector<std::string> names = settings_.fields.values;
    for (const std::vector<std::string>* more :
         {&settings_.fields.extremes, &settings_.fields.counts}) {
      names.insert(names.end(), more->begin(), more->end());
    }
    if (!settings_.reserve.empty()) names.push_back(settings_.reserve);
    return names;
  }

 private:
  unsigned bits() const { return facts().signature_bits; }

  bool is_signature(std::span<const std::uint8_t> stored) const {
    return stored.size() == facts().stored_bytes && stored[0] == stored_form;
  }

  /// Do the fields decide bits, in place of adding weights?
  bool decides_bits() const { return value(parameter::flip) != 0; }

  /// Does each occurrence have one vote? Then nothing has to be added up by feature.
  bool votes_alike() const {
    return weighting_ == Weighting::tf && settings_.positions.alike() && settings_.tags.empty() &&
           !cuts() && settings_.fields.empty();
  }
  bool cuts() const {
    return value(parameter::clip) != 0 || values().share(parameter::least).numerator() != 0 ||
           values().share(parameter::most).value() != 1 || settings_.top.cuts();
  }

  /// The features that vote, each with its weight: those of the text, cut, then those of fields, of
  /// which `named` gets the names.
  FeatureList weigh(const DocumentView& document, const DocumentWords& words,
                    std::span<const std::uint64_t> hashes,
                    std::vector<FieldFeature>* named = nullptr) const {
    FeatureList features =
        join_repeats(hashes, occurrence_weights(document, words, hashes),
                     weighting_ == Weighting::unit ? Repeats::largest : Repeats::add);
    if (weighting_ == Weighting::tfidf) weigh_terms(features);
    cut(features);
    if (!decides_bits()) add_field_features(document, settings_.fields, features, named);
    return features;
  }

  /// The weight of each feature where it occurs; empty if all weigh 1. Sequences of words count as
  /// the first of them.
  std::vector<std::uint64_t> occurrence_weights(const DocumentView& document,
                                                const DocumentWords& words,
                                                std::span<const std::uint64_t> hashes) const {
    std::vector<std::uint64_t> weights;
    if (!settings_.positions.alike()) settings_.positions.append(hashes.size(), weights);
    if (settings_.tags.empty()) return weights;
    std::vector<std::uint64_t> factors;
    weigh_tags(document, settings_.tags, value(parameter::boost), words, factors);
    factors.resize(hashes.size(), 100);
    if (weights.empty()) return factors;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] = saturating_product(weights[i], factors[i]);
    }
    return weights;
  }

  /// Features are single words, whose mixed hashes give the words' own back.
  void weigh_terms(FeatureList& features) const {
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::uint64_t idf = settings_.terms.of(unmix64(features.hashes[i]));
      features.weights[i] = saturating_product(features.weights[i], idf);
    }
  }

  void cut(FeatureList& features) const {
    if (value(parameter::clip) != 0) clip_top(features, value(parameter::clip));
    keep_between(features, values().share(parameter::least), values().share(parameter::most));
    if (settings_.top.cuts()) keep_top(features, settings_.top.of(features.size()));
  }

  /// The reserved bits of the first word.
  std::uint64_t reserved_mask() const {
    const unsigned reserved = facts().reserved_bits;
    return reserved == 0 ? 0 : UINT64_MAX << (64 - reserved);
  }

  void keep(const DocumentView& document, SignatureWords signature, Sketch& out) const {
    if (const unsigned reserved = facts().reserved_bits; reserved != 0) {
      const std::uint64_t field = field_bits(document, settings_.reserve, reserved);
      signature[0] = (signature[0] & ~reserved_mask()) | field << (64 - reserved);
    }
    out.empty = false;
    out.values.assign(signature.begin(), signature.begin() + bits() / 64);
    out.stored.assign(1, stored_form);
    append_little_endian<std::uint64_t>(out.values, out.stored);
  }

  Settings settings_;
  Weighting weighting_;
  Blanking blanking_;
  SimdLevel level_;
};

// ---- Parameters to settings ----

Error refused(std::size_t at, const std::string& why) {
  return usage_error("scheme simhash: " + std::string(parameters[at].name) + ": " + why);
}

Result<std::vector<std::string>> names_of(const Parameters& values, std::size_t at) {
  Result<std::vector<std::string>> names = split_names(values.text(at));
  if (!names.ok()) return refused(at, names.error().message);
  return names;
}

Result<std::vector<html::Tag>> tags_of(const Parameters& values) {
  std::vector<html::Tag> tags;
  TWINSET_ASSIGN(const std::vector<std::string> names, names_of(values, parameter::tags));
  for (const std::string& name : names) {
    const html::Tag tag = html::find_element(name).tag;
    if (tag == html::Tag::none) {
      return refused(parameter::tags, "\"" + name +
                                          "\" is none of a, b, code, em, h1 to h6, i, "
                                          "strong, u");
    }
    tags.push_back(tag);
  }
  return tags;
}

Result<PositionWeights> positions_of(const SchemeArguments& arguments) {
  const auto function = static_cast<PositionFunction>(arguments.values[parameter::position]);
  const std::string& path = arguments.values.text(parameter::positions);
  if (path.empty()) return PositionWeights(function);
  if (function != PositionFunction::none) {
    return refused(parameter::positions, "a file and position= exclude each other");
  }
  return PositionWeights::read(*arguments.files, path);
}

Result<TermWeights> terms_of(const SchemeArguments& arguments) {
  const Parameters& values = arguments.values;
  const std::string& path = values.text(parameter::df);
  const bool wanted = static_cast<Weighting>(values[parameter::weights]) == Weighting::tfidf;
  if (wanted && path.empty()) {
    return refused(parameter::df, "weights=tfidf needs a file of document frequencies: " +
                                      verb("lexicon count") + " IN... " + option("output", "X.df"));
  }
  if (!wanted && !path.empty()) return refused(parameter::df, "only weights=tfidf uses it");
  if (!wanted) return TermWeights();
  if (values[parameter::shingle] != 1) {
    return refused(parameter::shingle,
                   "document frequencies are of single words; with "
                   "weights=tfidf it is 1");
  }
  return TermWeights::read(*arguments.files, path, static_cast<Idf>(values[parameter::idf]));
}

/// "20" or "10%".
Result<Top> top_of(const std::string& text) {
  Top top;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, number);
  const bool percent = at + 1 == end && *at == '%';
  if (failed != std::errc() || (at != end && !percent) || number > (percent ? 100 : UINT32_MAX)) {
    return refused(parameter::top, "\"" + text +
                                       "\" is neither a number of features, such as 20, nor a "
                                       "percentage of them, such as 10%");
  }
  (percent ? top.percent : top.count) = number;
  return top;
}

Result<std::unique_ptr<Scheme>> make_simhash(const SchemeArguments& arguments) {
  const Parameters& values = arguments.values;
  Settings settings;
  TWINSET_ASSIGN(settings.terms, terms_of(arguments));
  TWINSET_ASSIGN(settings.positions, positions_of(arguments));
  TWINSET_ASSIGN(settings.tags, tags_of(values));
  TWINSET_ASSIGN(settings.fields.values, names_of(values, parameter::fields));
  TWINSET_ASSIGN(settings.fields.extremes, names_of(values, parameter::extremes));
  TWINSET_ASSIGN(settings.fields.counts, names_of(values, parameter::counts));
  settings.fields.percent = values[parameter::field_percent];
  settings.reserve = values.text(parameter::reserve);
  TWINSET_ASSIGN(settings.top, top_of(values.text(parameter::top)));
  const FieldFeatures& fields = settings.fields;
  if (fields.values.size() + fields.extremes.size() + fields.counts.size() > max_scheme_fields) {
    return refused(parameter::fields,
                   "more than " + std::to_string(max_scheme_fields) + " fields in all");
  }
  if (values[parameter::flip] > bits_of(values)) {
    return refused(parameter::flip, "more bits than the signature has");
  }
  if (values[parameter::flip] != 0 && fields.values.empty()) {
    return refused(parameter::flip, "name the fields that decide, e.g. fields=title");
  }
  if (values[parameter::flip] != 0 && !(fields.extremes.empty() && fields.counts.empty())) {
    return refused(parameter::flip,
                   "extremes and counts have weights, which deciding fields "
                   "replace; leave them out");
  }
  return std::unique_ptr<Scheme>(std::make_unique<SimhashScheme>(values, std::move(settings)));
}

}  // namespace

extern const SchemeEntry simhash_scheme;
const SchemeEntry simhash_scheme{&simhash_declaration, make_simhash};

}  // namespace twinset
