// The tokens of texts with their places, kept for the next use as far as memory goes.
//
// Threads: belongs to one; several may share a Texts.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <unordered_map>
#include <vector>

#include "run/texts.h"
#include "text/analyzer.h"

namespace twinset {

struct PlacedTokens {
  DocumentId document;
  std::vector<std::uint64_t> tokens;
  std::vector<TokenOffsets> offsets;

  std::uint64_t bytes() const {
    return tokens.capacity() * sizeof tokens[0] + offsets.capacity() * sizeof offsets[0];
  }
};

class TokenCache {
 public:
  /// Holds up to so many bytes, but always the text used last.
  TokenCache(Texts& texts, std::uint64_t memory_bytes) : texts_(texts), most_(memory_bytes) {}

  /// The tokens of a document; valid until the next call.
  Result<const PlacedTokens*> get(DocumentId document);
  /// Frees all.
  void clear();
  /// Reads a document past the cache.
  Status read(DocumentId document, PlacedTokens& out);

 private:
  Texts& texts_;
  std::uint64_t most_;
  std::uint64_t held_ = 0;
  std::list<PlacedTokens> texts_held_;  ///< used last: first
  std::unordered_map<std::uint64_t, std::list<PlacedTokens>::iterator> by_document_;
  Analysis analysis_;
};

}  // namespace twinset
