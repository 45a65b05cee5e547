// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/error.hpp"
#include "daptor/halo_exchange.hpp"

namespace daptor::python {

/// The stencil that Python calls "box" or "star". Throws InvalidArgument for any other word.
inline Stencil stencil_of(const std::string& name) {
  if (name == "box") return Stencil::box;
  if (name == "star") return Stencil::star;
  throw InvalidArgument("stencil", '"' + name + '"', "\"box\" or \"star\"");
}

}  // namespace daptor::python
