// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::detail {

/// While a fault hook is installed (`daptor/detail/fault.hpp`), kept proofs are ignored, so that a
/// test that makes ranks fail at every point of a call passes the same points each time. Tests of
/// kept proofs set this to true to use the proofs nevertheless. Not thread-safe.
extern bool kept_with_faults;

}  // namespace daptor::detail
