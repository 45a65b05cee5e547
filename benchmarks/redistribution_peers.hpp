// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "redistribution_case.hpp"

namespace bench {

/// Another library's way from one section to another.
struct Peer {
  std::string name;
  double goal = 1;  ///< how many times faster one use with its set-up is to be
  std::function<std::function<void()>()> set_up;  ///< returns one use
};

/// What each is told about who has what is worked out beforehand, and not counted.
std::vector<Peer> redistribution_peers(Section& from, Section& to, MPI_Comm comm);
std::vector<Peer> permutation_peers(Section& from, Section& to, MPI_Comm comm);

/// Not there where the library is not, or cannot describe the two placements.
std::vector<Peer> scalapack_peer(Section& from, Section& to, MPI_Comm comm);

}  // namespace bench
