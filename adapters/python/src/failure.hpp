// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "daptor/adapter/first_failure.hpp"
#include "daptor/error.hpp"
#include "held.hpp"

/// \file
/// What goes wrong in Python on one rank, kept until all ranks can hear of it.

namespace daptor::python {

/// The class of daptor._errors for this kind of error. Needs the GIL.
py::object error_class(ErrorKind kind);

/// Who threw what, in one line: "ValueError: no grid (grid.py:12 in __distarray__)". Runs foreign
/// code (`__str__`), and lets nothing of it out.
std::string describe(const py::error_already_set& error);
std::string describe(const py::object& exception);

/// The error that stands for what foreign code threw, which becomes its `__cause__`: an exception
/// of Daptor stands for itself, any other for ProducerFailed. Needs the GIL.
std::exception_ptr failure_of(const py::error_already_set& error);
/// The same, with what `describe` has said of it.
std::exception_ptr failure_of(const py::error_already_set& error, const std::string& description);

/// The exception that `failure_of` met on this thread last, where its finding says `found` (on
/// other ranks the error is about somebody else); else null. A new reference. Forgets the
/// exception in either case.
PyObject* take_cause(const std::string& found);
void clear_cause();

/// The first thing that went wrong on this rank in a call. Needs the GIL.
class FirstFailure {
 public:
  FirstFailure() { clear_cause(); }

  /// Process-local. Calls `body`, which must not communicate, where nothing went wrong before, and
  /// keeps what it throws.
  template <class F>
  void attempt(F&& body) {
    failure_.attempt([&] {
      try {
        std::forward<F>(body)();
      } catch (const py::error_already_set& error) {
        std::rethrow_exception(failure_of(error));
      }
    });
  }
  /// Null where nothing went wrong.
  const std::exception_ptr& get() const { return failure_.get(); }

 private:
  adapter::FirstFailure failure_;
};

}  // namespace daptor::python
