// The pairs are the plain HTML of a report's (faces/pair_html.h), all hidden but one. The script
// shows the next one after each verdict, and makes the lines of the judged file from parts that are
// written here, so that both ways of judging write the same lines.
//
// This file's interface is judge_page.h; the rest is private.
#include "faces/judge_page.h"

#include <fmt/format.h>

#include "base/file_header.h"
#include "base/hash.h"
#include "faces/pair_html.h"
#include "faces/pair_rows.h"
#include "io/json.h"
#include "words/numbers.h"
#include "words/visible.h"

namespace twinset {
namespace {

constexpr std::string_view judge_style = R"css(
:root{color-scheme:light dark;--page:#fbfaf8;--card:#fff;--ink:#23211e;--quiet:#6b665e;--rule:#e4e0d9;--accent:#2f6f8f;
--same:#e6f0f4;--del:#fbe3df;--del-ink:#8a2c1d;--ins:#e0f0dd;--ins-ink:#245c2c;--moved:#f6ecd2;--shade:#f3f0eb}
@media (prefers-color-scheme:dark){:root{--page:#171a1d;--card:#1e2226;--ink:#e4e2dd;--quiet:#9d9a93;--rule:#33383d;--accent:#6fb3d2;
--same:#1f333d;--del:#47241f;--del-ink:#f3b5a9;--ins:#1f3a25;--ins-ink:#a9dbb0;--moved:#413720;--shade:#262b30}}
*{box-sizing:border-box}
body{margin:0;padding-bottom:9rem;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main,header{max-width:1120px;margin:0 auto;padding:0 24px}
header{padding-top:36px;overflow-wrap:anywhere}
h1{font-size:1.75rem;font-weight:650;line-height:1.2;margin:0}
h3{font-size:1rem;margin:1rem 0 0}
bdi{unicode-bidi:isolate}
code,.text,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
.quiet,small,.more{color:var(--quiet)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
.sides{width:100%;table-layout:fixed;border-collapse:collapse;background:var(--card);border:1px solid var(--rule);margin-top:8px}
.sides td,.sides th{text-align:left;vertical-align:top;padding:8px 14px;border:1px solid var(--rule);overflow-wrap:anywhere}
.sides th{background:var(--shade)}
.text{white-space:pre-wrap;tab-size:4;unicode-bidi:plaintext}
mark,del,ins{color:inherit;text-decoration:none;border-radius:2px}
mark{background:var(--same)}
mark.moved{background:var(--moved)}
del{background:var(--del);color:var(--del-ink)}
ins{background:var(--ins);color:var(--ins-ink)}
.cut,.tag,.skipped{font:italic .75rem/1.4 system-ui,sans-serif;color:var(--quiet)}
.bar{position:fixed;left:0;right:0;bottom:0;background:var(--card);border-top:1px solid var(--rule);padding:10px 24px;z-index:2}
.bar>div{max-width:1072px;margin:0 auto;display:flex;flex-wrap:wrap;gap:8px;align-items:center}
button{font:inherit;color:inherit;background:var(--shade);border:1px solid var(--rule);border-radius:6px;padding:8px 14px;min-height:44px;cursor:pointer}
button:hover{border-color:var(--accent)}
button[aria-pressed=true]{background:var(--accent);color:var(--page);border-color:var(--accent)}
button:disabled{opacity:.45;cursor:default}
kbd{font:inherit;font-weight:700;text-decoration:underline}
.grow{flex:1}
progress{width:100%;height:8px;accent-color:var(--accent)}
@media (max-width:640px){main,header{padding-left:16px;padding-right:16px}.sides td,.sides th{display:block}.text:empty{display:none}}
@media (max-width:520px){.bar{padding:8px 12px}button{flex:1 1 auto;padding:8px 10px}}
)css";

// Nothing but text nodes and attributes is made by the script. Bytes go to the file as they were
// written here.
constexpr std::string_view script = R"js(
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const pairs = Array.from(document.querySelectorAll("article.pair"));
  const key = "twinset-judge-" + data.fingerprint + "-" + data.judge;
  const verdicts = {};  // number of a pair -> [category, date]
  const say = function (text) { document.getElementById("state").textContent = text; };
  let at = 0;
  let unsaved = false;
  let stored = true;
  try {
    const kept = JSON.parse(localStorage.getItem(key) || "{}");
    for (const line of Object.keys(kept)) {
      const i = data.lines.indexOf(line);
      if (i >= 0 && data.categories.includes(kept[line][0])) verdicts[i] = kept[line];
    }
  } catch (error) { stored = false; }

  function keep() {
    const out = {};
    for (const i of Object.keys(verdicts)) out[data.lines[i]] = verdicts[i];
    try { localStorage.setItem(key, JSON.stringify(out)); } catch (error) { stored = false; }
  }
  function judged() { return Object.keys(verdicts).length; }
  function show() {
    pairs.forEach(function (pair, i) { pair.hidden = i !== at; });
    const done = judged();
    document.getElementById("progress").value = done;
    say((at + 1) + " of " + pairs.length + " \u00b7 " + done + " judged" +
        (done === pairs.length ? " \u00b7 all judged: save the file" : "") +
        (unsaved && !stored ? " \u00b7 this browser keeps nothing: save before you leave" : ""));
    document.querySelectorAll("button[data-category]").forEach(function (button) {
      const given = verdicts[at];
      button.setAttribute("aria-pressed",
                          String(given !== undefined && given[0] === button.dataset.category));
    });
    document.getElementById("back").disabled = at === 0;
    document.getElementById("next").disabled = at + 1 === pairs.length;
    document.getElementById("save").disabled = done === 0;
    window.scrollTo(0, 0);
  }
  function move(to) {
    if (to < 0 || to >= pairs.length) return;
    at = to;
    show();
  }
  function give(category) {
    verdicts[at] = [category, new Date().toISOString().replace(/\.\d+Z$/, "Z")];
    unsaved = true;
    keep();
    for (let i = 1; i <= pairs.length; ++i) {
      const next = (at + i) % pairs.length;
      if (verdicts[next] === undefined) return move(next);
    }
    show();
  }
  function save() {
    let text = data.header + "\n";
    pairs.forEach(function (pair, i) {
      if (verdicts[i] === undefined) return;
      text += data.lines[i] + ", \"verdict\": " + JSON.stringify(verdicts[i][0]) +
              ", \"judge\": " + data.judge_json + ", \"at\": " + JSON.stringify(verdicts[i][1]) + "}\n";
    });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "application/octet-stream"}));
    link.download = data.file;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 10000);
    unsaved = false;
  }
  document.querySelectorAll("button[data-category]").forEach(function (button) {
    button.addEventListener("click", function () { give(button.dataset.category); });
  });
  document.getElementById("back").addEventListener("click", function () { move(at - 1); });
  document.getElementById("next").addEventListener("click", function () { move(at + 1); });
  document.getElementById("save").addEventListener("click", save);
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const category = data.categories.find(function (name) { return name[0] === letter; });
    if (category !== undefined) return give(category);
    if (letter === "b" || letter === "ArrowLeft") return move(at - 1);
    if (letter === "ArrowRight") return move(at + 1);
  });
  window.addEventListener("beforeunload", function (event) {
    if (unsaved && !stored) event.preventDefault();
  });
  for (let i = 0; i < pairs.length && verdicts[at] !== undefined; ++i) at = (at + 1) % pairs.length;
  document.getElementById("work").hidden = false;
  show();
})();
)js";

