// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::detail {

/// Normally kept proofs are ignored while a fault hook is installed (`daptor/detail/fault.hpp`), so
/// that a test that makes ranks fail at every point of a call passes the same points each time. The
/// tests of kept proofs set this to true to use them nevertheless. Not thread-safe.
extern bool kept_with_faults;

}  // namespace daptor::detail
