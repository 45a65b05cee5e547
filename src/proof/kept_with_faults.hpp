// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::detail {

/// While a fault hook is installed (`daptor/detail/fault.hpp`) kept proofs do not count: a test
/// that makes ranks fail at every point of a call passes the same points each time. True for the
/// tests of kept proofs themselves. Not thread-safe.
extern bool kept_with_faults;

}  // namespace daptor::detail