/// A JSON string that stays data wherever it is put into a page.
void append_page_json(std::string& out, std::string_view text) {
  std::string json;
  append_json_string(json, text);
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else {
      out += c;
    }
  }
}

std::string page_data(const JudgedHeader& header, std::span<const PagePair> pairs,
                      const std::string& judge, const std::string& file) {
  std::string line = header.line();
  line.pop_back();
  std::string judge_json;
  append_json_string(judge_json, judge);
  std::string out = "{\"header\": ";
  append_page_json(out, line);
  out += ", \"judge\": ";
  append_page_json(out, judge);
  out += ", \"judge_json\": ";
  append_page_json(out, judge_json);
  out += ", \"file\": ";
  append_page_json(out, file);
  out += ", \"fingerprint\": \"" + fingerprint_text(header.fingerprint) + "\", \"categories\": [";
  bool first = true;
  for (const std::string& name : header.categories.names()) {
    out += (first ? "\"" : ", \"") + name + "\"";
    first = false;
  }
  out += "], \"lines\": [";
  first = true;
  for (const PagePair& pair : pairs) {
    if (!first) out += ",\n";
    append_page_json(out, pair.line);
    first = false;
  }
  return out + "]}";
}

void append_bar(std::string& out, const Categories& categories) {
  out += "<div class=\"bar\" id=\"work\" hidden><div>";
  for (const std::string& name : categories.names()) {
    out += fmt::format(
        "<button type=\"button\" data-category=\"{0}\" aria-pressed=\"false\">"
        "<kbd>{1}</kbd>{2}</button>",
        name, name.front(), name.substr(1));
  }
  out +=
      "<span class=\"grow\"></span>"
      "<button type=\"button\" id=\"back\"><kbd>b</kbd>ack</button>"
      "<button type=\"button\" id=\"next\">next</button>"
      "<button type=\"button\" id=\"save\">save the file</button></div></div>\n";
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
  PagePair out;
  append_pair(out.html, shown, "pair-" + std::to_string(number),
              is_label ? visible_name(pair.b.document.id) : "A", is_label ? "places" : "B");
  out.line = "{" + pair.names_json() + ", \"value\": " + value_json(pair.value, header.by);
  return out;
}

std::string judge_page(const JudgedHeader& header, std::span<const PagePair> pairs,
                       const std::string& judge, const std::string& file) {
  const std::string data = page_data(header, pairs, judge, file);
  const std::string nonce = fingerprint_text(fingerprint_bytes(data));
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'nonce-{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"generator\" content=\"twinset\">\n<title>{} - twinset judge</title>\n<style>",
      nonce, html_name(file));
  out += judge_style;
  out += fmt::format(
      "</style>\n</head>\n<body>\n<header><h1>{} of <bdi>{}</bdi></h1>\n"
      "<p class=\"quiet\">Judge: <bdi>{}</bdi>. Type a category's first letter or choose it; b "
      "goes "
      "back. The browser keeps the verdicts until you save them as <code>{}</code>.</p>\n"
      "<p id=\"state\" class=\"quiet\" aria-live=\"polite\">This page needs its script.</p>\n"
      "<progress id=\"progress\" value=\"0\" max=\"{}\" "
      "aria-label=\"judged\"></progress></header>\n"
      "<main>\n",
      header.kind == Judged::labels ? "Labels" : "Pairs", html_name(header.source),
      html_name(judge), html_name(file), pairs.size());
  for (const PagePair& pair : pairs) out += pair.html + "\n";
  out += "</main>\n";
  append_bar(out, header.categories);
  out += "<script type=\"application/json\" id=\"data\">" + data + "</script>\n<script nonce=\"" +
         nonce + "\">";
  out += script;
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace twinset
