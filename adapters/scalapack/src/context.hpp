// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "blacs.hpp"
#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/scalapack/grid.hpp"

namespace daptor::scalapack::detail {

/// The places of ranks on a grid.
struct GridShape {
  int rows = 1;
  int columns = 1;
  GridOrder order = GridOrder::row;
  /// The ranks in column-major order of the grid, where neither order describes them; else empty.
  std::vector<int> ranks = {};

  int count() const { return rows * columns; }
  friend bool operator==(const GridShape& a, const GridShape& b) {
    return a.rows == b.rows && a.columns == b.columns && a.order == b.order && a.ranks == b.ranks;
  }
};

/// A BLACS context and the communicator of its processes. Given back by the destructor, which calls
/// nothing after MPI_Finalize, nor where somebody else has ended the context (`Cblacs_exit`).
class Context {
 public:
  explicit Context(GridShape shape) : shape_(std::move(shape)) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  /// Collective over `comm`. Makes the context; throws LibraryFailed where MPI fails, perhaps on
  /// this process alone.
  void make(const Comm& comm);

  const GridShape& shape() const { return shape_; }
  int id() const { return id_; }
  const GridInfo& info() const { return info_; }
  /// Nobody has ended the context, whose number another one may have then. Process-local.
  bool alive() const;
  /// The processes of the grid; empty where they are all that made it, and outside of the grid.
  const std::optional<Comm>& members() const { return members_; }

 private:
  GridShape shape_;
  int id_ = -1;
  GridInfo info_;
  MPI_Comm comm_ = MPI_COMM_NULL;  // of the processes of the grid, where others are outside
  std::optional<Comm> members_;
};

/// Collective. One check, in which the shape is asked for; more communication only where the
/// context is made.
/// @param shape  process-local; may throw. The same on all ranks, or the call finds in that check
///               that it is not; no more processes than there are
/// @returns the context of this shape, which is kept beside the communicator
std::shared_ptr<const Context> context_of(Call& call, const std::function<GridShape()>& shape);

}  // namespace daptor::scalapack::detail
