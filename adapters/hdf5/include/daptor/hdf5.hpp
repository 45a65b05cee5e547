// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Distributed arrays in HDF5 files: any layout out, any layout and any number of ranks in.
///
/// \code
/// daptor::hdf5::save(a, "state.h5", "temperature");
/// daptor::hdf5::load(b, "state.h5", "temperature");  // b: another layout, other ranks
/// \endcode

#include "daptor/hdf5/append.hpp"
#include "daptor/hdf5/dataset.hpp"
#include "daptor/hdf5/load.hpp"
#include "daptor/hdf5/save.hpp"
#include "daptor/hdf5/xdmf.hpp"
