// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "calls/held.hpp"

/// \file
/// Signatures of compiled functions. pybind11 writes one with types as the first line of a
/// function's docstring.

namespace daptor::python {

/// A tuple whose elements signatures say.
template <class T>
class TupleOf : public py::tuple {
 public:
  using py::tuple::tuple;
  TupleOf(py::tuple other) : py::tuple(std::move(other)) {}  // not explicit: of a function's result
};

}  // namespace daptor::python

template <class T>
struct pybind11::detail::handle_type_name<daptor::python::TupleOf<T>> {
  static constexpr auto name = const_name("Tuple[") + make_caster<T>::name + const_name(", ...]");
};

namespace daptor::python {

/// Replaces `**kwargs` in the signature of a function, and the line `{options}` in its text.
/// @param keywords  `flat: bool = False, width: int = 0`
/// @param options   what each keyword means
void sign(py::handle function, const std::string& keywords, const std::string& options);

/// Replaces the signature of a function, where pybind11 cannot know what Python returns.
/// @param typed  `(comm: object, function: Callable[[], T]) -> T`
void retype(py::handle function, const std::string& typed);

/// Gives all functions and classes of a module signatures that `inspect.signature` finds. The line
/// with types goes to the module's attribute `_typed`, a dictionary by qualified names, of which
/// the stubs are made. The last call of a module's definition.
void finish_signatures(py::module_& module);

}  // namespace daptor::python
