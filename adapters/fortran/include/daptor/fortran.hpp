// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/detail/only_communicator.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"

/// \file
/// Gives C++ that is called from Fortran the arrays of the Fortran module `daptor`: for adapters,
/// and for components that take a `type(daptor_array)`.

namespace daptor::fortran {

/// The result of `array%handle()`. 0 stands for no object.
using Handle = std::int64_t;

/// The contents of a `type(daptor_array)`: the array, and for each dimension the Fortran index of
/// described index 0. That is 1, or 1 - w if ghost cells of width w lie outside the grid.
struct Array {
  DistArray array;
  std::vector<Index> first;
};

/// The array with this handle. Process-local.
/// @param handle  the result of `array%handle()` on this process
/// @returns an array that lives as long as the result, even if Fortran frees its variable
/// @throws InvalidArgument (`fortran.empty`), on this process, if there is no such array
std::shared_ptr<const Array> array_of(Handle handle);

/// Returns the result of `find`, which contains the communicator of the collective call `name`.
/// Process-local if it returns. If `find` throws, this process does not know which other ranks are
/// in the call; it can tell them only if there is just one communicator in use.
/// @param name  the call, as error messages name it
/// @param find  returns an object with the communicator; process-local
/// @throws Error that `find` threw: on all ranks if they can be told, otherwise on this one
/// \code
/// const auto from = found_for("my_solve", [&] { return array_of(handle); });
/// daptor::Call here(from->array.comm(), "my_solve");
/// \endcode
template <class F>
auto found_for(const char* name, F&& find) -> decltype(find()) {
  try {
    return find();
  } catch (const Error&) {
    if (const auto comm = daptor::detail::only_communicator())
      Call(*comm, name).check([] { throw; });
    throw;
  }
}

/// The same array with its dimensions in reverse: Fortran has the one first that varies fastest, C
/// and files have it last. Process-local.
DistArray reversed(const DistArray& array);

/// Replaces a handle by one for another array, and releases the old array. Process-local.
/// @param array   the new array
/// @param handle  the handle in a variable of Fortran; 0 if it is empty
void hold(Array array, Handle* handle);

/// Records an exception for the Fortran procedure that is being called, so that `daptor_message`
/// and the end of the program report it. Process-local.
/// @returns the value for `stat`, an ErrorKind
int failed(std::exception_ptr exception) noexcept;

namespace detail {
/// Messages about this thread's call name indices as they are in Fortran, counted from 1 or from
/// the bounds of the objects that the call finds. Begins a call that has found none yet.
void begin_messages() noexcept;
}  // namespace detail

/// Runs `body` for a procedure that Fortran calls, so that no exception reaches Fortran.
/// @returns 0, or the value for `stat` if `body` threw
template <class F>
int call(F&& body) noexcept {
  detail::begin_messages();
  try {
    std::forward<F>(body)();
    return 0;
  } catch (...) {
    return failed(std::current_exception());
  }
}

}  // namespace daptor::fortran
