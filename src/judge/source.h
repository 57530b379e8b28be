// The pairs to judge: where they come from, and their texts. Another kind of thing to judge is
// another JudgeSource.
//
//   std::unique_ptr<JudgeSource> source = open_source(files, options, cancel).value();
//   TWINSET_TRY(source->draw(sampler));             // gives the sampler every pair
//   TWINSET_TRY(source->name(sample.pairs));        // completes the ids of those kept
//   TWINSET_ASSIGN(auto texts, source->read(sample.pairs));
//
// Threads: belongs to one.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/sample.h"
#include "labels/label.h"
#include "system/context.h"
#include "text/analyzer.h"
#include "twinset/judge.h"
#include "twinset/pair.h"
#include "twinset/result.h"

namespace twinset {

/// The most bytes of a text that a judge sees; the rest is cut, and a note says so.
inline constexpr std::size_t most_judged_bytes = std::size_t{64} << 10;

/// Lines or labels that are drawn between two calls of check_stop().
inline constexpr std::uint64_t lines_between_checks = 4096;

struct JudgedText {
  std::string text;  ///< as a reader sees it
  bool cut = false;
};

/// Is `text`, of which a file keeps most_label_text_bytes, less than what people are to see of a
/// content of `length` bytes? A shorter text is all of it, without the markup.
inline bool is_cut(std::string_view text, std::uint64_t length) {
  constexpr std::size_t longest_character = 4;  // bytes
  return text.size() + longest_character > most_label_text_bytes && text.size() < length;
}

struct JudgedPair {
  JudgedText a;
  JudgedText b;
  std::string name_b = {};  ///< of a label: how often it was seen
};

class JudgeSource {
 public:
  virtual ~JudgeSource() = default;
  virtual Judged kind() const { return Judged::pairs; }
  /// Gives the sampler every pair once, in one pass. Errors: usage (a value that these pairs do not
  /// have), io, interrupted.
  virtual Status draw(Sampler& sampler) = 0;
  /// Completes the names of sampled pairs.
  virtual Status name(std::vector<SamplePair>& pairs) = 0;
  /// The texts of pairs, by pair; each input is read once. Errors (io): an input has changed since
  /// the run, or a record cannot be read.
  virtual Result<std::vector<JudgedPair>> read(std::span<const SamplePair> pairs) = 0;
  virtual const Analyzer& analyzer() const = 0;
  /// Tokens of the shingles by which shared passages are shown.
  virtual unsigned shingle_tokens() const = 0;
};

/// The pairs of a folder that dedup or cluster made.
Result<std::unique_ptr<JudgeSource>> open_run_pairs(FileSystem& files, const std::string& folder,
                                                    const std::atomic<bool>* cancel);

/// The pairs of a file, a line each (docs/judge.md).
Result<std::unique_ptr<JudgeSource>> open_pair_file(FileSystem& files, const std::string& path,
                                                    const JudgeOptions& options,
                                                    const std::atomic<bool>* cancel);

/// Is it a table, such as a file of labels?
Result<bool> is_table_file(FileSystem& files, const std::string& path);

/// The labels of a file of labels: the text of each, and the places where it was seen. Error (io):
/// no file of labels, or a damaged one.
Result<std::unique_ptr<JudgeSource>> open_label_file(FileSystem& files, const std::string& path,
                                                     const std::atomic<bool>* cancel);

/// Did detection make the folder?
Result<bool> is_detection(FileSystem& files, const std::string& folder);

/// The labels that detection found, with the text of a match and the places of the first matches.
Result<std::unique_ptr<JudgeSource>> open_matches(FileSystem& files, const std::string& folder,
                                                  const std::atomic<bool>* cancel);

/// Error (usage) if labels have no such classes.
Status check_label_classes(std::optional<JudgeBy> by);

/// "http://a.org/, bytes 16 to 117\n", safe for a terminal.
std::string place_line(const std::string& url, std::uint64_t offset, std::uint64_t length);

/// Cuts a text at a character.
JudgedText judged_text(std::string text);

}  // namespace twinset
