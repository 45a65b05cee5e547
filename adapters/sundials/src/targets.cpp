// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/sundials/targets.hpp"

#include <limits>
#include <type_traits>

#include <sundials/sundials_types.h>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/layout.hpp"
#include "forms.hpp"
#include "names.hpp"

namespace daptor::sundials {
namespace detail {
namespace {

static_assert(std::is_same_v<sunrealtype, double>,
              "the adapter needs a SUNDIALS in double precision (SUNDIALS_PRECISION)");

bool is_real(const DataType& type) {
  return type == DataType::of<sunrealtype>();
}

adapter::Form form_with(adapter::Form::Layout layout) {
  adapter::Form form;
  form.id = "sundials.nvector";
  form.holds = is_real;
  form.elements = "float64, SUNDIALS' sunrealtype";
  form.type_remedy = [](const DataType&) {
    return "Copy it to an array of that type (" + daptor::names::convert + ").";
  };
  form.layout = layout;
  form.padded_remedy = form.gaps_remedy = "Use " + names::use_strided + ".";
  form.writable = "memory that may be written, as by any holder of an N_Vector";
  form.largest = std::numeric_limits<sunindextype>::max();
  form.largest_name = "the largest sunindextype";
  form.largest_remedy = "Use a SUNDIALS with 64-bit indices (SUNDIALS_INDEX_SIZE).";
  form.one_owner = "each element on one process, because norms and products count it once";
  form.copy = adapter::copy_to_blocks;
  form.copy_fits = [](const Section& array) { return array.ndim() > 0; };
  return form;
}

/// In blocks, of elements that need no conversion.
std::optional<TargetCopy> copy_in_blocks(const Section& array, const CopyRequest& request) {
  if (array.ndim() == 0 || !is_real(array.type()) || !array.buffer().space().host())
    return std::nullopt;
  return copy_of(array, adapter::copy_to_blocks(array), request, layout::blocks());
}

}  // namespace

const adapter::Form& nvector_form() {
  static const adapter::Form form = [] {
    adapter::Form one_run = form_with(adapter::Form::Layout::one_run);
    one_run.one_order = "the same order on all ranks";
    return one_run;
  }();
  return form;
}

const adapter::Form& strided_nvector_form() {
  static const adapter::Form form = form_with(adapter::Form::Layout::strided);
  return form;
}

}  // namespace detail

bool register_targets() {
  using adapter::target_of;
  register_target(target_of(detail::nvector_form(), "sundials.nvector", names::import_nvector,
                            detail::copy_in_blocks));
  register_target(target_of(detail::strided_nvector_form(), "sundials.strided-nvector",
                            names::import_strided, detail::copy_in_blocks));
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::sundials
