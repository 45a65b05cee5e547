// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/process_grid.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/error.hpp"
#include "ranks/mpi_duplicate.hpp"
#include "ranks/process_grid.hpp"

namespace daptor {
namespace {

/// For each dimension of an array the number of the communicator's that divides it, or none.
using Matching = std::vector<std::optional<std::size_t>>;

Terms other_communicator() {
  return " Or pass a communicator of the same processes without a grid, as " + names::comm_split +
         " makes it.";
}

[[noreturn]] void refuse(int dimension, const char* key, Terms found, Terms expected,
                         const Terms& remedy) {
  throw InvalidArgument(Report(
      {error_finding("argument", dimension, key, std::move(found), std::move(expected), remedy)}));
}

std::string product(const std::vector<Index>& sizes) {
  std::string text;
  for (const Index size : sizes) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

/// Positions of the sizes other than 1.
std::vector<std::size_t> divided(const std::vector<Index>& sizes) {
  std::vector<std::size_t> result;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1) result.push_back(d);
  return result;
}

/// Finds which dimensions of the array are the communicator's, in the same order; `nullopt` if that
/// is open. Example: an array of three dimensions with grid {0, 0, 1} is divided along its first
/// two by a communicator of two.
std::optional<Matching> match(std::size_t ndim, const ProcessGrid& cart,
                              const std::vector<Index>& grid) {
  const std::size_t count = cart.sizes.size();
  Matching matching(ndim);
  if (ndim == count) {
    for (std::size_t d = 0; d < ndim; ++d) matching[d] = d;
    return matching;
  }
  if (ndim < count || grid.empty()) return std::nullopt;
  const auto open = divided(grid);
  std::vector<std::size_t> axes(count);
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  if (open.size() != count) {
    // Where nothing is periodic, it does not matter which of several 1 is the communicator's.
    const bool written_out = std::find(grid.begin(), grid.end(), 0) == grid.end();
    const bool ring =
        std::find(cart.periodic.begin(), cart.periodic.end(), true) != cart.periodic.end();
    axes = divided(cart.sizes);
    if (!written_out || ring || open.size() != axes.size()) return std::nullopt;
  }
  for (std::size_t i = 0; i < open.size(); ++i) matching[open[i]] = axes[i];
  return matching;
}

[[noreturn]] void refuse_dimensions(std::size_t ndim, const ProcessGrid& cart,
                                    const std::vector<Index>& grid) {
  const std::string divided_ones =
      grid.empty() ? "" : ", with " + product(grid) + " processes given for them";
  const bool fewer = ndim < cart.sizes.size();
  refuse(
      -1, "grid",
      "an array of " + std::to_string(ndim) + " dimensions" + divided_ones +
          " on a Cartesian communicator of " + std::to_string(cart.sizes.size()) + " (" +
          product(cart.sizes) + " processes)",
      "as many divided dimensions as the communicator has",
      (fewer ? Terms("To divide the array over all processes in the order of their ranks, give the "
                     "number of processes along each dimension in grid.")
             : Terms(names::undivided_grid)) +
          other_communicator());
}

void require_same(const ProcessGrid& cart, const Matching& matching, const std::vector<Index>& grid,
                  const std::vector<bool>& periodic) {
  for (std::size_t d = 0; d < matching.size(); ++d) {
    if (!matching[d]) continue;
    const Index size = cart.sizes[*matching[d]];
    const bool ring = cart.periodic[*matching[d]];
    const int number = static_cast<int>(d);
    if (!grid.empty() && grid[d] != 0 && grid[d] != size)
      refuse(number, "grid", std::to_string(grid[d]) + " processes",
             std::to_string(size) + ", as the Cartesian communicator has (" + product(cart.sizes) +
                 ")",
             "Leave out grid, which the communicator says." + other_communicator());
    if (!periodic.empty() && periodic[d] != ring)
      refuse(number, "periodic", periodic[d] ? "a periodic dimension" : "one that is not periodic",
             ring ? "a periodic one, as the Cartesian communicator's"
                  : "one that is not periodic, as the Cartesian communicator's",
             "Leave out periodic, which the communicator says, or make the communicator with the "
             "periods that are meant.");
  }
}

ProcessGrid matched(const ProcessGrid& cart, const Matching& matching,
                    const std::vector<bool>& periodic) {
  ProcessGrid result;
  result.cartesian = true;
  for (std::size_t d = 0; d < matching.size(); ++d) {
    const auto axis = matching[d];
    result.sizes.push_back(axis ? cart.sizes[*axis] : 1);
    result.position.push_back(axis ? cart.position[*axis] : 0);
    result.periodic.push_back(axis ? cart.periodic[*axis] : !periodic.empty() && periodic[d]);
  }
  return result;
}

}  // namespace

void detail::require_entries(const char* key, std::size_t count, std::size_t ndim) {
  if (count != 0 && count != ndim)
    throw InvalidArgument(key, std::to_string(count) + " entries",
                          "no entries, or one for each of " + std::to_string(ndim) + " dimensions");
}

std::optional<ProcessGrid> detail::cartesian_grid(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || !adapter::mpi_running()) return std::nullopt;
  int kind = MPI_UNDEFINED, ndim = 0;
  check_mpi(MPI_Topo_test(comm, &kind), "MPI_Topo_test");
  if (kind != MPI_CART) return std::nullopt;
  check_mpi(MPI_Cartdim_get(comm, &ndim), "MPI_Cartdim_get");
  if (ndim < 1) return std::nullopt;
  const auto count = static_cast<std::size_t>(ndim);
  std::vector<int> dims(count), periods(count), coordinates(count);
  check_mpi(MPI_Cart_get(comm, ndim, dims.data(), periods.data(), coordinates.data()),
            "MPI_Cart_get");
  ProcessGrid result;
  result.cartesian = true;
  result.sizes.assign(dims.begin(), dims.end());
  result.position.assign(coordinates.begin(), coordinates.end());
  for (const int period : periods) result.periodic.push_back(period != 0);
  return result;
}

