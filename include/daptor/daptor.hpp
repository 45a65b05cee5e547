// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Includes the whole core. Adapters have headers of their own (`daptor/petsc.hpp`,
/// `daptor/tpetra.hpp`, `daptor/solvers.hpp`).

#include "daptor/abi.hpp"
#include "daptor/agreement.hpp"
#include "daptor/buffer.hpp"
#include "daptor/builders.hpp"
#include "daptor/combine.hpp"
#include "daptor/comm.hpp"
#include "daptor/csr.hpp"
#include "daptor/datatype.hpp"
#include "daptor/dimension.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/error.hpp"
#include "daptor/explain.hpp"
#include "daptor/flatten.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/layout.hpp"
#include "daptor/lease.hpp"
#include "daptor/local_index_map.hpp"
#include "daptor/numbering.hpp"
#include "daptor/one_to_one.hpp"
#include "daptor/parse.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/report.hpp"
#include "daptor/types.hpp"
#include "daptor/validate.hpp"
#include "daptor/value.hpp"
#include "daptor/version.hpp"
#include "daptor/view.hpp"
