// The templates of a collection's sites, learned before a run that drops them: the documents that
// an ordinary dedup of whole pages at 0.8 would remove are found, so that copies and releases of a
// page count once; then the other pages are counted.
//
//   TWINSET_TRY(use_site_templates(run, options, control));   // between run.open() and run.read()
//
// The table goes to the output and belongs to the run: its hash is part of the fingerprint of
// whatever the run stores. It depends on the collection, the analyzer and the URL field only.
//
// Threads: one at a time; uses the options' threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/collection_run.h"
#include "twinset/collection.h"
#include "twinset/result.h"

namespace twinset {

/// Does nothing for Templates::keep, and for Templates::automatic if no input has pages. Else
/// learns the templates, or opens those that the run learned before it was killed, and has the
/// run's views drop them. Errors: usage if no input has pages; as dedup().
Status use_site_templates(CollectionRun& run, const CollectionOptions& options,
                          const RunControl& control);

/// The templates of a collection, for verbs that read it in their own way; null if the options keep
/// them. Errors: as use_site_templates().
Result<std::shared_ptr<const TemplateTable>> learn_site_templates(
    std::shared_ptr<Collection> collection, const CollectionOptions& options,
    const RunControl& control);

/// The memory that the view's table of templates takes; 0 without one.
std::uint64_t templates_bytes(const ViewRule& view);

/// A sentence for sites of pages too alike to learn from, and one for
/// sites that memory could not hold, and that no page has a host in `url_field`, if that is given.
std::vector<std::string> template_warnings(const TemplateFacts& learned,
                                           const std::string& url_field);

}  // namespace twinset
