// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "daptor/adapter/communicator.hpp"
#include "daptor/comm.hpp"
#include "report/finding_packet.hpp"

namespace daptor::detail {

/// Collective. Gives all ranks what rank `sender` has written: its head and, if that is not all,
/// the rest.
template <std::size_t Capacity>
void share(Packet<Capacity>& packet, const Comm& comm, int sender) {
  packet.seal();
  comm->broadcast(packet.data(), Packet<Capacity>::head_size, sender);
  const std::size_t rest = packet.rest_size();
  if (rest > 0) comm->broadcast(packet.rest(), rest, sender);
}

}  // namespace daptor::detail
