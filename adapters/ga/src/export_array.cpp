// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/ga/array.hpp"
#include "division.hpp"
#include "exports.hpp"
#include "library.hpp"
#include "names.hpp"
#include "placement.hpp"
#include "producer.hpp"

namespace daptor::ga {
namespace {

using detail::Division;
using detail::Exported;
using detail::PerDimension;
using detail::Placement;

void same_division(const Division& division, Call& call) {
  call.same("name", division.name);
  call.same("type", division.type.name());
  call.same("read-only", division.read_only);
  call.same("cyclic", division.cyclic);
  call.same("dimensions", division.shape.size());
  for (const Index size : division.shape) call.same("shape", size);
  for (const Index size : division.block_sizes) call.same("block sizes", size);
  for (const Index size : division.grid) call.same("grid", size);
}

void require_processes(const Division& division, const Comm& comm) {
  const MPI_Comm group = detail::communicator_of_group(division.group);
  if (adapter::same_processes(group, comm->mpi())) return;
  adapter::refuse_argument(
      "ga.communicator", "a communicator of " + std::to_string(comm.size()) + " processes",
      "the " + std::to_string(division.processes) + " processes of the array's group, in its order",
      "Pass GA_MPI_Comm_pgroup(GA_Get_pgroup(handle)), or no communicator.");
}

/// What the ranks know of the array together.
struct Found {
  bool trailing = true;  ///< the processes without elements come last
  std::int64_t serial = 0;
  PerDimension ghosts = {};
  std::optional<Exported> known;  ///< what was exported before, the same on all ranks
};

[[noreturn]] void refuse_different() {
  throw InvalidArgument(Report({error_finding(
      "ga.same", -1, "",
      "arrays on different ranks whose handles differ, or which have not been exported together",
      "one Global Array on all ranks",
      "Pass the same array on all ranks. Where an earlier call of " + names::export_array +
          " got this array on some ranks and another one on others, destroy it and make it "
          "again.")}));
}

/// Collective. All ranks can read the array, and it is one as far as they can know.
Found find_array(int handle, Division& mine, Call& call) {
  Found found;
  Agreed<bool> no_groups, trailing;
  Agreed<std::int64_t> least_handle, greatest_handle, least_known, greatest_known, greatest_serial;
  std::array<Agreed<std::int64_t>, GA_MAX_DIM> ghosts;
  call.check([&] {
    mine = detail::read_division(handle);
    require_processes(mine, call.comm());
    same_division(mine, call);
    least_handle = call.least(handle);
    greatest_handle = call.greatest(handle);
    no_groups = call.all(!detail::has_made_groups());
    found.known = detail::find_export(handle);
    const std::int64_t known = found.known ? found.known->serial : 0;
    least_known = call.least(known);
    greatest_known = call.greatest(known);
    greatest_serial = call.greatest(detail::next_serial());
    const bool filled = mine.rank < detail::filled_places(mine);
    trailing = call.all(mine.cyclic || filled == mine.has_elements);
    for (std::size_t d = 0; d < mine.shape.size(); ++d)
      ghosts[d] = call.least(mine.ghosts ? (*mine.ghosts)[d] : detail::unknown);
  });
  // GA's calls that make an array are collective, and take the lowest number that is free. So one
  // array has one number on all processes, unless some of them have arrays of their group alone.
  if ((no_groups && least_handle != greatest_handle) || least_known != greatest_known)
    refuse_different();
  found.trailing = trailing;
  found.serial = greatest_serial;
  for (std::size_t d = 0; d < mine.shape.size(); ++d) found.ghosts[d] = ghosts[d];
  return found;
}

Section section(const Division& division, const Placement& placement, const PerDimension& ghosts,
                MPI_Comm part) {
  const Section form = describe(division.type, nullptr,
                                detail::dimensions_of(division, placement, ghosts), Order::c);
  form.defect().raise();
  Buffer buffer(division.type, form.local_shape(), form.byte_strides(), division.memory,
                division.read_only, detail::make_state(division, part));
  return Section(form.version(), std::move(buffer), form.dimensions());
}

/// Collective: a communicator of the processes with elements, in the order of the grid.
MPI_Comm communicator_of_part(const Division& division, Call& call) {
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
  call.library("mpi", "MPI_Comm_split", [&] {
    adapter::check_mpi(MPI_Comm_split(call.comm()->mpi(), color, key, &part), "MPI_Comm_split");
  });
  return part;
}

/// Collective. `made` has the communicator to be freed where this throws, as it does on all ranks.
/// The next check of the call proves the array.
void describe_now(const Division& division, const Found& found, Call& call, Exported& made) {
  made.life = division.life;
  made.serial = found.serial;
  const bool trailing = division.cyclic || found.trailing;
  const Placement placement = trailing ? detail::place_all(division) : detail::place_some(division);
  if (placement.all) {
    made.array = call.check(
        [&] { return section(division, placement, found.ghosts, MPI_COMM_NULL).on(call.comm()); });
    return call.prove(made.array);
  }
  made.made = communicator_of_part(division, call);
  std::optional<Comm> comm;
  call.check([&] {
    if (division.has_elements) comm = made.made;
  });
  call.relay([&] {
    if (!comm) return;
    Call part(*comm, "ga::export_array on its processes");
    made.array = part.check(
        [&] { return section(division, placement, found.ghosts, made.made).on(part.comm()); });
    part.prove(made.array);
    part.check();
  });
}

/// The array for a call over `comm`, where it is unless it is described on some processes alone.
DistArray exported_on(const Comm& comm, const Exported& exported) {
  return exported.made == MPI_COMM_NULL ? exported.array.on(comm) : exported.array;
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
  Call call(comm, "ga::export_array");
  Division division;
  const Found found = find_array(handle, division, call);
  if (found.known) return exported_on(comm, *found.known);
  Exported made;
  try {
    describe_now(division, found, call, made);
    call.check([&] { detail::keep_export(made); });
  } catch (...) {
    detail::discard_export(std::move(made));
    throw;
  }
  return exported_on(comm, made);
}

DistArray export_array(int handle) {
  return export_array(handle, processes_of(handle));
}

Comm communicator(int handle) {
  const auto running = [&] { return adapter::mpi_running() && GA_Initialized() != 0; };
  if (!running() || !detail::find_export(handle)) export_array(handle);
  const auto known = detail::find_export(handle);
  if (known->array.described()) return known->array.comm();
  adapter::refuse_argument("ga.outside", "a process without elements of the array",
                           "a process on which the array is described",
                           "Ask only where " + names::export_array + " has described the array.");
}

}  // namespace daptor::ga
