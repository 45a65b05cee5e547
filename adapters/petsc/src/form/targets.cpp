// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/targets.hpp"

#include <optional>

#include "copy_layout.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/found.hpp"
#include "forms.hpp"
#include "petsc/src/native/names.hpp"
#include "petsc/src/native/scalapack_mat.hpp"
#include "target_list.hpp"

namespace daptor::petsc {
namespace detail {
namespace {

std::optional<TargetCopy> copy_for_vec(const Section& array, const CopyRequest& request) {
  const auto copy = vec_copy(array, false);
  if (!copy_reasons(local_vec_form(), array, false).empty() || !copy ||
      !fits_petsc_int(copy->blocks * copy->block) || !fits_petsc_int(copy->block) ||
      !vec_copy_fits(array))
    return std::nullopt;
  return copy_of(array, to_vec(array), copy->dimensions({request.process_count, request.rank}));
}

std::optional<TargetCopy> copy_for_local_vec(const Section& array, const CopyRequest&) {
  if (!copy_reasons(local_vec_form(), array, false).empty() ||
      !fits_petsc_int(array.local_count()) || !fits_petsc_int(adapter::block_size(array, Order::c)))
    return std::nullopt;
  return padded_copy_of(array, to_padded_vec(array));
}

/// A Vec made with the default options.
Target vec_target(const adapter::Form& form, const char* name, const Name& call,
                  std::optional<TargetCopy> (*copy)(const Section&, const CopyRequest&)) {
  static const VecOptions options;
  Target target = adapter::target_of(form, name, call, copy, asked_by(options));
  target.agree = [&form](const DistArray& array, Call& agreement) {
    const Order order = adapter::agree_on_order(form, array, agreement);
    adapter::require_count(form, "a block size", adapter::block_size(array, order));
    if (form.part == adapter::SectionPart::owned) adapter::count_owned(form, array);
  };
  return target;
}

}  // namespace
}  // namespace detail

bool register_targets() {
  register_target(
      detail::vec_target(detail::vec_form(), "petsc.vec", names::import_vec, detail::copy_for_vec));
  register_target(detail::vec_target(detail::local_vec_form(), "petsc.local-vec",
                                     names::import_padded_vec, detail::copy_for_local_vec));
  register_target(detail::dmda_target());
  register_target(detail::dmda_local_target());
  register_target(detail::dense_target());
  if (detail::knows_scalapack()) register_target(detail::scalapack_target());
  detail::register_found_petsc();
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::petsc
