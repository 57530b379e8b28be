// The extension twinset._twinset. The package's modules in Python stand on it.
#include "lists.h"
#include "table.h"
#include "verbs.h"

NB_MODULE(_twinset, module) {
  using namespace twinset::python;
  module.attr("version") = text_of(twinset::version());
  add_table(module);
  add_lists(module);
  add_verbs(module);
  add_index(module);
  add_pairs(module);
  add_signer(module);
  add_minhash(module);
  add_engine(module);
  add_evaluate_engine(module);
  add_reuse_engine(module);
  add_spans_engine(module);
}
