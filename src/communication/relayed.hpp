// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "daptor/agreement.hpp"

namespace daptor::detail {

/// Collective over `comm`. Runs `call` on those ranks of `comm` that are also in another
/// communicator, over which `call` is collective: it returns or throws on all of them. Other ranks
/// do nothing. Returns or throws on all ranks of `comm`, as `agreed` does for local work.
template <class F>
auto relayed(const Comm& comm, F&& call) {
  return agree_on(comm, std::forward<F>(call));
}

}  // namespace daptor::detail
