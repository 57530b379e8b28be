// The options that several verbs share. A verb's options_of() consists of these and its own, in the
// order in which summary.json records them; help sorts them by heading.
//
// Threads: pure functions.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinset/collection.h"
#include "twinset/option.h"

namespace twinset {

/// One option or several, given as made or by their declaration.
struct OptionPart {
  OptionPart(Option option) : options{std::move(option)} {}                 // NOLINT
  OptionPart(std::vector<Option> several) : options(std::move(several)) {}  // NOLINT
  OptionPart(std::string_view usage, OptionMember member, OptionRole role, Heading heading,
             std::string_view help, std::string_view by_default = {})
      : options{{usage, std::move(member), role, heading, help, by_default}} {}
  std::vector<Option> options;
};
std::vector<Option> together(std::initializer_list<OptionPart> parts);

Option inputs_option(CollectionOptions& options);
/// --format, --text, --id, --max-record, --limit, --hidden, --allow-lost-inputs.
std::vector<Option> input_options(InputSettings& input);
Option analyzer_option(std::string& analyzer);
/// The two above, --content and --scheme: how records are read and compared.
std::vector<Option> reading_options(CollectionOptions& options, std::string_view scheme_help,
                                    std::string_view default_scheme = "");
/// --templates, --url.
std::vector<Option> template_options(TemplateSettings& settings);
Option min_tokens_option(CollectionOptions& options, Heading heading);
Option max_bad_option(CollectionOptions& options, OptionRole role, Heading heading);
Option distance_option(CollectionOptions& options);
/// --profile.
Option profile_option(CollectionOptions& options);
/// The options, which note in CollectionOptions::typed that they were set.
std::vector<Option> noting_typed(CollectionOptions& options, std::vector<Option> all);
Option max_group_option(CollectionOptions& options);
Option seed_option(CollectionOptions& options);
/// --report; `report` is the file to make.
Option report_option(std::string& report);
/// --threads, --memory, --tmp, --checkpoint.
std::vector<Option> resource_options(Resources& resources);

}  // namespace twinset
