// A lexicon in memory, as schemes look terms up: by the hash that an analyzer gives a token.
//
//   Result<Lexicon> web = Lexicon::load(files, "web.lexicon");   // "" is that of English
//   web.value().primary()[0].hash;                               // ascending
//   web.value().secondary()[0];                                  // the first to add: ranked
//
// Threads: immutable once made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "stats/term_file.h"
#include "system/context.h"
#include "system/files.h"
#include "twinset/lexicon.h"
#include "twinset/result.h"

namespace twinset {

struct LexiconTerm {
  std::uint64_t hash = 0;
  std::uint64_t documents = 0;
  std::uint64_t place = 0;  ///< among all terms, in order of their bytes
};

/// Are the bytes of the terms kept?
enum class TermTexts : std::uint8_t { drop, keep };

/// The choice of a lexicon's terms.
struct LexiconRule {
  Ratio low{1, 5};
  Ratio high{4, 5};
  std::optional<Ratio> secondary_low;  ///< with secondary_high; not below `high`
  std::optional<Ratio> secondary_high;
  std::uint64_t secondary_terms = UINT64_MAX;
  std::optional<std::uint64_t> min_df;  ///< 2, or what the df file has
  std::string command;
  std::string note;
  bool of_scheme = false;  ///< errors name parameters of a scheme, not options
};

class Lexicon {
 public:
  /// Errors: as TermFile; usage if the file is not a lexicon.
  static Result<Lexicon> load(FileSystem& files, const std::string& path,
                              TermTexts texts = TermTexts::drop);
  /// The lexicon that write_lexicon() would write of the counted terms.
  static Result<Lexicon> cut(const TermFile& counts, const LexiconRule& rule,
                             TermTexts texts = TermTexts::drop);

  const TermTable& table() const { return table_; }
  /// By hash.
  std::span<const LexiconTerm> primary() const { return primary_; }
  /// By falling document frequency, equal ones by the bytes of their terms.
  std::span<const LexiconTerm> secondary() const { return secondary_; }
  /// By LexiconTerm::place, if they were kept.
  std::span<const std::string> texts() const { return texts_; }

 private:
  void take(const CountedTerm& term, TermTexts texts);
  void arrange();

  TermTable table_;
  std::vector<LexiconTerm> primary_;
  std::vector<LexiconTerm> secondary_;
  std::vector<std::string> texts_;
};

/// Writes the lexicon that `rule` makes of counted terms: terms in order, in two readings and
/// with no more memory than a number for each different df. Errors (usage): windows that are none,
/// or hold no term.
Result<TermTable> write_lexicon(const RunContext& context, const TermFile& counts,
                                const LexiconRule& rule, const std::string& path);

}  // namespace twinset
