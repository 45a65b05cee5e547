// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/scalapack/grid.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "context.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/first_failure.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/same.hpp"
#include "daptor/agreement.hpp"
#include "daptor/consistent.hpp"
#include "daptor/detail/fault.hpp"
#include "matrix_reasons.hpp"
#include "square_grid.hpp"

namespace daptor::scalapack {
namespace {

using daptor::detail::fault_point;
using detail::GridShape;

std::string text(Index rows, Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

/// Fills in what is 0.
GridShape shape_for(Index rows, Index columns, GridOrder order, int processes) {
  const auto refuse = [&] {
    adapter::refuse_argument("scalapack.grid.shape", "a grid of " + text(rows, columns),
                             "rows and columns of at least 1 (or 0: chosen) that the " +
                                 std::to_string(processes) +
                                 (processes == 1 ? " process" : " processes") + " suffice for",
                             "Pass a smaller grid, or none.");
  };
  if (rows < 0 || columns < 0 || rows > processes || columns > processes) refuse();
  const Index asked_rows = rows;
  const Index asked_columns = columns;
  if (asked_rows == 0 && asked_columns == 0) {
    const int square = detail::square_columns(processes);
    return {processes / square, square, order};
  }
  const Index all_rows = asked_rows == 0 ? processes / asked_columns : asked_rows;
  const Index all_columns = asked_columns == 0 ? processes / asked_rows : asked_columns;
  if (all_rows * all_columns > processes) refuse();
  return {static_cast<int>(all_rows), static_cast<int>(all_columns), order};
}

/// Collective, and the first agreement of the call. All ranks ask for the same.
GridShape agree_on_shape(const Comm& comm, Index rows, Index columns, GridOrder order) {
  GridShape shape;
  const auto word = static_cast<std::int64_t>(order);
  const auto least = agreed_minima<6>(comm, [&]() -> std::array<std::int64_t, 6> {
    fault_point("scalapack.grid.shape");
    shape = shape_for(rows, columns, order, comm.size());
    return {rows, adapter::falling(rows), columns, adapter::falling(columns),
            word, adapter::falling(word)};
  });
  for (std::size_t i = 0; i < least.size(); i += 2)
    if (!adapter::same_on_all(least[i], least[i + 1])) adapter::refuse_different_options("Grid");
  return shape;
}

/// Where a rank is on the grid of its array.
struct Seat {
  GridPosition row;
  GridPosition column;
};

Seat seat_of(const DistArray& array) {
  return {array.dimension(0).grid(),
          array.ndim() == 2 ? array.dimension(1).grid() : GridPosition{}};
}

/// Collective. Which rank is at each place, in column-major order.
std::vector<int> gather_seats(const Seat& seat, const Comm& comm) {
  std::vector<std::int64_t> sum;
  std::vector<int> ranks;
  agreed(comm, [&] {
    fault_point("scalapack.grid.seats");
    const auto count = static_cast<std::size_t>(comm.size());
    sum.resize(count);
    ranks.resize(count);
    sum[static_cast<std::size_t>(seat.row.rank + seat.column.rank * seat.row.size)] = comm.rank();
  });
  comm->allreduce(sum.data(), static_cast<int>(sum.size()), Reduction::sum);
  for (std::size_t i = 0; i < sum.size(); ++i) ranks[i] = static_cast<int>(sum[i]);
  return ranks;
}

/// Collective. Proves the array consistent; the shape of its grid.
GridShape shape_of(const DistArray& array, const Comm& comm) {
  Seat seat;
  const auto least = consistent_minima<2>(array, comm, [&]() -> std::array<std::int64_t, 2> {
    fault_point("scalapack.grid.of");
    adapter::Reasons reasons;
    detail::dimensions_reason(array, reasons);
    adapter::require_none(std::move(reasons));
    seat = seat_of(array);
    if (seat.row.size * seat.column.size != comm.size())
      adapter::refuse_argument(
          "scalapack.grid.shape",
          "an array on a grid of " + text(seat.row.size, seat.column.size) + " and " +
              std::to_string(comm.size()) + " processes",
          "an array that is divided among all processes",
          "Divide the array, or pass the communicator of the processes that have it.");
    const Index by_rows = seat.row.rank * seat.column.size + seat.column.rank;
    const Index by_columns = seat.column.rank * seat.row.size + seat.row.rank;
    return {by_rows == comm.rank() ? 1 : 0, by_columns == comm.rank() ? 1 : 0};
  });
  GridShape shape{static_cast<int>(seat.row.size), static_cast<int>(seat.column.size)};
  if (least[0] == 0 && least[1] != 0) shape.order = GridOrder::column;
  if (least[0] == 0 && least[1] == 0) shape.ranks = gather_seats(seat, comm);
  return shape;
}

}  // namespace

int detail::square_columns(int processes) {
  int columns = 1;
  for (int divisor = 2; divisor <= processes / divisor; ++divisor)
    if (processes % divisor == 0) columns = divisor;
  return columns;
}

Grid::Grid(const Comm& comm, Index rows, Index columns, GridOrder order) : comm_(comm) {
  const CollectiveCall call(comm, "scalapack::Grid");
  context_ = detail::context_of(comm, agree_on_shape(comm, rows, columns, order));
}

Grid Grid::of(const DistArray& array, const Comm& comm) {
  const CollectiveCall call(comm, "scalapack::Grid::of");
  return {comm, detail::context_of(comm, shape_of(array, comm))};
}

int Grid::context() const {
  return context_->id();
}
int Grid::rows() const {
  return context_->shape().rows;
}
int Grid::columns() const {
  return context_->shape().columns;
}
int Grid::row() const {
  return context_->info().row;
}
int Grid::column() const {
  return context_->info().column;
}

const Comm& Grid::inside_comm() const {
  if (!inside())
    adapter::refuse_argument(
        "scalapack.grid.outside", "a process outside of the grid",
        "one of the first " + std::to_string(context_->shape().count()) + " processes",
        "Ask inside() first.");
  return context_->members() ? *context_->members() : comm_;
}

}  // namespace daptor::scalapack
