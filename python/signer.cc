// Sketches of many texts at once, in arrays that numpy and Arrow read without a copy. This file's
// interface is verbs.h; the rest is private.
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

#include "arrow_out.h"
#include "fields.h"
#include "texts.h"
#include "twinset/pair.h"
#include "twinset/scheme.h"
#include "verbs.h"

namespace twinset::python {
namespace {

using SharedSigned = std::shared_ptr<SignedTexts>;

template <class T>
nb::object view(const SignedTexts& owner, const std::vector<T>& values) {
  const std::size_t size = values.size();
  return nb::cast(
      nb::ndarray<nb::memview, const T, nb::ndim<1>>(values.data(), {size}, nb::find(owner)));
}

nb::object view(const SignedTexts& owner, const std::vector<Hash128>& hashes) {
  const auto* const words = reinterpret_cast<const std::uint64_t*>(hashes.data());
  return nb::cast(nb::ndarray<nb::memview, const std::uint64_t, nb::ndim<2>>(
      words, {hashes.size(), std::size_t{2}}, nb::find(owner)));
}

/// {sketch: large_binary, keys: large_list<uint64>, byte_hash, token_hash: fixed binary of 16}.
nb::tuple capsules_of(const SharedSigned& all) {
  auto* const schema = new ArrowSchema;
  make_schema(*schema, "+s", "", 4);
  const std::array formats{"Z", "+L", "w:16", "w:16"};
  const std::array names{"sketch", "keys", "byte_hash", "token_hash"};
  for (std::size_t i = 0; i < formats.size(); ++i) {
    schema->children[i] = new ArrowSchema;
    make_schema(*schema->children[i], formats.at(i), names.at(i), i == 1 ? 1 : 0);
  }
  ArrowSchema& keys = *schema->children[1];
  keys.children[0] = new ArrowSchema;
  make_schema(*keys.children[0], "L", "item", 0);

  auto* const array = new ArrowArray;
  const std::uint64_t rows = all->size();
  make_array(*array, all, rows, 0, {nullptr}, 4);
  for (std::size_t i = 0; i < formats.size(); ++i) array->children[i] = new ArrowArray;
  make_array(*array->children[0], all, rows, all->without,
             {all->validity.data(), all->offsets.data(), all->sketches.data()}, 0);
  make_array(*array->children[1], all, rows, 0, {nullptr, all->key_offsets.data()}, 1);
  array->children[1]->children[0] = new ArrowArray;
  make_array(*array->children[1]->children[0], all, all->keys.size(), 0,
             {nullptr, all->keys.data()}, 0);
  make_array(*array->children[2], all, rows, 0, {nullptr, all->byte_hashes.data()}, 0);
  make_array(*array->children[3], all, rows, 0, {nullptr, all->token_hashes.data()}, 0);
  return nb::make_tuple(capsule_of(schema, "arrow_schema"), capsule_of(array, "arrow_array"));
}

/// Appends the rows of `more`; a multiple of eight stands before them.
void append(SignedTexts& all, const SignedTexts& more) {
  const auto join = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const auto shift = [](std::vector<std::int64_t>& to, const std::vector<std::int64_t>& from) {
    const std::int64_t begin = to.back();
    for (std::size_t i = 1; i < from.size(); ++i) to.push_back(begin + from[i]);
  };
  all.scheme = more.scheme;
  all.without += more.without;
  join(all.sketches, more.sketches);
  join(all.keys, more.keys);
  join(all.byte_hashes, more.byte_hashes);
  join(all.token_hashes, more.token_hashes);
  join(all.validity, more.validity);
  shift(all.offsets, more.offsets);
  shift(all.key_offsets, more.key_offsets);
}

/// So many megabytes at a time: Ctrl-C is heeded between them.
Result<SignedTexts> sign_in_parts(const TextScheme& scheme, std::span<const std::string_view> texts,
                                  unsigned threads, const std::atomic<bool>& cancel) {
  constexpr std::size_t part_bytes = std::size_t{64} << 20;
  SignedTexts all;
  all.scheme = scheme.fingerprint();
  for (std::size_t begin = 0; begin < texts.size();) {
    std::size_t end = begin;
    for (std::size_t bytes = 0;
         end < texts.size() && (bytes < part_bytes || (end - begin) % 8 != 0);) {
      bytes += texts[end++].size();
    }
    TWINSET_ASSIGN(SignedTexts part, scheme.sign(texts.subspan(begin, end - begin), threads));
    if (begin == 0) {
      all = std::move(part);
    } else {
      append(all, part);
    }
    if (cancel) return Error{ErrorCode::interrupted, "interrupted"};
    begin = end;
  }
  return all;
}

SharedSigned sign(const TextScheme& scheme, nb::handle data, const std::string& text,
                  unsigned threads) {
  const std::unique_ptr<Texts> texts = Texts::of(data, {text, "", {}});
  return std::make_shared<SignedTexts>(watched(nb::none(), {}, [&](const RunControl& control) {
    return sign_in_parts(scheme, texts->texts.views(), threads, *control.cancel);
  }));
}

std::span<const std::uint8_t> bytes_of(const nb::bytes& sketch) {
  return {reinterpret_cast<const std::uint8_t*>(sketch.c_str()), sketch.size()};
}

/// The shares that two sketches tell, as a comparison of texts has them; and the distance.
nb::dict compare(const TextScheme& scheme, const nb::bytes& a, const nb::bytes& b) {
  const Comparison found = scheme.compare(bytes_of(a), bytes_of(b));
  EstimatedShares shares{scheme.spec(), found.resemblance, found.containment_a_in_b,
                         found.containment_b_in_a};
  nb::dict values = values_of(fields_of(shares));
  values["distance"] =
      found.distance.has_value() ? nb::object(nb::int_(found.distance->differ)) : nb::none();
  values["coordinate"] =
      found.coordinate.has_value() ? nb::object(nb::int_(*found.coordinate)) : nb::none();
  return values;
}

nb::list listed_schemes() {
  nb::list all;
  for (const SchemeDeclaration& scheme : known_schemes()) {
    nb::list parameters;
    for (const ParameterDeclaration& each : scheme.parameters) {
      nb::object standard = nb::none();
      if (each.kind == ParameterKind::integer) {
        standard = nb::int_(each.standard);
      } else if (each.kind == ParameterKind::choice) {
        standard = text_of(each.choices[each.standard]);
      } else {
        standard = text_of(each.standard_text);
      }
      parameters.append(nb::make_tuple(text_of(each.name), standard, text_of(each.help)));
    }
    all.append(nb::make_tuple(text_of(scheme.name), text_of(scheme.summary), text_of(scheme.source),
                              parameters));
  }
  return all;
}

}  // namespace

void add_signer(nb::module_& module) {
  nb::class_<SignedTexts>(
      module, "SignedTexts",
      "The sketches and keys of n texts, as flat arrays. A table of Arrow, too.")
      .def("__len__", &SignedTexts::size)
      .def_ro("scheme", &SignedTexts::scheme, "The fingerprint of the scheme that signed.")
      .def_ro("without", &SignedTexts::without, "Texts without a signature.")
      .def_prop_ro(
          "sketches", [](SignedTexts& all) { return view(all, all.sketches); },
          "Bytes of all sketches: sketch i is sketches[offsets[i]:offsets[i + 1]].")
      .def_prop_ro("offsets", [](SignedTexts& all) { return view(all, all.offsets); })
      .def_prop_ro(
          "keys", [](SignedTexts& all) { return view(all, all.keys); },
          "Keys of all texts: those of text i begin at key_offsets[i], sorted.")
      .def_prop_ro("key_offsets", [](SignedTexts& all) { return view(all, all.key_offsets); })
      .def_prop_ro(
          "byte_hashes", [](SignedTexts& all) { return view(all, all.byte_hashes); },
          "Two words for each text: those of equal bytes are equal.")
      .def_prop_ro(
          "token_hashes", [](SignedTexts& all) { return view(all, all.token_hashes); },
          "Two words for each text: those of equal words are equal.")
      .def(
          "sketch",
          [](const SignedTexts& all, std::size_t i) {
            if (i >= all.size()) throw nb::index_error("no such text");
            const auto sketch = all.sketch_of(i);
            return nb::bytes(sketch.data(), sketch.size());
          },
          nb::arg("i"), "The sketch of text i; empty if it has none.")
      .def(
          "__arrow_c_array__",
          [](const SharedSigned& all, const nb::object&) { return capsules_of(all); },
          nb::arg("requested_schema").none() = nb::none());
  nb::class_<TextScheme>(module, "Signer", "Signs texts by a scheme, such as \"fss(shingle=5)\".")
      .def(
          "__init__",
          [](TextScheme* self, const std::string& spec, const std::string& analyzer, bool html,
             const nb::object& threshold) {
            const auto share = nb::module_::import_("twinset._declared").attr("share")(threshold);
            const Ratio ratio = or_raise(Ratio::parse(nb::cast<std::string>(share)));
            new (self) TextScheme(or_raise(make_scheme(spec, analyzer, html, ratio)));
          },
          nb::arg("scheme") = "fss", nb::kw_only(), nb::arg("analyzer") = "words",
          nb::arg("html") = false, nb::arg("threshold") = "0.8")
      .def_prop_ro("spec", &TextScheme::spec, "The whole spec, with every parameter.")
      .def_prop_ro("fingerprint", &TextScheme::fingerprint,
                   "Sketches of different fingerprints must not be compared.")
      .def("sign", &sign, nb::arg("texts").none(), nb::kw_only(), nb::arg("text") = "text",
           nb::arg("threads") = 0,
           "Signs all texts of a list or table, on so many threads; 0: one for each processor.")
      .def("compare", &compare, nb::arg("a"), nb::arg("b"),
           "What two sketches tell: the shares with their intervals, and the distance.")
      .def("__repr__", [](const TextScheme& scheme) {
        return "twinset.Signer(" + nb::cast<std::string>(nb::repr(text_of(scheme.spec()))) + ")";
      });
  module.def("schemes", &listed_schemes);
}

}  // namespace twinset::python
