// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "calls/communicator.hpp"
#include "daptor/call.hpp"
#include "failures/failure.hpp"

/// \file
/// Collective calls with Python arguments, any of which may be invalid on one rank alone. Arguments
/// arrive as objects, which are converted in the body of the call's first check.

namespace daptor::python {

/// "a value of type list"
std::string type_text(py::handle object);

/// \name Conversions. They throw InvalidArgument and no other error.
/// \{
/// The truth value of an object that defines one (`bool`, NumPy's bool, a number); strings and
/// lists are refused.
bool flag_of(const char* key, py::handle object);
std::string word_of(const char* key, py::handle object);
/// The integer value of an object with `__index__`, if it fits in `bits` bits.
std::int64_t integer_of(const char* key, py::handle object, int bits = 64);
/// \}

/// The host of calls whose checks run Python code, with the GIL, which is released while the ranks
/// agree. What Python raises becomes an error of Daptor, which is thrown on all ranks.
CallHost& python_host();

/// Process-local. A collective call with such checks.
/// @param comm    must be kept until the call ends (`HeldComm::keeper`)
/// @param name    must outlive the call
/// @param before  an error from before the communicator was known
inline Call python_call(const HeldComm& comm, const char* name,
                        const adapter::FirstFailure& before = {}) {
  clear_cause();
  return {*comm, name, python_host(), before.get()};
}

}  // namespace daptor::python
