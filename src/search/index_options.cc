// The options of index, query, locate, lookup and group; this file's interface is their
// options_of().
#include "run/common_options.h"
#include "run/keep_rule.h"
#include "twinset/hits.h"
#include "twinset/index.h"

namespace twinset {
namespace {

Option sketches_option(bool& sketches) {
  return {"--sketches", &sketches, OptionRole::decides, Heading::method,
          "judge by sketches even where the index keeps the texts"};
}

}  // namespace

std::vector<Option> options_of(IndexOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"index DIR", &options.index, unrecorded, most_used, "the folder of the index"}),
      {"inputs IN", &options.inputs, decides, input,
       "add: files to read, as for dedup; delete: ids, or - for a line an id on standard input"},
      {"--scheme SPEC", &options.settings.scheme, decides, most_used,
       "create: a scheme whose sketches and keys the index holds, mod(samples=64) if none is "
       "given; "
       "repeat it for several"},
      {"--texts", &options.settings.texts, decides, most_used,
       "create: keep the texts, too, so that answers are exact"},
      {"-r, --resemblance SHARE", &options.settings.resemblance, decides, most_used,
       "create: the least resemblance at which documents share a key, of schemes whose keys are "
       "bands"},
      {"--distance BITS", &options.settings.distance, decides, most_used,
       "create: find signatures that differ in at most so many bits, 0 to 7"},
      {"--url FIELD", &options.url, decides, input,
       "add: field of the record's URL; a page of a web archive knows its own"},
      date_option(options.date, input, "add: field of the record's date"),
      {"--field NAME", &options.field, decides, input,
       "add: a further field to keep; repeat it for several"},
      {"-o, --output FILE", &options.output, unrecorded, output,
       "export: file to make, .jsonl or .jsonl.zst", "standard output"},
      input_options(options.input),
      analyzer_option(options.settings.analyzer),
      max_bad_option(options.max_bad, unrecorded, input),
      resource_options(options.resources),
  });
}

std::vector<Option> options_of(QuerySettings& query) {
  using enum OptionRole;
  using enum Heading;
  return together({
      {"-r, --resemblance SHARE", &query.resemblance, decides, most_used,
       "answer with documents of at least this resemblance"},
      {"-c, --containment SHARE", &query.containment, decides, most_used,
       "and with those that contain so much of the query, or of which it contains so much"},
      {"--top N", &query.top, decides, most_used, "at most so many, the best first; 0: all"},
      {"--passages", &query.passages, decides, most_used,
       "tell the passages that each document shares, and answer with every document that has one"},
      {"--min-tokens N", &query.min_tokens, decides, most_used, "tokens of a passage, at least",
       "as many as a scheme of the index is sure to find; 50 without one"},
      {"--time-limit MS", &query.time_limit, decides, most_used,
       "answer after so many milliseconds with what was found until then"},
      {"--draw NUMBER", &query.draw, decides, method,
       "look at one in four values of each sample, others for each number"},
      sketches_option(query.sketches),
      max_group_option(query.max_group),
  });
}

std::vector<Option> options_of(QueryOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"index DIR", &options.index, unrecorded, most_used, "the folder of the index"}),
      {"inputs IN", &options.inputs, decides, input, "documents to ask for, as for dedup"},
      {"--of ID", &options.of, decides, most_used,
       "ask for a document of the index, by its id or its URL"},
      options_of(static_cast<QuerySettings&>(options)),
      {"-o, --output FILE", &options.output, unrecorded, most_used,
       "file to make, .jsonl or .jsonl.zst", "standard output"},
      input_options(options.input),
      max_bad_option(options.max_bad, unrecorded, input),
      resource_options(options.resources),
  });
}

std::vector<Option> options_of(LookupSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return together({
      {"-r, --resemblance SHARE", &settings.resemblance, decides, most_used,
       "documents of at least this resemblance make a pair"},
      {"-c, --containment SHARE", &settings.containment, decides, most_used,
       "and those of which one contains this share of the other"},
      {"--top N", &settings.top, decides, most_used,
       "at most so many documents of a cluster; 0: all"},
      sketches_option(settings.sketches),
      max_group_option(settings.max_group),
  });
}

std::vector<Option> options_of(LookupOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"index DIR", &options.index, unrecorded, most_used, "the folder of the index"}),
      required({"names NAME", &options.names, decides, most_used, "ids or URLs"}),
      options_of(static_cast<LookupSettings&>(options)),
  });
}

std::vector<Option> options_of(GroupSettings& settings) {
  using enum OptionRole;
  using enum Heading;
  return together({
      {"-r, --resemblance SHARE", &settings.resemblance, decides, most_used,
       "a hit of at least this resemblance to the best of a group is a member of it"},
      {"-c, --containment SHARE", &settings.containment, decides, most_used,
       "and one that contains so much of it, or of which it contains so much"},
      offering(KeepRule::forms(), {"--best RULE", &settings.best, decides, most_used,
                                   "the best of a group: first, longest, newest:FIELD, "
                                   "highest:FIELD, lowest:FIELD, ..., as for --keep"}),
      {"--access FIELD", &settings.access, decides, most_used,
       "leave out hits without a value in this field that their asker has; FIELD=VALUE: of one "
       "whose list does not say what he has"},
      {"--rest", Choice(&settings.rest, {"demote", "skip"}), decides, most_used,
       "what becomes of the other members: behind all groups, or out of the order"},
      {"--per-group N", &settings.per_group, decides, most_used,
       "so many members of a group keep their places"},
      {"--per-host N", &settings.per_host, decides, most_used,
       "at most so many groups of one host in the first page, as far as there are others; 0: any "
       "number"},
      {"--page N", &settings.page, decides, most_used, "results in the first page"},
      sketches_option(settings.sketches),
  });
}

std::vector<Option> options_of(GroupOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"index DIR", &options.index, unrecorded, most_used, "the folder of the index"}),
      {"inputs IN", &options.inputs, decides, input,
       "files of result lists, a line each; none, or -: standard input"},
      options_of(static_cast<GroupSettings&>(options)),
  });
}

std::vector<Option> options_of(LocateSettings& settings) {
  return together({
      {"--since DATE", &settings.since, OptionRole::decides, Heading::most_used,
       "the last sweep began at this date; a page that was seen since then is here",
       "the day of the newest date in the index"},
      max_group_option(settings.max_group),
  });
}

std::vector<Option> options_of(LocateOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({
      required({"index DIR", &options.index, unrecorded, most_used, "the folder of the index"}),
      required({"urls URL", &options.urls, decides, most_used, "the pages to locate"}),
      options_of(static_cast<LocateSettings&>(options)),
  });
}

}  // namespace twinset
