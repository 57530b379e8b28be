// The verbs of the shelf, by name: their declared options and fields, and a call with values as
// they are typed. The module twinset/_verbs.py makes functions of them.
//
// Threads: those that have the interpreter.
#pragma once

#include "door.h"

namespace twinset::python {

/// Adds verbs(), run() and Texts to the module.
void add_verbs(nb::module_& module);

/// Adds resemblance(), containment(), compare_texts() and Signer.
void add_pairs(nb::module_& module);
void add_signer(nb::module_& module);

/// Adds what twinset/_index.py stands on.
void add_index(nb::module_& module);

/// Adds what the module twinset/compat/datasketch.py stands on.
void add_minhash(nb::module_& module);

/// Adds what the module twinset/spark.py stands on: dedup and cluster, what pages reuse, passages,
/// and the sample of evaluate.
void add_engine(nb::module_& module);
void add_evaluate_engine(nb::module_& module);
void add_reuse_engine(nb::module_& module);
void add_spans_engine(nb::module_& module);

}  // namespace twinset::python
