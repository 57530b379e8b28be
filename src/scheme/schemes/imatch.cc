// I-Match with randomized lexicons (papers 000 and 002: Kolcz, Chowdhury, Alspector).
//
// A lexicon L is a frozen list of words that are neither in most documents nor in almost none. The
// signature of a document with the words U is a hash of the set S = L and U: the order of its
// words, their repeats and all words outside L change nothing. One word of L more or less changes
// it, so K further lexicons are random parts of L, and a document has K + 1 signatures. Two
// documents match if they have the same signature at one *coordinate*; the same number at two
// different coordinates means nothing. If n words of L differ and a lexicon leaves out each with
// chance p, they match with chance 1 - (1 - p^n)^K (002 Eq. 1). `edits` chooses p from it: more
// than the paper's third if more words change (its Eq. 6 and Table 4 keep p, and ask for millions
// of lexicons). Lexicons of few words make more documents equal that are not; the texts, or a
// second scheme, have to check the pairs.
//
// A document of few words of L would match others by them alone. If |S| is less than `share` of
// |U|, the rarer words of the secondary lexicon B are added in their rank, the fewest that reach it
// (002 section 3, step 4: it prints "L and U", and means B and U). If |S| is then still below
// `share`, or below `least`, there is no signature at that coordinate, which matches nothing. With
// `edits`, a part of the lexicon that keeps 1 - p of it needs 1 - p of `share`.
//
// S is hashed as the sum, modulo 2^64, of a hash of each word under the key, with |S| mixed in:
// the sums of all lists come from one pass over the document, in any order. 64 bits are enough:
// among a billion documents, 0.03 pairs of different sets are expected to be equal at a coordinate.
// With `digest` sha1, S is instead the first 64 bits of SHA-1 of its words in the order of their
// bytes, a line end after each, as 002 does; slower, and the same relation.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "base/file_header.h"
#include "base/hash.h"
#include "base/message.h"
#include "base/sha1.h"
#include "scheme/kernels/term_lookup.h"
#include "scheme/little_endian.h"
#include "scheme/scheme.h"
#include "scheme/sub_lexicons.h"
#include "stats/english.h"
#include "stats/lexicon.h"
#include "stats/tables.h"

