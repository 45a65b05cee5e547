// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/targets.hpp"

#include <optional>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/explain.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/adapter/names.hpp"
#include "daptor/fft/slab.hpp"
#include "daptor/fft/tile.hpp"
#include "daptor/layout.hpp"
#include "forms.hpp"

namespace daptor::fft {
namespace {

std::optional<TargetCopy> copy_to_blocks(const Section& array, const CopyRequest& request) {
  if (array.ndim() == 0) return std::nullopt;
  return copy_of(array, adapter::copy_to_blocks(array), request, layout::blocks());
}

std::optional<TargetCopy> copy_to_tile(const Section& array, const CopyRequest& request) {
  if ((array.ndim() != 2 && array.ndim() != 3) || !is_complex(array.type())) return std::nullopt;
  return copy_to_blocks(array, request);
}

std::optional<TargetCopy> copy_to_slab(const Section& array, const CopyRequest& request) {
  if (array.ndim() == 0 || (!is_complex(array.type()) && !is_real(array.type())))
    return std::nullopt;
  return copy_of(array, adapter::copy_to_slabs(array), request, layout::slab(0));
}

}  // namespace

bool register_targets() {
  register_target(adapter::target_of(detail::box_form(), "fft.box", names::box_of, copy_to_blocks));
  Target tiles = adapter::target_of(detail::tile_form(), "fft.tile", names::tile, copy_to_tile);
  tiles.agree = [](const DistArray& array, Call&) { tile(array); };
  register_target(std::move(tiles));
  Target slabs = adapter::target_of(detail::slab_form(), "fft.slab", names::slab, copy_to_slab);
  slabs.agree = [](const DistArray& array, Call&) { slab(array); };
  register_target(std::move(slabs));
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::fft
