// SPDX-License-Identifier: BSD-3-Clause
// Exports of the PETSc adapter, tried out by the conformance kit. PETSc's own functions write
// labels to the elements, and read and write them again.

#include <gtest/gtest.h>
#include <petscdmda.h>
#include <petscmat.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daptor/conformance.hpp"
#include "daptor/petsc.hpp"
#include "world.hpp"

namespace daptor::test {
namespace {

using conformance::Candidate;
using conformance::MultiIndex;
using conformance::Subject;

PetscScalar number(Index value) {
  return static_cast<PetscReal>(value);
}

/// A Vec, perhaps of a DMDA, which is destroyed with this object.
struct Own {
  Vec vec = nullptr;
  DM dm = nullptr;
  ~Own() { destroy(); }
  void destroy() {
    VecDestroy(&vec);
    DMDestroy(&dm);
  }
};

PetscScalar element(Vec vec, Index position) {
  const PetscScalar* values = nullptr;
  VecGetArrayRead(vec, &values);
  const PetscScalar value = values[position];
  VecRestoreArrayRead(vec, &values);
  return value;
}

void set_element(Vec vec, Index position, PetscScalar value) {
  PetscScalar* values = nullptr;
  VecGetArray(vec, &values);
  values[position] = value;
  VecRestoreArray(vec, &values);
}

using Position = std::function<Index(const MultiIndex&)>;

/// `position` gives PETSc's place of the element with a local index.
Candidate candidate_of(const std::shared_ptr<Own>& own, conformance::Exporter describe,
                       const Position& position) {
  Candidate candidate;
  candidate.describe = std::move(describe);
  candidate.destroy = [own] { own->destroy(); };
  candidate.read = [own, position](const MultiIndex& local) {
    return element(own->vec, position(local));
  };
  candidate.write = [own, position](const MultiIndex& local, PetscScalar value) {
    set_element(own->vec, position(local), value);
  };
  return candidate;
}

/// Sets each owned entry to its global number.
void label(Vec vec) {
  PetscInt start = 0;
  PetscInt stop = 0;
  VecGetOwnershipRange(vec, &start, &stop);
  for (PetscInt i = start; i < stop; ++i) VecSetValue(vec, i, number(i), INSERT_VALUES);
  VecAssemblyBegin(vec);
  VecAssemblyEnd(vec);
}

PetscInt local_nodes() {
  return world_rank() % 3 == 1 ? 0 : 3 + world_rank();
}

Subject vec(PetscInt block) {
  return [block](MPI_Comm comm) {
    auto own = std::make_shared<Own>();
    VecCreate(comm, &own->vec);
    VecSetSizes(own->vec, local_nodes() * block, PETSC_DETERMINE);
    VecSetBlockSize(own->vec, block);
    VecSetType(own->vec, VECSTANDARD);
    label(own->vec);
    return candidate_of(
        own, [own] { return petsc::export_vec(own->vec); },
        [block](const MultiIndex& local) {
          return block == 1 ? local[0] : local[0] * block + local[1];
        });
  };
}

Subject ghosted_vec(bool with_ghosts) {
  return [with_ghosts](MPI_Comm comm) {
    auto own = std::make_shared<Own>();
    const PetscInt next = 4 * ((world_rank() + 1) % world_size());
    const PetscInt ghosts[] = {next + 3, next + 1};
    VecCreateGhost(comm, 4, PETSC_DETERMINE, world_size() > 1 ? 2 : 0, ghosts, &own->vec);
    label(own->vec);
    VecGhostUpdateBegin(own->vec, INSERT_VALUES, SCATTER_FORWARD);
    VecGhostUpdateEnd(own->vec, INSERT_VALUES, SCATTER_FORWARD);
    petsc::VecExportOptions options;
    options.ghosts = with_ghosts;
    return candidate_of(
        own, [own, options] { return petsc::export_vec(own->vec, options); },
        [](const MultiIndex& local) { return local[0]; });
  };
}

struct Grid {
  PetscInt ndim;
  DMBoundaryType boundary;
  PetscInt dof;
  PetscInt width;
};

std::shared_ptr<Own> make_grid(const Grid& grid, MPI_Comm comm) {
  auto own = std::make_shared<Own>();
  DMDACreate(comm, &own->dm);
  DMSetDimension(own->dm, grid.ndim);
  DMDASetSizes(own->dm, 3 * world_size() + 2, grid.ndim > 1 ? 3 * world_size() + 1 : 1,
               grid.ndim > 2 ? 3 * world_size() : 1);
  DMDASetBoundaryType(own->dm, grid.boundary, grid.boundary, grid.boundary);
  DMDASetDof(own->dm, grid.dof);
  DMDASetStencilType(own->dm, DMDA_STENCIL_BOX);
  DMDASetStencilWidth(own->dm, grid.width);
  DMSetUp(own->dm);
  return own;
}

/// Row-major position in a box whose extents are those of PETSc's x, y and z.
Position position_in(const Grid& grid, const PetscInt (&extents)[3]) {
  const Index x = extents[0];
  const Index y = extents[1];
  return [grid, x, y](const MultiIndex& local) {
    Index position = 0;
    for (PetscInt d = 0; d < grid.ndim; ++d) {
      const Index extent = grid.ndim - 1 - d == 0 ? x : grid.ndim - 1 - d == 1 ? y : 1;
      position = position * extent + local[static_cast<std::size_t>(d)];
    }
    return grid.dof == 1 ? position : position * grid.dof + local.back();
  };
}

/// Sets each component of each point of a global vector to its number in the natural ordering.
void label_points(DM dm, Vec vec, PetscInt dof) {
  PetscInt start[3];
  PetscInt width[3];
  PetscInt size[3];
  DMDAGetCorners(dm, &start[0], &start[1], &start[2], &width[0], &width[1], &width[2]);
  DMDAGetInfo(dm, nullptr, &size[0], &size[1], &size[2], nullptr, nullptr, nullptr, nullptr,
              nullptr, nullptr, nullptr, nullptr, nullptr);
  PetscScalar* values = nullptr;
  VecGetArray(vec, &values);
  for (PetscInt k = start[2]; k < start[2] + width[2]; ++k)
    for (PetscInt j = start[1]; j < start[1] + width[1]; ++j)
      for (PetscInt i = start[0]; i < start[0] + width[0]; ++i)
        for (PetscInt c = 0; c < dof; ++c)
          *values++ = number(((static_cast<Index>(k) * size[1] + j) * size[0] + i) * dof + c);
  values -= width[0] * width[1] * width[2] * dof;
  VecRestoreArray(vec, &values);
}

Subject dmda_global(const Grid& grid) {
  return [grid](MPI_Comm comm) {
    auto own = make_grid(grid, comm);
    DMCreateGlobalVector(own->dm, &own->vec);
    label_points(own->dm, own->vec, grid.dof);
    PetscInt extents[3];
    DMDAGetCorners(own->dm, nullptr, nullptr, nullptr, &extents[0], &extents[1], &extents[2]);
    return candidate_of(
        own, [own] { return petsc::export_dmda(own->dm, own->vec); }, position_in(grid, extents));
  };
}

Subject dmda_local(const Grid& grid) {
  return [grid](MPI_Comm comm) {
    auto own = make_grid(grid, comm);
    Vec global = nullptr;
    DMGetGlobalVector(own->dm, &global);
    label_points(own->dm, global, grid.dof);
    DMCreateLocalVector(own->dm, &own->vec);
    DMGlobalToLocalBegin(own->dm, global, INSERT_VALUES, own->vec);
    DMGlobalToLocalEnd(own->dm, global, INSERT_VALUES, own->vec);
    DMRestoreGlobalVector(own->dm, &global);
    PetscInt extents[3];
    DMDAGetGhostCorners(own->dm, nullptr, nullptr, nullptr, &extents[0], &extents[1], &extents[2]);
    Candidate candidate = candidate_of(
        own, [own] { return petsc::export_dmda(own->dm, own->vec); }, position_in(grid, extents));
    candidate.padding_labelled = true;
    return candidate;
  };
}

Subject dense() {
  return [](MPI_Comm comm) {
    constexpr PetscInt columns = 3;
    auto own = std::shared_ptr<Mat>(new Mat(nullptr), [](Mat* mat) {
      MatDestroy(mat);
      delete mat;
    });
    MatCreateDense(comm, local_nodes(), PETSC_DECIDE, PETSC_DETERMINE, columns, nullptr, own.get());
    PetscInt start = 0;
    PetscInt stop = 0;
    MatGetOwnershipRange(*own, &start, &stop);
    for (PetscInt i = start; i < stop; ++i)
      for (PetscInt j = 0; j < columns; ++j)
        MatSetValue(*own, i, j, number(i * columns + j), INSERT_VALUES);
    MatAssemblyBegin(*own, MAT_FINAL_ASSEMBLY);
    MatAssemblyEnd(*own, MAT_FINAL_ASSEMBLY);
    Candidate candidate{[own] { return petsc::export_dense(*own); }};
    candidate.destroy = [own] { MatDestroy(own.get()); };
    candidate.read = [own, start](const MultiIndex& local) {
      const auto row = static_cast<PetscInt>(start + local[0]);
      const auto column = static_cast<PetscInt>(local[1]);
      PetscScalar value = 0;
      MatGetValues(*own, 1, &row, 1, &column, &value);
      return value;
    };
    return candidate;
  };
}

struct Producer {
  std::string name;
  Subject subject;
};

std::ostream& operator<<(std::ostream& out, const Producer& one) {
  return out << one.name;
}

class PetscProducer : public ::testing::TestWithParam<Producer> {};

TEST_P(PetscProducer, Conforms) {
  const Report report = conformance::check(GetParam().subject, PETSC_COMM_WORLD);
  // A section may be empty in the middle, which the protocol allows with a warning.
  for (const Finding& finding : report.findings())
    EXPECT_TRUE(finding.rule == "B06" || finding.severity == Severity::note) << finding;
  EXPECT_FALSE(report.has("behaviour.not-checked")) << report;
}

INSTANTIATE_TEST_SUITE_P(
    Exports, PetscProducer,
    ::testing::Values(Producer{"vec", vec(1)}, Producer{"vec_blocks", vec(3)},
                      Producer{"vec_ghosted_owned", ghosted_vec(false)},
                      Producer{"vec_ghosted_whole", ghosted_vec(true)},
                      Producer{"dmda_line", dmda_global({1, DM_BOUNDARY_NONE, 1, 1})},
                      Producer{"dmda_plane", dmda_global({2, DM_BOUNDARY_PERIODIC, 2, 1})},
                      Producer{"dmda_box", dmda_global({3, DM_BOUNDARY_NONE, 1, 1})},
                      Producer{"dmda_local_line", dmda_local({1, DM_BOUNDARY_PERIODIC, 3, 2})},
                      Producer{"dmda_local_plane", dmda_local({2, DM_BOUNDARY_NONE, 1, 1})},
                      Producer{"dmda_local_torus", dmda_local({2, DM_BOUNDARY_PERIODIC, 2, 2})},
                      Producer{"dmda_local_box", dmda_local({3, DM_BOUNDARY_NONE, 1, 1})},
                      Producer{"dense", dense()}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace daptor::test
