// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/slab.hpp"
#include "daptor/adapter/copy_remedy.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "daptor/adapter/block_cyclic.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/call.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/adapter/names.hpp"
#include "daptor/fft/box.hpp"
#include "forms.hpp"

namespace daptor::fft {
namespace {

/// The dimension that is divided; the first one if none is.
int divided_dimension(const Section& a) {
  for (int d = 0; d < a.ndim(); ++d)
    if (a.dimension(d).grid().size > 1) return d;
  return 0;
}

void require_place(const Section& a, int d, const Comm& comm, Division division) {
  const Dimension& dimension = a.dimension(d);
  const GridPosition grid{comm.size(), comm.rank()};
  if (comm.size() > 1 && dimension.grid().rank != comm.rank())
    adapter::require_none({adapter::reason(
        "fft.slab", d, "position " + std::to_string(dimension.grid().rank) + " on the grid",
        "position " + std::to_string(comm.rank()) + ", in the order of the ranks",
        "Use a communicator in which ranks are in this order.", adapter::copy_to_slabs(a))});
  const IndexRange owned = *adapter::owned_range(dimension);
  const IndexRange expected = divided(dimension.global_size(), grid, division);
  if (owned == expected || (owned.empty() && expected.empty())) return;
  adapter::require_none({adapter::reason(
      "fft.slab", d, "the block " + terms::range(owned),
      terms::range(expected) +
          (division == Division::even
               ? ", as the first processes have the remainder"
               : ", as each process has ceil(size / processes) and the last the rest"),
      division == Division::even
          ? Terms()
          : "Describe the array in such blocks, or let " + names::transform + " take it as it is.",
      division == Division::even ? adapter::copy_to_slabs(a) : Suggestion())});
}

/// What the strides of a process say of the distance between rows.
struct Pitch {
  bool packed = true;   ///< may be the extent of the last dimension
  bool widened = true;  ///< may be 2 * (size / 2 + 1)
  /// What the stride says, where a process has one row at most and any stride fits. A process
  /// without elements says nothing.
  enum class Stated { other, widened, nothing } stated = Stated::nothing;
};

Index widened_row(const Section& a) {
  return 2 * (a.global_shape().back() / 2 + 1);
}

bool has_rows(const Box& box, Index row) {
  const std::vector<Index> extents = box.extents();
  Index stride = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (extents[d] > 1 && box.strides[d] != stride) return false;
    stride = d + 1 == extents.size() ? row : stride * extents[d];
  }
  return true;
}

Pitch pitch_of(const Section& a, int divided) {
  const Box box = fft::box(a);
  if (box.empty()) return {};
  Pitch pitch;
  pitch.packed = has_rows(box, box.extents().back());
  // Room for the spectrum needs whole rows.
  pitch.widened = is_real(a.type()) && (divided != a.ndim() - 1 || box.lower.back() == 0) &&
                  box.extents().back() == box.shape.back() && has_rows(box, widened_row(a));
  const auto rows = static_cast<std::size_t>(a.ndim() - 2);
  pitch.stated = a.ndim() > 1 && box.strides[rows] == widened_row(a) ? Pitch::Stated::widened
                                                                     : Pitch::Stated::other;
  if (pitch.packed || pitch.widened) return pitch;
  const std::vector<int> order = box.order();
  const bool row_major = std::is_sorted(order.rbegin(), order.rend());
  adapter::require_none({adapter::reason(
      row_major ? "fft.gaps" : "fft.order", "strides " + adapter::tuple_text(box.strides),
      row_major ? "rows without gaps, or 2 * (size / 2 + 1) apart for real numbers"
                : "row-major order",
      "Pass corners and strides: " + names::box + ".", adapter::copy_to_slabs(a))});
  return {};
}

}  // namespace

IndexRange divided(Index size, GridPosition grid, Division division) {
  return division == Division::even ? even_block(size, grid)
                                    : adapter::range_of_one_block(size, grid);
}

bool operator==(const Slab& a, const Slab& b) {
  return a.dimension == b.dimension && a.start == b.start && a.count == b.count &&
         a.row_pitch == b.row_pitch;
}

std::ostream& operator<<(std::ostream& out, const Slab& slab) {
  return out << "[" << slab.start << ", " << slab.start + slab.count << ") of dimension "
             << slab.dimension << ", rows " << slab.row_pitch << " apart";
}

Slab slab(const DistArray& a, Division division) {
  Call call(a, "fft::slab");
  call.same("division", division);
  Slab slab;
  Index widened_pitch = 0;
  Agreed<bool> packed, widened;
  Agreed<std::int64_t> stated;
  call.check([&] {
    adapter::require_none(adapter::reasons(detail::slab_form(), a));
    const int divided = divided_dimension(a);
    require_place(a, divided, call.comm(), division);
    const Pitch pitch = pitch_of(a, divided);
    const IndexRange owned = *adapter::owned_range(a.dimension(divided));
    slab = {divided, owned.start, owned.size(), box(a).extents().back()};
    widened_pitch = widened_row(a);
    packed = call.all(pitch.packed);
    widened = call.all(pitch.widened);
    stated = call.least(pitch.stated);
  });
  if (!packed && !widened)
    adapter::require_none(
        {adapter::reason("fft.gaps", "rows at other distances on some ranks than on others",
                         "the same distance on all ranks", "", adapter::copy_to_slabs(a))});
  const bool stated_widened = stated == static_cast<std::int64_t>(Pitch::Stated::widened);
  if (!packed || (widened && stated_widened)) slab.row_pitch = widened_pitch;
  return slab;
}

}  // namespace daptor::fft
