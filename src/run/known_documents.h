// The documents of an index in a run that compares its own with them: found by keys while the run's
// are paired, and asked for their sketches, texts and names where pairs are judged and told.
//
//   KnownDocuments known(snapshot, "crawl.index", scheme);
//   known.stand_behind(job.sources());        // once the inputs are known
//   job.known = &known;                       // matching, texts and names ask it from now on
//
// Of the index only what is asked for is read: a run's memory grows not with the index, but with
// the removed documents that it finds.
//
// Threads: any, but for stand_behind().
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/snapshot.h"
#include "io/record.h"
#include "join/documents.h"
#include "join/earlier_documents.h"
#include "twinset/result.h"

namespace twinset {

class KnownDocuments final : public EarlierDocuments {
 public:
  /// `shown` names the index; `scheme` is the number of the run's scheme in it. The snapshot
  /// outlives this.
  KnownDocuments(const IndexSnapshot& snapshot, std::string shown, std::size_t scheme);
  /// They are of the source behind so many.
  void stand_behind(std::uint64_t sources) { source_ = sources; }

  Status with_key(std::uint64_t key, std::vector<DocumentId>& out) const override;
  Result<std::optional<Equal>> of_tokens(const Fingerprint& tokens) const override;

  const std::string& shown() const { return shown_; }
  bool has_texts() const { return snapshot_.signer().settings().texts; }
  bool has(DocumentId document) const { return document.source() == source_; }
  Result<IndexedDocument> document(DocumentId document) const {
    return snapshot_.document(place_of(document));
  }
  /// Replaces `out`; empty for "no signature".
  Status sketch(DocumentId document, std::vector<std::uint8_t>& out) const;
  /// The text, which `text` holds, as a record of its own. Only with has_texts().
  Status record(DocumentId document, std::string& text, Record& out) const;

  /// A removed one that was found, and its survivor.
  struct Removed {
    DocumentId survivor;
    Fate fate = Fate::near;
    Link link;
  };
  /// Tells the table of the removed ones that were found; none may be found after this.
  void set_standings(DocumentTable& documents) const;
  /// Calls use(document, removed) for each of them, in order.
  template <class Use>
  Status for_each_removed(const Use& use) const {
    for (const auto& [document, removed] : removed_) {
      if (removed.has_value()) TWINSET_TRY(use(document, *removed));
    }
    return {};
  }

 private:
  DocumentId id_of(IndexPlace place) const {
    return {source_, bases_[place.segment] + place.number + 1};
  }
  IndexPlace place_of(DocumentId document) const;
  /// False if it is deleted, or removed in favor of one that is.
  Result<bool> stands(IndexPlace place) const;

  const IndexSnapshot& snapshot_;
  std::string shown_;
  std::size_t scheme_;
  std::uint64_t source_ = 0;
  std::vector<std::uint64_t> bases_;  ///< by segment: the documents before it
  mutable std::mutex mutex_;
  /// The removed ones found; nullopt: the survivor is deleted.
  mutable std::map<DocumentId, std::optional<Removed>> removed_;
};

}  // namespace twinset
