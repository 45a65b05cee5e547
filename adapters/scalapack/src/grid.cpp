// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/scalapack/grid.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "context.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "matrix_reasons.hpp"
#include "square_grid.hpp"

namespace daptor::scalapack {
namespace {

using detail::GridShape;

std::string shape_text(Index rows, Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

/// Fills in what is 0.
GridShape shape_for(Index rows, Index columns, GridOrder order, int processes) {
  const auto refuse = [&] {
    adapter::refuse_argument("scalapack.grid.shape", "a grid of " + shape_text(rows, columns),
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

/// Where a rank is on the grid of its array.
struct Seat {
  GridPosition row;
  GridPosition column;
};

Seat seat_of(const Section& array) {
  return {array.dimension(0).grid(),
          array.ndim() == 2 ? array.dimension(1).grid() : GridPosition{}};
}

/// Collective. Which rank is at each place, in column-major order.
std::vector<int> gather_seats(const Seat& seat, Call& call) {
  std::vector<std::int64_t> sum;
  std::vector<int> ranks;
  call.check([&] {
    const auto count = static_cast<std::size_t>(call.comm().size());
    sum.resize(count);
    ranks.resize(count);
    sum[static_cast<std::size_t>(seat.row.rank + seat.column.rank * seat.row.size)] =
        call.comm().rank();
  });
  call.comm()->allreduce(sum.data(), static_cast<int>(sum.size()), Reduction::sum);
  for (std::size_t i = 0; i < sum.size(); ++i) ranks[i] = static_cast<int>(sum[i]);
  return ranks;
}

/// Collective, of a call whose array is still to be proven: the shape of its grid.
GridShape shape_of(const Section& array, Call& call) {
  Seat seat;
  Agreed<bool> by_rows, by_columns;
  call.check([&] {
    detail::require_dimensions(array);
    seat = seat_of(array);
    if (seat.row.size * seat.column.size != call.comm().size())
      adapter::refuse_argument(
          "scalapack.grid.shape",
          "an array on a grid of " + shape_text(seat.row.size, seat.column.size) + " and " +
              std::to_string(call.comm().size()) + " processes",
          "an array that is divided among all processes",
          "Divide the array, or put it on the communicator of the processes that have it: "
          "section.on(comm).");
    const Index rank = call.comm().rank();
    by_rows = call.all(seat.row.rank * seat.column.size + seat.column.rank == rank);
    by_columns = call.all(seat.column.rank * seat.row.size + seat.row.rank == rank);
  });
  GridShape shape{static_cast<int>(seat.row.size), static_cast<int>(seat.column.size)};
  if (by_rows) return shape;
  if (by_columns)
    shape.order = GridOrder::column;
  else
    shape.ranks = gather_seats(seat, call);
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
  Call call(comm, "scalapack::Grid");
  call.same("rows", rows);
  call.same("columns", columns);
  call.same("order", order);
  context_ =
      detail::context_of(call, [&] { return shape_for(rows, columns, order, call.comm().size()); });
}

Grid Grid::of(const DistArray& array) {
  Call call(array, "scalapack::Grid::of");
  GridShape shape = shape_of(array, call);
  return {call.comm(), detail::context_of(call, [&] { return std::move(shape); })};
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
