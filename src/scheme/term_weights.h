// The inverse document frequency of terms as integers (S section 3.3): the rarer a term, the more
// it weighs. The paper has it both ways, as 1/df and as log(N/df).
//
//   TermWeights weights({{token_hash("rose"), 10}}, 1000, Idf::log);
//   weights.of(token_hash("rose"));   // log2(1000 / 10) in 64ths: 425
//   weights.of(token_hash("tulip"));  // not counted, so of one document: 638
//
// Threads: immutable once made.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

enum class Idf : std::uint8_t {
  log,     ///< log2(N / df) in 64ths, rounded; 0 for a term of all documents
  inverse  ///< 2^32 / df, rounded down
};
inline constexpr std::array<std::string_view, 2> idf_names{"log", "inverse"};

inline constexpr std::uint64_t idf_units = 64;

/// Range: df >= 1. The least df that means something is 1, the most is `documents`.
std::uint64_t idf_weight(Idf idf, std::uint64_t documents, std::uint64_t df);

/// A term's token hash and the number of documents that have it.
struct TermCount {
  std::uint64_t hash = 0;
  std::uint64_t documents = 0;
};

class TermWeights {
 public:
  TermWeights() = default;
  /// Those of a df file (docs/formats/df.md), about 22 to 43 bytes a term. Errors: as TermFile;
  /// usage if the file is a lexicon.
  static Result<TermWeights> read(FileSystem& files, const std::string& path, Idf idf);
  /// Of equal hashes the first counts.
  TermWeights(std::span<const TermCount> terms, std::uint64_t documents, Idf idf);

  /// The analyzer that made the terms of the file, and its version; empty without a file.
  const std::string& analyzer() const { return analyzer_; }
  std::uint32_t analyzer_version() const { return analyzer_version_; }
  /// The documents that were counted; 0: there are no weights.
  std::uint64_t documents() const { return documents_; }

  /// Of a term that was not counted: as of one that a single document has.
  std::uint64_t of(std::uint64_t hash) const;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint64_t weight = free_slot;
  };
  static constexpr std::uint64_t free_slot = UINT64_MAX;

  /// Open addressing by the mixed hash; at most three quarters are taken.
  std::vector<Slot> slots_;
  std::uint64_t uncounted_ = 1;
  std::uint64_t documents_ = 0;
  std::string analyzer_;
  std::uint32_t analyzer_version_ = 0;
};

}  // namespace twinset
