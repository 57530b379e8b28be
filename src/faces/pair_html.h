// A pair, the names of its documents and the numbers about it as plain HTML.
//
//   append_pair(out, pair, "pairs-3", "survivor", "removed record");
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "faces/facts.h"

namespace twinset {

/// The id and the place of a document.
void append_document(std::string& out, const ReportDocument& document);

/// "records <b>9</b> <small>in 3 files</small>; ...".
void append_facts(std::string& out, const std::vector<Fact>& facts);

/// Appends an <article> with this id. `a` and `b` name the roles of the two.
void append_pair(std::string& out, const ShownPair& pair, const std::string& id,
                 const std::string& a, const std::string& b);

}  // namespace twinset
