// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SUNDIALS' vectors as distributed arrays on the same memory, and back.
///
/// \code
/// auto y = daptor::sundials::import_nvector(a, context);  // a: any array of doubles; no copy
/// CVodeInit(cvode, f, 0.0, y.get());
/// CVode(cvode, 1.0, y.get(), &t, CV_NORMAL);
/// y.modified();  // tells the other views on the memory
///
/// int f(sunrealtype t, N_Vector y, N_Vector ydot, void* data) {
///   const daptor::DistArray& a = *static_cast<daptor::DistArray*>(data);
///   auto u = daptor::sundials::export_nvector(y, a);  // any vector like y, in the layout of a
///   ...
/// \endcode

#include "daptor/sundials/nvector.hpp"
#include "daptor/sundials/targets.hpp"
