// SPDX-License-Identifier: BSD-3-Clause
#include "hints.hpp"

#include <algorithm>

#include <Tpetra_CrsMatrix.hpp>

#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/petsc/adapter/names.hpp"

namespace daptor::solvers::plugin {
namespace {

template <class Graph>
bool same_columns(const Graph& graph, std::size_t a, std::size_t b) {
  const auto length = graph.row_map(a + 1) - graph.row_map(a);
  if (graph.row_map(b + 1) - graph.row_map(b) != length) return false;
  for (std::size_t e = 0; e < length; ++e)
    if (graph.entries(graph.row_map(a) + e) != graph.entries(graph.row_map(b) + e)) return false;
  return true;
}

/// Whether nine of ten groups of `size` rows have the same columns within each group. Stops as soon
/// as that cannot be so, which in other matrices is after a tenth of the rows.
template <class Graph>
bool in_groups(const Graph& graph, std::size_t rows, std::size_t size) {
  std::size_t groups = 0, alike = 0;
  for (std::size_t first = 0; first + size <= rows; first += size) {
    bool same = true, prescribed = false;
    for (std::size_t r = first; r < first + size; ++r) {
      prescribed = prescribed || graph.row_map(r + 1) - graph.row_map(r) < 2;
      same = same && same_columns(graph, first, r);
    }
    if (prescribed) continue;
    ++groups;
    if (same) ++alike;
    if (10 * (groups - alike) * size > rows) return false;
  }
  return groups > 1 && 10 * alike >= 9 * groups;
}

}  // namespace

int rows_alike(const CrsMatrix& matrix) {
  const auto graph = matrix.getLocalMatrixHost().graph;
  const auto rows = static_cast<std::size_t>(matrix.getLocalMatrixHost().numRows());
  for (const int size : {6, 5, 4, 3, 2})
    if (rows % static_cast<std::size_t>(size) == 0 &&
        in_groups(graph, rows, static_cast<std::size_t>(size)))
      return size;
  return 1;
}

std::vector<std::string> missing_in(const CrsMatrix& matrix, const Told& told) {
  const Rendering said = petsc::detail::rendering_of_program();
  std::vector<std::string> missing;
  const int alike = told.equations == 1 ? rows_alike(matrix) : 1;
  if (alike > 1) {
    const std::string size = std::to_string(alike);
    const Terms call =
        terms::call("MatSetBlockSize(A, " + size + ")", "A.setBlockSize(" + size + ")");
    missing.push_back(
        "each " + size + " rows have the same columns; if they are the unknowns of a node, call " +
        call.in(said) + ", or pass -pc_muelu_set \"number of equations=" + size + '"');
  }
  if ((told.equations == 2 || told.equations == 3) && told.near_null <= told.equations)
    missing.push_back("for elasticity, MueLu needs the rotations too: call " +
                      petsc::names::function("PCSetCoordinates").in(said) + ", or " +
                      Terms(petsc::names::set_rigid_body_modes).in(said));
  return missing;
}

std::string hints_on(const CrsMatrix& matrix, const Told& told) {
  const std::string equations = std::to_string(told.equations);
  std::string text =
      "Known of the matrix: " + equations + (told.equations == 1 ? " unknown" : " unknowns") +
      " at each node" + told.equations_from + ", " +
      (told.near_null == 0 ? std::string("no") : std::to_string(told.near_null)) +
      (told.near_null == 1 ? " near-null vector" : " near-null vectors") + told.near_null_from +
      (told.coordinates ? ", coordinates\n" : ", no coordinates\n");
  for (const std::string& sentence : missing_in(matrix, told)) text += "Hint: " + sentence + '\n';
  return text;
}

}  // namespace daptor::solvers::plugin
