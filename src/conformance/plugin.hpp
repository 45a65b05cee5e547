// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace daptor::conformance {

/// The parts of a producer's name, `FILE:SYMBOL`.
struct Specification {
  std::string file;  ///< as passed to the dynamic linker
  std::string symbol;
  std::string text;  ///< as given by the user
};

/// Throws ProducerFailed (`plugin.specification`, `plugin.file`).
Specification read_specification(const std::string& text);

/// Loads the library for the rest of the process. Throws ProducerFailed (`plugin.file`).
void* open_library(const Specification& specification);

/// Throws ProducerFailed (`plugin.symbol`) if the library does not define the symbol.
void* find_symbol(void* library, const Specification& specification);

}  // namespace daptor::conformance
