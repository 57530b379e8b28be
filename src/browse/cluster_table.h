// The clusters of a finished run, as numbers in memory: members in the order of the run, their
// kinds and resemblances; and their names, in a RowStore.
//
//   TWINSET_ASSIGN(const ClusterTable table, ClusterTable::read(files, folder, limits));
//   table.documents(0);          // of the first cluster, which a screen calls 1
//   table.name(table.begin(0));  // of its first document
//   table.find("n4");            // the members of that name
//
// A member is a number from 0: those of the first cluster, then those of the next. The first of
// each is its survivor or representative. A source is the number of a file: an input of the run, or
// one behind these that only the lists name.
//
// Memory: at most 32 bytes a document, 16 a cluster, and 16 for each 32 KiB of names.
//
// Threads: any once read.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "browse/row_store.h"
#include "look/asked_record.h"
#include "look/output_folder.h"
#include "system/files.h"
#include "twinset/result.h"

namespace twinset {

class PairTable;

/// How a folder is read.
struct BrowseLimits {
  std::uint64_t memory_bytes = UINT64_MAX;
  std::string tmp{};
  const std::atomic<bool>* cancel = nullptr;
  std::uint64_t beside_bytes = 0;  ///< that the caller's memory has beside `memory_bytes`
  std::uint64_t sort_bytes = std::uint64_t{16} << 20;  ///< to sort a list in
  /// In clusters, and these, as the summary says; room is made for them at once.
  std::uint64_t documents = 0;
  std::uint64_t clusters = 0;
};

class ClusterTable {
 public:
  /// A bit of kinds(): 1 << RemovalKind.
  using Kinds = std::uint8_t;
  /// The memory that documents and clusters take, the groups of names by their number too.
  static constexpr std::uint64_t document_bytes = 32;
  static constexpr std::uint64_t cluster_bytes = 16;

  /// Errors: io (a list is damaged, with its line), usage (`memory_bytes` is too little, with the
  /// bytes that are needed), interrupted.
  /// `removed` gets the lines of removed records, `pairs` those of the pairs of a folder of
  /// cluster; each may be null.
  static Result<ClusterTable> read(FileSystem& files, const OutputFolder& folder,
                                   const BrowseLimits& limits, RowStore* removed = nullptr,
                                   PairTable* pairs = nullptr);

  std::uint64_t clusters() const { return least_.size(); }
  std::uint64_t members() const { return documents_.size(); }
  std::uint64_t begin(std::uint64_t cluster) const { return first_[cluster]; }
  std::uint64_t end(std::uint64_t cluster) const { return first_[cluster + 1]; }
  std::uint64_t documents(std::uint64_t cluster) const { return end(cluster) - begin(cluster); }
  /// The least resemblance of its members to the survivor, or of its pairs; nullopt: not known.
  std::optional<double> least(std::uint64_t cluster) const { return share(least_[cluster]); }
  std::uint32_t sources(std::uint64_t cluster) const { return source_counts_[cluster]; }
  Kinds kinds(std::uint64_t cluster) const { return kinds_[cluster]; }
  std::uint64_t cluster_of(std::uint64_t member) const;

  DocumentId document(std::uint64_t member) const { return documents_[member]; }
  std::optional<RemovalKind> kind(std::uint64_t member) const;
  std::optional<double> resemblance(std::uint64_t member) const {
    return share(resemblance_[member]);
  }
  /// The line of a removed record in its list, from 0.
  std::optional<std::uint64_t> removed_line(std::uint64_t member) const;

  const std::vector<std::string>& sources() const { return sources_; }
  /// The name and the fingerprint of a member.
  Result<RecordPlace> name(std::uint64_t member) const;
  /// Those of members [first, end) in order, until `use` returns false.
  Status for_each_name(
      std::uint64_t first, std::uint64_t end,
      const std::function<Result<bool>(std::uint64_t member, const RecordPlace& place)>& use) const;
  /// The ids alone.
  Status for_each_id(
      std::uint64_t first, std::uint64_t end,
      const std::function<Result<bool>(std::uint64_t member, std::string_view id)>& use) const;

  std::optional<std::uint64_t> member(DocumentId document) const;
  /// The members with this id, or this file:record.
  Result<std::vector<std::uint64_t>> find(const std::string& name) const;

  std::uint64_t memory_bytes() const {
    return members() * document_bytes + clusters() * cluster_bytes + names_.memory_bytes();
  }

 private:
  /// The hash of an id, and the member that has it.
  struct IdHash {
    std::uint32_t hash = 0;
    std::uint32_t member = 0;
    std::uint64_t value() const { return std::uint64_t{hash} << 32 | member; }
  };
  class Reading;

  static constexpr std::uint32_t unknown = UINT32_MAX;
  static constexpr std::uint8_t no_kind = UINT8_MAX;
  static std::optional<double> share(std::uint32_t millionths) {
    if (millionths == unknown) return std::nullopt;
    return static_cast<double>(millionths) / 1e6;
  }

  explicit ClusterTable(RowStore names) : names_(std::move(names)) {}
  /// Of the first member in by_document_ that is not before it.
  std::size_t rank_of(DocumentId document) const;
  /// What the row of a member says.
  struct NameRow {
    std::uint64_t fingerprint = 0;
    std::string_view id;
  };
  bool take_row(std::uint64_t member, std::string_view row, NameRow& out) const;
  bool take_name(std::uint64_t member, std::string_view row, RecordPlace& out) const;

  std::vector<std::string> sources_;
  std::vector<std::uint32_t> first_;  ///< member of each cluster, and the end of the last
  std::vector<std::uint32_t> least_;  ///< in millionths
  std::vector<std::uint32_t> source_counts_;
  std::vector<Kinds> kinds_;
  std::vector<DocumentId> documents_;
  std::vector<std::uint32_t> resemblance_;  ///< in millionths
  std::vector<std::uint8_t> kind_;
  std::vector<std::uint32_t> removed_line_;  ///< of a folder of dedup
  std::vector<std::uint32_t> by_document_;   ///< members
  std::vector<IdHash> by_id_;
  RowStore names_;
};

}  // namespace twinset
