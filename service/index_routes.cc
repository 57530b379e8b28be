// The routes of an index. This file's interface is index_routes() of route.h.
#include <utility>

#include "route.h"
#include "twinset/field.h"
#include "twinset/hits.h"
#include "twinset/index.h"

namespace twinset::service {
namespace {

/// An id, as a string or as JSON has it: a string's content, or a number's digits.
Field id_field(std::string_view name, std::optional<std::string>& id, std::string_view help) {
  return if_given({name,
                   JsonForm{[&id] { return id.value_or(""); },
                            [&id](std::string_view json) -> twinset::Status {
                              TWINSET_ASSIGN(const JsonTree tree,
                                             JsonTree::parse(std::string(json), 1));
                              const JsonType type = tree.root().type();
                              if (type != JsonType::string && type != JsonType::number) {
                                return usage_error("is a string or a number, not " +
                                                   std::string(name_of(type)));
                              }
                              id = std::string(tree.root().text());
                              return {};
                            }},
                   Unit::code, help});
}

Option needed(std::string_view usage, std::string& member, std::string_view help) {
  return required({usage, &member, OptionRole::decides, Heading::most_used, help});
}

/// Settings of the shelf have all options of their own; time_limit has the service's limit too.
struct TextQuery : QuerySettings {
  std::optional<std::string> text;
  std::optional<std::string> id;
  std::optional<std::string> url;
  bool html = false;
};

Members members_of(TextQuery& asked) {
  return {.options = options_of(static_cast<QuerySettings&>(asked)),
          .fields = {if_given({"text", &asked.text, Unit::text, "a text to find the like of"}),
                     id_field("id", asked.id, "of a document of the index, in place of a text"),
                     if_given({"url", &asked.url, Unit::text, "of a document of the index"}),
                     if_given({"html", &asked.html, Unit::text, "the text is a page"})}};
}

Outcome<IndexAnswer> query(State& state, TextQuery& asked) {
  if (asked.text.has_value() + asked.id.has_value() + asked.url.has_value() != 1) {
    return usage_error("one of text, id and url is needed");
  }
  asked.time_limit = state.time_limit(asked.time_limit);
  if (asked.text) return state.index->query(*asked.text, asked, asked.html);
  return state.index->query_document(asked.id ? *asked.id : *asked.url, asked);
}

struct PageToLocate : LocateSettings {
  std::string url;
};

Members members_of(PageToLocate& asked) {
  Members members{.options = options_of(static_cast<LocateSettings&>(asked))};
  members.options.push_back(needed("url URL", asked.url, "the page's URL"));
  return members;
}

Outcome<PageLocation> locate_page(State& state, PageToLocate& asked) {
  return state.index->locate(asked.url, asked);
}

struct NameToLookUp : LookupSettings {
  std::string name;
};

Members members_of(NameToLookUp& asked) {
  Members members{.options = options_of(static_cast<LookupSettings&>(asked))};
  members.options.push_back(needed("name NAME", asked.name, "an id or a URL"));
  return members;
}

Outcome<IndexLookup> look_up(State& state, NameToLookUp& asked) {
  return state.index->lookup(asked.name, asked);
}

}  // namespace

std::vector<Route> index_routes() {
  return {asks_with<TextQuery, IndexAnswer>(
              {.method = "POST",
               .path = "/query",
               .summary = "the documents that a text, or a document of the index, is like",
               .needs = Needs::index,
               .lines = true},
              query),
          asks_with<PageToLocate, PageLocation>({.method = "POST",
                                                 .path = "/locate",
                                                 .summary = "where a page is now",
                                                 .needs = Needs::index,
                                                 .lines = true},
                                                locate_page),
          asks_with<NameToLookUp, IndexLookup>(
              {.method = "POST",
               .path = "/lookup",
               .summary = "the documents of an id or a URL, and their clusters",
               .needs = Needs::index,
               .lines = true},
              look_up)};
}

}  // namespace twinset::service
