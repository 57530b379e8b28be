#include "join/fold.h"

namespace twinset {
namespace {

Copy copy_of(const FingerprintRow& representative, const FingerprintRow& row) {
  return {row.document, representative.document,
          row.raw == representative.raw ? Fate::identical : Fate::lexical};
}

class FoldVisitor {
 public:
  explicit FoldVisitor(DocumentTable& documents) : documents_(documents) {}

  Status row(const FingerprintRow& row, bool first) {
    if (first) {
      representative_ = row;
      return {};
    }
    const Copy copy = copy_of(representative_, row);
    documents_.set(documents_.index(copy.document),
                   {copy.fate, documents_.index(copy.representative)});
    return {};
  }
  Status finish() { return {}; }

 private:
  DocumentTable& documents_;
  FingerprintRow representative_;
};

}  // namespace

void fold_group(std::span<const FingerprintRow> group, std::vector<Copy>& out) {
  for (const FingerprintRow& row : group.subspan(group.empty() ? 0 : 1)) {
    out.push_back(copy_of(group.front(), row));
  }
}

Status fold_copies(PartitionedRows<FingerprintRow>& rows, DocumentTable& documents) {
  return rows.for_each_group([](const FingerprintRow&) { return true; }, KeepOrder{&documents},
                             [&](unsigned) { return FoldVisitor(documents); });
}

}  // namespace twinset
