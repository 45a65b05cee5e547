// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

/// Every target defines this function: it tries one input, returns 0, and aborts if a promise is
/// broken.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace daptor::fuzz {

/// Ends the process if `kept` is false, which is a finding for the fuzzer and a failure of the
/// replay.
inline void require(bool kept, const char* promise, const std::string& details = "") {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n%s\n", promise, details.c_str());
  std::abort();
}

}  // namespace daptor::fuzz
