// The fields of what cluster and recut found.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "join/link.h"
#include "twinset/cluster.h"
#include "twinset/field.h"

namespace twinset {

/// The kind of a run's links.
LinkKind link_kind_of(const ClusterSummary& summary);

std::vector<Field> fields_of(ClusterCounts& counts);
std::vector<Field> fields_of(CommonShingle& shingle);
std::vector<Field> fields_of(CheckedEdges& edges);
std::vector<Field> fields_of(DistanceCounts& counts);

}  // namespace twinset
