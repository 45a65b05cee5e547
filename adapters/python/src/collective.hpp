// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "communicator.hpp"
#include "daptor/call.hpp"
#include "failure.hpp"

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

/// A Call whose checks run Python code. What it raises becomes an error of Daptor, which is thrown
/// on all ranks.
class Collective : HeldComm, public Call {
 public:
  /// Process-local. `name` must outlive the object. `failure` is an error from before the
  /// communicator was known; it may be empty.
  Collective(HeldComm comm, const char* name, FirstFailure failure = {})
      : HeldComm(std::move(comm)), Call(ranks, name), failure_(std::move(failure)) {}

  const HeldComm& comm() const { return *this; }

  /// As Call::check. Needs the GIL, which the ranks release while they agree.
  template <class F>
  auto check(F&& body) -> std::invoke_result_t<F> {
    using Result = std::invoke_result_t<F>;
    if constexpr (std::is_void_v<Result>) {
      attempt(std::forward<F>(body));
      agree();
    } else {
      std::optional<Result> result;
      attempt([&] { result.emplace(std::forward<F>(body)()); });
      agree();
      return std::move(*result);
    }
  }

 private:
  template <class F>
  void attempt(F&& body) {
    failure_.attempt(std::forward<F>(body));
  }
  void agree();

  FirstFailure failure_;
};

}  // namespace daptor::python
