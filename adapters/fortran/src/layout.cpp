// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <ISO_Fortran_binding.h>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/process_grid.hpp"
#include "entries.hpp"
#include "objects.hpp"
#include "results.hpp"

namespace daptor::fortran {
namespace {

using std::to_string;

[[noreturn]] void refuse(int dimension, const char* key, Terms found, Terms expected,
                         Terms remedy = {}) {
  throw InvalidArgument(Report({error_finding("argument", dimension, key, std::move(found),
                                              std::move(expected), std::move(remedy))}));
}

using Given = daptor_fortran_dimension;

std::optional<Index> given(Index value) {
  if (value == Given::absent) return std::nullopt;
  return value;
}

BlockPadding padding_of(const Given& d, int dimension) {
  const auto both = [](Index width) { return Padding{width, width}; };
  const auto ghosts = given(d.ghosts);
  const auto padding = given(d.padding);
  const auto boundary = given(d.boundary);
  if (ghosts && (padding || boundary))
    refuse(dimension, "ghosts", "ghosts together with padding or boundary",
           "either ghosts, or padding and boundary");
  if (ghosts) return BlockPadding::ghosts(both(*ghosts), d.periodic != 0);
  return BlockPadding(both(padding.value_or(0)), both(boundary.value_or(0)), d.periodic != 0);
}

/// What bounds outside 1:size, or a lower one beyond the upper, probably mean.
std::string slip_of_bounds(Index lower, Index upper, Index size) {
  if (lower == 0) return "Points count from 1.";
  if (lower >= 1 && upper - 1 == size) return "The upper bound is the last point, not one past it.";
  if (lower > upper && upper > 0 && upper <= size - lower + 1)
    return "The upper bound is the last point, not the number of points.";
  return "On a process that owns nothing, set upper to lower minus one.";
}

/// The points that a process says it owns, given by the first and the last one.
IndexRange range_of(Index lower, Index upper, Index size, GridPosition grid, int dimension) {
  const std::string found = "lower " + to_string(lower) + ", upper " + to_string(upper);
  if (lower < 1 || upper > size || lower > upper + 1)
    refuse(dimension, "lower, upper", found, "bounds within 1:" + to_string(size),
           slip_of_bounds(lower, upper, size));
  constexpr const char* in_order =
      "Blocks follow each other in the order of the processes along the dimension.";
  if (grid.first() && lower != 1)
    refuse(dimension, "lower, upper", found, "lower 1 on the first process of the dimension",
           in_order);
  if (grid.last() && upper != size) {
    const bool number = lower > 1 && upper == size - lower + 1;
    refuse(dimension, "lower, upper", found,
           "upper " + to_string(size) + " on the last process of the dimension",
           number ? "The upper bound is the last point, not the number of points." : in_order);
  }
  return {lower - 1, upper};
}

/// A dimension whose place on the grid is known, and whether it is periodic.
Dimension block_of(const Given& d, int number) {
  const GridPosition grid{d.grid, d.position};
  if (grid.size < 1)
    refuse(number, "grid", to_string(grid.size) + " processes", "one or more processes");
  if (grid.rank < 0 || grid.rank >= grid.size)
    refuse(number, "position", to_string(grid.rank),
           "a position in [0, " + to_string(grid.size) + ")");
  if (given(d.lower).has_value() != given(d.upper).has_value())
    refuse(number, "lower, upper", "one of the two arguments", "both arguments or neither");
  const IndexRange owned =
      given(d.lower) ? range_of(d.lower, d.upper, d.size, grid, number) : even_block(d.size, grid);
  if (!given(d.ghosts) && !given(d.padding) && !given(d.boundary))
    return Dimension(d.size, Block{grid, owned, {}, {}, false}, d.periodic != 0);
  return daptor::block(d.size, grid, owned, padding_of(d, number));
}

/// Adds a dimension, or throws its fault. `ghosts` is the width of the ghost cells on all sides of
/// each section, if there are any.
void add(Layout& layout, Dimension dimension, Index ghosts = Given::absent) {
  const int number = static_cast<int>(layout.dimensions.size());
  dimension.defect().in_dimension(number).raise();
  Report report(check_dimension(dimension, number));
  if (!report) throw Malformed(report);
  // Ghost cells outside the grid come before its first point.
  layout.first.push_back(dimension.periodic() ? 1 : 1 - given(ghosts).value_or(0));
  layout.dimensions.push_back(std::move(dimension));
}

/// Checks the indices; a message states them as the caller does, counted from 1.
void require_indices(const std::vector<Index>& from_zero, Index size, int number) {
  for (std::size_t i = 0; i < from_zero.size(); ++i)
    if (from_zero[i] < 0 || from_zero[i] >= size)
      refuse(number, "indices",
             to_string(from_zero[i] + 1) + " as element " + to_string(i + 1) + " of indices",
             "indices within 1:" + to_string(size));
}

IndicesFromZero list_of(Handle handle, int number) {
  if (handle == -1) throw std::bad_alloc();
  IndicesFromZero list = kept_list(handle);
  if (list == nullptr)
    refuse(number, "indices", "a list whose layouts are all gone", "a list that is still there",
           "Call daptor_unstructured again.");
  return list;
}

/// What the process owns of `count` indices; messages count positions from 1, as the caller does.
OwnedPart owned_at(const std::vector<Index>& positions, Index count, Index mask, int number) {
  if (mask != Given::absent && mask != count)
    refuse(number, "owned", "a mask of " + to_string(mask) + " elements",
           "one for each of the " + to_string(count) + " indices");
  OwnedPart owned = OwnedPart::at(positions);
  if (const auto wrong = owned.wrong_position(count))
    refuse(number, "owned", "position " + to_string(*wrong + 1),
           "each position at most once, within 1:" + to_string(count));
  return owned;
}

Dimension unstructured_of(const Given& d, int number) {
  const IndicesFromZero indices = list_of(d.indices, number);
  const auto count = static_cast<Index>(indices->size());
  require_indices(*indices, d.size, number);
  std::shared_ptr<const void> lists = indices;
  std::optional<OwnedPart> owned;
  if (d.positions != 0) {
    const IndicesFromZero positions = list_of(d.positions, number);
    owned = owned_at(*positions, count, d.mask, number);
    // Both lists are there for other layouts as long as one has them.
    lists = std::make_shared<std::pair<IndicesFromZero, IndicesFromZero>>(indices, positions);
  } else if (given(d.owned)) {
    if (d.owned < 0 || d.owned > count)
      refuse(number, "owned", to_string(d.owned),
             "0 or more, and at most " + to_string(count) + ", the size of indices");
    owned = d.owned;
  }
  return Dimension(d.size, Unstructured{{d.grid, d.position},
                                        IndexList(lists, indices->data(), count),
                                        d.one_to_one != 0,
                                        std::move(owned)});
}

bool has_no_place(const Given& d) {
  return !given(d.grid) && !given(d.position);
}

/// The grid that a Cartesian communicator says for dimensions that have none; one process along
/// each of them on other communicators.
ProcessGrid missing_grid(const Given* dimensions, std::size_t count, const Comm& comm) {
  ProcessGrid on{std::vector<Index>(count, 1), std::vector<Index>(count, 0),
                 std::vector<bool>(count)};
  IndexVector grid;
  bool missing = false;
  for (std::size_t d = 0; d < count; ++d) {
    const bool open = dimensions[d].distribution == 'b' && has_no_place(dimensions[d]);
    missing = missing || open;
    grid.push_back(open ? 0 : std::max(dimensions[d].grid, Index{1}));
  }
  if (!missing || !comm->cartesian()) return on;
  return process_grid(static_cast<int>(count), comm, grid);
}

/// The block, on the grid that it has or, if it has none, on the missing one.
Given placed(Given d, int number, const ProcessGrid& missing) {
  const auto n = static_cast<std::size_t>(number);
  const bool open = has_no_place(d);
  const bool ring = open && missing.periodic[n];
  if (open && missing.cartesian && given(d.periodic) && (d.periodic != 0) != ring)
    refuse(number, "periodic", d.periodic != 0 ? ".true." : ".false.",
           ring ? ".true., as the Cartesian communicator's"
                : ".false., as the Cartesian communicator's",
           "Leave out periodic, which the communicator says.");
  d.grid = given(d.grid).value_or(missing.sizes[n]);
  d.position = given(d.position).value_or(missing.position[n]);
  d.periodic = given(d.periodic).value_or(ring ? 1 : 0);
  return d;
}

/// Arguments of `layout%block` with an entry for each dimension, in their order.
constexpr std::pair<const char*, std::int64_t Given::*> lists[] = {
    {"shape", &Given::size},        {"grid", &Given::grid},       {"position", &Given::position},
    {"ghosts", &Given::ghosts},     {"padding", &Given::padding}, {"boundary", &Given::boundary},
    {"periodic", &Given::periodic}, {"lower", &Given::lower},     {"upper", &Given::upper}};

std::vector<Given> blocks_of(const daptor_fortran_argument* arguments) {
  std::vector<Given> blocks(static_cast<std::size_t>(arguments->count));
  for (const auto& [key, member] : lists) {
    const daptor_fortran_argument& argument = *arguments++;
    if (!present(argument)) continue;
    const auto values = numbers_of(argument);
    if (values.size() != blocks.size())
      refuse(-1, key, to_string(values.size()) + " elements",
             "one element for each of " + to_string(blocks.size()) + " dimensions");
    for (std::size_t d = 0; d < values.size(); ++d) blocks[d].*member = values[d];
  }
  return blocks;
}

Layout block_layout(const daptor_fortran_argument* arguments, const Comm& comm) {
  std::vector<Given> blocks = blocks_of(arguments);
  FlagVector periodic;
  for (const Given& d : blocks)
    if (given(d.periodic)) periodic.push_back(d.periodic != 0);
  const ProcessGrid on =
      process_grid(static_cast<int>(blocks.size()), comm, numbers_of(arguments[1]), periodic);
  Layout layout{{}, comm, {}};
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    const int number = static_cast<int>(n);
    Given& d = blocks[n];
    if (on.cartesian && given(d.position).value_or(on.position[n]) != on.position[n])
      refuse(number, "position", to_string(d.position),
             to_string(on.position[n]) + ", as the Cartesian communicator has",
             "Leave out position, which the communicator says.");
    d.grid = on.sizes[n];
    d.position = given(d.position).value_or(on.position[n]);
    d.periodic = on.periodic[n] ? 1 : 0;
    add(layout, block_of(d, number), d.ghosts);
  }
  return layout;
}

Layout layout_of(const daptor_fortran_dimension* dimensions, std::int64_t count, const Comm& comm) {
  Layout layout{{}, comm, {}};
  const ProcessGrid missing = missing_grid(dimensions, static_cast<std::size_t>(count), comm);
  for (std::int64_t i = 0; i < count; ++i) {
    const Given& d = dimensions[i];
    const int number = static_cast<int>(i);
    switch (d.distribution) {
      case 'n':
        add(layout, undistributed(d.size));
        break;
      case 'b':
        add(layout, block_of(placed(d, number, missing), number), d.ghosts);
        break;
      case 'c':
        add(layout, cyclic(d.size, {d.grid, d.position}, d.block_size, d.origin));
        break;
      case 'u':
        add(layout, unstructured_of(d, number));
        break;
      default:
        refuse(number, "dimensions", "an empty daptor_dimension",
               "the result of daptor_block, daptor_undistributed, daptor_cyclic or "
               "daptor_unstructured");
    }
  }
  return layout;
}

/// All points of another layout on one process, with the same Fortran indices.
Layout on_process(const Layout& whole, Index process) {
  const int ranks = whole.comm.size();
  if (process < 0 || process >= ranks)
    refuse(-1, "process", to_string(process), "a process in [0, " + to_string(ranks) + ")");
  std::vector<Index> shape;
  for (const Dimension& dimension : whole.dimensions) shape.push_back(dimension.global_size());
  const TargetLayout target = layout::on_process(static_cast<int>(process));
  return {target.dimensions(shape, whole.comm.rank(), ranks), whole.comm, whole.first};
}

/// First and last Fortran index. There are no indices if `upper` is less than `lower`.
struct Bounds {
  Index lower;
  Index upper;
};

/// The indices of all of this process's memory along dimension `d`, ghost cells included. For
/// cyclic and unstructured dimensions these are positions in the section.
Bounds local_bounds(const Layout& layout, std::size_t d) {
  const Dimension& dimension = layout.dimensions[d];
  const Index extent = dimension.local_extent();
  if (dimension.as<Cyclic>() != nullptr || dimension.as<Unstructured>() != nullptr)
    return {1, extent};
  const auto* block = dimension.as<Block>();
  const Index start = block != nullptr ? block->owned.start : 0;
  const Index copies = extent > 0 ? dimension.communication_padding().lower : 0;
  const Index lower = start - copies + layout.first[d];
  return {lower, lower + extent - 1};
}

/// Those that this process owns, without ghost cells.
Bounds owned_bounds(const Layout& layout, std::size_t d) {
  const Dimension& dimension = layout.dimensions[d];
  if (dimension.as<Cyclic>() != nullptr || dimension.as<Unstructured>() != nullptr) {
    const OwnedPart owned = dimension.owned_part();
    if (owned.apart())
      refuse(static_cast<int>(d), "owned", "owned elements with ghosts between them",
             "owned elements at consecutive positions of the list");
    return {owned.first() + 1, owned.first() + owned.count()};
  }
  const auto* block = dimension.as<Block>();
  IndexRange owned = block != nullptr ? block->owned : IndexRange{0, dimension.global_size()};
  if (layout.first[d] != 1 && !owned.empty()) {
    owned.start += dimension.boundary_padding().lower;
    owned.stop -= dimension.boundary_padding().upper;
  }
  return {owned.start + layout.first[d], owned.stop + layout.first[d] - 1};
}

/// Writes two numbers for each dimension, `pair(d)`.
template <class Pair>
void store_pairs(const Layout& layout, const CFI_cdesc_t& first, const CFI_cdesc_t& second,
                 const char* names, Pair&& pair) {
  const auto ndim = static_cast<Index>(layout.dimensions.size());
  const Index given = std::min(size_of(first), size_of(second));
  if (given != ndim)
    adapter::refuse_argument(
        "fortran.rank", "an argument of " + to_string(given) + " elements",
        "one element for each of the layout's " + to_string(ndim) + " dimensions");
  std::vector<Index> firsts;
  std::vector<Index> seconds;
  for (std::size_t d = 0; d < layout.dimensions.size(); ++d) {
    const auto [one, other] = pair(d);
    firsts.push_back(one);
    seconds.push_back(other);
  }
  store(names, {{firsts, first}, {seconds, second}});
}

}  // namespace

