// The names of a segment's files and of the parts of its file of keys.
//
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "rows/frozen_file.h"

namespace twinset {

class SegmentFiles {
 public:
  static constexpr std::string_view keys = "keys";
  /// Which documents were removed: a DocumentSet.
  static constexpr std::string_view removed = "removed";

  /// The files that hold something of each document, in their order: its names, the sketches of
  /// each scheme, and the text if the index keeps texts.
  enum : std::size_t { documents, first_sketches };
  static std::vector<std::string> blobs(std::size_t schemes, bool texts) {
    std::vector<std::string> names{"documents"};
    for (std::size_t i = 0; i < schemes; ++i) names.push_back(std::to_string(i) + ".sketches");
    if (texts) names.emplace_back("texts");
    return names;
  }

  /// The parts of `keys`, in their order: three kinds of names, then the keys of each scheme.
  enum : std::size_t { ids, urls, tokens, first_scheme };
  static std::string postings(std::size_t part) {
    constexpr std::string_view names[] = {"ids", "urls", "tokens"};
    return part < first_scheme ? std::string(names[part])
                               : std::to_string(part - first_scheme) + ".keys";
  }

  /// `folder` ends with the segment's number; `fingerprint` is that of the index.
  SegmentFiles(std::string folder, std::uint64_t fingerprint)
      : folder_(std::move(folder)), fingerprint_(fingerprint) {}

  std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }
  /// A file in another's place, or of another segment, is of another kind.
  FrozenKind kind(std::string_view name) const {
    const std::string_view number = std::string_view(folder_).substr(folder_.rfind('/') + 1);
    return {.format = "segment",
            .version = 2,
            .fingerprint = checksum(name, checksum(number, fingerprint_))};
  }

 private:
  std::string folder_;
  std::uint64_t fingerprint_;
};

}  // namespace twinset
