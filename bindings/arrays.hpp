#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "credenet/util/natural.hpp"

namespace credenet::python {

namespace nb = nanobind;

template <typename T>
using Vector = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Column-major codes: one column per variable.
template <typename T>
using Columns = nb::ndarray<const T, nb::numpy, nb::ndim<2>, nb::f_contig, nb::device::cpu>;

template <typename T>
using OutVector = nb::ndarray<T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
using OutColumns = nb::ndarray<T, nb::numpy, nb::ndim<2>, nb::f_contig, nb::device::cpu>;

template <typename T>
std::span<const T> view(const Vector<T>& array) {
  return {array.data(), array.size()};
}

template <typename T>
std::span<T> view(const OutVector<T>& array) {
  return {array.data(), array.size()};
}

// Hands a vector over to Python without a copy.
template <typename T>
nb::ndarray<T, nb::numpy, nb::ndim<1>> to_array(std::vector<T>&& values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<T, nb::numpy, nb::ndim<1>>(owned->data(), {owned->size()}, owner);
}

// A whole number of any size as a Python int.
inline nb::int_ to_int(const Natural& number) {
  return nb::steal<nb::int_>(PyLong_FromString(number.hex().c_str(), nullptr, 16));
}

}  // namespace credenet::python
