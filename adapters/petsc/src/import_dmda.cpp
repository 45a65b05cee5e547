#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "access.hpp"
#include "call.hpp"
#include "copy_layout.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/petsc/dmda.hpp"
#include "dmda_layout.hpp"
#include "imported_dmda.hpp"
#include "vec_creation.hpp"

namespace daptor::petsc {
namespace {

using detail::collective;
using detail::fault_point;
using detail::GridLayout;
using Comm = std::shared_ptr<const MpiCommunicator>;

constexpr Index no_width = std::numeric_limits<Index>::max();

/// What the ranks have agreed on before PETSc is called.
struct DMDAPlan {
  Order order = Order::c;
  GridLayout layout;
  Index stencil_width = 0;
  /// Width of the array's own padding; `no_width` without internal and periodic edges.
  Index padding_width = no_width;
  bool local = false;
  bool global = false;
  bool locked = false;
};

std::int64_t digest(const DMDAOptions& options) {
  return (options.stencil == Stencil::star ? 1 : 0) | (options.no_dof ? 2 : 0) |
         (options.allow_reorder ? 4 : 0) | (options.readonly ? 8 : 0) |
         (options.trust_readonly ? 16 : 0) |
         (static_cast<std::int64_t>(options.stencil_width) << 8);
}

/// First stage: options and memory order.
DMDAPlan agree_on_order(const DistArray& array, const MpiCommunicator& comm,
                        const DMDAOptions& options) {
  const auto minima = detail::agreed_minima<5>(comm, [&]() -> std::array<std::int64_t, 5> {
    fault_point("petsc.import_dmda.order");
    detail::require_session();
    if (options.stencil_width < 0)
      throw InvalidArgument("stencil_width", std::to_string(options.stencil_width), "0 or more");
    const detail::OrderFit orders = detail::dmda_order(array);
    if (!orders.any()) detail::require_none(detail::dmda_reasons(array, Order::c, options));
    return {digest(options), -digest(options), orders.c ? 1 : 0, orders.fortran ? 1 : 0,
            array.readonly() || options.readonly ? 0 : 1};
  });
  if (!detail::same_on_all(minima[0], minima[1])) detail::refuse_different_options("import_dmda");
  if (minima[2] == 0 && minima[3] == 0)
    throw NotRepresentable(detail::reason(
        "dmda.layout", -1, "sections of C order on some ranks and of Fortran order on others",
        "one order on all ranks",
        "Let the producer hold all sections in one order." +
            detail::or_copy(detail::dmda_copy_call)));
  DMDAPlan plan;
  plan.order = minima[2] != 0 ? Order::c : Order::fortran;
  plan.locked = minima[4] == 0;
  return plan;
}

/// Second stage: every other local reason, one width on all ranks, and which vectors there can be.
void agree_on_widths(const DistArray& array, const MpiCommunicator& comm,
                     const DMDAOptions& options, DMDAPlan& plan) {
  const auto minima = detail::agreed_minima<4>(comm, [&]() -> std::array<std::int64_t, 4> {
    fault_point("petsc.import_dmda.check");
    detail::require_none(detail::dmda_reasons(array, plan.order, options));
    detail::require_memory(array);
    plan.layout = detail::grid_layout(array, plan.order, options);
    const auto width = detail::edge_width(array, plan.layout);
    return {width.value_or(no_width), -width.value_or(-1),
            detail::local_run(array).has(plan.order) ? 1 : 0,
            detail::owned_run(array).has(plan.order) ? 1 : 0};
  });
  plan.padding_width = minima[0];
  if (plan.padding_width != no_width && plan.padding_width != -minima[1])
    throw NotRepresentable(
        detail::reason("dmda.width", -1,
                       "communication padding of widths " + std::to_string(minima[0]) + " to " +
                           std::to_string(-minima[1]) + " on different ranks",
                       "one width on every internal or periodic edge",
                       "Let the producer pad evenly." + detail::or_copy(detail::dmda_copy_call)));
  const bool unpadded = plan.padding_width == no_width || plan.padding_width == 0;
  plan.stencil_width = unpadded ? options.stencil_width : plan.padding_width;
  plan.local = minima[2] != 0 &&
               (plan.padding_width == no_width || plan.padding_width == plan.stencil_width);
  plan.global = minima[3] != 0;
}

/// PETSc's rank of this process: x fastest.
int petsc_rank(const GlobalIndexMap& map, const GridLayout& layout) {
  Index rank = 0;
  for (std::size_t k = layout.dimensions.size(); k-- > 0;) {
    const auto d = static_cast<std::size_t>(layout.dimensions[k]);
    rank = rank * map.grid()[d] + map.coordinates()[d];
  }
  return static_cast<int>(rank);
}

/// Third stage: the stencil fits everywhere, and the ranks are in PETSc's order. True: they are
/// not, but may be reordered.
bool agree_on_ranks(const DistArray& array, const GlobalIndexMap& map, const MpiCommunicator& comm,
                    const DMDAOptions& options, const DMDAPlan& plan) {
  const auto minima = detail::agreed_minima<1>(comm, [&]() -> std::array<std::int64_t, 1> {
    fault_point("petsc.import_dmda.ranks");
    detail::require_none(detail::dmda_width_reasons(array, plan.layout, plan.stencil_width));
    if (!plan.local && !plan.global)
      throw NotRepresentable(detail::reason(
          "dmda.layout", -1, "neither sections nor owned parts that are gapless on all ranks",
          "one of them gapless on all ranks",
          "Let the producer hold the sections without gaps." +
              detail::or_copy(detail::dmda_copy_call)));
    const int expected = petsc_rank(map, plan.layout);
    if (expected == comm.rank()) return {1};
    if (options.allow_reorder) return {0};
    throw NotRepresentable(detail::reason(
        "dmda.rank-order", -1,
        "rank " + std::to_string(comm.rank()) + " where a DMDA has rank " +
            std::to_string(expected),
        "ranks numbered along the grid, the dimension that varies fastest in memory first",
        "Import with DMDAOptions::allow_reorder, or describe the array in the other order." +
            detail::or_copy(detail::dmda_copy_call)));
  });
  return minima[0] == 0;
}

std::vector<PetscInt> widths(const GlobalDimensionMap& dimension) {
  std::vector<PetscInt> list;
  for (Index g = 0; g < dimension.grid_size(); ++g)
    list.push_back(detail::petsc_int(dimension.owned_range(g).size()));
  return list;
}

/// PETSc's description of the grid, one entry for each of x, y and z.
struct Grid {
  PetscInt sizes[3] = {1, 1, 1};
  PetscInt processes[3] = {PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE};
  DMBoundaryType boundaries[3] = {DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE};
  std::vector<PetscInt> widths[3];

