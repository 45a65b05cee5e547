// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "daptor/communicator.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// The arrays of the Fortran module `daptor`, for C++ that is called from Fortran: adapters, and
/// components that take a `type(daptor_array)`.

namespace daptor::fortran {

/// What `array%handle()` returns. 0: nothing.
using Handle = std::int64_t;

/// What a `type(daptor_array)` stands for: the description, the communicator that it lives on, and
/// for each dimension the Fortran index of the described index 0. That is 1, or 1 - w where ghost
/// cells of width w lie outside of the grid.
struct Array {
  DistArray array;
  std::shared_ptr<const MpiCommunicator> comm;
  std::vector<Index> first;
};

/// The array that `handle` stands for. Process-local. Throws InvalidArgument (`fortran.empty`)
/// where it stands for none.
std::shared_ptr<const Array> array_of(Handle handle);

/// A handle for `array`, in place of `*handle`, whose own array is let go. Process-local.
void hold(Array array, Handle* handle);

/// Notes an exception for the Fortran procedure that is being called, as `daptor_message` and the
/// end of the program will tell it. Returns the value of `stat`, an ErrorKind.
int failed(std::exception_ptr exception) noexcept;

/// Runs `body` for a procedure that Fortran calls, which no exception may leave: 0, or the value of
/// `stat`.
template <class F>
int call(F&& body) noexcept {
  try {
    std::forward<F>(body)();
    return 0;
  } catch (...) {
    return failed(std::current_exception());
  }
}

}  // namespace daptor::fortran
