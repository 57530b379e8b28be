// Document frequencies of terms, and lexicons: the terms whose frequency lies in a window, which
// the scheme imatch keeps of a document. Both are frozen files, named by the fingerprint of their
// bytes: a signature tells which lexicon it was made with.
//
//   LexiconOptions options;
//   options.inputs = {"web.jsonl.zst"};
//   options.output = "web.df";
//   Result<LexiconSummary> counted = count_terms(options, RunControl{});
//   options.inputs = {"web.df"};
//   options.output = "web.lexicon";                       // terms of nidf 0.2 to 0.8
//   Result<LexiconSummary> built = build_lexicon(options, RunControl{});
//   built.value().table.primary->terms;
//
// nidf(df) = ln(N / df) / ln N, for N documents: 0 for a term that all documents have, 1 for a term
// that one has. Papers 000 and 002 choose their lexicons by it without defining it.
//
// Threads: a run uses resources.threads; the rest are values and pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinset/collection.h"
#include "twinset/ratio.h"
#include "twinset/result.h"
#include "twinset/run.h"

namespace twinset {

struct Field;

/// The terms of a range of nidf, as whole document frequencies: the bounds are the whole numbers
/// nearest to N^(1 - nidf), found once by integer arithmetic.
struct NidfWindow {
  Ratio low;
  Ratio high;
  std::uint64_t least_df = 0;
  std::uint64_t most_df = 0;
  std::uint64_t terms = 0;
};

/// The content of a df file or a lexicon, without its terms.
struct TermTable {
  std::string path;             ///< or the name of a built-in one; empty: the lexicon of English
  std::string hash;             ///< fingerprint of the file's bytes, 32 hexadecimal digits
  std::uint64_t documents = 0;  ///< N
  std::uint64_t terms = 0;
  std::string analyzer;
  std::uint32_t analyzer_version = 0;
  std::string unicode;                  ///< version of Unicode that the analyzer follows
  std::string command;                  ///< the options that decide the content
  std::string note;                     ///< the user's own: source, license
  std::string made_from;                ///< of a lexicon: the hash of the df file
  std::uint64_t files = 0;              ///< that were counted
  std::string content;                  ///< fingerprint of their records' bytes
  std::uint64_t min_df = 1;             ///< terms of fewer documents were left out
  std::optional<NidfWindow> primary;    ///< none of a df file
  std::optional<NidfWindow> secondary;  ///< ranked by rising idf; may be cut to its first terms

  bool is_lexicon() const { return primary.has_value(); }
};

enum class TermPart : std::uint8_t {
  none,      ///< of a df file
  primary,   ///< in the window
  secondary  ///< rarer; adds to documents that have few primary terms
};

/// A term of a table. `text` lives until the callback that gets it returns.
struct CountedTerm {
  std::string_view text;  ///< as the analyzer makes it
  std::uint64_t documents = 0;
  TermPart part = TermPart::none;
};

/// inputs: the files to count, or for build_lexicon() one df file, which the name of a built-in
/// one, such as german, stands for.
struct LexiconOptions : ReadingOptions {
  std::string analyzer = "words";
  std::uint64_t min_tokens = 0;          ///< leaves out shorter documents
  std::optional<std::uint64_t> max_bad;  ///< stops if more records are quarantined
  std::string output;                    ///< file to make
  RatioRange nidf;                       ///< the window; 0.2:0.8
  RatioRange secondary;                  ///< of the secondary lexicon; neither end: there is none
  std::optional<std::uint64_t> secondary_terms;  ///< at most so many; all
  std::optional<std::uint64_t> min_df;  ///< leaves out rarer terms; 1 of a df file, 2 of a lexicon
  std::string note;                     ///< kept in the file
};

std::vector<Option> options_of(LexiconOptions& options);

struct LexiconSummary : RunFacts {
  TermTable table;
  /// Tokens of more than 1,024 bytes, which are not terms, once a document.
  std::uint64_t long_terms = 0;
};

/// Counts the documents of each term into a new file. Every good record is a document, an empty one
/// too. Errors: as dedup(); usage if there is no document, or the output exists.
Result<LexiconSummary> count_terms(const LexiconOptions& options, const RunControl& control);

/// Makes a lexicon of a df file, or of inputs, which it counts first. Errors: as count_terms();
/// usage if no term lies in the window, or N is 1; io if the df file is damaged or of another
/// version.
Result<LexiconSummary> build_lexicon(const LexiconOptions& options, const RunControl& control);

/// A df file or a lexicon of control.files, or the built-in df file of a name such as german; "" is
/// the lexicon of English. Errors: io (missing,
/// damaged, of another version), interrupted.
Result<TermTable> read_terms(const std::string& path, const RunControl& control);
/// The same, and calls `use` for each term in ascending order of its bytes. An Error of `use` ends
/// it.
Result<TermTable> read_terms(const std::string& path, const RunControl& control,
                             const std::function<Status(const CountedTerm&)>& use);

/// ln(N / df) / ln N; 0 if N is 1.
double nidf(std::uint64_t documents, std::uint64_t df);

/// What JSON holds (twinset/field.h); of a term without its nidf, which depends on the table.
std::vector<Field> fields_of(NidfWindow& window);
std::vector<Field> fields_of(TermTable& table);
std::vector<Field> fields_of(CountedTerm& term);

/// For a terminal, and as JSON objects.
std::string to_text(const TermTable& table);
std::string to_json(const TermTable& table);
/// One line, with its end: {"term", "df", "nidf", "part"}.
std::string to_json(const CountedTerm& term, const TermTable& table);

}  // namespace twinset
