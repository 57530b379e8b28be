#include "dedup/clusters.h"

#include <algorithm>

namespace twinset {
namespace {

/// Looks up proofs in document order.
class ProofLookup {
 public:
  explicit ProofLookup(RowCursor<Proof>& cursor) : cursor_(cursor) {}
  /// Fills in the numbers of a near or contained document. Call it with ascending documents.
  Status fill(ClusterRow& row) {
    const Proof* proof = cursor_.peek();
    while (proof != nullptr && proof->document < row.member) {
      cursor_.advance();
      proof = cursor_.peek();
    }
    TWINSET_TRY(cursor_.status());
    if (proof == nullptr || proof->document != row.member) {
      return io_error(
          "the proof of a removed record is missing from the run's files; remove the "
          ".partial folder and run again");
    }
    row.link = proof->link;
    return {};
  }

 private:
  RowCursor<Proof>& cursor_;
};

}  // namespace

void ClusterCount::add(const ClusterRow& row) {
  if (clusters_ == 0 || row.survivor != survivor_) {
    survivor_ = row.survivor;
    size_ = 1;
    ++clusters_;
  }
  largest_ = std::max(largest_, ++size_);
}

Result<ClusterCount> count_clusters(const Job& job, const DocumentTable& documents,
                                    const RowFile<Proof>& proofs) {
  TWINSET_ASSIGN(std::unique_ptr<ClusterRows> rows, cluster_rows(job, documents, proofs));
  ClusterCount count;
  TWINSET_TRY(for_each_row(*rows, [&](const ClusterRow& row) { count.add(row); }));
  return count;
}

Result<std::unique_ptr<ClusterRows>> cluster_rows(const Job& job, const DocumentTable& documents,
                                                  const RowFile<Proof>& proofs) {
  auto rows = std::make_unique<ClusterRows>(RowsOptions{
      &job.context, job.spill + "clusters", job.context.memory_bytes / 4, job.signer.fingerprint});
  TWINSET_ASSIGN(const auto cursor, proofs.read());
  ProofLookup lookup(*cursor);
  for (std::uint64_t index = documents.first_index(job.reference_sources); index < documents.size();
       ++index) {
    ClusterRow row;
    row.fate = final_fate(documents, index);
    if (!is_removed(row.fate)) continue;
    row.member = documents.document(index);
    row.survivor = documents.document(final_survivor(documents, index));
    if (is_copy(row.fate)) {
      row.link = Link::copy();
    } else {
      TWINSET_TRY(lookup.fill(row));
    }
    TWINSET_TRY(rows->append(row));
  }
  TWINSET_TRY(rows->seal());
  return rows;
}

}  // namespace twinset
