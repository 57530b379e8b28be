// Features from the fields of a record (S sections 2.3.3 and 4.1): its title, section, people, page
// rank. They have no frequencies, so their weights are shares of the largest weight in the text.
//
//   FieldFeatures fields{.values = {"title", "section"}, .counts = {"views"}, .percent = 100};
//   add_field_features(document, fields, features);
//
// The fields are those of the record that JSON names, and for pages title, headings and links
// (DocumentView::field).
//
// Threads: pure functions, except for their outputs; a DocumentView belongs to one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scheme/document_view.h"
#include "scheme/features.h"
#include "twinset/result.h"

namespace twinset {

/// Most fields that a scheme reads.
inline constexpr std::size_t max_scheme_fields = 24;

struct FieldFeatures {
  /// Each value is a feature; of an array, each element.
  std::vector<std::string> values = {};
  /// Numbers in [0, 1] of which the extremes weigh most, such as page ranks: 0 and 1 have the full
  /// weight, 1/2 none; above and below are two features.
  std::vector<std::string> extremes = {};
  /// Counts, such as links and views: a feature whose weight is log2(1 + count) / 32 of the full
  /// one, at most all of it.
  std::vector<std::string> counts = {};
  std::uint64_t percent = 100;  ///< the full weight, of the largest in the text

  bool empty() const { return values.empty() && extremes.empty() && counts.empty(); }
};

/// The names in a list with commas, without the spaces around them. Errors (usage): an empty name,
/// a name twice.
Result<std::vector<std::string>> split_names(std::string_view list);

/// The hash of a field's value: of its words if it has any, else of its bytes; never equal to that
/// of another field's value or of a word.
std::uint64_t field_value_hash(const DocumentView& document, std::string_view name,
                               std::string_view value);

/// A field's feature in words.
struct FieldFeature {
  std::string field;
  std::string value;
};

/// Adds the features of the fields that the document has. A document without features stays
/// without. `named` gets one for each that is added; null: nobody asks.
void add_field_features(const DocumentView& document, const FieldFeatures& fields,
                        FeatureList& features, std::vector<FieldFeature>* named = nullptr);

/// The hash of all values of some fields together, present or not.
std::uint64_t hash_of_fields(const DocumentView& document, const std::vector<std::string>& names);

/// `bits` bits for the value of a field: a whole number that they can hold as it is, any other
/// value by its hash; 0 if there is none. Range: 1 <= bits <= 63.
std::uint64_t field_bits(const DocumentView& document, std::string_view name, unsigned bits);

}  // namespace twinset
