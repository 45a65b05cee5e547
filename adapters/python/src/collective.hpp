// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "communicator.hpp"
#include "daptor/adapter/first_failure.hpp"
#include "daptor/agreement.hpp"

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
  /// Process-local. `name` outlives the object.
  Collective(Comm comm, const char* name) : comm_(std::move(comm)), call_(*comm_, name) {}

  const Comm& comm() const { return comm_; }

  /// Process-local. Calls `body`, which must not communicate, where nothing went wrong before, and
  /// keeps what it throws. Needs the GIL.
  template <class F>
  void attempt(F&& body) {
    failure_.attempt([&] {
      try {
        std::forward<F>(body)();
      } catch (const py::error_already_set& error) {
        std::rethrow_exception(foreign(error));
      }
    });
  }
  /// Process-local. A value that has to be the same on all ranks; three at the most.
  void require_same(const char* key, std::int64_t value);
  /// Collective: one all-reduce. Throws, on all ranks, what went wrong on any, and InvalidArgument
  /// for values that are not the same. Needs the GIL, which it releases.
  void agree();

 private:
  static std::exception_ptr foreign(const py::error_already_set& error);

  Comm comm_;
  CollectiveCall call_;
  adapter::FirstFailure failure_;
  std::array<const char*, opening_minima / 2> keys_{};
  std::array<std::int64_t, opening_minima> values_{};
  std::size_t count_ = 0;
};

}  // namespace daptor::python
