#include "join/fold.h"

namespace twinset {
namespace {

/// Keep order, so that the first stands for the others.
struct ClassOrder {
  const DocumentTable* documents;
  bool operator()(const FingerprintRow& a, const FingerprintRow& b) const {
    return documents->place(a.document) < documents->place(b.document);
  }
};

class FoldVisitor {
 public:
  explicit FoldVisitor(DocumentTable& documents) : documents_(documents) {}

  Status row(const FingerprintRow& row, bool first) {
    if (first) {
      representative_ = row;
      return {};
    }
    const Fate fate = row.raw == representative_.raw ? Fate::identical : Fate::lexical;
    documents_.set(documents_.index(row.document),
                   {fate, documents_.index(representative_.document)});
    return {};
  }
  Status finish() { return {}; }

 private:
  DocumentTable& documents_;
  FingerprintRow representative_;
};

}  // namespace

Status fold_copies(PartitionedRows<FingerprintRow>& rows, DocumentTable& documents) {
  return rows.for_each_group([](const FingerprintRow&) { return true; }, ClassOrder{&documents},
                             [&](unsigned) { return FoldVisitor(documents); });
}

}  // namespace twinset
