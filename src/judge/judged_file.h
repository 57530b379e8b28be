// A judged file: a header line, which says what was sampled, and a line a verdict
// (docs/formats/judged.md).
//
//   TWINSET_ASSIGN(auto file, JudgedFile::open(files, "x.judged", header));   // makes or continues
//   TWINSET_TRY(file->add({.names = pair.names_json(), .value = "2", ...}));  // synced
//   file->verdicts();                                                         // all, old and new
//
// A line is synced before add() returns. A half line at the end, which a kill or a full disk left,
// was never answered: open() cuts it off and says so. The file is locked by X.lock while open.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/categories.h"
#include "judge/sample.h"
#include "system/files.h"
#include "twinset/judge.h"
#include "twinset/result.h"

namespace twinset {

inline constexpr std::uint64_t judged_version = 1;

/// The first line: all that decides the sample.
struct JudgedHeader {
  Judged kind = Judged::pairs;
  std::string source;  ///< as named first; another name of the same pairs is no other sample
  std::optional<JudgeBy> by;
  std::uint64_t sample = 0;
  std::uint64_t seed = 0;
  Categories categories;
  std::vector<SampleClass> classes;
  std::uint64_t sampled = 0;      ///< pairs or labels
  std::uint64_t fingerprint = 0;  ///< of the sample

  std::string line() const;
  /// Error (usage) if a call with the header `other` would judge another sample; `path` has this
  /// one.
  Status check_same(const JudgedHeader& other, const std::string& path) const;
};

/// "pair", "pairs", "label", "labels".
const char* judged_name(Judged kind, bool several);

struct GivenVerdict {
  std::string identity;  ///< of the pair
  std::string value;     ///< JSON
  std::size_t category = 0;
  std::string judge;
};

/// The parts of a line to be written.
struct NewVerdict {
  const SamplePair* pair = nullptr;
  std::size_t category = 0;
  std::string judge;
};

/// A judged file as read.
struct JudgedContent {
  JudgedHeader header;
  std::vector<GivenVerdict> verdicts;
  std::uint64_t whole_bytes = 0;  ///< of whole lines
  std::uint64_t cut_bytes = 0;    ///< of a half line after them
};

/// Reads judged lines. Errors: usage (no judged file), io (a damaged line, with its number).
Result<JudgedContent> parse_judged(std::string_view text, const std::string& path);
Result<JudgedContent> read_judged(FileSystem& files, const std::string& path);

/// The line of a verdict without its date and end: `names` and `value` are JSON.
std::string verdict_line(std::string_view names, std::string_view value, std::string_view verdict,
                         std::string_view judge);

class JudgedFile {
 public:
  static Result<std::unique_ptr<JudgedFile>> open(FileSystem& files, const std::string& path,
                                                  const JudgedHeader& header);
  ~JudgedFile();
  JudgedFile(const JudgedFile&) = delete;
  JudgedFile& operator=(const JudgedFile&) = delete;

  const JudgedContent& content() const { return content_; }
  /// Appends a line and syncs it. After an Error nothing of it is left, as far as the disk allows.
  Status add(const NewVerdict& verdict);

 private:
  JudgedFile(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}

  FileSystem& files_;
  std::string path_;
  std::unique_ptr<FileLock> lock_;
  std::unique_ptr<File> file_;
  JudgedContent content_;
};

}  // namespace twinset
