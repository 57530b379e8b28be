// A run in parts, with its match.
//
//   MatchFixture fixture(collection);
//   fixture.read();
//   fixture.match();
//   fixture.proofs().rows();
//
// Threads: one thread at a time.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "match/match.h"
#include "support_runs/job_fixture.h"

namespace twinset::testing {

class MatchFixture : public JobFixture {
 public:
  using JobFixture::JobFixture;

  /// The match; its proofs are kept.
  MatchReport match() {
    proofs_ = std::make_unique<RowFile<Proof>>(
        RowsOptions{&job().context, job().spill + "proofs", 0, job().signer.fingerprint});
    StageClock clock;
    Result<MatchReport> report =
        match_documents(job(), DecisionOptions(), stores(), table(), texts(), *proofs_, clock);
    EXPECT_TRUE(report.ok()) << report.error().message;
    return report.ok() ? report.value() : MatchReport{};
  }

  RowFile<Proof>& proofs() { return *proofs_; }

 private:
  std::unique_ptr<RowFile<Proof>> proofs_;
};

}  // namespace twinset::testing
