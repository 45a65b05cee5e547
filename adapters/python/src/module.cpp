// SPDX-License-Identifier: BSD-3-Clause
#include "array.hpp"
#include "buffer_protocol.hpp"
#include "building.hpp"
#include "csr.hpp"
#include "daptor/value.hpp"
#include "device_memory.hpp"
#include "devices.hpp"
#include "errors.hpp"
#include "exchange.hpp"
#include "importing.hpp"
#include "layout.hpp"
#include "lease.hpp"
#include "redistribution.hpp"
#include "reducing.hpp"
#include "report.hpp"
#include "sparse.hpp"

PYBIND11_MODULE(_daptor, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor: the protocol, without any other library.";
  module.attr("__version__") = DAPTOR_VERSION;
  module.attr("_masked_remedy") = daptor::detail::masked_remedy;
  module.attr("_libraries") = DAPTOR_LIBRARIES;  // from the package's folder, where it is installed
  bind_errors(module);
  bind_report(module);
  bind_memory(module);
  bind_array(module);
  bind_device_memory(module);
  bind_devices(module);
  bind_importing(module);
  bind_building(module);
  bind_exchange(module);
  bind_lease(module);
  bind_redistribution(module);
  bind_csr(module);
  bind_layout(module);
  bind_sparse(module);
  bind_reducing(module);
}