void layout_block(Handle& layout, MPI_Fint comm, const daptor_fortran_argument* arguments) {
  const Comm shared(MPI_Comm_f2c(comm));
  Call here(shared, "layout%block");
  put(here.check([&] { return block_layout(arguments, shared); }), layout);
}

void layout_create(Handle& layout, const daptor_fortran_dimension* dimensions, std::int64_t count,
                   MPI_Fint comm) {
  const Comm shared(MPI_Comm_f2c(comm));
  Call here(shared, "layout%create");
  put(here.check([&] { return layout_of(dimensions, count, shared); }), layout);
  for (std::int64_t i = 0; i < count; ++i) {
    belongs_to_layouts(dimensions[i].indices);
    belongs_to_layouts(dimensions[i].positions);
  }
}

void layout_on_process(Handle& layout, Handle whole, std::int32_t process) {
  const auto of = found_for("layout%on_process", [&] { return get<Layout>(whole); });
  Call here(of->comm, "layout%on_process");
  here.same("process", process);
  put(here.check([&] { return on_process(*of, process); }), layout);
}

std::int64_t daptor_fortran_layout_ndim(Handle layout) {
  const auto object = std::static_pointer_cast<Layout>(find(layout, &ObjectKind<Layout>::name));
  return object == nullptr ? -1 : static_cast<std::int64_t>(object->dimensions.size());
}

void layout_bounds(Handle layout, std::int32_t ghosts, CFI_cdesc_t& lower, CFI_cdesc_t& upper) {
  const auto object = get<Layout>(layout);
  store_pairs(*object, lower, upper, "lower, upper", [&](std::size_t d) {
    return ghosts != 0 ? local_bounds(*object, d) : owned_bounds(*object, d);
  });
}

void layout_grid(Handle layout, CFI_cdesc_t& grid, CFI_cdesc_t& position) {
  const auto object = get<Layout>(layout);
  store_pairs(*object, grid, position, "grid, position", [&](std::size_t d) {
    const GridPosition at = object->dimensions[d].grid();
    return Bounds{at.size, at.rank};
  });
}

}  // namespace daptor::fortran
