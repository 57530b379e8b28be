#include "run/common_options.h"

#include "base/message.h"
#include "io/inputs.h"
#include "io/reader.h"
#include "twinset/scheme.h"

namespace twinset {
namespace {

template <class Declaration>
std::vector<std::string> names_of(const std::vector<Declaration>& known) {
  std::vector<std::string> names;
  for (const Declaration& each : known) names.emplace_back(each.name);
  return names;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const FormatEntry* format : formats()) names.emplace_back(format->declaration->name);
  names.emplace_back(format_by_text);
  return names;
}

/// Names every format.
std::string_view format_help() {
  static const std::string help = [] {
    std::string text = "read all inputs as ";
    const auto all = formats();
    for (std::size_t i = 0; i < all.size(); ++i) {
      text += i == 0 ? "" : i + 1 < all.size() ? ", " : " or ";
      text += all[i]->declaration->name;
    }
    return text +
           " (lines: each line is a text); with html or xhtml the text field of JSON Lines holds a "
           "page, with auto each text that begins like one is a page";
  }();
  return help;
}

}  // namespace

std::vector<Option> together(std::initializer_list<OptionPart> parts) {
  std::vector<Option> all;
  for (const auto& [options] : parts) all.insert(all.end(), options.begin(), options.end());
  return all;
}

Option inputs_option(ReadingOptions& options) {
  return required(
      {"inputs IN", &options.inputs, OptionRole::decides, Heading::input,
       "files to read: JSON Lines, web archives, mailboxes (plain, .gz or .zst), "
       "Parquet, text, HTML or mails; folders and globs of them; - for standard input"});
}

std::vector<Option> input_options(InputSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return {
      offering(format_names(), {"--format NAME", &settings.format, decides, input, format_help(),
                                "by extension, and where that says nothing by content"}),
      {"--text FIELD", &settings.text, decides, input,
       "field that holds the text; nested names are joined by dots, \\. is a dot in a name; "
       "title,body joins several fields, and messages[].content those of a list"},
      {"--id FIELD", &settings.id, decides, input, "field that holds the id"},
      {"--mail-quotes", Choice(&settings.mail_quotes, {"keep", "drop"}), decides, input,
       "drop: quoted replies in mails, the lines that attribute them, and signatures are no part "
       "of "
       "the text"},
      {"--max-record SIZE", Bytes{&settings.max_record}, decides, input,
       "skip longer records and list them in quarantine.jsonl"},
      {"--limit N", &settings.limit, decides, input, "read at most N records; 0: all", "all"},
      {"--hidden", &settings.hidden, decides, input,
       "in folders, read hidden files, too, and those that programs leave beside data, such as "
       "_SUCCESS and checksums"},
      {"--allow-lost-inputs", &settings.allow_lost_inputs, unrecorded, input,
       "leave out inputs that cannot be read, and exit 0 even if one is damaged"},
  };
}

Option content_option(InputSettings& settings) {
  return {
      "--content", Choice(&settings.content, {"texts", "scripts"}), OptionRole::decides,
      Heading::input,
      "scripts: scripts, style sheets and empty pages of web archives, and those beside pages in "
      "a folder, are documents, too"};
}

Option analyzer_option(std::string& analyzer) {
  return offering(
      names_of(known_analyzers()),
      {"--analyzer SPEC", &analyzer, OptionRole::decides, Heading::method,
       "how text becomes tokens: words, of which words(min_chars=4, max_digits=1, "
       "punctuation=drop) "
       "leaves out those of fewer letters or more digits, and signs inside a word, which "
       "punctuation=keep keeps; words_nfkc, which takes full-width and other forms of a "
       "letter for the letter; skeleton, which takes look-alikes of any script for one, so that "
       "who "
       "hides words from a filter hides nothing; words_dehyphenated, which joins a word that a "
       "hyphen cuts at a line "
       "end; code, which keeps case, signs and symbols; tags, which takes the "
       "tags of a page for its words; or features, where the text is a JSON array of ids and each "
       "id counts as one shingle"});
}

Option scheme_option(std::string& scheme, std::string_view help, std::string_view by_default) {
  return offering(names_of(known_schemes()), {"--scheme SPEC", &scheme, OptionRole::decides,
                                              Heading::method, help, by_default});
}

std::vector<Option> template_options(TemplateSettings& settings) {
  return {{"--templates", Choice(&settings.templates, {"keep", "drop", "auto"}),
           OptionRole::decides, Heading::method,
           "drop: compare pages without what is common to many unlike pages of their site, such "
           "as menus; it is learned from the inputs first. auto: drop if any input has pages"},
          {"--url FIELD", &settings.url, OptionRole::decides, Heading::method,
           "with --templates drop or auto: the field of a page's URL, whose host is its site; "
           "without it a web archive knows its pages' sites, and other inputs are one site"}};
}

