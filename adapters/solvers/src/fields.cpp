// SPDX-License-Identifier: BSD-3-Clause
#include "fields.hpp"

#include <algorithm>
#include <string>

#include <Tpetra_Vector.hpp>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "local_count.hpp"
#include "vec_access.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using Map = Tpetra::Map<>;
using Columns = Tpetra::MultiVector<PetscScalar>;

/// Number of nodes on this process. Throws if the coordinates have a different number of nodes.
Index nodes_of(const Map& map, PetscInt block_size, const Coordinates& coordinates) {
  const Index nodes = local_count(map) / block_size;
  const Index found = static_cast<Index>(coordinates.values.size()) / coordinates.dimension;
  if (found != nodes)
    adapter::refuse_argument(
        "pc.coordinates", std::to_string(found) + " nodes in the coordinates",
        std::to_string(nodes) + " nodes: the local rows divided by the block size of the matrix",
        "Pass the nodes of this process to " + petsc::names::function("PCSetCoordinates") +
            ", and set the block size of the matrix (" + petsc::names::function("MatSetBlockSize") +
            ").");
  return nodes;
}

class OwnedNullSpace {
 public:
  OwnedNullSpace() = default;
  OwnedNullSpace(const OwnedNullSpace&) = delete;
  OwnedNullSpace& operator=(const OwnedNullSpace&) = delete;
  ~OwnedNullSpace() { static_cast<void>(MatNullSpaceDestroy(&space)); }
  MatNullSpace space = nullptr;
};

class OwnedVec {
 public:
  OwnedVec() = default;
  OwnedVec(const OwnedVec&) = delete;
  OwnedVec& operator=(const OwnedVec&) = delete;
  ~OwnedVec() { static_cast<void>(VecDestroy(&vec)); }
  Vec vec = nullptr;
};

/// Collective. Makes the rigid body modes.
void make_rigid_body_modes(const Coordinates& coordinates, MPI_Comm comm, MatNullSpace* modes) {
  OwnedVec places;
  call("VecCreate", VecCreate, comm, &places.vec);
  call("VecSetBlockSize", VecSetBlockSize, places.vec, coordinates.dimension);
  call("VecSetSizes", VecSetSizes, places.vec,
       petsc::detail::petsc_int(static_cast<Index>(coordinates.values.size())), PETSC_DETERMINE);
  call("VecSetType", VecSetType, places.vec, VECSTANDARD);
  {
    const WriteArray open(places.vec, static_cast<Index>(coordinates.values.size()));
    std::copy(coordinates.values.begin(), coordinates.values.end(), open.data());
  }
  call("MatNullSpaceCreateRigidBody", MatNullSpaceCreateRigidBody, places.vec, modes);
}

/// The vectors of a null space as columns, including the constant vector if it has it. Null if
/// there are too few, or if they are what MueLu chooses by itself. Collective.
Teuchos::RCP<Columns> columns_of(MatNullSpace space, PetscInt block_size,
                                 const Teuchos::RCP<const Map>& map) {
  PetscBool constant = PETSC_FALSE;
  PetscInt count = 0;
  const Vec* vectors = nullptr;
  call("MatNullSpaceGetVecs", MatNullSpaceGetVecs, space, &constant, &count, &vectors);
  const PetscInt all = count + (constant == PETSC_TRUE ? 1 : 0);
  if (all == 0 || all < block_size) return Teuchos::null;
  if (count == 0 && block_size == 1) return Teuchos::null;
  const auto columns = Teuchos::rcp(new Columns(map, static_cast<std::size_t>(all)));
  for (PetscInt j = 0; j < count; ++j) {
    const auto column = columns->getDataNonConst(static_cast<std::size_t>(j));
    const ReadArray open(vectors[j], static_cast<Index>(column.size()));
    std::copy(open.data(), open.data() + column.size(), column.getRawPtr());
  }
  if (constant == PETSC_TRUE)
    columns->getVectorNonConst(static_cast<std::size_t>(count))->putScalar(1.0);
  return columns;
}

/// Collective.
Teuchos::RCP<Columns> make_near_null_space(const Attached& attached, const Coordinates& coordinates,
                                           const Teuchos::RCP<const Map>& map, Call& call) {
  const PetscInt block_size = attached.block_size;
  return call.library("petsc", "the near-null space", Patience{}, [&] {
    const petsc::detail::QuietErrors quiet;
    MatNullSpace space = attached.near_null_space;
    OwnedNullSpace modes;
    if (space == nullptr && block_size > 1 && block_size == coordinates.dimension) {
      make_rigid_body_modes(coordinates, call.comm()->mpi(), &modes.space);
      space = modes.space;
    }
    if (space == nullptr) space = attached.null_space;
    return space == nullptr ? Teuchos::RCP<Columns>() : columns_of(space, block_size, map);
  });
}

}  // namespace

Attached attached_to(Mat matrix) {
  Attached attached;
  call("MatGetBlockSize", MatGetBlockSize, matrix, &attached.block_size);
  call("MatGetNearNullSpace", MatGetNearNullSpace, matrix, &attached.near_null_space);
  call("MatGetNullSpace", MatGetNullSpace, matrix, &attached.null_space);
  return attached;
}

Teuchos::RCP<Columns> near_null_space(const Attached& attached, const Coordinates& coordinates,
                                      const Teuchos::RCP<const Map>& map, Call& call) {
  call.check([&] {
    if (coordinates.given()) nodes_of(*map, attached.block_size, coordinates);
  });
  return make_near_null_space(attached, coordinates, map, call);
}

Teuchos::RCP<Columns> near_null_space(Mat matrix, const Teuchos::RCP<const Map>& map, Call& call) {
  const Attached attached = call.check([&] { return attached_to(matrix); });
  return make_near_null_space(attached, Coordinates(), map, call);
}

Teuchos::RCP<Tpetra::MultiVector<PetscReal>> coordinate_columns(PetscInt block_size,
                                                                const Coordinates& coordinates,
                                                                const Teuchos::RCP<const Map>& map,
                                                                Call& call) {
  const Index nodes = call.check([&] { return nodes_of(*map, block_size, coordinates); });
  return call.library("tpetra", "the coordinates", Patience{}, [&] {
    Teuchos::RCP<const Map> node_map = map;
    if (block_size > 1)
      node_map = Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                                      static_cast<std::size_t>(nodes), 0, map->getComm()));
    const auto dimension = static_cast<std::size_t>(coordinates.dimension);
    const auto columns = Teuchos::rcp(new Tpetra::MultiVector<PetscReal>(node_map, dimension));
    for (std::size_t j = 0; j < dimension; ++j) {
      const auto column = columns->getDataNonConst(j);
      for (Teuchos_Ordinal i = 0; i < column.size(); ++i)
        column[i] = coordinates.values[static_cast<std::size_t>(i) * dimension + j];
    }
    return columns;
  });
}

}  // namespace daptor::solvers
