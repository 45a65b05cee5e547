// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/targets.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/builders.hpp"
#include "daptor/explain.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/slab.hpp"
#include "daptor/fft/tile.hpp"
#include "daptor/layout.hpp"
#include "tile_reasons.hpp"

namespace daptor::fft {
namespace {

/// The copy that a layout makes of an array.
/// @param call  that makes it
std::optional<TargetCopy> copy_to(const Section& array, const CopyRequest& request,
                                  const TargetLayout& layout, std::string call) {
  if (array.ndim() == 0) return std::nullopt;
  TargetCopy copy{
      std::move(call), array,
      describe(array.type(), nullptr,
               layout.dimensions(array.global_shape(), request.rank, request.process_count),
               layout.order)};
  copy.options.read_from_any = adapter::may_share_indices(array);
  return copy;
}

std::optional<TargetCopy> copy_to_blocks(const Section& array, const CopyRequest& request) {
  return copy_to(array, request, layout::blocks(), adapter::blocks_copy_call(array));
}

std::optional<TargetCopy> copy_to_tile(const Section& array, const CopyRequest& request) {
  if ((array.ndim() != 2 && array.ndim() != 3) || !is_complex(array.type())) return std::nullopt;
  return copy_to_blocks(array, request);
}

std::optional<TargetCopy> copy_to_slab(const Section& array, const CopyRequest& request) {
  if (!is_complex(array.type()) && !is_real(array.type())) return std::nullopt;
  return copy_to(array, request, layout::slab(0), adapter::slabs_copy_call(array));
}

}  // namespace

bool register_targets() {
  register_target({"fft.box", "daptor::fft::box",
                   [](const Section& array, int) {
                     return LocalAssessment{detail::box_reasons(array), 0};
                   },
                   copy_to_blocks});
  register_target({"fft.tile", "daptor::fft::tile",
                   [](const Section& array, int) {
                     return LocalAssessment{detail::tile_reasons(array), 0};
                   },
                   copy_to_tile, [](const DistArray& array) { tile(array); }});
  register_target({"fft.slab", "daptor::fft::slab",
                   [](const Section& array, int) {
                     return LocalAssessment{detail::slab_reasons(array), 0};
                   },
                   copy_to_slab, [](const DistArray& array) { slab(array); }});
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::fft
