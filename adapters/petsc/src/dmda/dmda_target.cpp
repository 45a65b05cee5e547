// SPDX-License-Identifier: BSD-3-Clause
#include "petsc/src/form/target_list.hpp"

#include <optional>
#include <utility>

#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "dmda_layout.hpp"
#include "dmda_plan.hpp"
#include "petsc/src/form/copy_layout.hpp"
#include "petsc/src/form/forms.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc::detail {
namespace {

/// Memory that a DMDA takes for each element of the section, as measured: about five integers for
/// its mapping and the scatters between its vectors.
constexpr double dmda_bytes_per_index = 5.0 * sizeof(PetscInt);

LocalAssessment assess_dmda(const Section& array, int /*process_count*/) {
  const Order order = own_dmda_order(array);
  adapter::Reasons reasons = dmda_reasons(array, order, {});
  if (reasons.empty() && !adapter::owned_run(array).has(order))
    reasons.push_back(global_run_reason(order));
  return {std::move(reasons), dmda_bytes_per_index};
}

LocalAssessment assess_dmda_local(const Section& array, int /*process_count*/) {
  const Order order = own_dmda_order(array);
  adapter::Reasons reasons = dmda_reasons(array, order, {});
  if (reasons.empty() && !adapter::local_run(array).has(order))
    reasons.push_back(local_gaps_reason());
  return {std::move(reasons), dmda_bytes_per_index};
}

void agree_on_dmda(const DistArray& array, Call& call) {
  const DMDAOptions options;
  const DMDAProof proof(array, options, DMDAProof::Purpose::explain, call);
  call.check([&] { proof.fits_in_order(); });
  if (!proof.plan().global) throw NotRepresentable(global_run_reason(proof.plan().order));
}

void agree_on_dmda_local(const DistArray& array, Call& call) {
  const DMDAOptions options;
  const DMDAProof proof(array, options, DMDAProof::Purpose::explain, call);
  call.check([&] { proof.fits_in_order(); });
  if (!proof.plan().local) throw NotRepresentable(why_no_local(proof.plan()));
}

std::optional<TargetCopy> copy_for_dmda(const Section& array, const CopyRequest& request,
                                        bool padded) {
  DMDACopy copy = dmda_copy(array, false);
  copy.stencil_width = request.widest_padding;
  copy.padded = padded;
  const auto count = adapter::global_count(array.dimensions());
  if (!copy_reasons(dmda_form(), array, false).empty() || !count || !fits_petsc_int(*count) ||
      copy.shape.empty() || copy.shape.size() > 3)
    return std::nullopt;
  const auto grid = copy.best_grid(request.process_count);
  if (!grid) return std::nullopt;
  const bool both = request.widest_padding == 0;
  const auto vector = padded || both ? DMDAVector::local : DMDAVector::global;
  TargetCopy offer = copy_of(array, to_dmda(array, vector), copy.dimensions(*grid, request.rank));
  offer.options.fill_padding = padded && !both;
  return offer;
}

std::optional<TargetCopy> copy_for_dmda_global(const Section& array, const CopyRequest& request) {
  return copy_for_dmda(array, request, false);
}

std::optional<TargetCopy> copy_for_dmda_local(const Section& array, const CopyRequest& request) {
  return copy_for_dmda(array, request, true);
}

}  // namespace

Target dmda_target() {
  return {"petsc.dmda", names::import_dmda_global, assess_dmda, copy_for_dmda_global,
          agree_on_dmda};
}

Target dmda_local_target() {
  return {"petsc.dmda-local", names::import_dmda_local, assess_dmda_local, copy_for_dmda_local,
          agree_on_dmda_local};
}

}  // namespace daptor::petsc::detail
