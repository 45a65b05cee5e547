// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "communicator.hpp"
#include "daptor/agreement.hpp"
#include "failure.hpp"

/// \file
/// Collective calls with Python arguments, any of which may be invalid on one rank alone. Arguments
/// arrive as objects; their conversion keeps a failure instead of throwing it, and one agreement
/// tells all ranks.

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

/// A collective call of the package. While the object lives, errors about ranks in different calls
/// name this call as users know it.
class Collective {
 public:
  /// Process-local. `name` must outlive the object. `failure` is an error from before the
  /// communicator was known; it may be empty.
  Collective(HeldComm comm, const char* name, FirstFailure failure = {})
      : comm_(std::move(comm)), call_(*comm_, name), failure_(std::move(failure)) {}

  const HeldComm& comm() const { return comm_; }

  /// Process-local. As FirstFailure::attempt.
  template <class F>
  void attempt(F&& body) {
    failure_.attempt(std::forward<F>(body));
  }
  /// Process-local. Registers a value that has to be the same on all ranks; at most three. On a
  /// rank that failed, the value does not matter.
  void require_same(const char* key, std::int64_t value);
  /// Collective: one all-reduce. Throws, on all ranks, the failure of the lowest rank that has one,
  /// and InvalidArgument if a registered value differs between ranks. Needs the GIL, which it
  /// releases.
  void agree();

 private:
  HeldComm comm_;
  CollectiveCall call_;
  FirstFailure failure_;
  std::array<const char*, most_minima / 2> keys_{};
  std::array<std::int64_t, most_minima> values_{};
  std::size_t count_ = 0;
};

}  // namespace daptor::python
