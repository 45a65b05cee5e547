// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// \file
/// For authors of adapters: what no call can report.

namespace daptor::adapter {

/// Gives a note to the handler of the program (daptor/about.hpp), or writes it to standard error.
/// Process-local, on any thread; also after MPI_Finalize and while static objects are destroyed.
/// @param sentence  without `daptor: ` before it and without a line break
/// @param more      appended to it, such as the text of an exception
void note(std::string_view sentence, std::string_view more = {}) noexcept;

}  // namespace daptor::adapter
