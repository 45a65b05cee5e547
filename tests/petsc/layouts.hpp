// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/block_dimensions.hpp"
#include "support.hpp"

namespace daptor_test {

using daptor::Dimension;
using daptor::Order;

/// An array that can be a Vec.
struct Layout {
  std::string name;
  std::function<DistArray()> make;
};

inline std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  return out << layout.name;
}

inline DistArray owning(std::vector<Dimension> dimensions, Order order = Order::c) {
  return daptor::allocate<PetscScalar>(std::move(dimensions), order).on(world);
}

/// Bounds that leave odd ranks empty and give the others different counts.
inline daptor::IndexRange uneven(int rank) {
  Index start = 0;
  for (int r = 0; r < rank; ++r) start += r % 2 == 1 ? 0 : 3 + r;
  return {start, start + (rank % 2 == 1 ? 0 : 3 + rank)};
}

inline Dimension uneven_block() {
  return daptor::block(uneven(size_of() - 1).stop, line(), uneven(rank_of()));
}

inline Dimension dealt(Index global_size) {
  std::vector<Index> indices;
  for (Index i = global_size - 1 - rank_of(); i >= 0; i -= size_of()) indices.push_back(i);
  return daptor::unstructured(global_size, line(), daptor::IndexList(indices), true);
}

inline Dimension padded_block(Index global_size, daptor::Padding padding, bool periodic) {
  daptor::BlockPadding widths;
  widths.communication = padding;
  widths.periodic = periodic;
  return daptor::block(global_size, line(), widths);
}

inline std::vector<Layout> vec_layouts() {
  using namespace daptor;
  return {
      {"block", [] { return owning({block(41, line())}); }},
      {"one_element_a_rank", [] { return owning({block(size_of(), line())}); }},
      {"one_element", [] { return owning({block(1, line())}); }},
      {"no_element", [] { return owning({block(0, line())}); }},
      {"uneven_with_empty_ranks", [] { return owning({uneven_block()}); }},
      {"cyclic", [] { return owning({cyclic(37, line())}); }},
      {"block_cyclic", [] { return owning({cyclic(37, line(), 3, size_of() - 1)}); }},
      {"unstructured", [] { return owning({dealt(29)}); }},
      {"periodic_padded",
       [] {
         return owning({padded_block(43, {2, 1}, true)});
       }},
      {"rows_of_components",
       [] {
         return owning({block(13, line()), undistributed(3)});
       }},
      {"columns_fortran",
       [] {
         return owning({undistributed(3), block(13, line())}, Order::fortran);
       }},
      {"padded_slowest",
       [] {
         return owning({padded_block(17, {1, 1}, false), undistributed(5), undistributed(2)});
       }},
      {"padded_slowest_fortran",
       [] {
         return owning({undistributed(2), undistributed(5), padded_block(17, {1, 1}, false)},
                       Order::fortran);
       }},
      {"five_dimensions",
       [] {
         return owning({block(7, line()), undistributed(2), undistributed(1), undistributed(3),
                        undistributed(2)});
       }},
      {"grid",
       [] {
         return owning(block_dimensions({9, 8}, world));
       }},
      {"grid_fortran",
       [] {
         return owning(block_dimensions({9, 8, 5}, world), Order::fortran);
       }},
  };
}

}  // namespace daptor_test
