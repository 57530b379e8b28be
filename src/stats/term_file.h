// The file of a df table or a lexicon: terms in order of their bytes, each with the number of its
// documents and its part (docs/formats/df.md, docs/formats/lexicon.md).
//
//   TermWriter writer(context, "web.df", table);     // table: everything but the terms
//   writer.append({"rose", 12});
//   Result<TermTable> made = writer.finish();        // from here on the file is there, durable
//
//   Result<TermFile> terms = TermFile::open(files, "web.df");
//   terms.value().for_each([](const CountedTerm& term) { ...; return Status(); });
//
// Everything read is checked: an unlucky or hostile file is an Error that names the byte.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "system/context.h"
#include "system/files.h"
#include "twinset/lexicon.h"
#include "twinset/result.h"

namespace twinset {

/// A longer token is not a term.
inline constexpr std::size_t max_term_bytes = 1024;

/// Writes NAME.partial, which takes its name at the end.
class TermWriter {
 public:
  /// `table` without its path, hash and number of terms.
  TermWriter(const RunContext& context, std::string path, const TermTable& table);
  /// Removes a file that was not finished.
  ~TermWriter();
  TermWriter(const TermWriter&) = delete;
  TermWriter& operator=(const TermWriter&) = delete;

  /// Terms in ascending order of their bytes, none twice, of at most max_term_bytes.
  Status append(const CountedTerm& term);
  /// Syncs the file and gives it its name; the table with its path, hash and number of terms.
  Result<TermTable> finish();

 private:
  Status start();
  Status flush();

  const RunContext& context_;
  TermTable table_;
  std::string partial_;
  std::uint64_t fingerprint_;
  std::unique_ptr<File> file_;
  std::uint64_t end_ = 0;
  std::uint64_t block_terms_ = 0;
  std::string block_;
  std::string last_;
};

class TermFile {
 public:
  /// Reads all but the terms. Errors (io): missing; neither a df file nor a lexicon; damaged; of
  /// another version.
  static Result<TermFile> open(FileSystem& files, const std::string& path);
  /// The built-in table of this name, or else the file.
  static Result<TermFile> open_named(FileSystem& files, const std::string& name);
  /// True if the file begins as one of the two kinds do. Error (io): it cannot be read.
  static Result<bool> is_one(FileSystem& files, const std::string& path);

  const TermTable& table() const { return table_; }
  /// All terms in order. Error (io): the file is damaged, or changed since open().
  Status for_each(const std::function<Status(const CountedTerm&)>& use) const;

 private:
  TermFile() = default;
  static Result<TermFile> read(std::unique_ptr<File> file, const std::string& path);
  Error damaged(std::uint64_t offset, std::string_view how) const;

  TermTable table_;
  std::unique_ptr<File> file_;
  std::uint64_t fingerprint_ = 0;
  std::uint64_t begin_ = 0;  ///< of the terms
};

/// Covers the analyzer, its version and the hash of terms: part of the file's header.
std::uint64_t terms_fingerprint(std::string_view analyzer, std::uint32_t version);

}  // namespace twinset
