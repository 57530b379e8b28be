// A million documents as the costs of a plan see them, for tests.
//
//   CostWorld world("mod");
//   world.seen.meetings.value *= 3;
//   world.cluster().stages;
//
// Threads: a value.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "collection/file_collection.h"
#include "dedup/dedup_options.h"
#include "plan/costs.h"
#include "run/prepare.h"

namespace twinset::testing {

struct CostWorld {
  Job job;
  ReadState state;
  Forecast seen;
  ReadCost read{{"read", 10, 20}, 60U << 20, 0};

  explicit CostWorld(const char* scheme = "fss") {
    DedupOptions options;
    options.inputs = {"in"};
    options.output = "out";
    options.scheme = scheme;
    options.resources.memory = 4'000'000'000;
    options.resources.threads = 2;
    EXPECT_TRUE(prepare_job(options, dedup_verb(options), RunControl{}, job).ok());
    job.collection = std::make_shared<FileCollection>(disk(), InputList());
    state.documents = state.records = 1'000'000;
    state.text_bytes = 2'000'000'000;
    state.tokens = 350'000'000;
    read.keys = 28'000'000;
    read.name_bytes = 10'000'000;
    seen.candidates.value = 500'000;
    seen.pairs.value = seen.checked = 400'000;
    seen.removed.value = 100'000;
    seen.judged_bytes = 4e8;
    seen.cached_bytes = 2e8;
    seen.judged_tokens = 2e8;
    seen.meetings.value = 1e9;
    seen.clustered.value = 150'000;
  }
  Costs dedup() const { return dedup_costs(job, state, seen, read, this_machine(job, read)); }
  Costs cluster() const { return cluster_costs(job, state, seen, read, this_machine(job, read)); }
};

}  // namespace twinset::testing
