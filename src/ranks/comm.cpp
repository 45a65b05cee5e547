// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/comm.hpp"

#include <utility>

#include "daptor/error.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor {

Comm::Comm(MPI_Comm comm) : ranks_(MpiDuplicate::of(comm)) {}

Comm::Comm(std::shared_ptr<const Communicator> ranks) : ranks_(std::move(ranks)) {
  if (ranks_ == nullptr) throw InvalidArgument("comm", "a null pointer", "a communicator");
}

int Comm::rank() const {
  return ranks_->rank();
}

int Comm::size() const {
  return ranks_->size();
}

}  // namespace daptor
