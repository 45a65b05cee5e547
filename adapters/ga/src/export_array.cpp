// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/same.hpp"
#include "daptor/agreement.hpp"
#include "daptor/builders.hpp"
#include "daptor/consistent.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/ga/array.hpp"
#include "division.hpp"
#include "exports.hpp"
#include "library.hpp"
#include "producer.hpp"

namespace daptor::ga {
namespace {

using detail::Division;
using detail::Exported;

/// Numbers along dimensions that need no memory, and so can be computed between communications.
using Along = std::array<Index, GA_MAX_DIM>;

template <class Grid>
Index product_of(const Grid& grid, std::size_t first = 0) {
  return std::accumulate(grid.begin() + static_cast<std::ptrdiff_t>(first), grid.end(), Index{1},
                         std::multiplies<>());
}

/// Where the processes of the group are on a grid that GA has not filled.
struct Placement {
  bool all = true;  ///< of the group have a section
  Along grid{};     ///< of the processes with a section; 1 behind the last dimension
};

/// On the processes with elements alone.
Placement place_some(const Division& division) {
  Placement placement{false, {}};
  placement.grid.fill(1);
  std::copy(division.grid.begin(), division.grid.end(), placement.grid.begin());
  return placement;
}

/// Lengthens the grid by processes without elements, which come last. Of the dimensions that this
/// is possible in, the first one.
Placement place_all(const Division& division) {
  Placement placement = place_some(division);
  placement.all = product_of(division.grid) == division.processes;
  for (std::size_t d = 0; d < division.grid.size() && !placement.all; ++d) {
    const Index behind = product_of(division.grid, d + 1);
    if (division.processes % behind == 0) {
      placement.grid[d] = division.processes / behind;
      placement.all = true;
    }
    if (division.grid[d] > 1) break;
  }
  return placement;
}

/// @param serial  of the export that is kept for the array; 0: none
std::int64_t code_of(const Division& division, std::int64_t serial) {
  std::vector<std::int64_t> values = {static_cast<std::int64_t>(division.type.kind()),
                                      static_cast<std::int64_t>(division.type.itemsize()),
                                      division.cyclic ? 1 : 0, division.read_only ? 1 : 0, serial};
  for (const auto* list : {&division.shape, &division.block_sizes, &division.grid})
    values.insert(values.end(), list->begin(), list->end());
  return adapter::code_of(values);
}

void require_processes(const Division& division, const Comm& comm) {
  const MPI_Comm group = detail::communicator_of_group(division.group);
  if (adapter::same_processes(group, comm->mpi())) return;
  adapter::refuse_argument(
      "ga.communicator", "a communicator of " + std::to_string(comm.size()) + " processes",
      "the " + std::to_string(division.processes) + " processes of the array's group, in its order",
      "Pass GA_MPI_Comm_pgroup(GA_Get_pgroup(handle)), or no communicator.");
}

/// What the ranks agree on, besides that all of them can read the array.
struct Agreed {
  bool same = true;      ///< as far as one number shows it, made of the kept exports too
  bool trailing = true;  ///< the processes without elements come last
  std::int64_t serial = 0;
  Along ghosts{};
  std::optional<Exported> known;  ///< what was exported before, if it is the same on all ranks
};

Agreed agree_on(int handle, const Comm& comm, Division& mine) {
  constexpr std::size_t before_ghosts = 4;
  Agreed found;
  const auto least = agreed_minima<before_ghosts + GA_MAX_DIM>(comm, [&] {
    daptor::detail::fault_point("ga.export_array.check");
    mine = detail::read_division(handle);
    require_processes(mine, comm);
    std::array<std::int64_t, before_ghosts + GA_MAX_DIM> words{};
    words.fill(detail::unknown);
    found.known = detail::find_export(handle);
    words[0] = code_of(mine, found.known ? found.known->serial : 0);
    words[1] = adapter::falling(words[0]);
    const bool filled = mine.rank < product_of(mine.grid);
    words[2] = mine.cyclic || filled == mine.has_elements ? 1 : 0;
    words[3] = adapter::falling(detail::next_serial());
    if (mine.ghosts) std::copy(mine.ghosts->begin(), mine.ghosts->end(), &words[before_ghosts]);
    return words;
  });
  found.same = adapter::same_on_all(least[0], least[1]);
  found.trailing = least[2] == 1;
  found.serial = adapter::greatest(least[3]);
  std::copy(least.begin() + before_ghosts, least.end(), found.ghosts.begin());
  return found;
}

Along coordinates_of(Index position, const Along& grid) {
  Along coordinates{};
  for (std::size_t d = grid.size(); d-- > 0; position /= grid[d])
    coordinates[d] = position % grid[d];
  return coordinates;
}

Dimension block_dimension(const Division& division, const Placement& placement, std::size_t d,
                          Index coordinate, Index ghosts) {
  const Index size = division.shape[d];
  const Index processes = placement.grid[d];
  IndexRange owned{size, size};
  if (division.has_elements)
    owned = division.owned[d];
  else if (coordinate < division.grid[d])
    owned = detail::range_along(division, d, coordinate);
  if (ghosts > 0)
    return block(size, {processes, coordinate}, owned, BlockPadding({ghosts, ghosts}, {}, true));
  // The last dimension stays divided where there is one process.
  const bool last_of_one = product_of(placement.grid) == 1 && d + 1 == division.shape.size();
  if (processes == 1 && !last_of_one) return undistributed(size);
  return block(size, {processes, coordinate}, owned);
}

std::vector<Dimension> dimensions_of(const Division& division, const Placement& placement,
                                     const Along& ghosts) {
  std::vector<Dimension> dimensions;
  if (division.cyclic) {
    for (std::size_t d = 0; d < division.shape.size(); ++d)
      dimensions.push_back(cyclic(division.shape[d], {division.grid[d], division.coordinates[d]},
                                  division.block_sizes[d]));
    return dimensions;
  }
  Along coordinates = coordinates_of(division.rank, placement.grid);
  if (division.has_elements)
    std::copy(division.coordinates.begin(), division.coordinates.end(), coordinates.begin());
  for (std::size_t d = 0; d < division.shape.size(); ++d)
    dimensions.push_back(block_dimension(division, placement, d, coordinates[d], ghosts[d]));
  return dimensions;
}

DistArray section(const Division& division, const Placement& placement, const Along& ghosts,
                  MPI_Comm part) {
  const DistArray form =
      describe(division.type, nullptr, dimensions_of(division, placement, ghosts), Order::c);
  form.defect().raise();
  Buffer buffer(division.type, form.local_shape(), form.byte_strides(), division.memory,
                division.read_only, detail::make_state(division, part));
  return DistArray(form.version(), std::move(buffer), form.dimensions());
}

/// Collective over `comm`: a communicator of the processes with elements, in the order of the grid.
MPI_Comm communicator_of_part(const Division& division, const Comm& comm) {
  int color = MPI_UNDEFINED;
  int key = 0;
  if (division.has_elements) {
    color = 0;
    Index place = 0;
    for (std::size_t d = 0; d < division.grid.size(); ++d)
      place = place * division.grid[d] + division.coordinates[d];
    key = static_cast<int>(place);
  }
  MPI_Comm part = MPI_COMM_NULL;
  adapter::collectively(comm, "mpi", "MPI_Comm_split", [&] {
    adapter::check_mpi(MPI_Comm_split(comm->mpi(), color, key, &part), "MPI_Comm_split");
  });
  return part;
}

[[noreturn]] void refuse_different() {
  throw InvalidArgument(Report({error_finding(
      "ga.same", -1, "",
      "arrays on different ranks whose shapes, types or divisions differ, or which have not been "
      "exported together",
      "one Global Array on all ranks",
      "Pass the handle of the same array on all ranks, in every call of export_array.")}));
}

/// Collective. `made` has the communicator to be freed where this throws, as it does on all ranks.
void describe_now(const Division& division, const Agreed& found, const Comm& comm, Exported& made) {
  made.life = division.life;
  made.serial = found.serial;
  const bool trailing = division.cyclic || found.trailing;
  const Placement placement = trailing ? place_all(division) : place_some(division);
  if (placement.all) {
    made.comm = comm;
    made.array = agreed(comm, [&] {
      daptor::detail::fault_point("ga.export_array.describe");
      return section(division, placement, found.ghosts, MPI_COMM_NULL);
    });
    require_consistent(made.array, comm);
    return;
  }
  made.made = communicator_of_part(division, comm);
  daptor::detail::relayed(comm, [&] {
    if (!division.has_elements) return;
    made.comm = Comm(made.made);
    made.array = agreed(*made.comm, [&] {
      daptor::detail::fault_point("ga.export_array.describe");
      return section(division, placement, found.ghosts, (*made.comm)->mpi());
    });
    require_consistent(made.array, *made.comm);
  });
}

/// The communicator where none is passed.
Comm processes_of(int handle) {
  adapter::require_mpi_running();
  if (GA_Initialized() == 0) return MPI_COMM_WORLD;
  const int group = GA_Valid_handle(handle) != 0 ? GA_Get_pgroup(handle) : detail::world_group;
  return detail::communicator_of_group(group);
}

}  // namespace

DistArray export_array(int handle, const Comm& comm) {
  const CollectiveCall call(comm, "ga::export_array");
  Division division;
  const Agreed found = agree_on(handle, comm, division);
  if (!found.same) refuse_different();
  if (found.known) return found.known->array;
  Exported made;
  try {
    describe_now(division, found, comm, made);
    agreed(comm, [&] {
      daptor::detail::fault_point("ga.export_array.keep");
      detail::keep_export(made);
    });
  } catch (...) {
    detail::discard_export(std::move(made));
    throw;
  }
  return made.array;
}

DistArray export_array(int handle) {
  return export_array(handle, processes_of(handle));
}

Comm communicator(int handle) {
  const auto running = [&] { return adapter::mpi_running() && GA_Initialized() != 0; };
  if (!running() || !detail::find_export(handle)) export_array(handle);
  const auto known = detail::find_export(handle);
  if (known->comm) return *known->comm;
  adapter::refuse_argument("ga.outside", "a process without elements of the array",
                           "a process on which the array is described",
                           "Ask only where export_array has described the array.");
}

}  // namespace daptor::ga
