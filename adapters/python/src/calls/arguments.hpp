// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "arrays/array.hpp"
#include "calls/call.hpp"
#include "daptor/error.hpp"
#include "failures/failure.hpp"

/// \file
/// Python values as arguments of collective calls. An invalid argument on one rank is kept as a
/// failure until all ranks can be told.

namespace daptor::python {

/// A value of `T`, by pybind11's conversion, or InvalidArgument.
template <class T>
T value_of(const char* key, py::handle object, const char* expected, bool convert = false) {
  py::detail::make_caster<T> caster;
  if (!caster.load(object, convert)) {
    PyErr_Clear();
    throw InvalidArgument(key, type_text(object), expected);
  }
  return py::detail::cast_op<T>(caster);
}

/// The Array behind a Python object. Throws InvalidArgument for any other object.
inline const Array& array_of(const char* key, py::handle object,
                             const char* expected = "a daptor.Array") {
  const Array* const array = array_behind(object.ptr());
  if (array == nullptr) throw InvalidArgument(key, type_text(object), expected);
  return *array;
}

/// An Array, a sequence of them, or None for none; InvalidArgument for anything else.
std::vector<Array> arrays_of(const char* key, py::handle object);
/// The same, with the error kept: those before the first value that is no Array.
std::vector<Array> arrays_of(const char* key, py::handle object, adapter::FirstFailure& failure);

/// The communicator of a call: the one that was given or, if that is None, that of the first of
/// these arrays. Without one the call must fail, as `failure` then says, and this is the
/// communicator on which the others are told.
HeldComm communicator_of_call(const py::object& given,
                              std::initializer_list<const std::vector<Array>*> sides,
                              adapter::FirstFailure& failure);

std::vector<DistArray> described(const std::vector<Array>& arrays);

}  // namespace daptor::python
