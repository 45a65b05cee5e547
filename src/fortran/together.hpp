// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "daptor/agreement.hpp"
#include "daptor/detail/only_communicator.hpp"
#include "daptor/error.hpp"
#include "objects.hpp"

namespace daptor::fortran {

/// What `find` returns, which has the communicator of the collective call `name`. Process-local
/// where it returns. Where it throws, this process does not know who makes the call with it: it
/// tells the others where they can be on one communicator only.
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

/// Process-local. The array whose communicator a collective call with `arrays` uses: the first.
/// Throws InvalidArgument (`fortran.empty`) where there is none.
std::shared_ptr<const Array> first_of(const Handle* arrays, std::int64_t count);

/// The arrays that are used in one call on `comm`. Throws InvalidArgument where one holds nothing
/// (`fortran.empty`) or lives on a communicator of other processes (`fortran.comm`). Process-local.
std::vector<DistArray> together(const Handle* arrays, std::int64_t count,
                                const MpiCommunicator& comm);

}  // namespace daptor::fortran
