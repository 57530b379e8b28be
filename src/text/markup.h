// How a document's text is marked up, and so which part of it is read.
//
// Threads: values.
#pragma once

#include <cstdint>

namespace twinset {

enum class Markup : std::uint8_t {
  none,  ///< all of it
  html   ///< what a reader of the page sees (text/html.h)
};

}  // namespace twinset
