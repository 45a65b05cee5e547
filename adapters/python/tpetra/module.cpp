// SPDX-License-Identifier: BSD-3-Clause
#include <pybind11/pybind11.h>

#include "daptor/tpetra.hpp"

PYBIND11_MODULE(_tpetra, module) {
  module.doc() = "Has daptor.explain() ask Tpetra's targets too.";
  module.attr("loaded") = daptor::tpetra::register_targets();
}
