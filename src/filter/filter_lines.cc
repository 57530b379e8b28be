// This file's interface is filter/filter_lines.h.
#include "filter/filter_lines.h"

#include <array>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/message.h"
#include "io/field_json.h"
#include "io/json.h"
#include "io/json_read.h"
#include "run/run_fields.h"

namespace twinset {
namespace {

constexpr std::array<std::string_view, 5> op_names = {"check", "add", "remove", "stats", "metrics"};

constexpr std::size_t most_id_bytes = 4096;

Error wrong_kind(const std::string& name, std::string_view wanted, const JsonNode& value) {
  return usage_error("'" + name + "' is " + std::string(wanted) + ", not " +
                     std::string(json_kind_name(value.kind())));
}

Status take_text(const std::string& name, const JsonNode& value, std::string& out) {
  if (value.kind() != JsonKind::string) return wrong_kind(name, "a string", value);
  out = value.text();
  return {};
}

Status take_op(const std::string& name, FilterOp& op) {
  for (std::size_t i = 0; i < op_names.size(); ++i) {
    if (op_names[i] != name) continue;
    op = static_cast<FilterOp>(i);
    return {};
  }
  std::string known;
  for (const std::string_view each : op_names) {
    known += (known.empty() ? "" : ", ") + std::string(each);
  }
  return usage_error("there is no op '" + name + "'; known: " + known);
}

/// {"ok": true, "id": ID, ...}.
std::string line_with(const std::string& id, std::vector<Field> fields, bool ok = true) {
  std::string own_id = id;
  std::vector<Field> all{{"ok", &ok, Unit::text, ""}};
  if (!id.empty()) all.push_back(json_field("id", own_id, ""));
  add_fields(all, std::move(fields));
  return fields_json(std::move(all)) + "\n";
}

}  // namespace

std::vector<Field> fields_of(VerdictLine& line) {
  std::vector<Field> fields = place_fields(line.document);
  add_fields(fields, fields_of(line.answer));
  return fields;
}

Result<FilterRequest> FilterRequests::read(std::string_view line) {
  TWINSET_ASSIGN(const JsonNode object, read_json(line, "the line"));
  if (object.kind() != JsonKind::object) {
    return usage_error(
        "a request is a JSON object, such as {\"op\": \"check\", \"text\": \"...\"}");
  }
  FilterRequest request;
  std::optional<std::string> text;
  std::optional<std::string> raw;
  std::string format;
  bool html = false;
  for (const auto& [name, value] : object.fields()) {
    if (name == "op") {
      std::string op;
      TWINSET_TRY(take_text(name, value, op));
      TWINSET_TRY(take_op(op, request.op));
    } else if (name == "id") {
      const std::optional<std::string> plain = plain_value(value);
      if (!plain.has_value()) return wrong_kind(name, "a string or a number", value);
      // What is no text becomes this mark, and two such ids one.
      if (plain->size() > most_id_bytes || plain->find("\xef\xbf\xbd") != std::string::npos) {
        return usage_error("an id is UTF-8 of at most " + std::to_string(most_id_bytes) + " bytes");
      }
      request.id.clear();
      if (value.kind() == JsonKind::string) {
        append_json_string(request.id, *plain);
      } else {
        request.id = *plain;
      }
    } else if (name == "text") {
      TWINSET_TRY(take_text(name, value, text.emplace()));
    } else if (name == "raw") {
      TWINSET_TRY(take_text(name, value, raw.emplace()));
    } else if (name == "format") {
      TWINSET_TRY(take_text(name, value, format));
    } else if (name == "html") {
      const std::optional<bool> is = value.boolean();
      if (!is.has_value()) return wrong_kind(name, "true or false", value);
      html = *is;
    } else {
      return usage_error("a request has no field '" + name +
                         "'; it has op, id, text, html, raw and format");
    }
  }
  const bool has_message = text.has_value() || raw.has_value();
  const bool wants_message = request.op == FilterOp::check || request.op == FilterOp::add;
  if (wants_message && !has_message) {
    return usage_error("a request to " +
                       std::string(op_names[static_cast<std::size_t>(request.op)]) +
                       " has a text, or raw and a format");
  }
  if (text.has_value() && raw.has_value()) return usage_error("give text or raw, not both");
  const bool wants_id = request.op == FilterOp::add || request.op == FilterOp::remove;
  if (wants_id && request.id.empty()) {
    return usage_error("a request to " +
                       std::string(op_names[static_cast<std::size_t>(request.op)]) + " has an id");
  }
  request.markup = html ? Markup::html : Markup::none;
  if (raw.has_value()) TWINSET_TRY(take_raw(*raw, format, request));
  if (text.has_value()) request.text = std::move(*text);
  return request;
}

/// A record as it is in a file of the format.
Status FilterRequests::take_raw(const std::string& encoded, const std::string& format,
                                FilterRequest& request) {
  const FormatEntry* entry = find_format(format);
  if (entry == nullptr || entry->rows != nullptr) {
    return usage_error("raw has a format, such as jsonl or html; there is no '" + format + "'");
  }
  if (const std::string_view missing = entry->missing == nullptr ? "" : entry->missing();
      !missing.empty()) {
    return usage_error("raw of " + format + " " + std::string(missing));
  }
  const std::optional<std::string> raw = from_base64(encoded);
  if (!raw.has_value()) return usage_error("raw is not base64");
  Input input;
  input.format = entry->declaration->name;
  input.markup = entry->declaration->markup;
  decode_record(input, *raw, fields_, batch_);
  const Record& record = batch_.records.front();
  if (record.bad != BadReason::none) {
    return usage_error("raw is no record of " + format + ": " +
                       std::string(reason_name(record.bad)) +
                       (record.detail.empty() ? "" : ", " + std::string(record.detail)));
  }
  request.text = record.text;
  request.markup = record.markup;
  return {};
}

std::string error_line(const std::string& id, const std::string& error) {
  std::string own = render_message(Door::plain, error);
  return line_with(id, {{"error", &own, Unit::sentence, ""}}, false);
}

std::string checked_line(const std::string& id, const FilterAnswer& answer) {
  return line_with(id, fields_of(to_write(answer)));
}

std::string changed_line(const std::string& id, std::string_view what, bool is) {
  return line_with(id, {{what, &is, Unit::text, ""}});
}

std::string stats_line(const FilterStats& stats) {
  return line_with({}, fields_of(to_write(stats)));
}

std::string metrics_line(const FilterStats& stats) {
  std::string text = metrics_text(stats);
  return line_with({}, {{"metrics", &text, Unit::text, ""}});
}

std::string metrics_text(const FilterStats& stats) {
  std::string text;
  for (const Field& field : fields_of(to_write(stats))) {
    const auto* number = std::get_if<std::uint64_t*>(&field.member);
    if (number == nullptr) continue;
    const std::string name = "twinset_filter_" + std::string(field.name);
    // What is counted from the start only grows; the prototypes come and go.
    const bool grows = field.name != "prototypes";
    const std::string sample = name + (grows ? "_total" : "");
    text += "# HELP " + sample + " " + std::string(field.help) + "\n# TYPE " + sample +
            (grows ? " counter\n" : " gauge\n") + sample + " " + std::to_string(**number) + "\n";
  }
  return text;
}

}  // namespace twinset