namespace twinset {
namespace {

namespace parameter {
enum : std::size_t {
  lexicon,
  nidf,
  secondary,
  signatures,
  edits,
  sampling,
  drop,
  least,
  share,
  digest,
  seed,
  secret,
  found,
  count
};
}
enum Sampling : std::uint64_t { bag, drop };
enum Digest : std::uint64_t { sum, sha_1 };

constexpr std::array<std::string_view, 2> samplings{"bag", "drop"};
constexpr std::array<std::string_view, 2> digests{"sum", "sha1"};

constexpr std::array<ParameterDeclaration, parameter::count> parameters{{
    file_parameter(
        "lexicon", "",
        "a lexicon made by twinset lexicon build, in place of the built-in one of English; or a df "
        "file, or the name of a built-in one such as german, of which nidf chooses the terms"),
    added(
        text_parameter("nidf", "", "of a df file: the window of its terms; 0.2:0.8 unless given")),
    added(text_parameter(
        "secondary", "",
        "of a df file: the window of rarer terms, such as 0.8:1; none unless given")),
    {"signatures", 0, most_sub_lexicons, 10, "signatures beside that of the whole lexicon (K)"},
    {"edits", 0, 100, 0,
     "lexicon words that may be added to a copy or taken away so that 95 % of copies match: the "
     "lexicons drop as many terms as that takes, whatever sampling and drop say, and need as much "
     "less of share; where texts are too short for that a run is refused, see found; 0: as "
     "sampling "
     "and drop say"},
    choice_parameter("sampling", samplings, bag,
                     "their lexicons: bag draws as many terms as there are and keeps 63.2 % of "
                     "them, drop leaves out a share"),
    share_parameter("drop", "1/3", "chance that drop leaves out a term (p), above 0 and below 1"),
    {"least", 1, 1'000'000, 5, "terms that a signature is made of at least"},
    share_parameter("share", "0.1",
                    "least part of a document's different words that its signature is made of; "
                    "rarer words of the secondary lexicon are added to reach it"),
    choice_parameter("digest", digests, sum,
                     "hash of the terms: sum, or sha1 of the sorted terms as in the paper"),
    {"seed", 0, UINT64_MAX, 0, "random seed, which chooses the lexicons"},
    secret_parameter("secret",
                     "a file of 32 hexadecimal digits that chooses them in place of the seed, so "
                     "that nobody can tell which words to change"),
    added(share_parameter("found", "0.95",
                          "with edits: the least share of such copies that dedup and cluster must "
                          "find by their own count; if fewer are found, they stop")),
}};

constexpr SchemeDeclaration imatch_declaration{
    "imatch",
    2,
    SharedKey::candidate,
    "equal sets of lexicon terms, under a lexicon and random parts of it (I-Match): order, common "
    "and rare words do not count",
    "Kolcz, Chowdhury, Alspector: Improved Robustness of Signature-Based Near-Replica Detection "
    "via Lexicon Randomization, 2004; Kolcz, Chowdhury: Lexicon randomization for near-duplicate "
    "detection with I-Match, 2008",
    parameters,
    Tells::coordinate};

/// The share of copies with the wanted edits that match, and that the lexicons are made for.
constexpr double promised_share = 0.95;
constexpr unsigned most_lists = most_sub_lexicons + 1;
constexpr std::uint64_t size_multiplier = 0x9e3779b97f4a7c15ULL;

/// Of each of 4 * `fours` lists, the sum of its terms' values and their number.
template <unsigned fours>
class Sums {
 public:
  /// Adds a term to the lists of `mask`.
  void add(std::uint32_t mask, std::uint64_t value) {
    for (unsigned four = 0; four < fours; ++four) {
      const auto& ones = lanes[mask >> 4 * four & 15];
      for (unsigned lane = 0; lane < 4; ++lane) sums_[4 * four + lane] += value & ones[lane];
    }
    // Eight counts to a word. None of them may overflow into the next.
    for (unsigned eight = 0; eight < eights; ++eight) {
      bytes_[eight] += spread[mask >> 8 * eight & 255];
    }
    if (++pending_ == 255) flush();
  }
  std::uint64_t sum(unsigned list) const { return sums_[list]; }
  /// After the last add().
  std::uint64_t count(unsigned list) {
    flush();
    return counts_[list];
  }

 private:
  static constexpr unsigned eights = (fours + 1) / 2;
  /// By four bits of a mask: all ones where a bit is set.
  static constexpr auto lanes = [] {
    std::array<std::array<std::uint64_t, 4>, 16> all{};
    for (std::size_t mask = 0; mask < 16; ++mask) {
      for (std::size_t lane = 0; lane < 4; ++lane) {
        all[mask][lane] = (mask >> lane & 1) != 0 ? ~std::uint64_t{0} : 0;
      }
    }
    return all;
  }();
  /// By eight bits of a mask: each bit as a byte.
  static constexpr auto spread = [] {
    std::array<std::uint64_t, 256> all{};
    for (std::uint64_t mask = 0; mask < 256; ++mask) {
      for (unsigned bit = 0; bit < 8; ++bit) all[mask] |= (mask >> bit & 1) << 8 * bit;
    }
    return all;
  }();

  void flush() {
    for (unsigned list = 0; pending_ > 0 && list < 8 * eights; ++list) {
      counts_[list] += bytes_[list / 8] >> 8 * (list % 8) & 255;
    }
    bytes_ = {};
    pending_ = 0;
  }