  const PetscInt* ranges(std::size_t k) const {
    return widths[k].empty() ? nullptr : widths[k].data();
  }
};

Grid grid_of(const DistArray& array, const GlobalIndexMap& map, const GridLayout& layout) {
  Grid grid;
  for (std::size_t k = 0; k < layout.dimensions.size(); ++k) {
    const int d = layout.dimensions[k];
    const Dimension& dimension = array.dimension(d);
    grid.sizes[k] = detail::petsc_int(dimension.global_size());
    grid.processes[k] = detail::petsc_int(dimension.grid().size);
    if (dimension.periodic()) grid.boundaries[k] = DM_BOUNDARY_PERIODIC;
    grid.widths[k] = widths(map.dimension(d));
  }
  return grid;
}

detail::Guard<DM> create_dm(const MpiCommunicator& comm, MPI_Comm user, const Grid& grid,
                            const DMDAPlan& plan, Stencil stencil) {
  DM dm = nullptr;
  collective(comm, "DMDACreate", DMDACreate, user, &dm);
  detail::Guard<DM> guard(dm);
  const auto* s = grid.sizes;
  const auto* p = grid.processes;
  const auto* b = grid.boundaries;
  const auto ndim = static_cast<PetscInt>(plan.layout.dimensions.size());
  collective(comm, "DMSetDimension", DMSetDimension, dm, ndim);
  collective(comm, "DMDASetSizes", DMDASetSizes, dm, s[0], s[1], s[2]);
  collective(comm, "DMDASetNumProcs", DMDASetNumProcs, dm, p[0], p[1], p[2]);
  collective(comm, "DMDASetBoundaryType", DMDASetBoundaryType, dm, b[0], b[1], b[2]);
  collective(comm, "DMDASetDof", DMDASetDof, dm, detail::petsc_int(plan.layout.dof));
  collective(comm, "DMDASetStencilType", DMDASetStencilType, dm,
             stencil == Stencil::box ? DMDA_STENCIL_BOX : DMDA_STENCIL_STAR);
  collective(comm, "DMDASetStencilWidth", DMDASetStencilWidth, dm,
             detail::petsc_int(plan.stencil_width));
  collective(comm, "DMDASetOwnershipRanges", DMDASetOwnershipRanges, dm, grid.ranges(0),
             grid.ranges(1), grid.ranges(2));
  collective(comm, "DMSetUp", DMSetUp, dm);
  return guard;
}

/// The vectors of the DMDA, as far as there are any.
struct Vectors {
  std::optional<detail::Guard<Vec>> local, global;
};

void create_vectors(const DistArray& array, const MpiCommunicator& caller,
                    const MpiCommunicator& comm, MPI_Comm user, DM dm, const DMDAPlan& plan,
                    Vectors& vectors) {
  const PetscInt dof = detail::petsc_int(plan.layout.dof);
  if (plan.global) {
    const Index count = detail::global_count(array).value_or(0);
    vectors.global.emplace(detail::create_global_vec(comm, user, array, dof, count));
    const Vec vec = vectors.global->get();
    ISLocalToGlobalMapping mapping = nullptr;
    collective(comm, "DMGetLocalToGlobalMapping", DMGetLocalToGlobalMapping, dm, &mapping);
    collective(comm, "VecSetLocalToGlobalMapping", VecSetLocalToGlobalMapping, vec, mapping);
    collective(comm, "VecSetDM", VecSetDM, vec, dm);
  }
  if (plan.local) {
    vectors.local.emplace(
        agreed(caller, [&] { return detail::Guard<Vec>(detail::create_local_vec(array, dof)); }));
    collective(comm, "VecSetDM", VecSetDM, vectors.local->get(), dm);
  }
}

std::vector<Finding> why_no_local(const DMDAPlan& plan) {
  if (plan.local) return {};
  if (plan.padding_width != no_width && plan.padding_width != plan.stencil_width)
    return {detail::local_padding_reason(plan.padding_width, plan.stencil_width)};
  return {detail::local_gaps_reason()};
}

std::vector<Finding> why_no_global(const DMDAPlan& plan) {
  if (plan.global) return {};
  return {detail::global_run_reason()};
}

}  // namespace

ImportedDMDA import_dmda(const DistArray& array, MPI_Comm comm, const DMDAOptions& options) {
  const Comm ranks = std::make_shared<const MpiCommunicator>(comm);
  const CollectiveCall call(*ranks, "petsc::import_dmda");
  require_consistent(array, *ranks);
  DMDAPlan plan = agree_on_order(array, *ranks, options);
  agree_on_widths(array, *ranks, options, plan);
  const GlobalIndexMap map(array, ranks);
  const bool reorder = agree_on_ranks(array, map, *ranks, options, plan);
  detail::OwnedComm own;
  if (reorder) own = detail::OwnedComm::reordered(*ranks, petsc_rank(map, plan.layout));
  const MPI_Comm user = reorder ? own.get() : comm;
  const Comm numbered = reorder ? std::make_shared<const MpiCommunicator>(user) : ranks;

  const Grid grid = agreed(*ranks, [&] {
    fault_point("petsc.import_dmda.grid");
    return grid_of(array, map, plan.layout);
  });
  detail::Guard<DM> dm = create_dm(*numbered, user, grid, plan, options.stencil);
  Vectors vectors;
  create_vectors(array, *ranks, *numbered, user, dm.get(), plan, vectors);
  return agreed(*ranks, [&] {
    fault_point("petsc.import_dmda.attach");
    const auto imported = [&](std::optional<detail::Guard<Vec>>& vec, const void* pointer) {
      if (!vec) return ImportedVec();
      auto attachment = detail::attach_vec(vec->get(), array, pointer, plan.locked);
      return detail::Access::imported(vec->release(), std::move(attachment), numbered);
    };
    auto state = detail::Access::dmda_state();
    state->local = imported(vectors.local, array.data());
    state->global = imported(vectors.global, array.owned_data());
    state->why_no_local = why_no_local(plan);
    state->why_no_global = why_no_global(plan);
    state->readonly = plan.locked;
    state->stencil = options.stencil;
    state->session = detail::require_session();
    state->caller = ranks;
    state->comm = numbered;
    state->own_comm = std::move(own);
    state->dm = dm.release();
    return detail::Access::imported_dmda(std::move(state));
  });
}

}  // namespace daptor::petsc
