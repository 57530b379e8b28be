// A collection and how to read its records, as every verb that reads one is told.
//
//   InputSettings input;
//   input.text_field = "body.text";
//   input.limit = 1000;
//
// Nothing here fails by itself: the verb that is given a setting refuses a bad one
// (usage), before it reads anything.
//
// Threads: plain values.
#pragma once

#include <cstdint>
#include <string>

namespace twinset {

/// How to read records. Shared by every job that reads a collection.
struct InputSettings {
  /// A format's name; empty: by extension. "html" leaves JSON Lines lines, of pages.
  std::string format;
  std::string text_field = "text";  ///< names nested by dots
  std::string id_field = "id";
  std::uint64_t max_record_bytes = std::uint64_t{64} << 20;
  std::uint64_t limit = 0;  ///< read at most so many records; 0: all
  /// Inputs that would not come through are left out, and ones found damaged are no
  /// failure of the run. Changes no result.
  bool allow_lost = false;
};

}  // namespace twinset
