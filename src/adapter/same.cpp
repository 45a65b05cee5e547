// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/same.hpp"

#include "communication/hash.hpp"
#include "daptor/error.hpp"

namespace daptor::adapter {

std::int64_t code_of(const std::vector<std::int64_t>& values) {
  std::uint64_t code = 0;
  for (const std::int64_t value : values) code = daptor::detail::extend(code, value);
  return static_cast<std::int64_t>(code >> 1);
}

void refuse_different_options(const std::string& call) {
  throw InvalidArgument("options", call + " with options that differ between ranks",
                        "the same options on all ranks");
}

}  // namespace daptor::adapter
