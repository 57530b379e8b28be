#include "dedup/removals.h"

namespace twinset {

std::string_view name_of(RemovalKind kind) { return fate_name(fate_of(kind)); }

Status RemovalMaker::make(std::uint64_t index, Fate fate, const Proof* proof, Removal& out) {
  TWINSET_TRY(own_names_.find(index, own_));
  TWINSET_TRY(survivor_names_.find(final_survivor(documents_, index), survivor_));
  out = Removal();
  out.document = named(own_);
  out.survivor = named(survivor_);
  out.kind = kind_of(fate);
  if (is_copy(fate)) return {};
  if (proof == nullptr) {
    return io_error("the proof of record " + std::to_string(own_.record) +
                    " is missing from the run's files; remove the .partial folder and run again");
  }
  const Link& link = proof->link;
  out.resemblance = link.resemblance();
  if (link.estimated()) {
    out.standard_error = link.standard_error();
    out.interval = link.interval();
    out.containment = out.survivor_containment = 0;
    return {};
  }
  out.containment = link.numbers.containment();
  out.survivor_containment = link.numbers.earlier_containment();
  out.shared_shingles = link.numbers.shared;
  out.shingles = link.numbers.later;
  out.survivor_shingles = link.numbers.earlier;
  return {};
}

Status tell_results(const Job& job, const RecordFiles& records, const DocumentTable& documents,
                    const RowFile<Proof>& proofs, const LeftOutShingles& left_out,
                    const DedupResults& results) {
  if (results.kept == nullptr && results.removed == nullptr) return {};
  TWINSET_ASSIGN(const auto cursor, proofs.read());
  TWINSET_ASSIGN(const auto left_out_rows, left_out.read());
  LeftOutReader templates(left_out_rows.get());
  Names names(job, records, documents);
  DocumentName name;
  RemovalMaker maker(job, records, documents);
  Removal removal;
  for (std::uint64_t index = documents.first_index(job.reference_sources); index < documents.size();
       ++index) {
    TWINSET_TRY(job.context.check_cancelled());
    const Fate fate = final_fate(documents, index);
    if (fate == Fate::kept && results.kept != nullptr) {
      TWINSET_TRY(names.find(index, name));
      TWINSET_TRY(results.kept(named(name)));
    }
    if (!is_removed(fate) || results.removed == nullptr) continue;
    const DocumentId document = documents.document(index);
    const Proof* proof = cursor->peek();
    for (; proof != nullptr && proof->document < document; proof = cursor->peek()) {
      cursor->advance();
    }
    TWINSET_TRY(cursor->status());
    const bool proved = proof != nullptr && proof->document == document;
    TWINSET_TRY(maker.make(index, fate, proved ? proof : nullptr, removal));
    if (left_out_rows != nullptr) {
      TWINSET_ASSIGN(removal.template_shingles, templates.shingles(document));
    }
    TWINSET_TRY(results.removed(removal));
  }
  return {};
}

}  // namespace twinset
