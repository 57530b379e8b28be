// Columns of numbers between Python and the core, without a copy.
//
//   nb::object doubled(const Numbers& numbers) { ...; return column(std::move(values)); }
//
// Threads: those that have the interpreter.
#pragma once

#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "door.h"

namespace twinset::python {

using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// All columns of one table are of one size.
template <class... More>
void check_sizes(const Numbers& first, const More&... more) {
  if (((more.shape(0) == first.shape(0)) && ...)) return;
  raise(usage_error("the columns have unlike numbers of rows"));
}

/// A column that lives as long as Python reads it.
template <class T>
nb::object column(std::vector<T> values) {
  auto held = std::make_unique<std::vector<T>>(std::move(values));
  const T* const data = held->data();
  const std::size_t size = held->size();
  const nb::capsule owner(held.release(),
                          [](void* dying) noexcept { delete static_cast<std::vector<T>*>(dying); });
  return nb::cast(nb::ndarray<nb::memview, const T, nb::ndim<1>>(data, {size}, owner));
}

}  // namespace twinset::python
