// The options that several verbs share. A verb's options_of() consists of these and its own, in the
// order in which summary.json records them; help sorts them by heading.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/dates.h"
#include "twinset/collection.h"
#include "twinset/option.h"
#include "twinset/result.h"

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

Option inputs_option(ReadingOptions& options);
/// --format, --text, --id, --max-record, --limit, --hidden, --allow-lost-inputs.
std::vector<Option> input_options(InputSettings& input);
/// --content.
Option content_option(InputSettings& input);
Option analyzer_option(std::string& analyzer);
Option scheme_option(std::string& scheme, std::string_view help, std::string_view by_default = "");
/// --templates, --url.
std::vector<Option> template_options(TemplateSettings& settings);
/// --within.
Option within_option(std::string& within);
Option min_tokens_option(std::uint64_t& min_tokens, Heading heading);
Option exact_below_option(std::uint64_t& exact_below, Heading heading);
Option max_bad_option(std::optional<std::uint64_t>& max_bad, OptionRole role, Heading heading);
Option distance_option(ComparisonOptions& options);
/// --date; `help` says which documents' field it is, and what for.
Option date_option(std::string& date, Heading heading, std::string_view help);
/// The date of --since. Error (usage): it is none, or could be two.
Result<Date> read_since(const std::string& since);
/// --profile.
Option profile_option(ComparisonOptions& options);
/// The options, which note in ComparisonOptions::typed that they were set.
std::vector<Option> noting_typed(ComparisonOptions& options, std::vector<Option> all);
Option max_group_option(std::uint64_t& max_group);
Option seed_option(SigningOptions& options);
/// --df-documents.
Option df_documents_option(SigningOptions& options);
/// --report; `report` is the file to make.
Option report_option(std::string& report);
/// --level.
Option level_option(std::optional<std::uint64_t>& level);
/// --shard.
Option shard_option(std::string& shard);
/// A collection as a verb's options describe it, for a CollectionRun.
CollectionOptions collection_of(const ReadingOptions& reading, const ComparisonOptions& comparison,
                                std::uint64_t min_tokens = 0,
                                std::optional<std::uint64_t> max_bad = std::nullopt,
                                std::string within = {});
/// The comparison of a run that compares nothing: it only reads texts, by an analyzer.
ComparisonOptions analyzed_by(std::string analyzer);
/// --threads, --memory, --tmp, --checkpoint.
std::vector<Option> resource_options(Resources& resources);

}  // namespace twinset
