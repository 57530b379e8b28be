// Any bytes as a report.json: a report that the reader accepts is written as it was read, and its
// page has no tags except the template's own, with the same facts in their block.
#include <string>

#include "faces/facts.h"
#include "faces/page.h"
#include "faces/page_check.h"
#include "fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinset;
  using fuzzing::require;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Result<ReportFacts> facts = read_report_facts(text, "report.json");
  if (!facts.ok()) return 0;
  const std::string json = report_json(facts.value());
  const Result<ReportFacts> again = read_report_facts(json, "report.json");
  require(again.ok() && report_json(again.value()) == json);
  const PageCheck page(report_page(facts.value()));
  require(page.errors.empty() && page.scripts.size() == 2);
  const Result<ReportFacts> embedded = read_report_facts(page.scripts[0], "the block");
  require(embedded.ok() && report_json(embedded.value()) == json);
  return 0;
}
