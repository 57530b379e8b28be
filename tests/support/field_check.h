// Results both ways: their members set one by one, written as JSON, and read back.
//
//   Counts counts;
//   fill_fields(fields_of(counts));     // 1, 2, 3, ...
//   counts.read = ...;                  // what must hold between the fields
//   expect_both_ways(counts);
//
// Threads: pure functions.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/field_json.h"
#include "twinset/field.h"

namespace twinset::testing {

/// Gives every member another value, and every list two elements.
class FieldFiller {
 public:
  void fill(const std::vector<Field>& fields) {
    for (const Field& field : fields) std::visit(*this, field.member);
  }

  void operator()(bool* value) { *value = !*value; }
  void operator()(std::uint64_t* value) { *value = ++last_; }
  void operator()(unsigned* value) { *value = static_cast<unsigned>(++last_); }
  void operator()(double* value) { *value = static_cast<double>(++last_) / 8; }
  void operator()(Real value) { (*this)(value.value); }
  void operator()(Ratio* value) { *value = Ratio(1, static_cast<unsigned>(2 << ++last_ % 4)); }
  void operator()(std::string* value) { *value = "text \"" + std::to_string(++last_) + "\"\n"; }
  void operator()(std::string_view* value) {
    std::string& text = kept().emplace_back();
    (*this)(&text);
    *value = text;
  }
  void operator()(AsWritten value) {
    *value.json = kept().emplace_back("[" + std::to_string(++last_) + ", null]");
  }
  void operator()(const Choice& value) { value.set(value.words.size() - 1); }
  void operator()(const TextForm&) {}  // The test knows its values.
  void operator()(const JsonForm& value) {
    EXPECT_TRUE(value.set("\"" + std::to_string(++last_) + "\"").ok());
  }
  void operator()(const Computed&) {}
  template <class T>
  void operator()(std::optional<T>* value) {
    (*this)(&value->emplace());
  }
  template <class T>
  void operator()(std::vector<T>* value) {
    value->resize(2);
    for (T& element : *value) (*this)(&element);
  }
  void operator()(const Nested& value) { fill(value.fields()); }
  void operator()(const OptionalNested& value) {
    value.make();
    fill(value.fields());
  }
  void operator()(const NestedList& value) {
    value.resize(2);
    // A list that follows from other values keeps its size.
    for (std::size_t i = 0; i < value.size(); ++i) fill(value.fields(i));
  }
  void operator()(const NestedMap& value) {
    value.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
      *value.name_of(i) = "name " + std::to_string(++last_);
      fill(value.fields(i));
    }
  }
  void operator()(const NumberRows& value) {
    NumberRows::Numbers numbers;
    for (std::uint64_t& number : numbers) number = ++last_;
    value.clear();
    value.add(numbers);
  }
  void operator()(const FieldRule&) {}
  void operator()(const Restored&) {}

 private:
  /// The texts that views are of.
  static std::deque<std::string>& kept() {
    static std::deque<std::string> texts;
    return texts;
  }

  std::uint64_t last_ = 0;
};

inline void fill_fields(const std::vector<Field>& fields) { FieldFiller().fill(fields); }

/// What is written is read, and written again as the same bytes; so is one that has every value of
/// another.
template <class Result>
Result expect_both_ways(Result result) {
  const std::string json = fields_json(fields_of(result), JsonLayout::lines);
  Result again;
  const Status read = read_fields(json, "result.json", fields_of(again));
  EXPECT_TRUE(read.ok()) << read.error().message << "\n" << json;
  EXPECT_EQ(fields_json(fields_of(again), JsonLayout::lines), json);
  Result other;
  fill_fields(fields_of(other));
  EXPECT_TRUE(read_fields(json, "result.json", fields_of(other)).ok());
  EXPECT_EQ(fields_json(fields_of(other), JsonLayout::lines), json);
  return again;
}

/// The same of a line that has every value. Returns it.
template <class T>
std::string expect_line_both_ways(const FieldLine<T>& line) {
  std::string written;
  line.append(written);
  EXPECT_TRUE(written.ends_with("}\n")) << written;
  FieldLine<T> again(line);
  const Status read = again.read(written, "list.jsonl:7");
  EXPECT_TRUE(read.ok()) << read.error().message << "\n" << written;
  std::string rewritten;
  again.append(rewritten);
  EXPECT_EQ(rewritten, written);
  return written;
}

}  // namespace twinset::testing
