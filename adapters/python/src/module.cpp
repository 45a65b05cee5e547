// SPDX-License-Identifier: BSD-3-Clause
#include "arrays/array.hpp"
#include "arrays/buffer_protocol.hpp"
#include "bindings.hpp"
#include "calls/signatures.hpp"
#include "computing/csr.hpp"
#include "daptor/value.hpp"
#include "descriptions/importing.hpp"
#include "failures/report.hpp"

PYBIND11_MODULE(_daptor, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor: the protocol, without any other library.";
  module.attr("__version__") = DAPTOR_VERSION;
  module.attr("_masked_remedy") = daptor::detail::masked_remedy;
  module.attr("_libraries") = DAPTOR_LIBRARIES;  // from the package's folder, where it is installed
  bind_about(module);
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
  bind_tracing(module);
  finish_signatures(module);
}
