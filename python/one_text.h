// A str or bytes that a call is given, as a view.
//
//   const OneText text(handle, "text");        // raises what names the argument
//   auto found = without_interpreter(text.view().size(), [&] { return find(text.view()); });
//
// Threads: those that have the interpreter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "door.h"

namespace twinset::python {

class OneText {
 public:
  OneText(nb::handle text, const char* name) {
    if (PyBytes_Check(text.ptr())) {
      view_ = {PyBytes_AsString(text.ptr()), static_cast<std::size_t>(PyBytes_Size(text.ptr()))};
      return;
    }
    if (!PyUnicode_Check(text.ptr())) {
      throw nb::type_error(
          (std::string(name) + " is " + a_type_of(text) + ", not a str or bytes").c_str());
    }
    // Encoded anew each time: CPython would keep what PyUnicode_AsUTF8AndSize() makes of letters
    // that are not ASCII.
    PyObject* const encoded = PyUnicode_AsUTF8String(text.ptr());
    if (encoded == nullptr) {
      PyErr_Clear();
      raise(usage_error(std::string(name) + " has a lone surrogate, which is no text"));
    }
    held_ = nb::steal(encoded);
    view_ = {PyBytes_AsString(encoded), static_cast<std::size_t>(PyBytes_Size(encoded))};
  }

  std::string_view view() const { return view_; }

 private:
  nb::object held_;
  std::string_view view_;
};

/// Calls `job()`, without the interpreter if it is about so many bytes: of fewer, giving it away
/// costs more than other threads would gain.
template <class Job>
auto without_interpreter(std::size_t bytes, Job job) {
  constexpr std::size_t most_held_bytes = 64 << 10;
  if (bytes <= most_held_bytes) return job();
  const nb::gil_scoped_release released;
  return job();
}

}  // namespace twinset::python
