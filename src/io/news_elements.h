// The elements of a news story in SGML or XML, as archives of newspapers and agencies have them:
// Reuters-21578, TREC's collections, NITF. Tags are taken as they are found: in any case, without
// ends where these are left out, and without a declaration of what may stand where.
//
//   const NewsStory story("<DOC><DOCNO> AP-1 </DOCNO><TEXT>One &amp; two</TEXT></DOC>");
//   story.values("id")   // {"AP-1"}
//   story.text("text")   // "One & two"
//
// Threads: pure functions; a story is immutable.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/reader.h"
#include "io/record.h"

namespace twinset {

struct NewsElement {
  std::string_view name;        ///< as written
  std::string_view attributes;  ///< of its tag
  std::string_view content;     ///< up to its end; without one up to the next tag
};

class NewsStory {
 public:
  /// Views `bytes`. Elements after the first 4,096 are not seen, and none within 64 others.
  /// O(bytes).
  explicit NewsStory(std::string_view bytes);

  /// The values of a field, in the order of the story, white space squeezed; none if it has none.
  /// Known names are looked for wherever stories have them: id, title or headline, author or
  /// byline, date, section, desk, topics, people, places. Any other is the name of an element, and
  /// "element@attribute" of an attribute.
  std::vector<std::string> values(std::string_view name) const;

  /// The text of a field, its lines as they are; nothing if there is none. "text": the body, or all
  /// that TEXT holds but headline, byline and dateline, or these if it holds nothing else.
  std::optional<std::string> text(std::string_view name) const;

 private:
  std::vector<NewsElement> elements_;
};

/// The name of the format that stories are in whose file begins so; empty if none does.
std::string_view news_format(std::string_view head);

/// The name of the first element, after declarations and comments; empty if there is none.
std::string_view first_element(std::string_view bytes);

/// Sets id, fields and text of a record from its story.
void decode_story(const NewsStory& story, const FieldNames& fields, Record& record,
                  RecordBatch& batch);

}  // namespace twinset
