// SPDX-License-Identifier: BSD-3-Clause
#include "dimensions.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/layout.hpp"
#include "daptor/process_grid.hpp"

namespace daptor::fortran {
namespace {

using std::to_string;

[[noreturn]] void refuse(int dimension, const char* key, Terms found, Terms expected,
                         Terms remedy = {}) {
  throw InvalidArgument(Report({error_finding("argument", dimension, key, std::move(found),
                                              std::move(expected), std::move(remedy))}));
}

/// The widths that are given for one dimension; `nullopt` for absent arguments.
struct Widths {
  std::optional<Index> ghosts, padding, boundary;

  bool any() const { return ghosts || padding || boundary; }
};

BlockPadding padding_of(const Widths& widths, bool periodic, int dimension) {
  if (widths.ghosts && (widths.padding || widths.boundary))
    refuse(dimension, "ghosts", "ghosts together with padding or boundary",
           "either ghosts, or padding and boundary");
  const auto both = [](Index width) { return Padding{width, width}; };
  if (widths.ghosts) return BlockPadding::ghosts(both(*widths.ghosts), periodic);
  return BlockPadding(both(widths.padding.value_or(0)), both(widths.boundary.value_or(0)),
                      periodic);
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

struct BlockDimension {
  Index size = 0;
  GridPosition grid;
  std::optional<IndexRange> owned;
  Widths widths;
  bool periodic = false;
};

Dimension dimension_of(const BlockDimension& block, int number) {
  if (block.grid.size < 1)
    refuse(number, "grid", to_string(block.grid.size) + " processes", "one or more processes");
  if (block.grid.rank < 0 || block.grid.rank >= block.grid.size)
    refuse(number, "position", to_string(block.grid.rank),
           "a position in [0, " + to_string(block.grid.size) + ")");
  const IndexRange owned = block.owned ? *block.owned : even_block(block.size, block.grid);
  if (!block.widths.any())
    return Dimension(block.size, Block{block.grid, owned, {}, {}, false}, block.periodic);
  return daptor::block(block.size, block.grid, owned,
                       padding_of(block.widths, block.periodic, number));
}

/// Adds a dimension, or throws its fault. `ghosts` is the width of the ghost cells on all sides of
/// each section; 0 if there are none.
void add(Layout& layout, Dimension dimension, Index ghosts) {
  const int number = static_cast<int>(layout.dimensions.size());
  dimension.defect().in_dimension(number).raise();
  Report report(check_dimension(dimension, number));
  if (!report) throw Malformed(report);
  // Ghost cells outside the grid come before its first point.
  layout.first.push_back(dimension.periodic() ? 1 : 1 - ghosts);
  layout.dimensions.push_back(std::move(dimension));
}

std::optional<Index> entry(const std::optional<std::vector<Index>>& list, std::size_t d) {
  if (!list) return std::nullopt;
  return (*list)[d];
}

std::optional<Index> given(Index value) {
  if (value == -1) return std::nullopt;
  return value;
}

/// An argument of `layout%block`; `nullopt` if it is absent.
std::optional<std::vector<Index>> entries(const daptor_fortran_argument& argument, const char* key,
                                          std::size_t ndim) {
  if (!present(argument)) return std::nullopt;
  auto values = numbers_of(argument);
  if (values.size() != ndim)
    refuse(-1, key, to_string(values.size()) + " elements",
           "one element for each of " + to_string(ndim) + " dimensions");
  return values;
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
  if (mask != -1 && mask != count)
    refuse(number, "owned", "a mask of " + to_string(mask) + " elements",
           "one for each of the " + to_string(count) + " indices");
  OwnedPart owned = OwnedPart::at(positions);
  if (const auto wrong = owned.wrong_position(count))
    refuse(number, "owned", "position " + to_string(*wrong + 1),
           "each position at most once, within 1:" + to_string(count));
  return owned;
}

Dimension unstructured_of(const daptor_fortran_dimension& d, int number) {
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
  } else if (d.owned != -1) {
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

FlagVector flags(const std::optional<std::vector<Index>>& list) {
  FlagVector result;
  if (list)
    for (const Index entry : *list) result.push_back(entry != 0);
  return result;
}

void require_position(const ProcessGrid& on, const std::vector<Index>& position) {
  for (std::size_t d = 0; d < position.size(); ++d)
    if (position[d] != on.position[d])
      refuse(static_cast<int>(d), "position", to_string(position[d]),
             to_string(on.position[d]) + ", as the Cartesian communicator has",
             "Leave out position, which the communicator says.");
}

/// Stands for a grid or a position that was not given.
constexpr Index absent = -std::numeric_limits<Index>::max();

bool has_no_place(const daptor_fortran_dimension& d) {
  return d.grid == absent && d.position == absent;
}

/// The grid that a Cartesian communicator says for dimensions that have none; one process along
/// each of them on other communicators.
ProcessGrid missing_grid(const daptor_fortran_dimension* dimensions, std::size_t count,
                         const Comm& comm) {
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

BlockDimension block_of(const daptor_fortran_dimension& d, int number, const ProcessGrid& missing) {
  const auto n = static_cast<std::size_t>(number);
  const bool open = has_no_place(d);
  BlockDimension block;
  block.size = d.size;
  block.grid = {missing.sizes[n], missing.position[n]};
  if (d.grid != absent) block.grid.size = d.grid;
  if (d.position != absent) block.grid.rank = d.position;
  const bool ring = open && missing.periodic[n];
  if (open && missing.cartesian && d.periodic != -1 && (d.periodic != 0) != ring)
    refuse(number, "periodic", d.periodic != 0 ? ".true." : ".false.",
           ring ? ".true., as the Cartesian communicator's"
                : ".false., as the Cartesian communicator's",
           "Leave out periodic, which the communicator says.");
  if (d.lower != -1 || d.upper != -1)
    block.owned = range_of(d.lower, d.upper, d.size, block.grid, number);
  block.widths = {given(d.ghosts), given(d.padding), given(d.boundary)};
  block.periodic = d.periodic == -1 ? ring : d.periodic != 0;
  return block;
}

}  // namespace

Layout block_layout(const daptor_fortran_argument* arguments, const Comm& comm) {
  const auto shape = numbers_of(arguments[0]);
  const std::size_t ndim = shape.size();
  const auto asked_grid = entries(arguments[1], "grid", ndim);
  const auto asked_position = entries(arguments[2], "position", ndim);
  const auto ghosts = entries(arguments[3], "ghosts", ndim);
  const auto padding = entries(arguments[4], "padding", ndim);
  const auto boundary = entries(arguments[5], "boundary", ndim);
  const auto periodic = entries(arguments[6], "periodic", ndim);
  const auto lower = entries(arguments[7], "lower", ndim);
  const auto upper = entries(arguments[8], "upper", ndim);
  if (lower.has_value() != upper.has_value())
    refuse(-1, "lower, upper", "one of the two arguments", "both arguments or neither");

  const ProcessGrid on = process_grid(static_cast<int>(ndim), comm,
                                      asked_grid.value_or(std::vector<Index>()), flags(periodic));
  if (asked_position && on.cartesian) require_position(on, *asked_position);
  const auto position = asked_position.value_or(on.position);
  Layout layout{{}, comm, {}};
  for (std::size_t d = 0; d < ndim; ++d) {
    const int number = static_cast<int>(d);
    BlockDimension block;
    block.size = shape[d];
    block.grid = {on.sizes[d], position[d]};
    if (lower) block.owned = range_of((*lower)[d], (*upper)[d], shape[d], block.grid, number);
    block.widths = {entry(ghosts, d), entry(padding, d), entry(boundary, d)};
    block.periodic = on.periodic[d];
    add(layout, dimension_of(block, number), block.widths.ghosts.value_or(0));
  }
  return layout;
}

Layout layout_of(const daptor_fortran_dimension* dimensions, std::int64_t count, const Comm& comm) {
  Layout layout{{}, comm, {}};
  const ProcessGrid missing = missing_grid(dimensions, static_cast<std::size_t>(count), comm);
  for (std::int64_t i = 0; i < count; ++i) {
    const daptor_fortran_dimension& d = dimensions[i];
    const int number = static_cast<int>(i);
    switch (d.distribution) {
      case 'n':
        add(layout, undistributed(d.size), 0);
        break;
      case 'b':
        add(layout, dimension_of(block_of(d, number, missing), number),
            given(d.ghosts).value_or(0));
        break;
      case 'c':
        add(layout, cyclic(d.size, {d.grid, d.position}, d.block_size, d.origin), 0);
        break;
      case 'u':
        add(layout, unstructured_of(d, number), 0);
        break;
      default:
        refuse(number, "dimensions", "an empty daptor_dimension",
               "the result of daptor_block, daptor_undistributed, daptor_cyclic or "
               "daptor_unstructured");
    }
  }
  return layout;
}

Layout on_process(const Layout& whole, Index process) {
  const int ranks = whole.comm.size();
  if (process < 0 || process >= ranks)
    refuse(-1, "process", to_string(process), "a process in [0, " + to_string(ranks) + ")");
  std::vector<Index> shape;
  for (const Dimension& dimension : whole.dimensions) shape.push_back(dimension.global_size());
  const TargetLayout target = layout::on_process(static_cast<int>(process));
  return {target.dimensions(shape, whole.comm.rank(), ranks), whole.comm, whole.first};
}

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

}  // namespace daptor::fortran
