// The pairs as facts (faces/facts.h), and the parts of the lines of the judged file, so that both
// ways of judging write the same lines. What the script does with them is in page/src/judge.tsx.
//
// This file's interface is judge_page.h; the rest is private.
#include "faces/judge_page.h"

#include <fmt/format.h>

#include "base/file_header.h"
#include "faces/facts.h"
#include "faces/page.h"
#include "faces/pair_html.h"
#include "faces/pair_rows.h"
#include "io/json.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

void append_member(std::string& out, std::string_view name, std::string_view value) {
  append_json_string(out, name);
  out += ": ";
  append_json_string(out, value);
  out += ", ";
}

std::string facts_json(const JudgedHeader& header, std::span<const PagePair> pairs,
                       const std::string& judge, const std::string& file) {
  std::string line = header.line();
  line.pop_back();
  std::string judge_json;
  append_json_string(judge_json, judge);
  std::string out = "{\"format\": \"judge page 1\", ";
  append_member(out, "kind", judged_name(header.kind, true));
  append_member(out, "source", visible_name(header.source));
  append_member(out, "judge", judge);
  append_member(out, "judge_json", judge_json);
  append_member(out, "file", file);
  append_member(out, "fingerprint", fingerprint_text(header.fingerprint));
  append_member(out, "header", line);
  out += "\"categories\": [";
  for (const std::string& name : header.categories.names()) {
    out += (out.back() == '[' ? "\"" : ", \"") + name + "\"";
  }
  out += "], \"pairs\": [";
  for (const PagePair& pair : pairs) out += (out.back() == '[' ? "" : ",\n") + pair.json;
  return out + "]}";
}

}  // namespace

PagePair page_pair(const SamplePair& pair, const ComparedTexts& texts, std::uint64_t number,
                   const JudgedHeader& header) {
  ShownPair shown;
  shown.tag = std::string(judged_name(header.kind, false)) + " " + format_count(number);
  const bool is_label = header.kind == Judged::labels;
  const auto document = [](const RecordName& name) {
    return ReportDocument{
        .id = visible_name(name.id), .file = visible_name(name.file), .record = name.record};
  };
  if (is_label) {
    shown.a.id = visible_name(pair.a.document.id);
    shown.b.id = visible_name(texts.name_b);
    shown.rows.push_back({true, {{Mark::plain, texts.text_a}}, {{Mark::plain, texts.text_b}}});
  } else {
    shown.a = document(pair.a.document);
    shown.b = document(pair.b.document);
    set_rows(shown, texts.text_a, texts.text_b, texts.passages);
  }
  for (const std::string& note : texts.notes) shown.more += " " + note + ".";
  const std::string side_a = is_label ? visible_name(pair.b.document.id) : "A";
  const std::string side_b = is_label ? "places" : "B";
  PagePair out;
  append_pair(out.html, shown, "pair-" + std::to_string(number), side_a, side_b);
  out.json = "{";
  append_member(out.json, "line",
                "{" + pair.names_json() + ", \"value\": " + value_json(pair.value, header.by));
  append_member(out.json, "side_a", side_a);
  append_member(out.json, "side_b", side_b);
  out.json += "\"pair\": " + pair_json(std::move(shown)) + "}";
  return out;
}

std::string judge_page(const JudgedHeader& header, std::span<const PagePair> pairs,
                       const std::string& judge, const std::string& file) {
  std::string plain = fmt::format(
      "<header><h1>{} of <bdi>{}</bdi></h1>\n"
      "<p>This page needs its script to take verdicts; without it, there is only what is to be "
      "judged.</p></header>\n",
      header.kind == Judged::labels ? "Labels" : "Pairs", html_name(header.source));
  for (const PagePair& pair : pairs) plain += pair.html;
  return facts_page(file, plain, facts_json(header, pairs, judge, file));
}

}  // namespace twinset
