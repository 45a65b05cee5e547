// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "calls/held.hpp"
#include "daptor/error.hpp"

/// \file
/// An error in Python code on one rank, kept until all ranks can be told.

namespace daptor::python {

/// The class of daptor._errors for this kind of error. Needs the GIL.
py::object error_class(ErrorKind kind);

/// An exception in one line: "ValueError: no grid (grid.py:12 in __distarray__)". Runs foreign code
/// (`__str__`), whose own exceptions are discarded.
std::string describe(const py::error_already_set& error);
std::string describe(const py::object& exception);

/// The error that all ranks throw for an exception of foreign code, which becomes its `__cause__`:
/// the same error for an exception of Daptor, ProducerFailed for any other. Needs the GIL.
std::exception_ptr failure_of(const py::error_already_set& error);
/// The same, with the text that `describe` has returned for the exception.
std::exception_ptr failure_of(const py::error_already_set& error, const std::string& description);

/// A new reference to the exception that `failure_of` was last called for on this thread, if the
/// text of its finding is `found`; null otherwise, for then the error is about another rank. The
/// exception is forgotten in either case.
PyObject* take_cause(const std::string& found);
void clear_cause();

/// Calls Python from a thread without the GIL; what it raises is thrown as an error of Daptor.
template <class F>
auto calling_python(F&& body) {
  const py::gil_scoped_acquire locked;
  try {
    return std::forward<F>(body)();
  } catch (const py::error_already_set& error) {
    std::rethrow_exception(failure_of(error));
  }
}

/// `thrown`, or the error that stands for an exception of foreign code. Needs the GIL.
std::exception_ptr own_error(const std::exception_ptr& thrown);

}  // namespace daptor::python
