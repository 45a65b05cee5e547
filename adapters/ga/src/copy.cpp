// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/ga/copy.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "copy_form.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/ga/array.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/redistribute.hpp"
#include "division.hpp"
#include "library.hpp"
#include "names.hpp"

namespace daptor::ga {

struct Array::State {
  std::optional<detail::Life> life;  ///< none before GA has allocated the array
  DistArray array = DistArray();
  bool owned = true;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (owned && life && detail::alive(*life)) GA_Destroy(life->handle);
  }
};

bool detail::numbered_as_all() {
  return GA_Initialized() == 0 ||
         GA_Pgroup_nodeid(GA_Pgroup_get_default()) == GA_Pgroup_nodeid(world_group);
}

namespace {

void require_default_group(const Comm& comm) {
  const MPI_Comm group = detail::communicator_of_group(GA_Pgroup_get_default());
  if (adapter::same_processes(group, comm->mpi())) return;
  adapter::refuse_argument(
      "ga.communicator", "a communicator of " + std::to_string(comm.size()) + " processes",
      "the processes of GA's default group, in its order",
      "Put the array on " + names::default_group +
          ". Redistribute one on other processes to these first: " + names::redistribute + ".");
}

void require_numbers(const Section& array) {
  if (!detail::becomes_cyclic(array) || detail::numbered_as_all()) return;
  adapter::require_none({adapter::reason(
      "ga.array.group", "a cyclic dimension, and a group whose processes have other numbers",
      "a group of the first processes, by whose numbers GA 5.8 allocates",
      "Choose the group of all processes, or redistribute first: " + names::redistributed_blocks +
          ".")});
}

/// GA ends the job if all handles are used.
void require_free_handle() {
  for (int handle = detail::first_handle; handle < detail::first_handle + detail::handle_count;
       ++handle)
    if (GA_Valid_handle(handle) == 0) return;
  throw LibraryFailed("ga", "NGA_Create_handle", "all handles are used");
}

/// The ghost cells that the copy gets.
struct Ghosts {
  bool any = false;
  std::array<std::int64_t, GA_MAX_DIM> widths{};
};

/// What NGA_Create and its relatives are told.
struct Wanted {
  int type = 0;
  std::vector<std::int64_t> shape;
  bool cyclic = false;
  std::vector<std::int64_t> blocks;  ///< their number along each dimension, or their size if cyclic
  std::vector<std::int64_t> starts;  ///< of the blocks of all dimensions
  std::vector<std::int64_t> grid;    ///< of processes, if cyclic
  Ghosts ghosts;
};

void add_blocks(const GlobalDimensionMap& along, Wanted& wanted) {
  std::int64_t count = 0;
  for (Index place = 0; place < along.grid_size(); ++place) {
    const IndexRange range = along.owned_range(place);
    if (range.empty()) continue;
    wanted.starts.push_back(range.start);
    ++count;
  }
  wanted.blocks.push_back(count);
}

Wanted wanted_for(const Section& array, const GlobalIndexMap& map, const Ghosts& ghosts) {
  Wanted wanted;
  wanted.type = *detail::code_of_type(array.type());
  wanted.cyclic = detail::becomes_cyclic(array);
  wanted.ghosts = ghosts;
  for (std::size_t d = 0; d < array.dimensions().size(); ++d) {
    wanted.shape.push_back(array.dimensions()[d].global_size());
    if (wanted.cyclic) {
      const adapter::BlockCyclicForm form = detail::cyclic_form(array, d);
      wanted.blocks.push_back(form.block);
      wanted.grid.push_back(form.grid.size);
    } else if (array.dimensions()[d].as<Undistributed>() != nullptr) {
      wanted.starts.push_back(0);
      wanted.blocks.push_back(1);
    } else {
      add_blocks(map.dimension(static_cast<int>(d)), wanted);
    }
  }
  return wanted;
}

/// Collective. Nothing where GA does not get the memory; 0 is a handle like others.
std::optional<int> create(Wanted wanted) {
  char name[] = "daptor";
  const int handle = NGA_Create_handle();
  NGA_Set_data64(handle, static_cast<int>(wanted.shape.size()), wanted.shape.data(), wanted.type);
  NGA_Set_array_name(handle, name);
  NGA_Set_pgroup(handle, GA_Pgroup_get_default());
  if (wanted.cyclic)
    NGA_Set_block_cyclic_proc_grid64(handle, wanted.blocks.data(), wanted.grid.data());
  else
    NGA_Set_irreg_distr64(handle, wanted.starts.data(), wanted.blocks.data());
  if (wanted.ghosts.any) NGA_Set_ghosts64(handle, wanted.ghosts.widths.data());
  if (NGA_Allocate(handle) == 0) return std::nullopt;
  return handle;
}

/// Whether GA can give this process ghost cells: it ends the job where a process has no elements,
/// or fewer indices along a dimension than the ghost cells are wide.
bool has_room_for_ghosts(const Section& array) {
  if (array.owned_count() == 0) return false;
  for (std::size_t d = 0; d < array.dimensions().size(); ++d) {
    const auto width = detail::ghost_width(array, d);
    if (!width || *width > array.owned_shape()[d]) return false;
  }
  return true;
}

/// The ghost cells that the ranks could give the copy.
struct AgreedGhosts {
  Agreed<bool> possible;
  std::array<Agreed<std::int64_t>, GA_MAX_DIM> least, greatest;
};

/// To be called within a check, for an array that GA can have.
AgreedGhosts say_ghosts(const Section& array, Call& call) {
  AgreedGhosts said;
  const bool possible =
      !detail::becomes_cyclic(array) && detail::numbered_as_all() && has_room_for_ghosts(array);
  said.possible = call.all(possible);
  for (std::size_t d = 0; d < array.dimensions().size(); ++d) {
    const Index width = possible ? *detail::ghost_width(array, d) : 0;
    said.least[d] = call.least(width);
    said.greatest[d] = call.greatest(width);
  }
  return said;
}

/// The ghost cells of the copy: those of the array's padding, or none.
Ghosts ghosts_of(const AgreedGhosts& all, std::size_t ndim) {
  if (!all.possible) return {};
  Ghosts ghosts;
  for (std::size_t d = 0; d < ndim; ++d) {
    if (all.least[d] != all.greatest[d]) return {};
    ghosts.widths[d] = all.least[d];
    ghosts.any = ghosts.any || ghosts.widths[d] > 0;
  }
  return ghosts;
}

}  // namespace