Option within_option(std::string& within) {
  return {"--within FIELD", &within, OptionRole::decides, Heading::most_used,
          "compare only documents with equal values of this field, such as lang or source"};
}

Option min_tokens_option(std::uint64_t& min_tokens, Heading heading) {
  return {"--min-tokens N", &min_tokens, OptionRole::decides, heading,
          "leave out documents of fewer words"};
}

Option exact_below_option(std::uint64_t& exact_below, Heading heading) {
  return {"--exact-below N", &exact_below, OptionRole::decides, heading,
          "keep documents of fewer words, and compare them byte for byte only"};
}

Option max_bad_option(std::optional<std::uint64_t>& max_bad, OptionRole role, Heading heading) {
  return {"--max-bad N", &max_bad, role, heading,
          "write nothing and exit 3 if more than N records cannot be read"};
}

Option date_option(std::string& date, Heading heading, std::string_view help) {
  return {"--date FIELD", &date, OptionRole::decides, heading, help};
}

Result<Date> read_since(const std::string& since) {
  const std::optional<Date> date = parse_date(since);
  if (date.has_value()) return *date;
  return usage_error(option("since", since) + " is no date, or could be two; write " +
                     option("since", "2026-05-31"));
}

Option distance_option(ComparisonOptions& options) {
  return {"--distance BITS",
          &options.distance,
          OptionRole::decides,
          Heading::method,
          "with a scheme of signatures, such as simhash: join documents whose signatures differ in "
          "at most so many bits, 0 to 7; 100:2,3 is 2 if the shorter has fewer than 100 tokens, "
          "else 3",
          "3"};
}

Option profile_option(ComparisonOptions& options) {
  return {"--profile FILE", &options.profile, OptionRole::decides, Heading::method,
          "take the scheme, the analyzer and the thresholds that calibrate chose, except those "
          "that are given here"};
}

std::vector<Option> noting_typed(ComparisonOptions& options, std::vector<Option> all) {
  for (Option& option : all) option.noted_in = &options.typed;
  return all;
}

Option max_group_option(std::uint64_t& max_group) {
  return {"--max-group N", &max_group, OptionRole::decides, Heading::method,
          "ignore phrases found in more than N documents (0: never)"};
}

Option df_documents_option(SigningOptions& options) {
  return {"--df-documents N",
          &options.df_documents,
          OptionRole::unrecorded,
          Heading::method,
          "with a scheme of document frequencies: warn that they are old if more documents are "
          "read",
          "twice as many as they are of"};
}

Option seed_option(SigningOptions& options) {
  return {"--seed N", &options.seed, OptionRole::decides, Heading::method, "random seed"};
}

Option report_option(std::string& report) {
  return {"--report FILE", &report, OptionRole::decides, Heading::most_used,
          "HTML page to make, with the notable clusters; its facts are beside it as .json"};
}

Option level_option(std::optional<std::uint64_t>& level) {
  return {"--level N",
          &level,
          OptionRole::decides,
          Heading::output,
          "how hard packed records are packed: 1 to 9 for .gz, 1 to 6 for .zst; more takes longer "
          "and less room",
          "1 for .gz, 3 for .zst"};
}

Option shard_option(std::string& shard) {
  return {"--shard I/N", &shard, OptionRole::unrecorded, Heading::resources,
          "read only the I-th of N shares of the input files, and keep what is needed of them in "
          "--output; merge goes on from the folders of all N"};
}

std::vector<Option> resource_options(Resources& own) {
  using enum OptionRole;
  using enum Heading;
  return {
      {"-j, --threads N", &own.threads, unrecorded, resources,
       "threads to use, at most one for each processor", "as many as --memory has room for"},
      {"--memory SIZE", Bytes{&own.memory, true}, unrecorded, resources,
       "memory to use at most, 96MiB or more", "half of the machine's"},
      {"--tmp DIR", &own.tmp, unrecorded, resources, "folder for temporary files",
       "beside the output"},
      {"--checkpoint SIZE", Bytes{&own.checkpoint, true}, unrecorded, resources,
       "save the state of the run after reading this much text, so that the same command can "
       "continue after a kill"},
  };
}

CollectionOptions collection_of(const ReadingOptions& reading, const ComparisonOptions& comparison,
                                std::uint64_t min_tokens, std::optional<std::uint64_t> max_bad,
                                std::string within) {
  return {reading, comparison, min_tokens, std::move(within), max_bad};
}

ComparisonOptions analyzed_by(std::string analyzer) {
  ComparisonOptions options;
  options.analyzer = std::move(analyzer);
  return options;
}

}  // namespace twinset
