// Made-up pages of known and other sites for the tests of phish.
//
//   const ScratchFolder folder;
//   PhishOptions options = phish_options(folder, known, pages);
//   ASSERT_TRUE(phish(options, quiet_control()).ok());
//
// Threads: one at a time.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "reuse/site_testing.h"
#include "support/scratch_folder.h"
#include "support_runs/job_testing.h"
#include "twinset/phish.h"
#include "twinset/reuse.h"

namespace twinset::testing {

/// Labels of the known pages, whose parts have at least 26 characters, and the pages as input.
inline PhishOptions phish_options(const ScratchFolder& folder, const MadeSite& known,
                                  const MadeSite& pages) {
  DiscoverOptions discovery;
  discovery.from = {known.write(folder, "known.jsonl")};
  discovery.input.format = "html";
  discovery.cutting.min_chars = 26;
  discovery.output = folder / "known.labels";
  EXPECT_TRUE(discover(discovery, quiet_control()).ok());
  PhishOptions options;
  options.labels = discovery.output;
  options.inputs = {pages.write(folder, "pages.jsonl")};
  options.input.format = "html";
  return options;
}

}  // namespace twinset::testing
