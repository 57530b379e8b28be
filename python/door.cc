#include "door.h"

namespace twinset::python {

void raise(const Error& error) {
  const nb::object made =
      nb::module_::import_("twinset._errors")
          .attr("made")(static_cast<int>(error.code), text_of(error.text(Door::python)));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw nb::python_error();
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
