// The markup of a document's text, which decides which part of it is read.
//
// Threads: values.
#pragma once

#include <cstdint>

namespace twinset {

enum class Markup : std::uint8_t {
  none,  ///< all of it
  html   ///< the part that a reader of the page sees (text/html.h)
};

}  // namespace twinset
