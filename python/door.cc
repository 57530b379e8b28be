#include "door.h"

namespace twinset::python {

void raise(const Error& error) {
  const nb::object made =
      nb::module_::import_("twinset._errors")
          .attr("made")(static_cast<int>(error.code), text_of(error.text(Door::python)));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
}

std::string a_type_of(nb::handle object) {
  const std::string name = nb::cast<std::string>(nb::str(nb::type_name(object.type())));
  const bool vowel =
      !name.empty() && std::string_view("aeiou").find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + name;
}

nb::str text_of(std::string_view bytes) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace");
  if (text == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(text);
}

void LastProgress::report(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  stage_ = progress.stage;
  last_ = progress;
  fresh_ = true;
}

void LastProgress::tell(const nb::object& progress) {
  std::string stage;
  Progress now;
  {
    const std::lock_guard lock(mutex_);
    if (!fresh_) return;
    fresh_ = false;
    stage = stage_;
    now = last_;
  }
  progress(text_of(stage), now.done_bytes, now.total_bytes, now.records);
}

}  // namespace twinset::python
