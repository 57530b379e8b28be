#include "sites/run_templates.h"

#include <string>

#include "sites/site_templates.h"

namespace twinset {

namespace {

/// Then it is tags that the texts have in common, and another warning says so.
bool is_mostly_html(const ReadState& state) {
  const std::uint64_t texts = state.records - state.bad;
  return state.raw_html.records > 0 && state.raw_html.records >= texts - texts / 2;
}

}  // namespace

std::vector<Collector*> RunTemplates::collectors(const Job& job) {
  std::vector<Collector*> all = common_share_.collectors(job);
  for (Collector* own : account_.collectors(job)) all.push_back(own);
  return all;
}

void RunTemplates::describe(const Job& job, const ReadState& state,
                            std::optional<TemplateFacts>& facts,
                            std::vector<std::string>& warnings) const {
  if (const TemplateTable* const table = job.signer.view.templates.get(); table != nullptr) {
    facts = account_.facts(*table);
    add_template_warnings(job, warnings);
  } else if (std::string said = common_share_.warning();
             !said.empty() && !(common_share_.of_texts() && is_mostly_html(state))) {
    warnings.push_back(std::move(said));
  }
}

void add_template_warnings(const Job& job, std::vector<std::string>& warnings) {
  const TemplateTable* const table = job.signer.view.templates.get();
  if (table == nullptr) return;
  for (std::string& said : template_warnings(table->learned(), job.options.url)) {
    warnings.push_back(std::move(said));
  }
}

}  // namespace twinset
