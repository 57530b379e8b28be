#include "look/asked_record.h"

#include <algorithm>

#include "look/output_folder.h"
#include "run/summary.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::size_t listed_places = 20;

/// A JSON value without its insignificant spaces.
std::string compact(std::string_view json) {
  std::string out;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (!in_string && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) continue;
    out += c;
    if (c == '"') in_string = !in_string;
    if (c == '\\' && in_string && i + 1 < json.size()) out += json[++i];
  }
  return out;
}

bool is_compound(JsonKind kind) { return kind == JsonKind::array || kind == JsonKind::object; }

}  // namespace

std::string id_text(const JsonNode& id) {
  return id.kind() == JsonKind::string ? id.text() : std::string(id.raw());
}

RecordPlace read_place(const JsonNode& line, const std::string& prefix) {
  return {{id_text(line[prefix + "id"]), line[prefix + "file"].text(),
           line[prefix + "record"].integer().value_or(0)},
          read_fingerprint_text(line[prefix + "fingerprint"].text())};
}

RecordPlace place_of(const NamedDocument& document) {
  const Result<JsonNode> id = read_json(document.id, "id");
  return {{id.ok() ? id_text(id.value()) : "", std::string(document.file), document.record},
          document.fingerprint};
}

AskedRecord::AskedRecord(std::string text) : text_(std::move(text)) {
  const Result<JsonNode> value = read_json(text_, "");
  if (value.ok() && is_compound(value.value().kind())) compact_ = compact(text_);
}

bool AskedRecord::names(std::string_view id, std::string_view file, std::uint64_t record) const {
  if (is_place(file, record)) return true;
  if (id.empty()) return false;
  if (id.front() == '"') {
    // Most strings have no escapes, and can be compared without decoding.
    const std::string_view inside = id.substr(1, id.size() - 2);
    if (inside.find('\\') == std::string_view::npos) return inside == text_;
    const Result<JsonNode> value = read_json(id, "id");
    return value.ok() && value.value().text() == text_;
  }
  return id == text_ || (!compact_.empty() && compact(id) == compact_);
}

bool AskedRecord::names(const RecordPlace& place) const {
  const RecordName& document = place.document;
  return is_place(document.file, document.record) || document.id == text_ ||
         (!compact_.empty() && compact(document.id) == compact_);
}

bool AskedRecord::names(const Input& input, const Record& record) const {
  return names(record.id, input.shown, record.number) ||
         (record.id.empty() && is_one_document(input) && input.shown == text_);
}

bool AskedRecord::may_be_in(std::string_view json) const {
  if (!compact_.empty() || json.find('\\') != std::string_view::npos) return true;
  const std::size_t colon = text_.rfind(':');
  return json.find(text_) != std::string_view::npos ||
         (colon != std::string::npos &&
          json.find(std::string_view(text_).substr(colon + 1)) != std::string_view::npos);
}

bool AskedRecord::is_place(std::string_view file, std::uint64_t record) const {
  return text_.size() > file.size() && text_.starts_with(file) && text_[file.size()] == ':' &&
         std::string_view(text_).substr(file.size() + 1) == std::to_string(record);
}

bool PlaceList::add(RecordPlace place) {
  const auto [at, fresh] = known_.emplace(place.document.file, place.document.record);
  if (fresh) places_.push_back(std::move(place));
  return fresh;
}

void explain_removal(const Removal& line, Explanation& out) {
  out.fate = Explanation::Fate::removed;
  out.kind = line.kind;
  out.survivor = place_of(line.survivor).document;
  out.resemblance = line.resemblance;
  out.containment = line.containment;
  out.survivor_containment = line.survivor_containment;
  out.exact = !line.standard_error.has_value();
  out.interval = line.interval;
}

Error several_records(const std::string& asked, const std::vector<RecordPlace>& places) {
  std::string message =
      "'" + visible_name(asked) + "' is the id of " + format_count(places.size()) + " records: ";
  const std::size_t listed = std::min(places.size(), listed_places);
  for (std::size_t i = 0; i < listed; ++i) {
    message += (i > 0 ? ", " : "") + visible_name(places[i].document.file) + ":" +
               std::to_string(places[i].document.record);
  }
  if (places.size() > listed) message += " and " + format_count(places.size() - listed) + " more";
  return usage_error(message + "; name one of them so");
}

}  // namespace twinset
