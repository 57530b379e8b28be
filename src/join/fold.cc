#include "join/fold.h"

#include <array>

#include "twinset/group.h"

namespace twinset {
namespace {

constexpr auto bytes_of = [](const FingerprintRow& row) { return row.raw; };

class FoldVisitor {
 public:
  FoldVisitor(const EarlierDocuments* earlier, DocumentTable& documents)
      : earlier_(earlier), documents_(documents) {}

  Status row(const FingerprintRow& next, bool first) {
    bool leads = first;
    if (first && earlier_ != nullptr) {
      TWINSET_ASSIGN(const auto found, earlier_->of_tokens(next.key));
      if (found.has_value()) group_.front() = {next.key, found->raw, found->document};
      leads = !found.has_value();
    }
    (leads ? group_.front() : group_.back()) = next;
    if (leads) return {};
    fold(std::span<const FingerprintRow>(group_), bytes_of,
         [&](const FingerprintRow& row, const FingerprintRow& representative, CopyKind kind) {
           documents_.set(documents_.index(row.document),
                          {kind == CopyKind::identical ? Fate::identical : Fate::lexical,
                           documents_.index(representative.document)});
         });
    return {};
  }
  Status finish() { return {}; }

 private:
  const EarlierDocuments* earlier_;
  DocumentTable& documents_;
  std::array<FingerprintRow, 2> group_;  ///< the first row of a group, and the one that came
};

class SetVisitor {
 public:
  explicit SetVisitor(DocumentTable& documents) : documents_(documents) {}

  Status row(const FingerprintRow& next, bool first) {
    const std::uint64_t index = documents_.index(next.document);
    if (first) first_ = index;
    if (!first) documents_.set(index, {Fate::shingles, first_});
    return {};
  }
  Status finish() { return {}; }

 private:
  DocumentTable& documents_;
  std::uint64_t first_ = 0;
};

}  // namespace

Status fold_copies(PartitionedRows<FingerprintRow>& rows, const EarlierDocuments* earlier,
                   DocumentTable& documents) {
  return rows.for_each_group(
      documents.unfolded(), KeepOrder{&documents},
      [&](unsigned) { return FoldVisitor(earlier, documents); },
      earlier == nullptr ? Groups::shared : Groups::all);
}

Status fold_sets(PartitionedRows<FingerprintRow>& rows, DocumentTable& documents) {
  TWINSET_TRY(rows.for_each_group(documents.unfolded(), KeepOrder{&documents},
                                  [&](unsigned) { return SetVisitor(documents); }));
  for (std::uint64_t index = 0; index < documents.size(); ++index) {
    const Standing standing = documents.standing(index);
    if (!standing.folded()) continue;
    const Standing original = documents.standing(standing.other);
    if (original.folded()) documents.set(index, {Fate::shingles, original.other});
  }
  return {};
}

}  // namespace twinset
