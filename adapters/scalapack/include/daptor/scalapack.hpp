// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ScaLAPACK's matrices as distributed arrays on the same memory, and back.
///
/// The program calls ScaLAPACK itself, with declarations of its own: the library comes without
/// headers. Daptor makes descriptors and grids, and never ends MPI.
///
/// \code
/// daptor::scalapack::Grid grid(comm);
/// auto A = daptor::scalapack::import_matrix<double>(a, grid);  // a: any matrix in blocks; no copy
/// pdgetrf_(&n, &n, A.data(), &one, &one, A.desc(), pivots, &info);
/// A.modified();
/// daptor::scalapack::check_info("pdgetrf", info, comm);  // an error on all ranks
///
/// daptor::DistArray b = daptor::scalapack::export_matrix(desc, data, comm);  // somebody's matrix
/// auto T = daptor::scalapack::copy_to_matrix<double>(c, grid);  // from any layout, by a copy
/// \endcode

#include "daptor/scalapack/block_cyclic.hpp"
#include "daptor/scalapack/copy.hpp"
#include "daptor/scalapack/descriptor.hpp"
#include "daptor/scalapack/grid.hpp"
#include "daptor/scalapack/info.hpp"
#include "daptor/scalapack/matrix.hpp"
#include "daptor/scalapack/targets.hpp"
