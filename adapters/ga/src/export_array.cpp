// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdint>
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
#include "placement.hpp"
#include "producer.hpp"

namespace daptor::ga {
namespace {

using detail::Division;
using detail::Exported;
using detail::PerDimension;
using detail::Placement;

/// One number for all that must be the same on all ranks.
/// @param serial  of the export that is kept for the array; 0: none
std::int64_t digest(const Division& division, std::int64_t serial) {
  std::vector<std::int64_t> values = {static_cast<std::int64_t>(division.type.kind()),
                                      static_cast<std::int64_t>(division.type.itemsize()),
                                      division.cyclic ? 1 : 0, division.read_only ? 1 : 0, serial};
  for (const auto* list : {&division.shape, &division.block_sizes, &division.grid})
    values.insert(values.end(), list->begin(), list->end());
  values.insert(values.end(), division.name.begin(), division.name.end());
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
  bool same = true;      ///< the array, as far as the ranks can know
  bool trailing = true;  ///< the processes without elements come last
  std::int64_t serial = 0;
  PerDimension ghosts = {};
  std::optional<Exported> known;  ///< what was exported before, if it is the same on all ranks
};

Agreed agree_on(int handle, const Comm& comm, Division& mine) {
  enum Word : std::size_t {
    same,
    same_falling,
    number,
    number_falling,
    no_groups,
    trailing,
    serial_falling,
    ghosts,
    words = ghosts + GA_MAX_DIM
  };
  Agreed found;
  const auto least = agreed_minima<words>(comm, [&] {
    daptor::detail::fault_point("ga.export_array.check");
    mine = detail::read_division(handle);
    require_processes(mine, comm);
    found.known = detail::find_export(handle);
    const bool filled = mine.rank < detail::filled_places(mine);
    std::array<std::int64_t, words> own{};
    own.fill(detail::unknown);
    own[same] = digest(mine, found.known ? found.known->serial : 0);
    own[same_falling] = adapter::falling(own[same]);
    own[number] = handle;
    own[number_falling] = adapter::falling(handle);
    own[no_groups] = detail::has_made_groups() ? 0 : 1;
    own[trailing] = mine.cyclic || filled == mine.has_elements ? 1 : 0;
    own[serial_falling] = adapter::falling(detail::next_serial());
    if (mine.ghosts) std::copy(mine.ghosts->begin(), mine.ghosts->end(), &own[ghosts]);
    return own;
  });
  // GA's calls that make an array are collective, and take the lowest number that is free. So one
  // array has one number on all processes, unless some of them have arrays of their group alone.
  const bool same_number = adapter::same_on_all(least[number], least[number_falling]);
  found.same = adapter::same_on_all(least[same], least[same_falling]) &&
               (same_number || least[no_groups] == 0);
  found.trailing = least[trailing] == 1;
  found.serial = adapter::greatest(least[serial_falling]);
  std::copy(least.begin() + ghosts, least.end(), found.ghosts.begin());
  return found;
}

DistArray section(const Division& division, const Placement& placement, const PerDimension& ghosts,
                  MPI_Comm part) {
  const DistArray form = describe(division.type, nullptr,
                                  detail::dimensions_of(division, placement, ghosts), Order::c);
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
      "arrays on different ranks whose handles, names, shapes, types or divisions differ, or which "
      "have not been exported together",
      "one Global Array on all ranks",
      "Pass the same array on all ranks. Where an earlier call of export_array got this array on "
      "some ranks and another one on others, destroy it and make it again.")}));
}

/// Collective. `made` has the communicator to be freed where this throws, as it does on all ranks.
void describe_now(const Division& division, const Agreed& found, const Comm& comm, Exported& made) {
  made.life = division.life;
  made.serial = found.serial;
  const bool trailing = division.cyclic || found.trailing;
  const Placement placement = trailing ? detail::place_all(division) : detail::place_some(division);
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
