// Three parts. The layout: sizes floor(L/1), floor(L/2), ... (a power law of
// exponent 2), then pairs, triples and fours for what is left of the clustered
// share, then single documents; a table of some hundred rows gives any slot's
// cluster. The spreading: a four-round Feistel permutation of the slots, walked
// until it lands inside the collection, so it can be run both ways. The text:
// words drawn by Zipf's law with Walker's alias method, in sentences and
// paragraphs.
//
// This file's interface is synthetic.h; the rest is private.
#include "support_runs/synthetic.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <unordered_set>

#include "evaluate/edits.h"
#include "evaluate/random.h"

namespace twinset {
namespace {

constexpr std::size_t vocabulary = 65'536;
constexpr std::size_t longest_word = 15;
constexpr std::size_t first_rare_rank = 500;  // names and foreign words come after it

constexpr std::string_view common_words =
    "the of and to in a is that for it as was with be by on not he his but at are this have from "
    "or had an they which one you were all her she there would their we him been has when who "
    "will no more if out so up said what its about than into them can only other time new some "
    "could these two may first then do any like my now over such our man me even most made after "
    "also well did many before must years back through much where your way down should because "
    "long each just state those people too how little good world make very year still see own "
    "work men day get here old life both between being under three never know same last another "
    "while us off might great go come since against right used take";

/// The uses of a document's randomness.
enum Purpose : std::uint64_t {
  words_purpose,
  text_purpose,
  edit_purpose,
  copy_purpose,
  spread_purpose
};

std::string made_word(SeededRandom& random, std::size_t syllables, bool foreign) {
  constexpr std::array<std::string_view, 28> onsets = {
      "b", "c", "d",  "f",  "g",  "h",  "l",  "m",  "n",  "p",  "r",  "s",  "t",  "v",
      "w", "j", "st", "tr", "pr", "ch", "sh", "cl", "gr", "br", "pl", "th", "qu", "k"};
  constexpr std::array<std::string_view, 10> vowels = {"a", "e", "i", "o",  "u",
                                                       "a", "e", "i", "ou", "ea"};
  constexpr std::array<std::string_view, 12> codas = {"",  "",  "",  "n", "r", "s",
                                                      "t", "l", "m", "d", "",  "ck"};
  constexpr std::array<std::string_view, 6> accented = {"\xC3\xA9", "\xC3\xBC", "\xC3\xB1",
                                                        "\xC3\xB6", "\xC3\xA8", "\xC4\x8D"};
  std::string word;
  for (std::size_t i = 0; i < syllables; ++i) {
    word += onsets[random.below(onsets.size())];
    word += foreign && i == 0 ? accented[random.below(accented.size())]
                              : vowels[random.below(vowels.size())];
    if (i + 1 == syllables || random.chance(1, 4)) word += codas[random.below(codas.size())];
  }
  return word;
}

bool is_foreign(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

Result<SyntheticCollection> SyntheticCollection::make(const SyntheticOptions& options) {
  if (options.documents == 0 || options.documents > std::uint64_t{1} << 40) {
    return usage_error("a synthetic collection has 1 to 2^40 documents");
  }
  if (options.clustered_per_mille > 1000 || options.mean_words == 0 ||
      options.mean_words > 10'000) {
    return usage_error("at most 1,000 per mille are clustered; 1 to 10,000 mean words");
  }
  SyntheticCollection collection;
  collection.documents_ = options.documents;
  collection.seed_ = options.seed;
  collection.mean_words_ = options.mean_words;
  collection.half_bits_ =
      std::max(1U, (static_cast<unsigned>(std::bit_width(options.documents - 1)) + 1) / 2);
  collection.lay_out(options);
  collection.make_words();
  collection.make_columns();
  return collection;
}

void SyntheticCollection::add_row(std::uint64_t size, std::uint64_t clusters) {
  if (clusters == 0) return;
  Row row{size, clusters, 0, 0};
  if (!rows_.empty()) {
    const Row& last = rows_.back();
    row.first_cluster = last.first_cluster + last.clusters;
    row.first_slot = last.first_slot + last.clusters * last.size;
  }
  rows_.push_back(row);
}

void SyntheticCollection::lay_out(const SyntheticOptions& options) {
  constexpr std::uint64_t smallest_harmonic = 5;
  std::uint64_t left = documents_ / 1000 * options.clustered_per_mille +
                       documents_ % 1000 * options.clustered_per_mille / 1000;
  // The largest L whose sizes L/1, L/2, ... down to 5 take at most 0.6 of it.
  const auto harmonic = [&](std::uint64_t largest) {
    std::uint64_t sum = 0;
    for (std::uint64_t k = 1; largest / k >= smallest_harmonic;) {
      const std::uint64_t size = largest / k;
      const std::uint64_t last = largest / size;  // the last k of this size
      sum += (last - k + 1) * size;
      k = last + 1;
    }
    return sum;
  };
  std::uint64_t low = 0;
  std::uint64_t high = std::min(options.largest_cluster, left);
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (harmonic(middle) <= left / 5 * 3) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  for (std::uint64_t k = 1; low / k >= smallest_harmonic;) {
    const std::uint64_t size = low / k;
    const std::uint64_t last = low / size;
    add_row(size, last - k + 1);
    left -= (last - k + 1) * size;
    k = last + 1;
  }
  const std::uint64_t fours = options.largest_cluster >= 4 ? left / 5 / 4 : 0;
  const std::uint64_t threes = options.largest_cluster >= 3 ? left / 10 * 3 / 3 : 0;
  left -= fours * 4 + threes * 3;
  const std::uint64_t pairs = options.largest_cluster >= 2 ? left / 2 : 0;
  add_row(4, fours);
  add_row(3, threes);
  add_row(2, pairs);
  const std::uint64_t used =
      rows_.empty() ? 0 : rows_.back().first_slot + rows_.back().clusters * rows_.back().size;
  add_row(1, documents_ - used);
}

void SyntheticCollection::make_words() {
  SeededRandom random(derive_seed(seed_, words_purpose));
  std::unordered_set<std::string> known;
  words_.reserve(vocabulary);
  const auto take = [&](std::string_view word) {
    if (word.size() > longest_word || !known.emplace(word).second) return;
    Word entry{};
    std::copy(word.begin(), word.end(), entry.bytes.begin());
    entry.length = static_cast<std::uint8_t>(word.size());
    words_.push_back(entry);
  };
  for (std::size_t at = 0; at < common_words.size();) {
    const std::size_t end = std::min(common_words.find(' ', at), common_words.size());
    take(common_words.substr(at, end - at));
    at = end + 1;
  }
  while (words_.size() < vocabulary) {
    const std::size_t rank = words_.size();
    const std::size_t syllables = rank < 2'000 ? 1 + random.below(2) : 2 + random.below(2);
    take(made_word(random, syllables, rank >= first_rare_rank && random.chance(1, 20)));
  }
}

void SyntheticCollection::make_columns() {
  // Zipf's law, weight 1 / (rank + 1) from rank 1; Vose's construction.
  std::vector<double> scaled(vocabulary);
  double sum = 0;
  for (std::size_t i = 0; i < vocabulary; ++i) sum += 1.0 / static_cast<double>(i + 2);
  std::vector<std::uint16_t> small;
  std::vector<std::uint16_t> large;
  for (std::size_t i = 0; i < vocabulary; ++i) {
    scaled[i] = static_cast<double>(vocabulary) / (static_cast<double>(i + 2) * sum);
    (scaled[i] < 1 ? small : large).push_back(static_cast<std::uint16_t>(i));
  }
  columns_.resize(vocabulary);
  while (!small.empty() && !large.empty()) {
    const std::uint16_t under = small.back();
    const std::uint16_t over = large.back();
    small.pop_back();
    columns_[under] = {static_cast<std::uint16_t>(scaled[under] * 65'535.0), over};
    scaled[over] -= 1 - scaled[under];
    if (scaled[over] < 1) {
      large.pop_back();
      small.push_back(over);
    }
  }
  for (const auto* rest : {&small, &large}) {
    for (const std::uint16_t i : *rest) columns_[i] = {65'535, i};
  }
}

std::uint64_t SyntheticCollection::clusters() const {
  return rows_.back().first_cluster + rows_.back().clusters;
}

const SyntheticCollection::Row& SyntheticCollection::row_of_cluster(std::uint64_t cluster) const {
  assert(cluster < clusters());
  return *std::prev(std::upper_bound(
      rows_.begin(), rows_.end(), cluster,
      [](std::uint64_t value, const Row& row) { return value < row.first_cluster; }));
}

std::uint64_t SyntheticCollection::cluster_size(std::uint64_t cluster) const {
  return row_of_cluster(cluster).size;
}

namespace {

constexpr unsigned feistel_rounds = 4;

std::uint64_t feistel_round(std::uint64_t seed, unsigned round, std::uint64_t half,
                            std::uint64_t mask) {
  return derive_seed(seed, spread_purpose, half << 8 | round) & mask;
}

}  // namespace

std::uint64_t SyntheticCollection::spread(std::uint64_t slot) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    std::uint64_t left = slot >> half_bits_;
    std::uint64_t right = slot & mask;
    for (unsigned round = 0; round < feistel_rounds; ++round) {
      const std::uint64_t next = left ^ feistel_round(seed_, round, right, mask);
      left = right;
      right = next;
    }
    slot = left << half_bits_ | right;
  } while (slot >= documents_);
  return slot;
}

std::uint64_t SyntheticCollection::gather(std::uint64_t document) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    std::uint64_t left = document >> half_bits_;
    std::uint64_t right = document & mask;
    for (unsigned round = feistel_rounds; round-- > 0;) {
      const std::uint64_t next = right ^ feistel_round(seed_, round, left, mask);
      right = left;
      left = next;
    }
    document = left << half_bits_ | right;
  } while (document >= documents_);
  return document;
}

std::uint64_t SyntheticCollection::document(std::uint64_t cluster, std::uint64_t copy) const {
  const Row& row = row_of_cluster(cluster);
  assert(copy < row.size);
  return spread(row.first_slot + (cluster - row.first_cluster) * row.size + copy);
}

SyntheticTruth SyntheticCollection::truth(std::uint64_t document) const {
  assert(document < documents_);
  const std::uint64_t slot = gather(document);
  const Row& row = *std::prev(std::upper_bound(
      rows_.begin(), rows_.end(), slot,
      [](std::uint64_t value, const Row& entry) { return value < entry.first_slot; }));
  SyntheticTruth truth;
  truth.cluster_size = row.size;
  truth.cluster = row.first_cluster + (slot - row.first_slot) / row.size;
  truth.copy = (slot - row.first_slot) % row.size;
  truth.original = truth.copy == 0 ? document : spread(slot - truth.copy);
  truth.edit = edit_of(truth.cluster, row.size, truth.copy);
  return truth;
}

std::string_view SyntheticCollection::edit_of(std::uint64_t cluster, std::uint64_t size,
                                              std::uint64_t copy) const {
  constexpr std::array<std::string_view, 6> near = {"replace-1", "replace-3", "replace-10",
                                                    "header",    "move",      "cut-tail"};
  constexpr std::uint64_t longest_chain = 50;
  if (copy == 0) return "original";
  if (size >= 3 && size <= longest_chain &&
      SeededRandom(derive_seed(seed_, edit_purpose, cluster)).chance(1, 10)) {
    return "chain";
  }
  SeededRandom random(derive_seed(derive_seed(seed_, edit_purpose, cluster), copy));
  const std::uint64_t draw = random.below(100);
  if (draw < 40) return "exact";
  if (draw < 48) return "case";
  if (draw < 55) return "wrap";
  return near[random.below(near.size())];
}

void SyntheticCollection::text(std::uint64_t document, std::string& out) const {
  const SyntheticTruth truth = this->truth(document);
  original_text(truth.cluster, out);
  if (truth.copy == 0) return;
  // A chain's versions share their seeds, so each continues the one before.
  const std::uint64_t seed = derive_seed(derive_seed(seed_, copy_purpose, truth.cluster),
                                         truth.edit == "chain" ? 0 : truth.copy);
  if (truth.edit == "chain") {
    out = chain_version(out, truth.copy, seed);
  } else if (truth.edit != "exact") {
    const auto edit = std::find_if(edits().begin(), edits().end(),
                                   [&](const Edit& each) { return each.name == truth.edit; });
    out = edit->apply(out, seed);
  }
}

namespace {

/// A word count, about log-normal with a deviation of 0.9 and the given mean:
/// twelve small random factors, so that no mathematical library is needed and
/// every machine draws the same.
std::uint64_t draw_length(SeededRandom& random, std::uint64_t mean_words) {
  constexpr std::uint64_t shortest = 3;
  constexpr std::uint64_t longest = 40'000;
  constexpr double median_of_mean = 2.0 / 3;
  double words = static_cast<double>(mean_words) * median_of_mean;
  for (int i = 0; i < 12; ++i) {
    const double factor = 1 + 0.56 * random.unit();
    words = random.next() >> 63 ? words * factor : words / factor;
  }
  return std::clamp(static_cast<std::uint64_t>(words + 0.5), shortest, longest);
}

}  // namespace

namespace {

/// The positions of special words, counted from a sentence's end: 0 is its last word, and also
/// means "nowhere" for optional ones.
struct Sentence {
  Sentence(std::uint64_t draw, std::uint64_t most)
      : left(std::min<std::uint64_t>(most, 5 + draw % 20)),
        comma(draw >> 16 & 1 ? (draw >> 20) % left : 0),
        number((draw >> 32) % 5 == 0 ? (draw >> 36) % left : 0),
        quote((draw >> 48) % 20 == 0 ? (draw >> 54) % left : 0) {}
  std::uint64_t left;
  std::uint64_t comma;
  std::uint64_t number;
  std::uint64_t quote;
};

char* write_number(std::uint64_t value, char* at) {
  std::array<char, 20> digits;
  std::size_t length = 0;
  do {
    digits[length++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (length > 0) *at++ = digits[--length];
  return at;
}

}  // namespace

void SyntheticCollection::original_text(std::uint64_t cluster, std::string& out) const {
  SeededRandom random(derive_seed(seed_, text_purpose, cluster));
  const std::uint64_t words = draw_length(random, mean_words_);
  const bool international = random.chance(3, 10);
  // A word with its space, quotes, comma or stop and line ends.
  constexpr std::size_t most_bytes_per_word = 24;
  out.resize(words * most_bytes_per_word + sizeof(Word));
  char* at = out.data();
  std::uint64_t paragraph = 2 + random.below(8);  // sentences left in it
  for (std::uint64_t done = 0; done < words;) {
    Sentence sentence(random.next(), words - done);
    done += sentence.left;
    for (bool first = true; sentence.left > 0; first = false) {
      --sentence.left;
      if (sentence.number != 0 && sentence.left == sentence.number) {
        at = write_number(random.below(3'000), at);
      } else {
        const bool quoted = sentence.quote != 0 && sentence.left == sentence.quote;
        if (quoted) *at++ = '"';
        const Word& word = draw_word(random, international);
        std::memcpy(at, word.bytes.data(), longest_word);
        if (first && *at >= 'a' && *at <= 'z') *at = static_cast<char>(*at - 'a' + 'A');
        at += word.length;
        if (quoted) *at++ = '"';
      }
      if (sentence.comma != 0 && sentence.left == sentence.comma) *at++ = ',';
      *at++ = sentence.left == 0 ? '.' : ' ';
    }
    if (done == words) break;
    if (--paragraph == 0) {
      paragraph = 2 + random.below(8);
      std::memcpy(at, "\n\n", 2);
      at += 2;
    } else {
      *at++ = ' ';
    }
  }
  out.resize(static_cast<std::size_t>(at - out.data()));
}

const SyntheticCollection::Word& SyntheticCollection::draw_word(SeededRandom& random,
                                                                bool international) const {
  constexpr std::size_t accents_end = 4;  // an accent is in the first syllable
  for (;;) {
    const std::uint64_t draw = random.next();
    const std::size_t index = draw >> 48;
    const Column& column = columns_[index];
    const Word& word = words_[(draw & 0xFFFF) <= column.threshold ? index : column.other];
    if (international || !is_foreign({word.bytes.data(), accents_end})) return word;
  }
}

}  // namespace twinset
