// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/same.hpp"

#include "daptor/error.hpp"

namespace daptor::adapter {

void refuse_different_options(const std::string& call) {
  throw InvalidArgument("options", call + " with options that differ between ranks",
                        "the same options on all ranks");
}

}  // namespace daptor::adapter
