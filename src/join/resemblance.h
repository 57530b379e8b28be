// The rule for comparing two texts outside a collection.
//
//   Result<ViewRule> rule = view_rule({.analyzer = "code", .shingle_tokens = 3});
//
// Threads: pure functions.
#pragma once

#include <string_view>

#include "scheme/document_view.h"
#include "twinset/pair.h"
#include "twinset/result.h"

namespace twinset {

/// Errors (usage): an unknown analyzer, a width out of range, pages of features.
Result<ViewRule> view_rule(const Shingling& shingling);

/// Error (usage) if the text is longer than an analyzer takes.
Status check_text_bytes(std::string_view text);

}  // namespace twinset
