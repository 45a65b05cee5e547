// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "daptor/agreement.hpp"
#include "daptor/comm.hpp"
#include "daptor/detail/only_communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"

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
  Comm comm;
  std::vector<Index> first;
};

/// The array that `handle` stands for. Process-local. Throws InvalidArgument (`fortran.empty`)
/// where it stands for none.
std::shared_ptr<const Array> array_of(Handle handle);

/// What `find` returns, which has the communicator of the collective call `name`. Process-local
/// where it returns. Where it throws, this process does not know who makes the call with it: it
/// tells the others where they can be on one communicator only.
/// \code
/// const auto from = found_for("my_solve", [&] { return array_of(handle); });
/// const CollectiveCall here(from->comm, "my_solve");
/// \endcode
template <class F>
auto found_for(const char* name, F&& find) -> decltype(find()) {
  try {
    return find();
  } catch (const Error&) {
    if (const auto comm = daptor::detail::only_communicator()) {
      const CollectiveCall here(*comm, name);
      agree(*comm, std::current_exception());
    }
    throw;
  }
}

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
