// The options of the questions about a finished run; this file's interface is their options_of().
#include "join/fate.h"
#include "run/common_options.h"
#include "twinset/browse.h"

namespace twinset {
namespace {

std::vector<Option> page_options(std::uint64_t& offset, std::uint64_t& limit) {
  using enum OptionRole;
  using enum Heading;
  return {{"--offset N", &offset, decides, most_used, "leave out the first N"},
          {"--limit N", &limit, decides, most_used, "at most N"}};
}

std::vector<std::string_view> removal_kinds_of_all() {
  std::vector<std::string_view> words = removal_kinds();
  words.push_back(name_of(RemovalKind::shingles));
  return words;
}

Option search_option(std::string& search, std::string_view help) {
  return {"--search TEXT", &search, OptionRole::decides, Heading::most_used, help};
}

Option words_option(bool& words) {
  return {"--words", &words, OptionRole::decides, Heading::most_used,
          "with first words, where reading them is cheap"};
}

}  // namespace

std::vector<Option> options_of(BrowseOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return {required({"folder DIR", &options.folder, decides, most_used, "folder of a finished run"}),
          {"--decisions FILE", &options.decisions, unrecorded, most_used,
           "file of decisions about its records", "the folder with .decisions.jsonl"},
          {"--memory SIZE", Bytes{&options.memory}, unrecorded, resources,
           "most memory for its clusters and lists", "half of the machine's that is left"},
          {"--tmp DIR", &options.tmp, unrecorded, resources, "folder for temporary files",
           "the system's"}};
}

std::vector<Option> options_of(ClustersOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together(
      {page_options(options.offset, options.limit),
       {"--sort", Choice(&options.sort, {"documents", "resemblance", "sources", "first"}), decides,
        most_used,
        "documents: the largest first; resemblance: the least alike first; sources: of most files "
        "first; first: in the order of their first documents"},
       {"--reverse", &options.reverse, decides, most_used, "the other way round"},
       {"--min-documents N", &options.min_documents, decides, most_used, "of at least N documents"},
       {"--max-documents N", &options.max_documents, decides, most_used, "of at most N documents"},
       {"--source FILE", &options.source, decides, most_used, "with a document of this input"},
       {"--kind", Choice(&options.kind, removal_kinds_of_all()), decides, most_used,
        "with a member of this kind"},
       {"--resemblance LOW-HIGH", &options.resemblance, decides, most_used,
        "whose least alike member has this resemblance, such as 0.8:0.85"},
       search_option(options.search, "with this text in the id or the file of a document"),
       words_option(options.words)});
}

std::vector<Option> options_of(MembersOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together({required({"--cluster N", &options.cluster, decides, most_used,
                             "number of the cluster, from 1"}),
                   page_options(options.offset, options.limit), words_option(options.words)});
}

std::vector<Option> options_of(TilesOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return {{"--limit N", &options.limit, decides, most_used, "at most N tiles"},
          {"--by", Choice(&options.by, {"cluster", "source"}), decides, most_used,
           "a tile for each cluster, or for each input with documents in clusters"}};
}

std::vector<Option> options_of(SidesOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return {required({"--a RECORD", &options.a, decides, most_used, "an id, or FILE:RECORD"}),
          required({"--b RECORD", &options.b, decides, most_used, "an id, or FILE:RECORD"})};
}

std::vector<Option> options_of(ListRowsOptions& options) {
  using enum OptionRole;
  using enum Heading;
  return together(
      {required({"--list NAME", &options.list, decides, most_used, "a list of the folder"}),
       page_options(options.offset, options.limit),
       {"--sort COLUMN", &options.sort, decides, most_used, "in the order of this column",
        "the order of the list"},
       {"--reverse", &options.reverse, decides, most_used, "the other way round"},
       search_option(options.search, "with this text in a value")});
}

std::vector<Option> options_of(VersionsOptions& options) {
  return together({page_options(options.offset, options.limit),
                   search_option(options.search, "with this text in the URL")});
}

}  // namespace twinset
