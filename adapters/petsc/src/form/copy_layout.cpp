// SPDX-License-Identifier: BSD-3-Clause
#include "copy_layout.hpp"

#include <algorithm>
#include <utility>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::detail {
namespace {

bool undistributed_last(const Section& array) {
  return array.ndim() >= 2 && array.dimensions().back().as<Undistributed>() != nullptr &&
         array.dimensions().back().global_size() > 0;
}

/// Number of points on the faces between the blocks of a grid and their neighbours, as a real
/// number because it may be large.
double surface(const std::vector<Index>& shape, const std::vector<Index>& grid) {
  double points = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (grid[d] == 1) continue;
    double face = 1;
    for (std::size_t k = 0; k < shape.size(); ++k)
      if (k != d) face *= static_cast<double>(shape[k]) / static_cast<double>(grid[k]);
    points += face;
  }
  return points;
}

/// The divisors of `number` in increasing order.
std::vector<Index> divisors(Index number) {
  std::vector<Index> small, large;
  for (Index n = 1; n * n <= number; ++n) {
    if (number % n != 0) continue;
    small.push_back(n);
    if (n * n != number) large.push_back(number / n);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

/// Calls `visit` with every grid of that many processes that fits.
template <class Visit>
void each_grid(const DMDACopy& copy, Index processes, std::vector<Index>& grid,
               const Visit& visit) {
  const std::size_t d = grid.size();
  const bool last = d + 1 == copy.shape.size();
  for (const Index n : last ? std::vector<Index>{processes} : divisors(processes)) {
    if (!copy.fits(d, n)) continue;
    grid.push_back(n);
    if (last)
      visit(grid);
    else
      each_grid(copy, processes / n, grid, visit);
    grid.pop_back();
  }
}

/// An import of a copy in another layout.
Suggestion of_copy(const Section& array, const char* function, const char* layout,
                   const std::string& cpp, const std::string& python, const std::string& call) {
  const std::string read_from_any = ", read_from_any=True";
  Suggestion copy = adapter::suggest_copy(
      array, function, terms::call(cpp + "))", python + ")" + call),
      terms::call(cpp + ", {false, true}))", python + read_from_any + ")" + call));
  copy.options.insert(copy.options.begin(), {"layout", layout});
  return copy;
}

/// A call of a function whose third option is `read_from_any`.
/// @param padded  the option of Python's function
Suggestion with_vec_options(const Section& array, const char* function, const std::string& cpp,
                            const std::string& padded) {
  const std::string python = "a.copy_to_petsc(" + padded;
  const std::string comma = padded.empty() ? "" : ", ";
  const std::string fortran = "call daptor_redistribute(a, b";
  const std::string and_import = "), with b without ghost cells, and import b";
  return adapter::suggest_copy(
      array, function, terms::call(cpp + "(a)", python + ")", fortran + and_import),
      terms::call(cpp + "(a, {PETSC_DECIDE, false, true})", python + comma + "read_from_any=True)",
                  fortran + ", read_from_any=.true." + and_import));
}

}  // namespace

std::vector<Dimension> VecCopy::dimensions(GridPosition line, IndexRange owned_blocks) const {
  if (by_blocks) return {daptor::block(blocks, line, owned_blocks), undistributed(block)};
  return {daptor::block(blocks * block, line,
                        IndexRange{owned_blocks.start * block, owned_blocks.stop * block})};
}

std::optional<VecCopy> vec_copy(const Section& array, bool flat) {
  const auto count = adapter::global_count(array.dimensions());
  if (!count) return std::nullopt;
  VecCopy copy;
  if (!flat && undistributed_last(array)) copy.block = array.dimensions().back().global_size();
  copy.blocks = *count / copy.block;
  copy.by_blocks = copy.block > 1 && array.ndim() == 2;
  return copy;
}

bool DMDACopy::fits(std::size_t d, Index processes) const {
  const Index least = processes > 1 || periodic[d] ? std::max<Index>(stencil_width, 1) : 1;
  return shape[d] / processes >= least;
}

std::optional<std::vector<Index>> DMDACopy::best_grid(Index processes) const {
  std::optional<std::vector<Index>> best;
  std::vector<Index> grid;
  each_grid(*this, processes, grid, [&](const std::vector<Index>& found) {
    if (!best || surface(shape, found) < surface(shape, *best)) best = found;
  });
  return best;
}

std::vector<Dimension> DMDACopy::dimensions(const std::vector<Index>& grid, int rank) const {
  const auto at = grid_coordinates(grid, rank);
  const bool keys = padded && stencil_width > 0;
  std::vector<Dimension> list;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const GridPosition position{grid[d], at[d]};
    BlockPadding padding({}, {}, periodic[d]);
    if (keys) padding.communication = {stencil_width, stencil_width};
    list.push_back(keys || periodic[d] ? daptor::block(shape[d], position, padding)
                                       : daptor::block(shape[d], position));
  }
  if (dof) list.push_back(undistributed(*dof));
  return list;
}