  std::array<std::uint64_t, 4 * fours> sums_{};
  std::array<std::uint64_t, 8 * eights> counts_{};
  std::array<std::uint64_t, eights> bytes_{};
  unsigned pending_ = 0;
};

/// 002 Eq. 1.
constexpr double matching_chance(double dropped, std::uint64_t edits, std::uint64_t lists) {
  double all_dropped = 1;
  for (std::uint64_t edit = 0; edit < edits; ++edit) all_dropped *= dropped;
  double no_match = 1;
  for (std::uint64_t list = 0; list < lists; ++list) no_match *= 1 - all_dropped;
  return 1 - no_match;
}

/// The least share to drop, in thousandths, with which 95 % of copies of so many edits match.
/// Only products are taken, so that every machine finds the same.
std::optional<Ratio> share_to_drop(std::uint64_t edits, std::uint64_t lists) {
  for (std::uint32_t dropped = 1; dropped < 1000; ++dropped) {
    if (matching_chance(dropped / 1000.0, edits, lists) >= promised_share)
      return Ratio(dropped, 1000);
  }
  return std::nullopt;
}

/// The same of all lists, once a pass is over.
struct ListSums {
  std::array<std::uint64_t, most_lists> sums{};
  std::array<std::uint64_t, most_lists> counts{};

  void add(std::uint32_t mask, std::uint64_t value) {
    for (unsigned list = 0; list < most_lists; ++list) {
      if ((mask >> list & 1) == 0) continue;
      sums[list] += value;
      ++counts[list];
    }
  }
};

/// A term of a document, and the lists that count it.
struct Member {
  std::uint32_t number = 0;
  std::uint32_t mask = 0;
  std::uint64_t hash = 0;
};

bool is_compiled_in(const std::string& lexicon) {
  return lexicon.empty() || is_built_in_table(lexicon);
}

class IMatchScheme final : public Scheme {
 public:
  IMatchScheme(const Parameters& values, const Lexicon& lexicon, const SecretKey& key)
      : Scheme(imatch_declaration, values,
               {.stored_bytes = (values[parameter::signatures] + 1) * sizeof(std::uint64_t),
                .uses_shingles = false,
                .may_reject = true,
                .analyzer = lexicon.table().analyzer,
                // A lexicon that is compiled in is that of the build's analyzer.
                .analyzer_version = is_compiled_in(values.text(parameter::lexicon))
                                        ? 0
                                        : lexicon.table().analyzer_version}),
        lists_(static_cast<unsigned>(values[parameter::signatures]) + 1),
        primary_(lexicon.primary().size()),
        value_key_(key.number("value", 0)),
        lookup_(masked(values, lexicon, key), key.number("place", 0)) {
    if (values[parameter::digest] != sha_1) return;
    texts_.assign(lexicon.texts().begin(), lexicon.texts().end());
    for (const auto part : {lexicon.primary(), lexicon.secondary()}) {
      for (const LexiconTerm& term : part) places_.push_back(term.place);
    }
  }

  void fill(const DocumentView& document, Sketch& out) const override {
    const std::span<const std::uint64_t> tokens = document.analysis().tokens;
    const std::span<const std::uint64_t> words = lookup_.distinct(tokens, out.values);
    ListSums sums;
    add_primary(words, sums);
    std::vector<Member> added;
    if (missing(sums, words.size()) != 0) added = add_rarer(words, sums);
    std::array<std::uint64_t, most_lists> hashes{};
    if (value(parameter::digest) == sha_1) {
      digest_members(members(words, std::move(added)), hashes);
    } else {
      for (unsigned list = 0; list < lists_; ++list) {
        hashes[list] = mix64(sums.sums[list] + sums.counts[list] * size_multiplier);
      }
    }
    const std::size_t different = words.size();  // whose memory the signatures get
    out.values.clear();
    for (unsigned list = 0; list < lists_; ++list) {
      // 0 is no signature.
      const std::uint64_t signature = std::max<std::uint64_t>(hashes[list], 1);
      out.values.push_back(suffices(list, sums.counts[list], different) ? signature : 0);
    }
    out.empty = std::ranges::all_of(out.values, [](std::uint64_t each) { return each == 0; });
    if (out.empty) {
      out.values.clear();
      if (!tokens.empty()) out.reason = shortage(sums.counts[0]);
    } else {
      append_little_endian<std::uint64_t>(out.values, out.stored);
    }
  }

