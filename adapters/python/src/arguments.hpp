// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "array.hpp"
#include "collective.hpp"
#include "daptor/error.hpp"
#include "failure.hpp"

/// \file
/// Python values as arguments of collective calls: what is wrong with them on a rank is kept until
/// all ranks can hear of it.

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

/// An Array, a sequence of them, or None for none; InvalidArgument for anything else.
std::vector<Array> arrays_of(const char* key, py::handle object);

/// The communicator of a rank whose arguments do not say who the others are, where it can only be
/// one: `failure` is told on that. Throws `failure` here alone where there are several or none.
HeldComm communicator_for_failure(const std::exception_ptr& failure);

std::vector<DistArray> described(const std::vector<Array>& arrays);

}  // namespace daptor::python
