// Documents made of records as a run reads them: a line of JSON, or a page.
//
//   JsonDocument article(R"({"text": "...", "title": "..."})", {"title"});
//   scheme->sketch(article.view(), sketch);
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/reader.h"
#include "scheme/record_view.h"
#include "scheme/scheme.h"
#include "text/analyzer.h"

namespace twinset {

class JsonDocument {
 public:
  JsonDocument(std::string_view line, std::vector<std::string> fields) {
    fields_.named = std::move(fields);
    Input input;
    input.format = "jsonl";
    decode_record(input, line, fields_, batch_);
    EXPECT_EQ(batch_.records.at(0).bad, BadReason::none) << line;
    view_.look_at(batch_.records[0]);
  }
  const RecordView& view() const { return view_; }

 private:
  FieldNames fields_;
  RecordBatch batch_;
  RecordView view_{{.analyzer = find_analyzer("words")}};
};

class PageDocument {
 public:
  explicit PageDocument(std::string_view page, Markup markup = Markup::html) {
    record_.text = page;
    record_.markup = markup;
    view_.look_at(record_);
  }
  const RecordView& view() const { return view_; }

 private:
  Record record_;
  RecordView view_{{.analyzer = find_analyzer("words")}};
};

inline Sketch sketch_of(const Scheme& scheme, const DocumentView& document) {
  Sketch sketch;
  scheme.sketch(document, sketch);
  return sketch;
}

}  // namespace twinset
