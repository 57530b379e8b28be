// Texts of records of a finished run: first words of a page of them, and two of them side by side.
//
//   ShownTexts texts(files, folder);
//   TWINSET_ASSIGN(const std::vector<ShownRecord> words, texts.words(places, cancel));
//   TWINSET_ASSIGN(const ShownPair pair, texts.pair(a, b, "near", Fate::near, cancel));
//
// An input is read from its begin to the record, so words of many records are read only where the
// inputs are small: at most `cheap_bytes` for a page. Words that were read are kept, at most 4,096.
//
// Threads: any.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "faces/facts.h"
#include "look/asked_record.h"
#include "look/input_again.h"
#include "look/output_folder.h"
#include "system/files.h"
#include "twinset/look.h"
#include "twinset/result.h"

namespace twinset {

class ShownTexts {
 public:
  /// Of inputs as they are stored; compressed ones count four times.
  static constexpr std::uint64_t cheap_bytes = std::uint64_t{64} << 20;
  static constexpr std::size_t most_kept = 4096;
  /// Of a text that is shown whole.
  static constexpr std::size_t most_text_bytes = std::size_t{256} << 10;

  /// Both outlive it.
  ShownTexts(FileSystem& files, const OutputFolder& folder) : files_(files), folder_(folder) {}

  // Setting `cancel`, which may be null, ends these soon with an Error (interrupted).

  /// The first words of each, or why there are none.
  Result<std::vector<ShownRecord>> words(std::span<const RecordPlace> places,
                                         const std::atomic<bool>* cancel) const;
  /// The text of a record as a reader sees it; one byte more than most_text_bytes if it is longer.
  Result<SeenText> text(const RecordPlace& place, const std::atomic<bool>* cancel) const;
  /// `a` is the survivor, or the earlier one.
  Result<ShownPair> pair(const RecordPlace& a, const RecordPlace& b, std::string tag, Fate color,
                         const std::atomic<bool>* cancel) const;

 private:
  using Key = std::pair<std::string, std::uint64_t>;
  struct Kept {
    std::string words;
    std::string state;  ///< of the input when they were read
  };
  /// Differs once a file has changed; empty: it is gone.
  std::string state_of(const std::string& file) const;
  std::uint64_t bytes_of(const std::string& file) const;
  Result<unsigned> shingle_tokens() const;

  FileSystem& files_;
  const OutputFolder& folder_;
  mutable std::mutex mutex_;
  mutable std::map<Key, Kept> kept_;
  mutable std::list<Key> kept_order_;  ///< the one read first is first
};

/// Two texts that are not of a run, by their words.
Result<ShownPair> compared_pair(std::string_view a, std::string_view b, bool html);

}  // namespace twinset
