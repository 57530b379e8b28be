// What a run over pages says of their templates: what it left out or, over whole pages, whether
// leaving them out would help.
//
//   RunTemplates templates;
//   TWINSET_TRY(use_site_templates(run, options, control));
//   TWINSET_TRY(run.read(Stored::count, templates.collectors(run.job)));
//   templates.describe(run.job, run.state, summary.templates, summary.warnings);
//
// Threads: as its collectors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sites/common_share.h"
#include "sites/template_account.h"

namespace twinset {

class RunTemplates {
 public:
  std::vector<Collector*> collectors(const Job& job);
  /// Sets `facts` if templates were left out, and adds the warnings.
  void describe(const Job& job, const ReadState& state, std::optional<TemplateFacts>& facts,
                std::vector<std::string>& warnings) const;

 private:
  CommonShare common_share_;
  TemplateAccount account_;
};

/// Adds a sentence for sites of pages too alike to learn from, one for sites that memory could not
/// hold, and one if no page has a host in its URL field though the options name one.
void add_template_warnings(const Job& job, std::vector<std::string>& warnings);

}  // namespace twinset
