// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "arguments.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "dimensions.hpp"
#include "index_lists.hpp"
#include "objects.hpp"
#include "text.hpp"

using namespace daptor;
using namespace daptor::fortran;

namespace daptor::fortran {

Comm communicator(MPI_Fint comm) {
  return Comm(MPI_Comm_f2c(comm));
}

std::optional<std::vector<Index>> values_of(const daptor_fortran_list& list) {
  if (list.count < 0) return std::nullopt;
  return std::vector<Index>(list.values, list.values + list.count);
}

namespace {

void require_rank(std::size_t ndim, std::int64_t given) {
  if (given != static_cast<std::int64_t>(ndim))
    throw InvalidArgument(Report({error_finding(
        "fortran.rank", -1, "", "an argument of " + std::to_string(given) + " elements",
        "one element for each of the layout's " + std::to_string(ndim) + " dimensions")}));
}

}  // namespace
}  // namespace daptor::fortran

extern "C" {

/// Collective over `comm`.
int daptor_fortran_layout_block(const daptor_fortran_block* arguments, MPI_Fint comm,
                                Handle* layout) {
  return call([&] {
    const auto shared = communicator(comm);
    Call here(shared, "layout%block");
    auto made =
        here.check([&] { return std::make_shared<Layout>(block_layout(*arguments, shared)); });
    put(std::move(made), layout);
  });
}

/// Collective over `comm`.
int daptor_fortran_layout_create(const daptor_fortran_dimension* dimensions, std::int64_t count,
                                 MPI_Fint comm, Handle* layout) {
  return call([&] {
    const auto shared = communicator(comm);
    Call here(shared, "layout%create");
    auto made =
        here.check([&] { return std::make_shared<Layout>(layout_of(dimensions, count, shared)); });
    put(std::move(made), layout);
    for (std::int64_t i = 0; i < count; ++i) {
      belongs_to_layouts(dimensions[i].indices);
      belongs_to_layouts(dimensions[i].positions);
    }
  });
}

/// Collective over the communicator of `whole`, whose grid the new layout has.
int daptor_fortran_layout_on_process(Handle whole, std::int64_t process, Handle* layout) {
  return call([&] {
    const auto of = found_for("layout%on_process", [&] { return get<Layout>(whole); });
    Call here(of->comm, "layout%on_process");
    here.same("process", process);
    auto made = here.check([&] { return std::make_shared<Layout>(on_process(*of, process)); });
    put(std::move(made), layout);
  });
}

/// Process-local. Returns -1 if there is no layout.
std::int64_t daptor_fortran_layout_ndim(Handle layout) {
  const auto object = std::static_pointer_cast<Layout>(find(layout, &ObjectKind<Layout>::name));
  return object == nullptr ? -1 : static_cast<std::int64_t>(object->dimensions.size());
}

/// Process-local. First and last Fortran index along each dimension, either of the points that this
/// process owns or of its section with ghost cells.
int daptor_fortran_layout_bounds(Handle layout, std::int32_t ghosts, std::int64_t count,
                                 std::int64_t* lower, std::int64_t* upper) {
  return call([&] {
    const auto object = get<Layout>(layout);
    require_rank(object->dimensions.size(), count);
    for (std::size_t d = 0; d < object->dimensions.size(); ++d) {
      const Bounds bounds = ghosts != 0 ? local_bounds(*object, d) : owned_bounds(*object, d);
      lower[d] = bounds.lower;
      upper[d] = bounds.upper;
    }
  });
}

/// Reports bounds that do not fit in the caller's default integers.
int daptor_fortran_too_long() {
  return call([] {
    throw InvalidArgument("lower, upper", "bounds beyond the range of a default integer",
                          "arguments of kind int64");
  });
}

/// Process-local. The number of processes along each dimension, and the position of this one.
int daptor_fortran_layout_grid(Handle layout, std::int64_t count, std::int64_t* grid,
                               std::int64_t* position) {
  return call([&] {
    const auto object = get<Layout>(layout);
    require_rank(object->dimensions.size(), count);
    for (std::size_t d = 0; d < object->dimensions.size(); ++d) {
      grid[d] = object->dimensions[d].grid().size;
      position[d] = object->dimensions[d].grid().rank;
    }
  });
}
}
