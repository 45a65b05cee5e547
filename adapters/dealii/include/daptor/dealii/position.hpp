// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/mpi.h>

#include <cstddef>
#include <vector>

#include "daptor/dimension.hpp"

namespace daptor::dealii::detail {

/// This process among those of a vector of one dimension. Process-local.
inline GridPosition position(MPI_Comm comm) {
  return {static_cast<Index>(::dealii::Utilities::MPI::n_mpi_processes(comm)),
          static_cast<Index>(::dealii::Utilities::MPI::this_mpi_process(comm))};
}

/// The indices of a set, in increasing order.
inline std::vector<Index> list_of(const ::dealii::IndexSet& set) {
  std::vector<Index> list;
  list.reserve(static_cast<std::size_t>(set.n_elements()));
  for (const auto index : set) list.push_back(static_cast<Index>(index));
  return list;
}

}  // namespace daptor::dealii::detail
