// SPDX-License-Identifier: BSD-3-Clause
#include "together.hpp"

#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"

namespace daptor::fortran {
std::shared_ptr<const Array> first_of(const Handle* arrays, std::int64_t count) {
  if (count < 1) refuse_empty(ObjectKind<Array>::name);
  return array_of(arrays[0]);
}

std::vector<DistArray> together(const Handle* arrays, std::int64_t count, const Comm& comm) {
  std::vector<DistArray> result;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto array = array_of(arrays[i]);
    if (!adapter::same_processes(array->comm->mpi(), comm->mpi()))
      throw InvalidArgument(Report(
          {error_finding("fortran.comm", -1, "", "arrays on communicators of different processes",
                         "arrays whose communicators have the same processes in the same order",
                         "Describe all arrays of one call on the same communicator.")}));
    result.push_back(array->array);
  }
  return result;
}

}  // namespace daptor::fortran