  /// A key is a signature mixed with its coordinate, so that only equal coordinates meet.
  void keys(const Sketch& sketch, std::vector<std::uint64_t>& out) const override {
    for (std::size_t list = 0; list < sketch.values.size(); ++list) {
      if (sketch.values[list] != 0) out.push_back(mix64(sketch.values[list] ^ mix64(list + 1)));
    }
  }

  Comparison compare(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                     std::span<const std::uint64_t>) const override {
    Comparison comparison;
    if (a.size() != facts().stored_bytes || b.size() != a.size()) return comparison;
    for (unsigned list = 0; list < lists_; ++list) {
      const auto signature = load_little_endian<std::uint64_t>(&a[8 * list]);
      if (signature == 0 || signature != load_little_endian<std::uint64_t>(&b[8 * list])) continue;
      comparison.coordinate = list;
      break;
    }
    return comparison;
  }

  std::optional<double> survival(unsigned edits, std::size_t keys) const override {
    if (keys == 0) return 0;
    if (edits == 0) return 1;
    // The whole lexicon, which drops nothing, is one of them.
    return matching_chance(share_dropped(), edits, keys - 1);
  }
  double keys_to_survive(unsigned edits, double chance) const override {
    // 002 Eq. 1, solved for K.
    return edits == 0
               ? 0
               : std::ceil(std::log1p(-chance) / std::log1p(-std::pow(share_dropped(), edits)));
  }
  std::size_t coordinates() const override { return lists_; }
  Promise promise() const override {
    return {static_cast<unsigned>(value(parameter::edits)), promised_share,
            values().share(parameter::found).value()};
  }

 private:
  double share_dropped() const {
    return value(parameter::sampling) == bag ? 1 / std::numbers::e
                                             : values().share(parameter::drop).value();
  }

  /// Adds up the terms of the lexicon proper. The number of lists is a constant in each of eight
  /// copies of this loop, so that its sums stay in registers.
  template <unsigned fours = 1>
  void add_primary(std::span<const std::uint64_t> words, ListSums& out) const {
    if constexpr (4 * fours < most_lists) {
      if (lists_ > 4 * fours) return add_primary<fours + 1>(words, out);
    }
    Sums<fours> sums;
    lookup_.for_each_known(words, [&](const MaskedTerm& term) {
      if (term.number < primary_) sums.add(term.mask, value_of(term.hash));
    });
    for (unsigned list = 0; list < lists_; ++list) {
      out.sums[list] = sums.sum(list);
      out.counts[list] = sums.count(list);
    }
  }

  NoSignature shortage(std::uint64_t terms) const {
    return terms < value(parameter::least) ? NoSignature::terms : NoSignature::share;
  }
  std::uint64_t value_of(std::uint64_t hash) const { return mix64(hash + value_key_); }
  /// With `edits`, the part of a lexicon needs its part of the share alone: else documents would
  /// lose most of their signatures, and the promise with them.
  bool reaches_share(unsigned list, std::uint64_t terms, std::uint64_t words) const {
    const Ratio share = values().share(parameter::share);
    if (list == 0 || value(parameter::edits) == 0) return share.reached_by(terms, words);
    // The share dropped is in thousandths, so the products fit.
    const Ratio drop = values().share(parameter::drop);
    const std::uint64_t kept = drop.denominator() - drop.numerator();
    return words != 0 &&
           terms * share.denominator() * drop.denominator() >= words * share.numerator() * kept;
  }
  bool suffices(unsigned list, std::uint64_t terms, std::uint64_t words) const {
    return terms >= value(parameter::least) && reaches_share(list, terms, words);
  }

