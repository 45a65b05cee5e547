// SPDX-License-Identifier: BSD-3-Clause
#include "object_mappings.hpp"

#include <petsc/private/dmimpl.h>
#include <petscdmda.h>
#include <petscdmstag.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/check.hpp"
#include "objects.hpp"

namespace daptor::petsc::detail {
namespace {

/// Of rows and columns.
std::pair<PetscLayout, PetscLayout> layouts_of(Mat mat) {
  std::pair<PetscLayout, PetscLayout> layouts;
  call("MatGetLayouts", MatGetLayouts, mat, &layouts.first, &layouts.second);
  return layouts;
}

/// Beyond the ends of other grids there are no indices, or none that the grid has elsewhere.
bool ends_repeat(const std::array<DMBoundaryType, 3>& boundaries) {
  return std::any_of(boundaries.begin(), boundaries.end(), [](DMBoundaryType type) {
    return type != DM_BOUNDARY_NONE && type != DM_BOUNDARY_GHOSTED;
  });
}

/// What a mapping that this DM has made may do.
MappingKind kind_on(DM dm) {
  if (dm == nullptr) return MappingKind::one_to_one;
  std::array<DMBoundaryType, 3> ends{DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE};
  if (is_one_of(object(dm), {DMDA}))
    call("DMDAGetInfo", DMDAGetInfo, dm, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
         nullptr, nullptr, nullptr, &ends[0], &ends[1], &ends[2], nullptr);
  else if (is_one_of(object(dm), {DMSTAG}))
    call("DMStagGetBoundaryTypes", DMStagGetBoundaryTypes, dm, &ends[0], &ends[1], &ends[2]);
  else if (!is_one_of(object(dm), {DMPLEX}))
    return MappingKind::repeating;  // such as a composite of periodic grids
  return ends_repeat(ends) ? MappingKind::repeating : MappingKind::one_to_one;
}

/// Mappings of these types number subdomains or other matrices, too.
MappingKind kind_on(Mat mat) {
  if (is_one_of(object(mat), {MATIS, MATLOCALREF, MATNEST})) return MappingKind::subdomain;
  DM dm = nullptr;
  call("MatGetDM", MatGetDM, mat, &dm);
  return kind_on(dm);
}

/// Whether the mapping of a Vec may be that of a grid of which the Vec knows nothing: MatCreateVecs
/// gives Vecs the layout of the matrix, and with it the mapping, which others then refer to, too.
bool borrows_mapping(Vec vec, ISLocalToGlobalMapping mapping) {
  PetscInt references = 0;
  if (mapping != nullptr)
    call("PetscObjectGetReference", PetscObjectGetReference, object(mapping), &references);
  return references > 1 && layout_of_vec(vec)->refcnt > 0;
}

MappingCheck check_of(ISLocalToGlobalMapping mapping, PetscObject of, PetscLayout layout,
                      const char* part, MappingKind kind) {
  return MappingCheck(mapping, ranges_of(of, layout), findings_about(of, part), kind);
}

}  // namespace

std::vector<MappingCheck> mappings_of(Vec vec) {
  if (!is_set_up(vec)) return {};
  DM dm = nullptr;
  ISLocalToGlobalMapping mapping = nullptr;
  call("VecGetDM", VecGetDM, vec, &dm);
  call("VecGetLocalToGlobalMapping", VecGetLocalToGlobalMapping, vec, &mapping);
  const MappingKind kind =
      dm == nullptr && borrows_mapping(vec, mapping) ? MappingKind::subdomain : kind_on(dm);
  return {check_of(mapping, object(vec), layout_of_vec(vec), "", kind)};
}

std::vector<MappingCheck> mappings_of(Mat mat) {
  if (!is_set_up(mat)) return {};
  ISLocalToGlobalMapping rows = nullptr, columns = nullptr;
  call("MatGetLocalToGlobalMapping", MatGetLocalToGlobalMapping, mat, &rows, &columns);
  const auto [of_rows, of_columns] = layouts_of(mat);
  const MappingKind kind = kind_on(mat);
  return {check_of(rows, object(mat), of_rows, "rows", kind),
          check_of(columns, object(mat), of_columns, "columns", kind)};
}

std::vector<MappingCheck> mappings_of(DM dm, Vec layout) {
  return {check_of(known_mapping(dm), object(dm), layout_of_vec(layout), "", kind_on(dm))};
}

ISLocalToGlobalMapping known_mapping(DM dm) {
  return is_one_of(object(dm), {DMDA, DMSTAG, DMPLEX, DMCOMPOSITE}) ? dm->ltogmap : nullptr;
}

namespace {

/// The mapping need not be that of the object, which is set up.
Report check_mapping(ISLocalToGlobalMapping mapping, PetscObject of,
                     const std::function<PetscLayout()>& layout, const char* part) {
  Inspection look(of);
  Mappings mappings;
  look.gather([&](Findings&) {
    mappings.gather({check_of(mapping, of, layout(), part, MappingKind::one_to_one)}, look.call());
  });
  return look.conclude(mappings);
}

}  // namespace
}  // namespace daptor::petsc::detail

namespace daptor::petsc {

Report check(ISLocalToGlobalMapping mapping, Vec layout) {
  return detail::check_mapping(
      mapping, detail::object(layout), [&] { return detail::layout_of_vec(layout); }, "");
}

Report check(ISLocalToGlobalMapping mapping, Mat layout) {
  return detail::check_mapping(
      mapping, detail::object(layout), [&] { return detail::layouts_of(layout).first; }, "rows");
}

}  // namespace daptor::petsc
