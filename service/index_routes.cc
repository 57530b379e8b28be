// The routes of an index. This file's interface is index_routes() of route.h.
#include <algorithm>
#include <utility>

#include "answer_kinds.h"
#include "route.h"
#include "twinset/field.h"
#include "twinset/filter.h"
#include "twinset/hits.h"
#include "twinset/index.h"
#include "twinset/live_index.h"

namespace twinset::service {
namespace {

/// Documents or ids in a request.
constexpr std::size_t most_documents = 100'000;
constexpr std::size_t most_ids = 2'000'000;

Failure too_many(std::string_view what, std::size_t most) {
  return {413, "too_large",
          "a request has at most " + std::to_string(most) + " " + std::string(what)};
}

/// An id as people write it, of a JSON value: a string's content, or a number's digits.
Result<std::string> plain_id(std::string_view json) {
  TWINSET_ASSIGN(const JsonTree tree, JsonTree::parse(std::string(json), 1));
  const JsonType type = tree.root().type();
  if (type != JsonType::string && type != JsonType::number) {
    return usage_error("is a string or a number, not " + std::string(name_of(type)));
  }
  return std::string(tree.root().text());
}

Field id_field(std::optional<std::string>& id) {
  return if_given({"id",
                   JsonForm{[&id] { return id.value_or(""); },
                            [&id](std::string_view json) -> twinset::Status {
                              TWINSET_ASSIGN(id, plain_id(json));
                              return {};
                            }},
                   Unit::code, "of a document of the index"});
}

Field url_field(std::optional<std::string>& url) {
  return if_given({"url", &url, Unit::text, "of a document of the index"});
}

Field html_field(bool& html) { return if_given({"html", &html, Unit::text, "the text is a page"}); }

Option needed(std::string_view usage, std::string& member, std::string_view help) {
  return required({usage, &member, OptionRole::decides, Heading::most_used, help});
}

std::shared_ptr<const Index> index_of(const State& state) { return state.index->current(); }

/// Asks for a text or a document.
struct TextQuery : QuerySettings {
  std::optional<std::string> text;
  std::optional<std::string> id;
  std::optional<std::string> url;
  bool html = false;
};

Members members_of(TextQuery& asked) {
  return {.options = options_of(static_cast<QuerySettings&>(asked)),
          .fields = {if_given({"text", &asked.text, Unit::text, "a text to find the like of"}),
                     id_field(asked.id), url_field(asked.url), html_field(asked.html)}};
}

Outcome<IndexAnswer> query(State& state, TextQuery& asked) {
  if (asked.text.has_value() + asked.id.has_value() + asked.url.has_value() != 1) {
    return usage_error("one of text, id and url is needed");
  }
  asked.time_limit = state.time_limit(asked.time_limit);
  if (asked.text) return index_of(state)->query(*asked.text, asked, asked.html);
  return index_of(state)->query_document(asked.id ? *asked.id : *asked.url, asked);
}

struct DocumentAsked {
  std::optional<std::string> id;
  std::optional<std::string> url;
};

Members members_of(DocumentAsked& asked) {
  return {.fields = {id_field(asked.id), url_field(asked.url)}};
}

Outcome<StoredDocument> document(State& state, DocumentAsked& asked) {
  if (asked.id.has_value() == asked.url.has_value()) {
    return usage_error("one of id and url is needed");
  }
  Result<std::optional<StoredDocument>> found =
      index_of(state)->document(asked.id ? *asked.id : *asked.url);
  if (!found.ok()) return found.error();
  if (!found.value()) return Failure{404, "not_found", "the index has no such document"};
  return *std::move(found).value();
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
  return state.within_limit([&](const std::atomic<bool>* passed) {
    return index_of(state)->locate(asked.url, asked, passed);
  });
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
  return state.within_limit([&](const std::atomic<bool>* passed) {
    return index_of(state)->lookup(asked.name, asked, passed);
  });
}

struct PageToTrack {
  std::string url;
};

Members members_of(PageToTrack& asked) {
  return {.options = {needed("url URL", asked.url, "the page's URL")}};
}

Outcome<TrackedPage> track_page(State& state, PageToTrack& asked) {
  return state.within_limit(
      [&](const std::atomic<bool>* passed) { return index_of(state)->track(asked.url, passed); });
}

struct Message : MessageSettings {
  std::string text;
  bool html = false;
};

Members members_of(Message& asked) {
  return {.options = options_of(static_cast<MessageSettings&>(asked)),
          .fields = {{"text", &asked.text, Unit::text, "the message"}, html_field(asked.html)}};
}

Outcome<FilterAnswer> filter_message(State& state, Message& asked) {
  asked.time_limit = state.time_limit(asked.time_limit);
  return check_message(*index_of(state), asked.text, asked, asked.html);
}

/// The list as read_hit_list() takes it, and the settings beside it.
struct ListToGroup : GroupSettings {
  std::string hits = "[]";
  std::string access_of_asker;
  std::string load;
  std::string id;
};

Members members_of(ListToGroup& asked) {
  const auto as_is = [](std::string_view name, std::string& json, std::string_view help) {
    return Field{name,
                 JsonForm{[&json] { return json; },
                          [&json](std::string_view given) {
                            json = given;
                            return twinset::Status();
                          }},
                 Unit::code, help};
  };
  Members members{.options = options_of(static_cast<GroupSettings&>(asked))};
  // `access` names a field as a setting, and in the list what its asker has: an array.
  std::erase_if(members.options, [](const Option& option) { return option.name() == "access"; });
  members.options.push_back({"access_field FIELD", &asked.access, OptionRole::decides,
                             Heading::most_used,
                             "leave out hits without a value in this field that their asker has"});
  members.fields = {
      as_is("hits", asked.hits, "ids or URLs, or objects {id, text, html, url, fields, hidden}"),
      if_given(as_is("access", asked.access_of_asker, "values that the asker has, an array")),
      if_given(as_is("load", asked.load, "a number for each host, an object")),
      if_given(as_is("id", asked.id, "of the list, which the answer repeats"))};
  return members;
}

Outcome<GroupedHits> group(State& state, ListToGroup& asked) {
  std::string list = "{\"hits\": " + asked.hits;
  if (!asked.access_of_asker.empty()) list += ", \"access\": " + asked.access_of_asker;
  if (!asked.load.empty()) list += ", \"load\": " + asked.load;
  if (!asked.id.empty()) list += ", \"id\": " + asked.id;
  Result<HitList> read = read_hit_list(list + "}");
  if (!read.ok()) return read.error();
  return state.within_limit([&](const std::atomic<bool>* passed) {
    return index_of(state)->group(read.value(), asked, passed);
  });
}

struct DocumentsToAdd {
  std::vector<NewDocument> documents;
};

Members members_of(DocumentsToAdd& asked) {
  return {.fields = {{"documents", NestedList(&asked.documents), Unit::count,
                      "each takes the place of one of its id"}}};
}

Outcome<AddedDocuments> add(State& state, DocumentsToAdd& asked) {
  if (asked.documents.size() > most_documents) return too_many("documents", most_documents);
  return state.index->add(asked.documents);
}

struct IdsToDelete {
  std::vector<std::string> ids;  ///< JSON values
};

/// An id is any JSON value, as it was added.
Members members_of(IdsToDelete& asked) {
  return {.fields = {{"ids",
                      JsonForm{[] { return std::string(); },
                               [&asked](std::string_view json) -> twinset::Status {
                                 TWINSET_ASSIGN(const JsonTree tree,
                                                JsonTree::parse(std::string(json), 4 * most_ids));
                                 if (tree.root().type() != JsonType::array) {
                                   return usage_error("is an array of ids");
                                 }
                                 for (const JsonValue& id : tree.root().elements()) {
                                   asked.ids.push_back(id.raw());
                                 }
                                 return {};
                               }},
                      Unit::code, "an array of ids, as they were added"}}};
}

Outcome<DeletedDocuments> remove(State& state, IdsToDelete& asked) {
  if (asked.ids.size() > most_ids) return too_many("ids", most_ids);
  return state.index->remove(asked.ids);
}

template <class Query, class Found>
Route of_index(std::string_view path, std::string_view summary,
               Outcome<Found> (*handle)(State&, Query&)) {
  return asks_with<Query, Found>(
      {.method = "POST", .path = path, .summary = summary, .needs = Needs::index, .lines = true},
      handle);
}

template <class Query, class Found>
Route changing(std::string_view path, std::string_view summary,
               Outcome<Found> (*handle)(State&, Query&)) {
  return asks_with<Query, Found>(
      {.method = "POST", .path = path, .summary = summary, .needs = Needs::index, .changes = true},
      handle);
}

/// A line of /add is a document. Those of a piece are added together; if that fails, none is.
Route adding() {
  Route route = changing<DocumentsToAdd, AddedDocuments>(
      "/add", "adds documents, all or none; they are durable when it answers", add);
  route.lines = true;
  route.handle_lines = [](State& state, const std::vector<std::string_view>& lines) {
    std::vector<NewDocument> documents;
    std::vector<std::optional<Failure>> failures(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      NewDocument document;
      const Result<JsonTree> tree = JsonTree::parse(std::string(lines[i]), most_documents);
      const twinset::Status read =
          tree.ok() ? read_members(tree.value().root(), {.fields = fields_of(document)})
                    : twinset::Status(tree.error());
      if (read.ok()) {
        documents.push_back(std::move(document));
      } else {
        failures[i] = failure_of(read.error());
      }
    }
    if (!documents.empty()) {
      const Result<AddedDocuments> added = state.index->add(documents);
      if (!added.ok()) {
        for (auto& failure : failures) failure = failure.value_or(failure_of(added.error()));
      }
    }
    std::string out;
    for (const auto& failure : failures) {
      out += (failure ? failure_json(*failure) : R"({"taken": true})") + "\n";
    }
    return out;
  };
  return route;
}

}  // namespace

std::vector<Route> index_routes() {
  return {
      of_index("/query",
               "the documents that a text, or the document of an `id` or a `url`, is like", query),
      adding(),
      changing("/delete", "deletes documents by their ids, all in one change", remove),
      of_index("/group", "near copies among the hits of a search, in groups", group),
      of_index("/locate", "where a page is now", locate_page),
      of_index("/lookup", "the documents of an id or a URL, and their clusters", look_up),
      of_index("/track", "the versions of a page in the index", track_page),
      of_index("/filter", "holds a message against the documents of the index", filter_message),
      of_index("/document", "a document of the index, with its text if that is kept", document)};
}

}  // namespace twinset::service