std::vector<Index> block_grid(int ndim, int process_count, const IndexVector& grid) {
  if (ndim < 0) throw InvalidArgument("ndim", std::to_string(ndim), "zero or more");
  if (process_count < 1)
    throw InvalidArgument("process_count", std::to_string(process_count), "one or more");
  detail::require_entries("grid", grid.size(), static_cast<std::size_t>(ndim));
  std::vector<int> dims(static_cast<std::size_t>(ndim), 0);
  Index given = 1;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    if (grid[d] < 0 || grid[d] > process_count)
      throw InvalidArgument(
          "grid", std::to_string(grid[d]),
          "0, or a divisor of the " + std::to_string(process_count) + " processes");
    dims[d] = static_cast<int>(grid[d]);
    if (grid[d] > 0) given = checked_multiply(given, grid[d]).value_or(0);
  }
  const bool open = std::find(dims.begin(), dims.end(), 0) != dims.end();
  const bool fits = given > 0 && (open ? process_count % given == 0 : given == process_count);
  if (!fits)
    throw InvalidArgument("grid", "a grid that does not divide the number of processes",
                          "grid sizes whose product is " + std::to_string(process_count));
  if (open) {
    require_mpi_running();
    check_mpi(MPI_Dims_create(process_count, ndim, dims.data()), "MPI_Dims_create");
  }
  return {dims.begin(), dims.end()};
}

std::vector<Index> grid_coordinates(const IndexVector& grid, Index rank) {
  std::vector<Index> coordinates(grid.size());
  Index rest = rank;
  for (std::size_t d = grid.size(); d-- > 0;) {
    if (grid[d] < 1)
      throw InvalidArgument("grid", std::to_string(grid[d]), "one or more processes");
    coordinates[d] = rest % grid[d];
    rest /= grid[d];
  }
  if (rank < 0 || rest != 0)
    throw InvalidArgument("rank", std::to_string(rank), "a rank on the grid");
  return coordinates;
}

ProcessGrid process_grid(int ndim, const Comm& comm, const IndexVector& grid,
                         const FlagVector& periodic) {
  if (ndim < 0) throw InvalidArgument("ndim", std::to_string(ndim), "zero or more");
  const auto count = static_cast<std::size_t>(ndim);
  detail::require_entries("grid", grid.size(), count);
  detail::require_entries("periodic", periodic.size(), count);
  const auto cart = comm->cartesian();
  const bool in_order = !cart || (count < cart->sizes.size() && (!grid.empty() || count == 0) &&
                                  std::find(grid.begin(), grid.end(), 0) == grid.end());
  if (!in_order) {
    const auto matching = match(count, *cart, grid);
    if (!matching) refuse_dimensions(count, *cart, grid);
    require_same(*cart, *matching, grid, periodic);
    return matched(*cart, *matching, periodic);
  }
  ProcessGrid result;
  result.sizes = block_grid(ndim, comm.size(), grid);
  result.position = grid_coordinates(result.sizes, comm.rank());
  result.periodic = periodic.empty() ? std::vector<bool>(count) : std::vector<bool>(periodic);
  return result;
}

}  // namespace daptor
