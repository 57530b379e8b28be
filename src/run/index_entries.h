// What an index holds of each document of a pass: names, sketches, keys and the text, made by all
// threads and given on in input order.
//
//   class Added final : public IndexEntries {
//     Status take_entry(IndexEntry& entry) override { ... }
//   };
//
// Threads: as a Collector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "collection/collection.h"
#include "index/index_signer.h"
#include "index/indexed_document.h"
#include "run/collector.h"
#include "twinset/result.h"

namespace twinset {

/// The fields of records that an index keeps.
struct IndexFields {
  std::string url;                  ///< of a document's URL; empty: pages of archives know theirs
  std::string date;                 ///< of its date; empty: none
  std::vector<std::string> others;  ///< further ones, by their names

  /// All their names.
  std::vector<std::string> names() const;
};

struct IndexEntry {
  DocumentId id;             ///< in the run
  IndexedDocument document;  ///< with views of the names below
  std::string name;          ///< its id, a JSON value
  std::string url;
  std::string date;
  std::string fields;
  std::string text;          ///< if the index keeps texts
  std::vector<Marks> marks;  ///< by scheme
};

struct IndexEntryRows final : Collector::Rows {
  void begin(const BatchPlace&) override { count = 0; }
  void release_large() override {
    entries = {};
    count = 0;
  }
  IndexEntry& next() {
    if (count == entries.size()) entries.emplace_back();
    return entries[count++];
  }

  std::vector<IndexEntry> entries;  ///< reused
  std::size_t count = 0;
};

class IndexEntries : public CollectorOf<IndexEntryRows> {
 public:
  /// All outlive this.
  IndexEntries(const IndexFields& fields, const IndexSigner& signer, const Collection& collection)
      : fields_(fields), signer_(signer), collection_(collection) {}
  Status open(const StateFile*) override { return {}; }
  Status checkpoint(StateFile&) override { return {}; }

 protected:
  enum class Part : std::uint8_t {
    none,
    names,  ///< and hashes: no sketch is made
    no_text,
    all
  };
  /// What is made of a document.
  virtual Part part_of(DocumentId /*document*/) const { return Part::all; }
  /// Takes the next one.
  virtual Status take_entry(IndexEntry& entry) = 0;

 private:
  Status take(const ReadRecord& read, IndexEntryRows& rows) const override;
  Status put(IndexEntryRows& rows) override;
  void set_names(const ReadRecord& read, IndexEntry& entry) const;

  const IndexFields& fields_;
  const IndexSigner& signer_;
  const Collection& collection_;
};

}  // namespace twinset
