// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/describer.hpp"

namespace daptor::scalapack::detail {

/// `daptor describe scalapack --desc NUMBERS --grid ROWSxCOLUMNS [--order row|column]`: the
/// sections of all processes of a grid, of float64, judged as export_matrix judges them. CTXT_ is
/// not looked at: a context means something within a program only.
Describer descriptor_describer();

}  // namespace daptor::scalapack::detail
