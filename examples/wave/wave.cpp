// SPDX-License-Identifier: BSD-3-Clause
#include "wave.hpp"

#include <algorithm>

namespace {

std::array<daptor::DistArray, 3> make_levels(int points, MPI_Comm comm) {
  daptor::BlockOptions options;
  options.communication = {{1, 1}, {1, 1}};
  options.periodic = {true, true};
  const auto dimensions = daptor::block_dimensions({points, points}, comm, options);
  // For memory that exists already, call daptor::describe(its first element, dimensions).
  const auto level = [&] { return daptor::allocate<PetscScalar>(dimensions).on(comm); };
  return {level(), level(), level()};
}

void fill(const daptor::DistArray& level, const std::vector<PetscScalar>& values) {
  const auto u = daptor::owned_view<PetscScalar, 2>(level);
  auto value = values.begin();
  for (daptor::Index i = 0; i < u.extent(0); ++i)
    for (daptor::Index j = 0; j < u.extent(1); ++j) u(i, j) = *value++;
}

}  // namespace

Wave::Wave(int points, MPI_Comm comm)
    : levels_(make_levels(points, comm)), halo_(levels_[1], {daptor::Stencil::star}) {}

Box Wave::owned() const {
  const daptor::LocalIndexMap map(levels_[1]);
  const auto first = map.global_of(levels_[1].owned_offset());
  const auto& shape = levels_[1].owned_shape();
  return {first[0], first[1], shape[0], shape[1]};
}

void Wave::start(const std::vector<PetscScalar>& before, const std::vector<PetscScalar>& now) {
  fill(levels_[0], before);
  fill(levels_[1], now);
}

void Wave::advance(int steps) {
  const daptor::Index rows = levels_[1].owned_shape()[0];
  const daptor::Index columns = levels_[1].owned_shape()[1];
  for (int step = 0; step < steps; ++step) {
    halo_.rebind(levels_[1]);
    halo_.begin();
    compute(1, rows - 1, 1, columns - 1);  // uses no padding
    halo_.end();
    compute(0, 1, 0, columns);
    compute(std::max<daptor::Index>(1, rows - 1), rows, 0, columns);
    compute(1, rows - 1, 0, 1);
    compute(1, rows - 1, std::max<daptor::Index>(1, columns - 1), columns);
    std::rotate(levels_.begin(), levels_.begin() + 1, levels_.end());
  }
}

void Wave::compute(daptor::Index first_row, daptor::Index end_row, daptor::Index first_column,
                   daptor::Index end_column) {
  // Counts from the first owned point; -1 is the padding below it.
  const auto before = daptor::owned_view<const PetscScalar, 2>(levels_[0]);
  const auto now = daptor::owned_view<const PetscScalar, 2>(levels_[1]);
  const auto next = daptor::owned_view<PetscScalar, 2>(levels_[2]);
  for (daptor::Index i = first_row; i < end_row; ++i) {
    const PetscScalar* const past = &before(i, 0);
    const PetscScalar* const south = &now(i - 1, 0);
    const PetscScalar* const u = &now(i, 0);
    const PetscScalar* const north = &now(i + 1, 0);
    PetscScalar* const result = &next(i, 0);
    for (daptor::Index j = first_column; j < end_column; ++j)
      result[j] = leapfrog(past[j], u[j], south[j], u[j - 1], u[j + 1], north[j]);
  }
}

void Wave::exchange() {
  halo_.rebind(levels_[1]);
  halo_.update();
}

std::vector<PetscScalar> Wave::values() const {
  const auto u = daptor::owned_view<const PetscScalar, 2>(levels_[1]);
  std::vector<PetscScalar> all;
  all.reserve(static_cast<std::size_t>(u.size()));
  for (daptor::Index i = 0; i < u.extent(0); ++i)
    all.insert(all.end(), &u(i, 0), &u(i, 0) + u.extent(1));
  return all;
}
