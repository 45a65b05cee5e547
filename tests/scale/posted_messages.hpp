// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <mpi.h>

#include "counting_communicator.hpp"

/// \file
/// The messages that a HaloExchange or a Redistribution posts itself, by MPI_Isend and MPI_Irecv.
/// The program has these functions and those that complete requests. On the processes of MPI they
/// count, and pass on to MPI. On the ranks of `run_on_fibers`, which pass off `fiber_handle()` as
/// their communicator, they send through the fibers. So the library runs unchanged on both.

namespace daptor::test {

/// The posted messages of one rank, from construction to destruction.
class PostedMessages {
 public:
  PostedMessages();
  PostedMessages(const PostedMessages&) = delete;
  PostedMessages& operator=(const PostedMessages&) = delete;
  ~PostedMessages();

  /// Where they are counted from now on; null if they are not.
  Traffic* traffic = nullptr;
  /// The receives of a fiber that are not done, in the order of posting.
  std::vector<std::size_t> open;
  /// Messages to the fiber that it has not received, by sender and tag, in the order of sending.
  std::multimap<std::pair<int, int>, std::size_t> arriving;
};

/// A communicator of MPI that stands for the ranks of `run_on_fibers`: Daptor's duplicate of
/// MPI_COMM_SELF, which the first call makes.
MPI_Comm fiber_handle();

}  // namespace daptor::test
