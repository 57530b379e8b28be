// News in SGML as it is found: stories between <REUTERS> and </REUTERS>, or <DOC> and </DOC> as in
// TREC's collections, one after another in a file. Each is a record with its fields
// (io/news_elements.h); what stands before, between and after them is carried.
//
// A story that is not closed is bad, and ends where the next one begins.
//
// This file's interface is io/reader.h (sgml_format); the rest is private.
#include <algorithm>
#include <array>
#include <string>

#include "io/format_list.h"
#include "io/http.h"
#include "io/news_elements.h"
#include "io/piece_reader.h"
#include "io/scratch.h"

namespace twinset {
namespace {

constexpr std::array<std::string_view, 2> story_names{"reuters", "doc"};
/// No tag of a story's name with its "</" and the byte after it is longer.
constexpr std::size_t tag_bytes = 10;

/// The name of the tag at `at`, if it begins a story (or ends one); empty if it does not.
std::string_view story_tag(std::string_view bytes, std::size_t at, bool ends) {
  const std::string_view name = bytes.substr(at + (ends ? 2 : 1));
  for (const std::string_view one : story_names) {
    if (name.size() <= one.size() || !same_letters(name.substr(0, one.size()), one)) continue;
    const char after = name[one.size()];
    if (after == '>' || after == ' ' || (after >= '\t' && after <= '\r')) return one;
  }
  return {};
}

/// The first place at or after `from` where a story begins; npos if there is none.
std::size_t find_story(std::string_view bytes, std::size_t from) {
  for (std::size_t at = bytes.find('<', from); at != bytes.npos; at = bytes.find('<', at + 1)) {
    if (!story_tag(bytes, at, false).empty()) return at;
  }
  return bytes.npos;
}

class StoryScanner final : public PieceScanner {
 public:
  RecordPiece next(std::string_view bytes, Rest rest) override {
    const std::string_view name =
        bytes.starts_with('<') ? story_tag(bytes, 0, false) : std::string_view();
    if (name.empty()) {
      // The beginning of a tag may be all that has come.
      if (bytes.size() < tag_bytes && rest == Rest::more) return {};
      const std::size_t begin = find_story(bytes, 1);
      if (begin == bytes.npos && rest != Rest::end) return {};
      return {std::min(begin, bytes.size()), RecordPiece::Kind::carried};
    }
    for (std::size_t at = bytes.find('<', 1); at != bytes.npos; at = bytes.find('<', at + 1)) {
      if (bytes.substr(at).starts_with("</") && story_tag(bytes, at, true) == name) {
        return closed(bytes, at, rest);
      }
      // A story whose tag is cut off is decided with the bytes to come.
      if (!story_tag(bytes, at, false).empty()) return bad(at);
    }
    if (rest == Rest::more) return {};
    if (rest == Rest::end) return bad(bytes.size());
    return {0, RecordPiece::Kind::lost, BadReason::damaged_record, not_closed};
  }

  void begin_search() override { searched_ = 1; }

  Found find(std::string_view bytes, Rest rest) override {
    const std::size_t begin = find_story(bytes, searched_);
    if (begin != bytes.npos) return {begin, true};
    const std::size_t kept = rest == Rest::end ? 0 : tag_bytes;
    const std::size_t passed = bytes.size() - std::min(kept, bytes.size());
    if (passed > 0) searched_ = 0;
    return {rest == Rest::full && passed == 0 ? bytes.size() : passed, false};
  }

  BadReason after_damage() const override { return BadReason::damaged_record; }

 private:
  static constexpr std::string_view not_closed = "the story is not closed";

  /// Up to the end of the tag at `at`, and the white space after it.
  RecordPiece closed(std::string_view bytes, std::size_t at, Rest rest) const {
    std::size_t end = bytes.find('>', at);
    if (end == bytes.npos) {
      if (rest == Rest::end) return bad(bytes.size());
      return {};
    }
    ++end;
    while (end < bytes.size() && (bytes[end] == ' ' || (bytes[end] >= '\t' && bytes[end] <= '\r')))
      ++end;
    if (end == bytes.size() && rest == Rest::more) return {};
    return {end};
  }

  static RecordPiece bad(std::size_t bytes) {
    return {bytes, RecordPiece::Kind::record, BadReason::damaged_record, not_closed};
  }

  std::size_t searched_ = 0;
};

void decode_sgml(const FieldNames& fields, RecordBatch& batch) {
  batch.scratch->fields.clear();
  batch.scratch->fields.reserve(fields.named.size() * batch.records.size());
  for (Record& record : batch.records) {
    if (record.bad != BadReason::none || record.carried) continue;
    decode_story(NewsStory(record.raw), fields, record, batch);
  }
}

std::unique_ptr<Reader> make_sgml_reader(std::unique_ptr<ByteSource> bytes,
                                         const ReaderLimits& limits) {
  return make_piece_reader(std::move(bytes), limits, std::make_unique<StoryScanner>(), decode_sgml);
}

constexpr std::array<std::string_view, 2> extensions{".sgm", ".sgml"};

constexpr FormatDeclaration declaration{.name = "sgml",
                                        .extensions = extensions,
                                        .summary = "news in SGML, as of Reuters and TREC",
                                        .made_texts = true};

}  // namespace

extern const FormatEntry sgml_format;
const FormatEntry sgml_format{&declaration, make_sgml_reader, decode_sgml};

}  // namespace twinset