  /// The lists whose share is too small.
  std::uint32_t missing(const ListSums& sums, std::uint64_t words) const {
    std::uint32_t lists = 0;
    for (unsigned list = 0; list < lists_; ++list) {
      if (!reaches_share(list, sums.counts[list], words)) lists |= std::uint32_t{1} << list;
    }
    return lists;
  }

  /// Adds to each list that misses its share the first terms of its secondary part that the
  /// document has, as few as reach it. Returns the terms added, with the lists that they went to.
  std::vector<Member> add_rarer(std::span<const std::uint64_t> words, ListSums& sums) const {
    std::vector<Member> rarer;
    lookup_.for_each_known(words, [&](const MaskedTerm& term) {
      if (term.number >= primary_) rarer.push_back({term.number, term.mask, term.hash});
    });
    std::ranges::sort(rarer, {}, &Member::number);
    std::size_t used = 0;
    for (Member& term : rarer) {
      term.mask &= missing(sums, words.size());
      sums.add(term.mask, value_of(term.hash));
      if (term.mask != 0) rarer[used++] = term;
    }
    rarer.resize(used);
    return rarer;
  }

  /// The document's terms in the order of their bytes.
  std::vector<Member> members(std::span<const std::uint64_t> words,
                              std::vector<Member> members) const {
    lookup_.for_each_known(words, [&](const MaskedTerm& term) {
      if (term.number < primary_) members.push_back({term.number, term.mask, term.hash});
    });
    std::ranges::sort(members, {}, [&](const Member& term) { return places_[term.number]; });
    return members;
  }

  void digest_members(const std::vector<Member>& members,
                      std::array<std::uint64_t, most_lists>& hashes) const {
    std::string text;
    for (unsigned list = 0; list < lists_; ++list) {
      text.clear();
      for (const Member& term : members) {
        if ((term.mask >> list & 1) != 0) text += texts_[places_[term.number]] + '\n';
      }
      hashes[list] = load_little_endian<std::uint64_t>(sha1(text).data());
    }
  }

  /// All terms, primary ones first, with the lists that have them.
  static std::vector<MaskedTerm> masked(const Parameters& values, const Lexicon& lexicon,
                                        const SecretKey& key) {
    const auto lists = static_cast<unsigned>(values[parameter::signatures]);
    std::vector<MaskedTerm> terms;
    for (const bool primary : {true, false}) {
      const auto part = primary ? lexicon.primary() : lexicon.secondary();
      std::vector<std::uint64_t> hashes;
      for (const LexiconTerm& term : part) hashes.push_back(term.hash);
      std::vector<std::uint32_t> masks(part.size(), 1);
      if (values[parameter::sampling] == bag) {
        bag_terms(key, primary ? "primary" : "secondary", lists, masks);
      } else {
        drop_terms(key, values.share(parameter::drop), lists, hashes, masks);
      }
      for (std::size_t i = 0; i < part.size(); ++i) {
        terms.push_back({hashes[i], masks[i], static_cast<std::uint32_t>(terms.size())});
      }
    }
    return terms;
  }

