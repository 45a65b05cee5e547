// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

#include <ISO_Fortran_binding.h>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "dimensions.hpp"

using namespace daptor;
using namespace daptor::fortran;

namespace daptor::fortran {

Index size_of(const CFI_cdesc_t& list) {
  return static_cast<Index>(list.dim[0].extent);
}

namespace {

bool is_small(const CFI_cdesc_t& list) {
  return list.elem_len == sizeof(std::int32_t);
}

void require_fit(const std::vector<Index>& numbers, const CFI_cdesc_t& list, const char* name) {
  constexpr Index largest = std::numeric_limits<std::int32_t>::max();
  for (const Index number : numbers)
    if (is_small(list) && (number > largest || number < -largest))
      throw InvalidArgument(name, "numbers beyond the range of a default integer",
                            "arguments of kind int64");
}

}  // namespace

void store(const std::vector<Index>& numbers, const CFI_cdesc_t& list, const char* name) {
  require_fit(numbers, list, name);
  auto* at = static_cast<std::byte*>(list.base_addr);
  for (const Index number : numbers) {
    if (is_small(list))
      *reinterpret_cast<std::int32_t*>(at) = static_cast<std::int32_t>(number);
    else
      *reinterpret_cast<std::int64_t*>(at) = number;
    at += list.dim[0].sm;
  }
}

namespace {

/// Writes two numbers for each dimension, `pair(d)`.
template <class Pair>
void store_pairs(const Layout& layout, const CFI_cdesc_t& first, const CFI_cdesc_t& second,
                 const char* names, Pair&& pair) {
  const auto ndim = static_cast<Index>(layout.dimensions.size());
  const Index given = std::min(size_of(first), size_of(second));
  if (given != ndim)
    throw InvalidArgument(Report({error_finding(
        "fortran.rank", -1, "", "an argument of " + std::to_string(given) + " elements",
        "one element for each of the layout's " + std::to_string(ndim) + " dimensions")}));
  std::vector<Index> firsts;
  std::vector<Index> seconds;
  for (std::size_t d = 0; d < layout.dimensions.size(); ++d) {
    const auto [one, other] = pair(d);
    firsts.push_back(one);
    seconds.push_back(other);
  }
  require_fit(seconds, second, names);
  store(firsts, first, names);
  store(seconds, second, names);
}

}  // namespace
}  // namespace daptor::fortran

int daptor_fortran_layout_block(const daptor_fortran_argument* arguments, MPI_Fint comm,
                                Handle& layout) {
  return call([&] {
    const Comm shared(MPI_Comm_f2c(comm));
    Call here(shared, "layout%block");
    put(here.check([&] { return std::make_shared<Layout>(block_layout(arguments, shared)); }),
        layout);
  });
}

int daptor_fortran_layout_create(const daptor_fortran_dimension* dimensions, std::int64_t count,
                                 MPI_Fint comm, Handle& layout) {
  return call([&] {
    const Comm shared(MPI_Comm_f2c(comm));
    Call here(shared, "layout%create");
    put(here.check([&] { return std::make_shared<Layout>(layout_of(dimensions, count, shared)); }),
        layout);
    for (std::int64_t i = 0; i < count; ++i) {
      belongs_to_layouts(dimensions[i].indices);
      belongs_to_layouts(dimensions[i].positions);
    }
  });
}

int daptor_fortran_layout_on_process(Handle whole, std::int64_t process, Handle& layout) {
  return call([&] {
    const auto of = found_for("layout%on_process", [&] { return get<Layout>(whole); });
    Call here(of->comm, "layout%on_process");
    here.same("process", process);
    put(here.check([&] { return std::make_shared<Layout>(on_process(*of, process)); }), layout);
  });
}

std::int64_t daptor_fortran_layout_ndim(Handle layout) {
  const auto object = std::static_pointer_cast<Layout>(find(layout, &ObjectKind<Layout>::name));
  return object == nullptr ? -1 : static_cast<std::int64_t>(object->dimensions.size());
}

int daptor_fortran_layout_bounds(Handle layout, std::int32_t ghosts, CFI_cdesc_t& lower,
                                 CFI_cdesc_t& upper) {
  return call([&] {
    const auto object = get<Layout>(layout);
    store_pairs(*object, lower, upper, "lower, upper", [&](std::size_t d) {
      return ghosts != 0 ? local_bounds(*object, d) : owned_bounds(*object, d);
    });
  });
}

int daptor_fortran_layout_grid(Handle layout, CFI_cdesc_t& grid, CFI_cdesc_t& position) {
  return call([&] {
    const auto object = get<Layout>(layout);
    store_pairs(*object, grid, position, "grid, position", [&](std::size_t d) {
      const GridPosition at = object->dimensions[d].grid();
      return Bounds{at.size, at.rank};
    });
  });
}
