// Two strings at once. This file's interface is verbs.h and compared.h; the rest is private.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <span>

#include "compared.h"
#include "fields.h"
#include "one_text.h"
#include "verbs.h"

namespace twinset::python {
namespace {

/// Calls `job(a, b)`, without the interpreter if the texts are long.
template <class Job>
auto over_texts(nb::handle a, nb::handle b, Job job) {
  const OneText text_a(a, "a");
  const OneText text_b(b, "b");
  return or_raise(without_interpreter(text_a.view().size() + text_b.view().size(),
                                      [&] { return job(text_a.view(), text_b.view()); }));
}

Shingling shingling(std::string analyzer, std::optional<std::uint64_t> shingle, bool html) {
  return {.analyzer = std::move(analyzer), .shingle_tokens = shingle, .html = html};
}

std::optional<double> if_known(const ExactShare& share) {
  return share.known() ? std::optional(share.value) : std::nullopt;
}

/// Turns rising places in bytes into places in characters. Bytes that are not UTF-8 are decoded
/// piece by piece, so that each piece has a whole number of characters.
class Characters {
 public:
  explicit Characters(std::string_view text) : text_(text) {}

  /// Of a byte that is not before the last one asked for.
  Py_ssize_t at(std::size_t byte) {
    if (byte > byte_) {
      const nb::str piece = text_of(text_.substr(byte_, byte - byte_));
      pieces_.append(piece);
      characters_ += PyUnicode_GetLength(piece.ptr());
      byte_ = byte;
    }
    return characters_;
  }
  nb::object text() {
    at(text_.size());
    return nb::str("").attr("join")(pieces_);
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  Py_ssize_t characters_ = 0;
  nb::list pieces_;
};

void put_side(nb::dict& values, const char* text_name, const char* passages_name,
              std::string_view text, std::span<const Passage> passages) {
  Characters characters(text);
  nb::list listed;
  for (const Passage& passage : passages) {
    const Py_ssize_t begin = characters.at(passage.begin);
    const Py_ssize_t end = characters.at(passage.end);
    const nb::object match =
        passage.match == no_match ? nb::object(nb::none()) : nb::object(nb::int_(passage.match));
    listed.append(
        nb::make_tuple(begin, end, passage.shared, passage.repeat, passage.tokens, match));
  }
  values[passages_name] = listed;
  values[text_name] = characters.text();
}

}  // namespace

nb::dict compared_values(ComparedTexts& compared) {
  nb::dict values = values_of(fields_of(compared));
  put_side(values, "text_a", "passages_a", compared.text_a, compared.passages.a);
  put_side(values, "text_b", "passages_b", compared.text_b, compared.passages.b);
  nb::list matches;
  for (const PassageMatch& match : compared.passages.matches) {
    matches.append(nb::make_tuple(match.a, match.b, match.tokens, match.moved));
  }
  values["matches"] = matches;
  return values;
}

void add_pairs(nb::module_& module) {
  module.def(
      "resemblance",
      [](nb::handle a, nb::handle b, std::string analyzer, std::optional<std::uint64_t> shingle,
         bool html) {
        const Shingling rule = shingling(std::move(analyzer), shingle, html);
        return if_known(over_texts(a, b, [&](std::string_view text_a, std::string_view text_b) {
          return resemblance(text_a, text_b, rule);
        }));
      },
      nb::arg("a").none(), nb::arg("b").none(), nb::kw_only(), nb::arg("analyzer") = "words",
      nb::arg("shingle").none() = nb::none(), nb::arg("html") = false,
      "The shingles in both texts, as a share of those in either: exact, in [0, 1]; "
      "None if neither has a word and they differ.");
  module.def(
      "containment",
      [](nb::handle a, nb::handle b, std::string analyzer, std::optional<std::uint64_t> shingle,
         bool html) {
        const Shingling rule = shingling(std::move(analyzer), shingle, html);
        return if_known(over_texts(a, b, [&](std::string_view text_a, std::string_view text_b) {
          return containment(text_a, text_b, rule);
        }));
      },
      nb::arg("a").none(), nb::arg("b").none(), nb::kw_only(), nb::arg("analyzer") = "words",
      nb::arg("shingle").none() = nb::none(), nb::arg("html") = false,
      "The shingles in both texts, as a share of those in a: 1 if b contains all of a; "
      "None if a has no word and they differ.");
  module.def(
      "compare_texts",
      [](nb::handle a, nb::handle b, std::string analyzer, std::optional<std::uint64_t> shingle,
         bool html) {
        const Shingling rule = shingling(std::move(analyzer), shingle, html);
        ComparedTexts done =
            over_texts(a, b, [&](std::string_view text_a, std::string_view text_b) {
              return compare_texts(text_a, text_b, rule);
            });
        return nb::make_tuple(compared_values(done),
                              text_of(render_message(Door::python, to_text(done))));
      },
      nb::arg("a").none(), nb::arg("b").none(), nb::kw_only(), nb::arg("analyzer") = "words",
      nb::arg("shingle").none() = nb::none(), nb::arg("html") = false);
}

}  // namespace twinset::python
