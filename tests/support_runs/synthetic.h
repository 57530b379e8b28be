// A synthetic collection of any size with known truth: English-like documents,
// unrelated ones sharing next to nothing, and planted copies whose cluster sizes
// are heavy-tailed, up to 100,000 copies of one document.
//
//   auto collection = SyntheticCollection::make({.documents = 5'000'000});
//   std::string text;
//   collection.value().text(17, text);              // document 17's text, always the same
//   SyntheticTruth truth = collection.value().truth(17);
//
// Document i is a pure function of (options, i): nothing is stored but a word
// list and a table of cluster sizes (under 3 MB), documents can be made in any
// order, and any copy's original is found and made again from its number.
//
// Documents are laid out as slots, clusters side by side and largest first;
// a keyed permutation spreads the slots over the collection.
//
// Threads: immutable once made; share it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/random.h"
#include "twinset/result.h"

namespace twinset {

struct SyntheticOptions {
  std::uint64_t documents = 100'000;
  std::uint64_t seed = 1;
  /// Of 1,000 documents, those in a cluster of two or more.
  std::uint64_t clustered_per_mille = 400;
  /// Cap on a cluster's documents; smaller collections have smaller largest ones.
  std::uint64_t largest_cluster = 100'000;
  /// Mean words of an original; lengths are about log-normal (deviation 0.9 of
  /// the logarithm), 3 to 40,000. 330 words are about 2 KB.
  std::uint64_t mean_words = 330;
};

/// The original of a document, and how it was changed.
struct SyntheticTruth {
  std::uint64_t cluster = 0;       ///< clusters are numbered from 0, largest first
  std::uint64_t cluster_size = 1;  ///< documents in it, the original included
  std::uint64_t copy = 0;          ///< 0 is the original
  std::uint64_t original = 0;      ///< the original's document number
  /// "original"; or an edit of edits.h by name; or "chain": version `copy` of a
  /// text that drifts by 1 % of its words each version.
  std::string_view edit;
};

class SyntheticCollection {
 public:
  /// Errors (usage): no documents, over 2^40, or over 1,000 per mille.
  static Result<SyntheticCollection> make(const SyntheticOptions& options);

  std::uint64_t size() const { return documents_; }
  std::uint64_t clusters() const;
  std::uint64_t cluster_size(std::uint64_t cluster) const;

  SyntheticTruth truth(std::uint64_t document) const;
  /// Replaces `out` with the document's text: UTF-8, words, punctuation, line
  /// ends. About 5 ns a word for originals.
  void text(std::uint64_t document, std::string& out) const;
  /// The document that is copy `copy` of `cluster`.
  std::uint64_t document(std::uint64_t cluster, std::uint64_t copy) const;

 private:
  /// Clusters of one size, side by side.
  struct Row {
    std::uint64_t size;
    std::uint64_t clusters;
    std::uint64_t first_cluster;
    std::uint64_t first_slot;
  };
  /// A word's bytes, its length last; words are at most 15 bytes.
  struct Word {
    std::array<char, 15> bytes;
    std::uint8_t length;
  };
  /// A column of Walker's alias method.
  struct Column {
    std::uint16_t threshold;
    std::uint16_t other;
  };

  SyntheticCollection() = default;
  void lay_out(const SyntheticOptions& options);
  void add_row(std::uint64_t size, std::uint64_t clusters);
  void make_words();
  void make_columns();
  const Row& row_of_cluster(std::uint64_t cluster) const;
  std::uint64_t spread(std::uint64_t slot) const;
  std::uint64_t gather(std::uint64_t document) const;
  void original_text(std::uint64_t cluster, std::string& out) const;
  const Word& draw_word(SeededRandom& random, bool international) const;
  std::string_view edit_of(std::uint64_t cluster, std::uint64_t size, std::uint64_t copy) const;

  std::uint64_t documents_ = 0;
  std::uint64_t seed_ = 0;
  std::uint64_t mean_words_ = 0;
  unsigned half_bits_ = 1;
  std::vector<Row> rows_;
  std::vector<Word> words_;
  std::vector<Column> columns_;
};

}  // namespace twinset