Array::Array(std::unique_ptr<State> state) : state_(std::move(state)) {}
Array::Array(Array&& other) noexcept = default;
Array& Array::operator=(Array&& other) noexcept = default;
Array::~Array() = default;

int Array::handle() const& {
  return state_->life->handle;
}
const DistArray& Array::array() const& {
  return state_->array;
}
Comm Array::comm() const {
  return communicator(handle());
}
int Array::release() noexcept {
  state_->owned = false;
  return state_->life->handle;
}

Array copy_to_array(const DistArray& array) {
  Call call(array, "ga::copy_to_array");
  const Comm& comm = call.comm();
  const AgreedGhosts said = call.check([&] {
    detail::require_running();
    require_default_group(comm);
    require_free_handle();
    if (array.local_count() > 0) adapter::require_same_memory(array);
    adapter::require_none(detail::copy_reasons(array));
    require_numbers(array);
    return say_ghosts(array, call);
  });
  const Ghosts ghosts = ghosts_of(said, array.dimensions().size());
  const GlobalIndexMap map(array);
  Wanted wanted;
  auto state = call.check([&] {
    wanted = wanted_for(array, map, ghosts);
    return std::make_unique<Array::State>();
  });
  const std::optional<int> handle = create(std::move(wanted));
  // The end of the array is collective, so all ranks know of it before one may fail.
  if (handle) state->life = detail::life_of(*handle);
  call.check([&] {
    if (!handle) throw LibraryFailed("ga", "NGA_Allocate", "GA did not get the memory");
  });
  state->array = export_array(*handle, comm);
  std::vector<DistArray> sources, targets;
  call.check([&] {
    sources = {array};
    if (state->array.described()) targets = {state->array};
  });
  redistribute(sources, targets, comm);
  call.relay([&] {
    if (ghosts.any && !targets.empty()) update_padding(state->array);
  });
  return Array(std::move(state));
}

}  // namespace daptor::ga