  unsigned lists_;
  std::size_t primary_;  ///< terms numbered below are primary; the others have their rank
  std::uint64_t value_key_;
  TermLookup lookup_;
  std::vector<std::string> texts_;     ///< in order of their bytes; only for sha1
  std::vector<std::uint64_t> places_;  ///< in texts_, by number
};

/// A window such as 0.2:0.3. Error (usage): `text` is none.
Status read_window(std::string_view name, std::string_view text, Ratio& low, Ratio& high) {
  const std::size_t colon = text.find(':');
  const Result<Ratio> from = Ratio::parse(text.substr(0, colon));
  const Result<Ratio> to = Ratio::parse(colon == text.npos ? "" : text.substr(colon + 1));
  if (!from.ok() || !to.ok()) {
    return usage_error("scheme imatch: " + std::string(name) + "=" + std::string(text) +
                       " is no window of nidf such as 0.2:0.8");
  }
  low = from.value();
  high = to.value();
  return {};
}

/// What nidf and secondary choose of a df file.
Result<LexiconRule> rule_of(const Parameters& values) {
  LexiconRule rule;
  rule.of_scheme = true;
  if (const std::string& window = values.text(parameter::nidf); !window.empty()) {
    TWINSET_TRY(read_window("nidf", window, rule.low, rule.high));
  }
  if (const std::string& window = values.text(parameter::secondary); !window.empty()) {
    TWINSET_TRY(read_window("secondary", window, rule.secondary_low.emplace(),
                            rule.secondary_high.emplace()));
  }
  return rule;
}

Result<Lexicon> read_lexicon(const Parameters& values, FileSystem& files, TermTexts texts) {
  const std::string& path = values.text(parameter::lexicon);
  if (!path.empty()) {
    TWINSET_ASSIGN(const TermFile file, TermFile::open_named(files, path));
    if (!file.table().is_lexicon()) {
      TWINSET_ASSIGN(const LexiconRule rule, rule_of(values));
      return Lexicon::cut(file, rule, texts);
    }
  }
  if (!values.text(parameter::nidf).empty() || !values.text(parameter::secondary).empty()) {
    return usage_error(
        "scheme imatch: nidf and secondary choose terms of a df file; the terms of " +
        (path.empty() ? "the built-in lexicon" : path) +
        " are chosen already. Name a df file, or a built-in one: " + table_names());
  }
  return Lexicon::load(files, path, texts);
}

/// The built-in lexicon has no file whose content stands in the fingerprint; its hash does.
Result<Lexicon> load_lexicon(Parameters& values, FileSystem& files) {
  const TermTexts texts = values[parameter::digest] == sha_1 ? TermTexts::keep : TermTexts::drop;
  const std::string& path = values.text(parameter::lexicon);
  TWINSET_ASSIGN(Lexicon lexicon, read_lexicon(values, files, texts));
  if (path.empty()) values.set_content(parameter::lexicon, english_hash());
  if (lexicon.table().hash != fingerprint_text(values.content(parameter::lexicon))) {
    return io_error(path + " has changed while it was read; run again");
  }
  if (lexicon.table().terms > UINT32_MAX) {
    return usage_error(path + " has more terms than imatch can take; choose a narrower " +
                       option("nidf"));
  }
  return lexicon;
}

Result<std::unique_ptr<Scheme>> make_imatch(const SchemeArguments& arguments) {
  Parameters values = arguments.values;
  if (const std::uint64_t edits = values[parameter::edits]; edits > 0) {
    const std::optional<Ratio> drop = share_to_drop(edits, values[parameter::signatures]);
    if (!drop.has_value()) {
      return usage_error("scheme imatch: edits=" + std::to_string(edits) +
                         " with signatures=" + std::to_string(values[parameter::signatures]) +
                         ": no share to drop lets 95 % of such copies match; give more signatures");
    }
    values.set(parameter::sampling, Sampling::drop);
    values.set_share(parameter::drop, *drop);
  }
  const Ratio& dropped = values.share(parameter::drop);
  if (dropped.numerator() == 0 || dropped.numerator() >= dropped.denominator()) {
    return usage_error("scheme imatch: drop=" + dropped.text() +
                       " is not a chance above 0 and below 1: every lexicon would have all terms, "
                       "or none");
  }
  const SecretKey key = values.key(parameter::seed, parameter::secret);
  TWINSET_ASSIGN(const Lexicon lexicon, load_lexicon(values, *arguments.files));
  return std::unique_ptr<Scheme>(std::make_unique<IMatchScheme>(values, lexicon, key));
}

}  // namespace

extern const SchemeEntry imatch_scheme;
const SchemeEntry imatch_scheme{&imatch_declaration, make_imatch};

}  // namespace twinset
