// The tokens of texts with their places, for those who follow one text after the other.
//
//   TokenCache cache(texts, memory);           // for all threads
//   TextTokens tokens(cache);                  // one for each
//   TWINSET_ASSIGN(const PlacedTokens* later, tokens.follow(document));
//   TWINSET_ASSIGN(const PlacedTokens* earlier, tokens.of(other));
//
// A version has most of its runs from the one before, which was followed just before: the texts
// followed last stay as they are. Other earlier texts stay in the cache as far as memory goes.
//
// Threads: a TokenCache any; a TextTokens belongs to one.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "run/texts.h"
#include "text/analyzer.h"
#include "text/offsets.h"

namespace twinset {

struct PlacedTokens {
  DocumentId document;
  std::vector<std::uint64_t> tokens;
  std::vector<TokenOffsets> offsets;  ///< of each token
  bool in_order = false;              ///< neither begins nor ends decrease

  /// Notes whether the offsets, which are new, are in order.
  void order();
  /// The bytes from the first to the last of tokens [begin, begin + count), one at least.
  TokenOffsets bytes_of(std::size_t begin, std::size_t count) const;
  std::uint64_t bytes() const {
    return tokens.capacity() * sizeof tokens[0] + offsets.capacity() * sizeof offsets[0];
  }
};

class TokenCache {
 public:
  /// Holds up to so many bytes, but always the text used last.
  TokenCache(Texts& texts, std::uint64_t memory_bytes) : texts_(texts), most_(memory_bytes) {}

  /// The tokens of a document. Threads that ask for one that is not held each read it.
  Result<std::shared_ptr<const PlacedTokens>> get(DocumentId document, Analysis& scratch);
  /// Drops all; what is in use stays with who uses it.
  void clear();
  Texts& texts() const { return texts_; }

 private:
  using Held = std::list<std::shared_ptr<const PlacedTokens>>;

  std::shared_ptr<const PlacedTokens> find(DocumentId document);

  Texts& texts_;
  const std::uint64_t most_;
  std::mutex mutex_;
  std::uint64_t held_ = 0;
  Held texts_held_;  ///< used last: first
  std::unordered_map<std::uint64_t, Held::iterator> by_document_;
};

class TextTokens {
 public:
  explicit TextTokens(TokenCache& cache) : cache_(cache) {}

  /// The tokens of the text that is followed next; valid until the next call of follow().
  Result<const PlacedTokens*> follow(DocumentId document);
  /// The tokens of a text; valid until the next call of of() or follow().
  Result<const PlacedTokens*> of(DocumentId document);
  /// Frees all that the cache does not hold.
  void drop();

 private:
  /// Texts that stay after they were followed, if they are not long.
  static constexpr std::size_t kept_texts = 4;

  TokenCache& cache_;
  std::array<PlacedTokens, kept_texts> followed_;
  std::size_t next_ = 0;  ///< the one followed before all others
  /// Of the cache, those asked for last: runs have their first place and the nearest one by turns.
  std::array<std::shared_ptr<const PlacedTokens>, 2> earlier_;
  std::size_t next_earlier_ = 0;
  Analysis analysis_;
};

}  // namespace twinset
