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
/// Collective calls with arguments of Python, which may be anything on one rank alone. They come as
/// objects, are converted where a failure is kept, and one agreement tells all ranks of it.

namespace daptor::python {

/// "a value of type list"
std::string type_text(py::handle object);

/// \name Conversions, which throw InvalidArgument and nothing else
/// \{
/// What Python takes for true or false, of objects that say so themselves: no strings or lists.
bool flag_of(const char* key, py::handle object);
std::string word_of(const char* key, py::handle object);
/// What has `__index__`, of that many bits.
std::int64_t integer_of(const char* key, py::handle object, int bits = 64);
/// \}

/// A collective call of the package: it has the name that users know it by, as long as this lives.
class Collective {
 public:
  /// Process-local. `name` outlives the object. `failure` is what went wrong before the
  /// communicator was known.
  Collective(HeldComm comm, const char* name, FirstFailure failure = {})
      : comm_(std::move(comm)), call_(*comm_, name), failure_(std::move(failure)) {}

  const HeldComm& comm() const { return comm_; }

  /// Process-local: as FirstFailure's.
  template <class F>
  void attempt(F&& body) {
    failure_.attempt(std::forward<F>(body));
  }
  /// Process-local. A value that has to be the same on all ranks; three at the most. Needs no value
  /// of meaning on a rank where something went wrong.
  void require_same(const char* key, std::int64_t value);
  /// Collective: one all-reduce. Throws, on all ranks, what went wrong on any, and InvalidArgument
  /// for values that are not the same. Needs the GIL, which it releases.
  void agree();

 private:
  HeldComm comm_;
  CollectiveCall call_;
  FirstFailure failure_;
  std::array<const char*, opening_minima / 2> keys_{};
  std::array<std::int64_t, opening_minima> values_{};
  std::size_t count_ = 0;
};

}  // namespace daptor::python
