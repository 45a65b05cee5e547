// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "daptor/agreement.hpp"

namespace daptor::detail {

/// Collective over `comm`. Runs `call`, which is collective over another communicator with some of
/// the same ranks, and so returns on all of these or throws on all of these; on other ranks it does
/// nothing. Returns or throws on all ranks of `comm`, as `agreed` does with local work.
template <class F>
auto relayed(const Comm& comm, F&& call) {
  return agree_on(comm, std::forward<F>(call));
}

}  // namespace daptor::detail
