// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/dist_array.hpp"

#include "daptor/detail/only_communicator.hpp"
#include "daptor/error.hpp"

namespace daptor {

DistArray Section::on(const Comm& comm) const {
  return {*this, comm};
}

Comm DistArray::comm() const {
  if (comm_) return *comm_;
  if (auto only = detail::only_communicator()) return *std::move(only);
  throw InvalidArgument("comm", "an array that was default-constructed",
                        "an array on a communicator: section.on(comm)");
}

}  // namespace daptor
