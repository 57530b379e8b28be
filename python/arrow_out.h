// Makes what Arrow's C interface hands on, and the capsules of Python that carry it.
//
//   auto* const array = new ArrowArray;
//   make_array(*array, owner, rows, 0, {nullptr, values.data()}, 0);
//   return capsule_of(array, "arrow_array");
//
// A struct that was made owns its children. The arrays hold the owner of their buffers, which they
// may outlive in Python: hence a shared_ptr.
//
// Threads: a reader may release an array in any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow_abi.h"
#include "door.h"

namespace twinset::python {

/// With room for so many children, which the caller makes.
void make_schema(ArrowSchema& schema, const char* format, std::string name, std::size_t children);

/// Likewise; `buffers` as the format says, the bitmap of validity first.
void make_array(ArrowArray& array, std::shared_ptr<const void> owner, std::uint64_t rows,
                std::uint64_t missing, std::vector<const void*> buffers, std::size_t children);

/// A capsule that releases and frees what nobody took out of it.
template <class T>
nb::object capsule_of(T* made, const char* name) {
  PyObject* const capsule = PyCapsule_New(made, name, [](PyObject* dying) {
    auto* const held = static_cast<T*>(PyCapsule_GetPointer(dying, PyCapsule_GetName(dying)));
    if (held->release != nullptr) held->release(held);
    delete held;
  });
  if (capsule == nullptr) throw nb::python_error();
  return nb::steal(capsule);
}

}  // namespace twinset::python
