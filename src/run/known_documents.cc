// This file's interface is run/known_documents.h.
#include "run/known_documents.h"

#include <algorithm>

namespace twinset {

KnownDocuments::KnownDocuments(const IndexSnapshot& snapshot, std::string shown, std::size_t scheme)
    : snapshot_(snapshot), shown_(std::move(shown)), scheme_(scheme) {
  std::uint64_t documents = 0;
  for (const IndexSnapshot::Part& part : snapshot.parts()) {
    bases_.push_back(documents);
    documents += part.segment->documents();
  }
}

IndexPlace KnownDocuments::place_of(DocumentId document) const {
  const std::uint64_t number = document.record() - 1;
  const auto after = std::upper_bound(bases_.begin(), bases_.end(), number);
  const auto segment = static_cast<std::uint32_t>(after - bases_.begin() - 1);
  return {segment, static_cast<std::uint32_t>(number - bases_[segment])};
}

Result<bool> KnownDocuments::stands(IndexPlace place) const {
  if (snapshot_.is_deleted(place)) return false;
  if (!snapshot_.is_hidden(place)) return true;
  const DocumentId id = id_of(place);
  {
    const std::lock_guard lock(mutex_);
    const auto found = removed_.find(id);
    if (found != removed_.end()) return found->second.has_value();
  }
  TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(place));
  TWINSET_ASSIGN(const std::optional<IndexPlace> survivor,
                 snapshot_.find_serial(document.survivor->serial));
  std::optional<Removed> removed;
  if (survivor.has_value()) {
    removed = Removed{id_of(*survivor), document.survivor->fate, document.survivor->link};
  }
  const std::lock_guard lock(mutex_);
  removed_.emplace(id, removed);
  return removed.has_value();
}

Status KnownDocuments::with_key(std::uint64_t key, std::vector<DocumentId>& out) const {
  out.clear();
  const std::vector<IndexSnapshot::Part>& parts = snapshot_.parts();
  std::optional<IndexPlace> last_taken;
  for (std::uint32_t i = 0; i < parts.size() && out.size() < leaders_per_group; ++i) {
    const Postings& postings = parts[i].segment->keys(scheme_);
    TWINSET_ASSIGN(const PostingRange range, postings.find(key));
    for (std::uint64_t at = range.begin; at < range.end && out.size() < leaders_per_group; ++at) {
      TWINSET_ASSIGN(const std::uint64_t number, postings.document(at));
      const IndexPlace place{i, static_cast<std::uint32_t>(number)};
      TWINSET_ASSIGN(const bool standing, stands(place));
      if (!standing) continue;
      out.push_back(id_of(place));
      last_taken = place;
    }
  }
  if (out.size() < leaders_per_group) return {};
  for (auto i = static_cast<std::uint32_t>(parts.size()); i-- > 0;) {
    const Postings& postings = parts[i].segment->keys(scheme_);
    TWINSET_ASSIGN(const PostingRange range, postings.find(key));
    for (std::uint64_t at = range.end; at-- > range.begin;) {
      TWINSET_ASSIGN(const std::uint64_t number, postings.document(at));
      const IndexPlace place{i, static_cast<std::uint32_t>(number)};
      if (place <= *last_taken) return {};
      TWINSET_ASSIGN(const bool standing, stands(place));
      if (!standing) continue;
      out.push_back(id_of(place));
      return {};
    }
  }
  return {};
}

Result<std::optional<EarlierDocuments::Equal>> KnownDocuments::of_tokens(
    const Fingerprint& tokens) const {
  const std::vector<IndexSnapshot::Part>& parts = snapshot_.parts();
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    const Postings& postings = parts[i].segment->postings(SegmentFiles::tokens);
    TWINSET_ASSIGN(const PostingRange range, postings.find(tokens_key(tokens)));
    for (std::uint64_t at = range.begin; at < range.end; ++at) {
      TWINSET_ASSIGN(const std::uint64_t number, postings.document(at));
      const IndexPlace place{i, static_cast<std::uint32_t>(number)};
      TWINSET_ASSIGN(const IndexedDocument document, snapshot_.document(place));
      if (document.tokens_hash != tokens) continue;
      TWINSET_ASSIGN(const bool standing, stands(place));
      if (standing) return std::optional(Equal{id_of(place), document.bytes_hash});
    }
  }
  return std::optional<Equal>();
}

Status KnownDocuments::sketch(DocumentId document, std::vector<std::uint8_t>& out) const {
  const IndexPlace place = place_of(document);
  TWINSET_ASSIGN(const std::span<const std::uint8_t> stored,
                 snapshot_.parts()[place.segment].segment->sketch(scheme_, place.number));
  // A run holds no more of its own.
  const std::size_t most = snapshot_.signer().schemes()[scheme_].scheme->facts().stored_bytes;
  out.assign(stored.begin(),
             stored.begin() + static_cast<std::ptrdiff_t>(std::min(most, stored.size())));
  return {};
}

Status KnownDocuments::record(DocumentId document, std::string& text, Record& out) const {
  const IndexPlace place = place_of(document);
  const Segment& segment = *snapshot_.parts()[place.segment].segment;
  TWINSET_ASSIGN(std::optional<std::string> kept, segment.text(place.number));
  TWINSET_ASSIGN(const IndexedDocument named, segment.document(place.number));
  text = std::move(kept).value_or(std::string());
  out = Record();
  out.text = text;
  out.markup = named.markup;
  return {};
}

void KnownDocuments::set_standings(DocumentTable& documents) const {
  for (const auto& [document, removed] : removed_) {
    if (!removed.has_value()) continue;
    documents.set_removed(document, {removed->fate, documents.index(removed->survivor)});
  }
}

}  // namespace twinset
