// explain for a folder that cluster or recut made: a document's cluster, and its pairs there.
//
// Threads: any; the functions only read.
#pragma once

#include <cstdint>
#include <functional>

#include "base/document.h"
#include "cluster/pair_lines.h"
#include "look/asked_record.h"
#include "look/output_folder.h"
#include "twinset/look.h"
#include "twinset/result.h"

namespace twinset {

/// As explain().
Result<Explanation> explain_cluster(const OutputFolder& folder, const ExplainOptions& options,
                                    const RunControl& control);

/// A document whose cluster is known, so that the lists need not be read for it.
struct KnownCluster {
  /// A pair of the document. `earlier` is the original if the later one is a copy, of `kind`.
  struct Pair {
    DocumentId later;
    PairedDocument earlier;
    RemovalKind kind = RemovalKind::near;
    bool is_template = false;
  };

  RecordPlace place;
  RecordPlace representative;
  std::uint64_t documents = 0;
  /// Gives the pairs of a document, in any order; empty: they are read from the folder's list.
  std::function<Status(DocumentId document, const std::function<void(const Pair& pair)>& use)>
      for_each_pair = {};
  /// False: it is in no pair.
  std::function<Result<bool>(DocumentId document, RecordPlace& out)> name = {};
};

/// As explain() of a document that no other one has the name of.
Result<Explanation> explain_known(const OutputFolder& folder, const KnownCluster& known,
                                  const RunControl& control);

}  // namespace twinset
