// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "redistribution_case.hpp"

namespace bench {

/// Another library's redistribution from one section to another.
struct Peer {
  std::string name;
  double goal = 1;  ///< goal: how many times faster Daptor is, one use with its set-up
  std::function<std::function<void()>()> set_up;  ///< returns a function that redistributes once
};

/// The lists that tell each library who has what are made beforehand, and not counted.
std::vector<Peer> redistribution_peers(HeldArray& from, HeldArray& to, MPI_Comm comm);
std::vector<Peer> permutation_peers(HeldArray& from, HeldArray& to, MPI_Comm comm);

/// Empty if ScaLAPACK is not installed or cannot describe the two placements.
std::vector<Peer> scalapack_peer(HeldArray& from, HeldArray& to, MPI_Comm comm);

}  // namespace bench
