// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include "daptor/communicator.hpp"
#include "daptor/datatype.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::detail {

/// One side of a redistribution on this process: its array (one of a batch) and the communicator on
/// which it is described; neither where this process has no part in it.
struct Party {
  const DistArray* array = nullptr;
  std::shared_ptr<const Communicator> comm;
  MPI_Comm mpi = MPI_COMM_NULL;  ///< the same; looked at where communicators differ

  bool takes_part() const { return comm != nullptr; }
};

/// Both sides, and the communicator that contains them.
struct Parties {
  Party source, target;
  std::shared_ptr<const Communicator> comm;
  MPI_Comm mpi = MPI_COMM_NULL;

  /// All three communicators are one.
  bool together() const { return source.comm == comm && target.comm == comm; }
};

/// Process-local. Ranks of one communicator as ranks of another; MPI_UNDEFINED where it does not
/// have the process.
std::vector<int> translated(const std::vector<int>& ranks, MPI_Comm from, MPI_Comm to);

/// What is the same on all processes of an array, and what a process without a part in it has to
/// know.
struct Outline {
  std::vector<Index> shape;
  std::string dist_types;  ///< one letter a dimension
  DataType type = DataType::of<char>();
  Index arrays = 0;  ///< in the batch

  bool unstructured() const { return dist_types.find('u') != std::string::npos; }
  /// Of all dimensions together; nothing where 64 bits do not hold it.
  std::optional<Index> elements() const;
};

Outline outline_of(const DistArray& array, Index arrays);

/// Collective over `comm`. The outline of a side that some processes have: `own` there, null on the
/// others.
Outline shared_outline(const Outline* own, const Communicator& comm);

}  // namespace daptor::detail
