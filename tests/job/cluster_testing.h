// Options for clustering a made-up collection.
//
// Threads: one thread at a time.
#pragma once

#include "job/job_testing.h"
#include "twinset/cluster.h"

namespace twinset::testing {

/// Reads and writes as `from` says; every shingle is a key, so that counts are exact.
inline ClusterOptions cluster_options(const DedupOptions& from) {
  ClusterOptions options;
  options.inputs = from.inputs;
  options.output = from.output;
  options.input = from.input;
  options.resources = from.resources;
  options.scheme = "mod(modulus=1)";
  return options;
}

}  // namespace twinset::testing
