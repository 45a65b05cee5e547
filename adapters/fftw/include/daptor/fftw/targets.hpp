// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace daptor::fftw {

/// Adds `fftw.transform` to the targets that `explain` asks. Happens by itself when the library is
/// loaded; a program that uses nothing else of it calls this. Process-local.
/// @returns true
bool register_targets();

}  // namespace daptor::fftw