DMDACopy dmda_copy(const Section& array, bool no_dof) {
  DMDACopy copy;
  for (const Dimension& dimension : array.dimensions()) {
    copy.shape.push_back(dimension.global_size());
    copy.periodic.push_back(dimension.periodic());
  }
  if (!no_dof && undistributed_last(array) && !array.dimensions().back().periodic()) {
    copy.dof = copy.shape.back();
    copy.shape.pop_back();
    copy.periodic.pop_back();
  }
  return copy;
}

Suggestion to_vec(const Section& array) {
  return with_vec_options(array, "petsc.copy_to_vec", "daptor::petsc::copy_to_vec", "");
}

Suggestion to_padded_vec(const Section& array) {
  return with_vec_options(array, "petsc.copy_to_padded_vec", "daptor::petsc::copy_to_padded_vec",
                          "padded=True");
}

Suggestion to_dmda(const Section& array, DMDAVector vector) {
  Suggestion copy = to_dmda(vector);
  if (!adapter::may_share_indices(array)) return copy;
  copy.options.emplace_back("read_from_any", "true");
  const bool local = vector == DMDAVector::local;
  copy.text = terms::call(
      std::string("daptor::petsc::copy_to_dmda(a, {}, {daptor::petsc::DMDAVector::") +
          (local ? "local" : "global") + ", {}, true})",
      std::string("a.copy_to_dmda(") + (local ? "" : "vector='global', ") + "read_from_any=True)");
  return copy;
}

Suggestion to_dmda(DMDAVector vector) {
  if (vector == DMDAVector::local)
    return {"petsc.copy_to_dmda",
            {},
            terms::call("daptor::petsc::copy_to_dmda(a)", "a.copy_to_dmda()")};
  return {"petsc.copy_to_dmda",
          {{"vector", "global"}},
          terms::call("daptor::petsc::copy_to_dmda(a, {}, {daptor::petsc::DMDAVector::global})",
                      "a.copy_to_dmda(vector='global')")};
}

Suggestion to_dense(const Section& array) {
  return of_copy(array, "petsc.import_dense", "slab",
                 "daptor::petsc::import_dense(daptor::redistributed(a, daptor::layout::slab(0, "
                 "daptor::Order::fortran)",
                 "a.redistributed(daptor.layout.slab(0, 'F')", ".to_dense()");
}

Suggestion to_scalapack(const Section& array) {
  return of_copy(array, "petsc.import_scalapack", "block_cyclic",
                 "daptor::petsc::import_scalapack(daptor::redistributed(a, "
                 "daptor::layout::block_cyclic({64, 64})",
                 "a.redistributed(daptor.layout.block_cyclic((64, 64))",
                 ".to_dense(mat_type='scalapack')");
}

bool vec_copy_fits(const Section& array) {
  if (adapter::shared_dimension(array) < 0 || array.ndim() == 1) return true;
  const auto copy = vec_copy(array, false);
  return copy && copy->by_blocks;
}

bool dmda_copy_fits(const Section& array, const DMDAOptions& options) {
  DMDACopy copy = dmda_copy(array, options.no_dof);
  copy.stencil_width = options.stencil_width > 0 ? options.stencil_width : widest_padding(array);
  const auto count = adapter::global_count(array.dimensions());
  return !copy.shape.empty() && copy.shape.size() <= 3 && count && fits_petsc_int(*count) &&
         copy.best_grid(array.grid_count()).has_value();
}

}  // namespace daptor::petsc::detail
