// The frequencies of a collection's sites, learned from some of its pages and frozen.
//
//   TWINSET_ASSIGN(const auto table, TemplateTable::open(files, path, fingerprint));
//   std::optional<TemplateSite> site = table->site(site_hash("docs.example.org"));
//   table->look_up(site_hash(host), tokens, blocks, keys, frequencies);
//
// A table is read into memory, at 24 to 48 bytes a row: it is asked for every window of every page.
//
// template/learn_templates.h makes the file: a row for each window and block of a site that stands
// in enough of its pages, and one for the site.
//
// Threads: a table any; a TemplateKeys belongs to one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "system/context.h"
#include "template/drop_templates.h"
#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

struct TableKind;

struct TemplateRow {
  std::uint64_t key = 0;
  std::uint64_t count = 0;  ///< pages; of a site's row: pages * 256 + link_pages
};

/// Of a host; all records without one are the site "".
std::uint64_t site_hash(std::string_view host);
std::uint64_t site_key(std::uint64_t site);

/// The keys of a page's windows and blocks. Reuse one per thread.
struct TemplateKeys {
  void make(std::uint64_t site, std::span<const std::uint64_t> tokens,
            std::span<const PageBlock> blocks);

  /// In order: of the windows of 5 tokens, across blocks; one of all tokens if there are fewer.
  std::vector<std::uint64_t> windows;
  std::vector<std::uint64_t> blocks;  ///< one for each
};

class TemplateTable {
 public:
  /// `fingerprint`: of the analyzer. Errors (io): missing, damaged, of another kind.
  static Result<std::shared_ptr<const TemplateTable>> open(FileSystem& files,
                                                           const std::string& path,
                                                           std::uint64_t fingerprint);
  /// The memory of a table of so many rows.
  static std::uint64_t memory_bytes(std::uint64_t rows);
  static TableKind kind(std::uint64_t fingerprint);

  /// Nothing if the site was not learned: then its pages stay whole.
  std::optional<TemplateSite> site(std::uint64_t site) const;
  /// Replaces `frequencies`; `keys` is scratch.
  void look_up(std::uint64_t site, std::span<const std::uint64_t> tokens,
               std::span<const PageBlock> blocks, TemplateKeys& keys,
               PageFrequencies& frequencies) const;
  /// What was learned: LearnedTemplates::facts().
  const TemplateFacts& learned() const { return learned_; }
  /// Of its content.
  const Fingerprint& hash() const { return hash_; }
  std::uint64_t rows() const { return rows_; }

 private:
  TemplateTable() = default;
  void insert(const TemplateRow& row);
  /// 0 if there is no such row.
  std::uint64_t count(std::uint64_t key) const;

  std::vector<TemplateRow> slots_;  ///< open addressing; count 0: free
  std::uint64_t rows_ = 0;
  TemplateFacts learned_;
  Fingerprint hash_;
};

}  // namespace twinset
