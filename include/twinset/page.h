// The page of a service: one front end for what an index answers and what a run found. The report
// of a run (for example DedupOptions::report) is the same page with its facts in one file.
//
//   const LivePage page = live_page();
//   answer(page.html, page.policy);
//
// The page asks the service that it comes from, beginning with /about, and nobody else. It loads no
// other file and runs its own script alone.
//
// Threads: a pure function.
#pragma once

#include <string>

namespace twinset {

struct LivePage {
  std::string html;    ///< at most 400 kB
  std::string policy;  ///< for the header Content-Security-Policy
};

/// The same bytes in every call.
LivePage live_page();

}  // namespace twinset
