// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/targets.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "copy_layout.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/explain.hpp"
#include "daptor/layout.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/found.hpp"
#include "dense_layout.hpp"
#include "dmda_layout.hpp"
#include "dmda_plan.hpp"
#include "order.hpp"
#include "overlap.hpp"
#include "scalapack_mat.hpp"
#include "scalapack_reasons.hpp"
#include "vec_reasons.hpp"

namespace daptor::petsc {
namespace {

/// Memory that a DMDA takes for each element of the section, as measured: about five integers for
/// its mapping and the scatters between its vectors.
constexpr double dmda_bytes_per_index = 5.0 * sizeof(PetscInt);

LocalAssessment assess_vec(const Section& array, int /*process_count*/) {
  return {detail::vec_reasons(array, {}), 0};
}

LocalAssessment assess_local_vec(const Section& array, int /*process_count*/) {
  return {detail::local_vec_reasons(array, {}), 0};
}

LocalAssessment assess_dense(const Section& array, int /*process_count*/) {
  return {detail::dense_reasons(array), 0};
}

LocalAssessment assess_scalapack(const Section& array, int process_count) {
  return {detail::scalapack_reasons(array, process_count), 0};
}

LocalAssessment assess_dmda(const Section& array, int /*process_count*/) {
  const Order order = detail::own_dmda_order(array);
  adapter::Reasons reasons = detail::dmda_reasons(array, order, {});
  if (reasons.empty() && !detail::owned_run(array).has(order))
    reasons.push_back(detail::global_run_reason(order));
  return {std::move(reasons), dmda_bytes_per_index};
}

LocalAssessment assess_dmda_local(const Section& array, int /*process_count*/) {
  const Order order = detail::own_dmda_order(array);
  adapter::Reasons reasons = detail::dmda_reasons(array, order, {});
  if (reasons.empty() && !detail::local_run(array).has(order))
    reasons.push_back(detail::local_gaps_reason());
  return {std::move(reasons), dmda_bytes_per_index};
}

void agree_on_vec(const DistArray& array) {
  Call call(array.comm(), "explain");
  detail::agree_on_order(detail::owned_run(array), call,
                         [&] { return detail::mixed_vec_orders_reason(array); });
  detail::count_owned(array);
}

void agree_on_local_vec(const DistArray& array) {
  Call call(array.comm(), "explain");
  detail::agree_on_order(detail::local_run(array), call,
                         [&] { return detail::mixed_vec_orders_reason(array); });
}

void agree_on_dmda(const DistArray& array) {
  Call call(array.comm(), "explain");
  const DMDAOptions options;
  const detail::DMDAProof proof(array, options, detail::DMDAProof::Purpose::explain, call);
  call.check([&] { proof.fits_in_order(); });
  if (!proof.plan().global) throw NotRepresentable(detail::global_run_reason(proof.plan().order));
}

void agree_on_dmda_local(const DistArray& array) {
  Call call(array.comm(), "explain");
  const DMDAOptions options;
  const detail::DMDAProof proof(array, options, detail::DMDAProof::Purpose::explain, call);
  call.check([&] { proof.fits_in_order(); });
  if (!proof.plan().local) throw NotRepresentable(detail::why_no_local(proof.plan()));
}

void agree_on_dense(const DistArray& array) {
  Call call(array.comm(), "explain");
  const Order order =
      detail::agree_on_order(detail::dense_order(array), call, detail::mixed_columns_reason);
  detail::count_rows(array, order);
}

void agree_on_scalapack(const DistArray& array) {
  Call call(array.comm(), "explain");
  call.check([&] { detail::require_row_major(array); });
}

Section described(const Section& array, std::vector<Dimension> dimensions, Order order = Order::c) {
  return describe(array.type(), nullptr, std::move(dimensions), order);
}

std::optional<TargetCopy> copy_for_vec(const Section& array, const CopyRequest& request) {
  const auto copy = detail::vec_copy(array, false);
  if (!detail::copy_reasons("petsc.vec", array, false).empty() || !copy ||
      !detail::fits_petsc_int(copy->blocks * copy->block) || !detail::vec_copy_fits(array))
    return std::nullopt;
  TargetCopy offer{detail::vec_copy_call(array), array,
                   described(array, copy->dimensions({request.process_count, request.rank}))};
  offer.options.read_from_any = adapter::may_share_indices(array);
  return offer;
}

std::optional<TargetCopy> copy_for_local_vec(const Section& array, const CopyRequest&) {
  if (!detail::copy_reasons("petsc.vec", array, false).empty() ||
      !detail::fits_petsc_int(array.local_count()))
    return std::nullopt;
  Buffer buffer(array.type(), array.local_shape(), array.byte_strides(), nullptr);
  TargetCopy offer{detail::padded_vec_copy_call(array), array,
                   Section(array.version(), std::move(buffer), array.dimensions())};
  offer.options.fill_padding = true;
  offer.options.read_from_any = adapter::may_share_indices(array);
  return offer;
}

std::optional<TargetCopy> copy_for_dmda(const Section& array, const CopyRequest& request,
                                        bool padded) {
  detail::DMDACopy copy = detail::dmda_copy(array, false);
  copy.stencil_width = request.widest_padding;
  copy.padded = padded;
  const auto count = adapter::global_count(array.dimensions());
  if (!detail::copy_reasons("petsc.dmda", array, false).empty() || !count ||
      !detail::fits_petsc_int(*count) || copy.shape.empty() || copy.shape.size() > 3)
    return std::nullopt;
  const auto grid = copy.best_grid(request.process_count);
  if (!grid) return std::nullopt;
  const bool both = request.widest_padding == 0;
  const auto vector = padded || both ? DMDAVector::local : DMDAVector::global;
  TargetCopy offer{detail::dmda_copy_call_for(array, vector), array,
                   described(array, copy.dimensions(*grid, request.rank))};
  offer.options.fill_padding = padded && !both;
  offer.options.read_from_any = adapter::may_share_indices(array);
  return offer;
}

std::optional<TargetCopy> copy_for_dmda_global(const Section& array, const CopyRequest& request) {
  return copy_for_dmda(array, request, false);
}

std::optional<TargetCopy> copy_for_dmda_local(const Section& array, const CopyRequest& request) {
  return copy_for_dmda(array, request, true);
}

std::optional<TargetCopy> copy_for_dense(const Section& array, const CopyRequest& request) {
  const auto count = adapter::global_count(array.dimensions());
  if (!detail::copy_reasons("petsc.dense", array, false).empty() || array.ndim() < 2 || !count ||
      !detail::fits_petsc_int(*count) || adapter::may_share_indices(array))
    return std::nullopt;
  const TargetLayout columns = layout::slab(0, Order::fortran);
  return TargetCopy{
      detail::dense_copy_call, array,
      described(array,
                columns.dimensions(array.global_shape(), request.rank, request.process_count),
                columns.order)};
}

std::optional<TargetCopy> copy_for_scalapack(const Section& array, const CopyRequest& request) {
  if (!detail::copy_reasons("petsc.scalapack", array, false).empty() || array.ndim() != 2 ||
      adapter::may_share_indices(array))
    return std::nullopt;
  for (const Index size : array.global_shape())
    if (size > std::numeric_limits<int>::max() ||
        !detail::fits_vectors(size, request.process_count))
      return std::nullopt;
  const TargetLayout blocks = layout::block_cyclic({64, 64});
  return TargetCopy{
      detail::scalapack_copy_call, array,
      described(array, blocks.dimensions(array.global_shape(), request.rank, request.process_count),
                blocks.order)};
}

}  // namespace

bool register_targets() {
  register_target(
      {"petsc.vec", "daptor::petsc::import_vec", assess_vec, copy_for_vec, agree_on_vec});
  register_target({"petsc.local-vec", "daptor::petsc::import_padded_vec", assess_local_vec,
                   copy_for_local_vec, agree_on_local_vec});
  register_target({"petsc.dmda", "daptor::petsc::import_dmda, global()", assess_dmda,
                   copy_for_dmda_global, agree_on_dmda});
  register_target({"petsc.dmda-local", "daptor::petsc::import_dmda, local()", assess_dmda_local,
                   copy_for_dmda_local, agree_on_dmda_local});
  register_target(
      {"petsc.dense", "daptor::petsc::import_dense", assess_dense, copy_for_dense, agree_on_dense});
  if (detail::knows_scalapack())
    register_target({"petsc.scalapack", "daptor::petsc::import_scalapack", assess_scalapack,
                     copy_for_scalapack, agree_on_scalapack});
  detail::register_found_petsc();
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::petsc
