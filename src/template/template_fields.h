// The fields of what is known of templates.
//
// Threads: pure functions.
#pragma once

#include <vector>

#include "twinset/collection.h"
#include "twinset/field.h"

namespace twinset {

std::vector<Field> fields_of(TemplateSums& sums);
std::vector<Field> fields_of(TemplateBlock& block);
std::vector<Field> fields_of(TemplateSiteFacts& site);
std::vector<Field> fields_of(TemplateFacts& facts);

/// The part of TemplateFacts that is known before any page is compared: a table has it.
std::vector<Field> learned_fields(TemplateFacts& facts);

}  // namespace twinset
