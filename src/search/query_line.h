// A line of twinset query: the document that was asked for, and the answer (docs/index.md).
//
// Threads: values.
#pragma once

#include <string>
#include <vector>

#include "twinset/field.h"
#include "twinset/index.h"
#include "twinset/run.h"

namespace twinset {

struct QueryLine {
  NamedDocument document;  ///< without its fingerprint
  IndexAnswer answer;
  std::string error;  ///< why the record is no document; empty: it is
};
std::vector<Field> fields_of(QueryLine& line);

}  // namespace twinset
