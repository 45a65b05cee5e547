// SPDX-License-Identifier: BSD-3-Clause
#include "division.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "library.hpp"

namespace daptor::ga::detail {
namespace {

using Numbers = std::array<std::int64_t, GA_MAX_DIM>;
using Backwards = std::array<Integer, GA_MAX_DIM>;

struct TypeCode {
  int code;
  DataType type;
};

const std::vector<TypeCode>& type_codes() {
  static const std::vector<TypeCode> codes = {{C_INT, DataType::of<int>()},
                                              {C_LONG, DataType::of<long>()},
                                              {C_LONGLONG, DataType::of<long long>()},
                                              {C_FLOAT, DataType::of<float>()},
                                              {C_DBL, DataType::of<double>()},
                                              {C_SCPL, DataType::of<std::complex<float>>()},
                                              {C_DCPL, DataType::of<std::complex<double>>()}};
  return codes;
}

/// The calls that give an array of the same elements which is described.
constexpr char deal_on_grid[] =
    "Make the array with GA_Set_block_cyclic_proc_grid, or copy it (GA_Copy) into a regular one.";

[[noreturn]] void refuse(const char* rule, const Terms& found, const Terms& expected,
                         const Terms& remedy) {
  throw NotRepresentable(adapter::reason(rule, found, expected, remedy));
}

DataType type_of_code(int code) {
  for (const TypeCode& each : type_codes())
    if (each.code == code) return each.type;
  refuse("ga.type", "elements of the registered type " + std::to_string(code),
         "one of GA's seven types of integers, real and complex numbers",
         "Copy the fields to arrays of these types (NGA_Get_field).");
}

/// What GA calls the kind of a division.
std::string kind_of(int handle) {
  std::array<char, 64> kind{};
  pnga_get_distribution_type(handle, kind.data());
  return kind.data();
}

/// Numbers of GA's own order of dimensions, in that of C.
std::vector<Index> in_c_order(const Backwards& numbers, std::size_t count) {
  std::vector<Index> forwards(count);
  for (std::size_t d = 0; d < count; ++d) forwards[d] = numbers[count - 1 - d];
  return forwards;
}

void read_memory(Division& division) {
  std::int64_t length = 0;
  void* memory = nullptr;
  NGA_Access_block_segment64(division.life.handle, division.rank, static_cast<void*>(&memory),
                             &length);
  NGA_Release_block_segment(division.life.handle, division.rank);
  division.memory = memory;
  division.length = length;
}

[[noreturn]] void refuse_memory(const Division& division, Index expected) {
  refuse("ga.memory", "memory of " + std::to_string(division.length) + " elements",
         std::to_string(expected) + " elements, which the division gives this process",
         "GA 5.8 allocates block-cyclic arrays on a group by the numbers of all processes: use the "
         "group of all processes, or a group of the first ones.");
}

[[noreturn]] void refuse_restricted() {
  refuse("ga.restricted",
         "a block-cyclic array on some processes of its group, or on all in another order",
         "one on all processes of its group, in their order",
         "Use a group of these processes instead of GA_Set_restricted.");
}

void read_grid(Division& division) {
  const std::size_t ndim = division.shape.size();
  const int handle = division.life.handle;
  // GA_Get_proc_grid answers in the order of Fortran, in C too; the last process is where the grid
  // ends.
  Backwards index{};
  pnga_get_proc_index(handle, division.processes - 1, index.data());
  division.grid = in_c_order(index, ndim);
  for (Index& size : division.grid) ++size;
  pnga_get_proc_index(handle, division.rank, index.data());
  division.coordinates = in_c_order(index, ndim);
  const Index places =
      std::accumulate(division.grid.begin(), division.grid.end(), Index{1}, std::multiplies<>());
  if (places != division.processes) refuse_restricted();
}

/// One block along every dimension except dimension 0, so that the blocks of a process follow each
/// other along dimension 0.
bool dealt_along_rows(const std::vector<Index>& blocks) {
  return std::all_of(blocks.begin() + 1, blocks.end(), [](Index count) { return count == 1; });
}

void read_dealt(Division& division, const std::vector<Index>& blocks) {
  if (!dealt_along_rows(blocks))
    refuse("ga.dealing", "blocks dealt one after another, each stored by itself",
           "blocks dealt along each dimension", deal_on_grid);
  if (division.group > 0)
    refuse("ga.dealing", "blocks dealt to the processes of a group",
           "blocks dealt to all processes, by whose numbers GA counts",
           "Make the array with GA_Set_block_cyclic_proc_grid on the group.");
  division.grid.assign(division.shape.size(), 1);
  division.grid[0] = division.processes;
  division.coordinates.assign(division.shape.size(), 0);
  division.coordinates[0] = division.rank;
}

[[noreturn]] void refuse_tiles() {
  refuse("ga.tiled", "tiles stored one after another", "rows of one length", deal_on_grid);
}

void read_cyclic(Division& division, const std::string& kind) {
  const std::size_t ndim = division.shape.size();
  const int handle = division.life.handle;
  if (kind == "tiled_irreg") refuse_tiles();  // GA ends the job if it is asked for their blocks
  if (!in_order_of_group(handle, division.processes)) refuse_restricted();
  division.cyclic = true;
  Backwards blocks{};
  Backwards sizes{};
  pnga_get_block_info(handle, blocks.data(), sizes.data());
  division.block_sizes = in_c_order(sizes, ndim);
  const std::vector<Index> counts = in_c_order(blocks, ndim);
  if (kind == "block_cyclic")
    read_dealt(division, counts);
  else
    read_grid(division);
  // Where no process has a second tile beside the first, tiles are stored as ScaLAPACK's blocks.
  for (std::size_t d = 1; kind == "tiled" && d < ndim; ++d)
    if (counts[d] > division.grid[d]) refuse_tiles();
  Index expected = 1;
  for (std::size_t d = 0; d < ndim; ++d)
    expected *= cyclic_owned_count(division.shape[d], division.block_sizes[d], division.grid[d],
                                   division.coordinates[d]);
  read_memory(division);
  if (division.length != expected) refuse_memory(division, expected);
  division.has_elements = expected > 0;
  if (!division.has_elements) division.memory = nullptr;
  division.ghosts = std::vector<Index>(ndim, 0);
}

/// The widths, of which GA's C interface does not tell: from where the first own element is.
std::vector<Index> ghost_widths(const Division& division, const Numbers& lo, const Numbers& hi) {
  const std::size_t ndim = division.shape.size();
  std::vector<Index> widths(ndim, 0);
  if (GA_Has_ghosts(division.life.handle) == 0) return widths;
  Numbers from = lo;
  Numbers to = hi;
  Numbers extents{};  // of all dimensions but 0, ghost cells included
  void* first = nullptr;
  NGA_Access64(division.life.handle, from.data(), to.data(), static_cast<void*>(&first),
               extents.data());
  NGA_Release64(division.life.handle, from.data(), to.data());
  Index offset = (static_cast<char*>(first) - static_cast<char*>(division.memory)) /
                 static_cast<Index>(division.type.itemsize());
  Index stride = 1;
  for (std::size_t d = ndim - 1; d > 0; --d) {
    widths[d] = (extents[d - 1] - division.owned[d].size()) / 2;
    offset -= widths[d] * stride;
    stride *= extents[d - 1];
  }
  widths[0] = offset / stride;
  return widths;
}

/// The range that begins with an index along a dimension, at the first indices of the others.
IndexRange range_from(const Division& division, std::size_t dimension, Index start) {
  Numbers index{};
  Numbers lo{};
  Numbers hi{};
  index[dimension] = start;
  const int owner = NGA_Locate64(division.life.handle, index.data());
  NGA_Distribution64(division.life.handle, owner, lo.data(), hi.data());
  return {start, hi[dimension] + 1};
}

/// How many places come before index `lo`, with which one begins, along a dimension.
Index places_before(const Division& division, std::size_t dimension, Index lo) {
  Index place = 0;
  for (Index start = 0; start < lo; ++place) start = range_from(division, dimension, start).stop;
  return place;
}

/// How many places the grid has along a dimension, those without indices left out.
Index place_count(const Division& division, std::size_t dimension) {
  return places_before(division, dimension, division.shape[dimension]);
}

void read_blocks(Division& division) {
  const std::size_t ndim = division.shape.size();
  const int handle = division.life.handle;
  // Not GA_Nblock, which counts blocks without indices of an irregular division.
  for (std::size_t d = 0; d < ndim; ++d) division.grid.push_back(place_count(division, d));
  Numbers lo{};
  Numbers hi{};
  NGA_Distribution64(handle, division.rank, lo.data(), hi.data());
  for (std::size_t d = 0; d < ndim; ++d) {
    division.owned.push_back({lo[d], std::max<Index>(lo[d], hi[d] + 1)});
    if (lo[d] < 0 || division.owned[d].empty()) division.has_elements = false;
  }
  if (!division.has_elements) return;
  read_memory(division);
  division.ghosts = ghost_widths(division, lo, hi);
  Index expected = 1;
  for (std::size_t d = 0; d < ndim; ++d)
    expected *= division.owned[d].size() + 2 * (*division.ghosts)[d];
  if (division.length != expected || division.memory == nullptr) refuse_memory(division, expected);
  division.coordinates.resize(ndim);
  for (std::size_t d = 0; d < ndim; ++d)
    division.coordinates[d] = places_before(division, d, lo[d]);
}

}  // namespace

std::optional<int> code_of_type(const DataType& type) {
  for (const TypeCode& each : type_codes())
    if (each.type == type) return each.code;
  return std::nullopt;
}

void require_handle(int handle) {
  require_running();
  if (GA_Valid_handle(handle) != 0) return;
  adapter::refuse_argument("ga.handle", "handle " + std::to_string(handle) + ", which is no array",
                           "the handle of a Global Array that exists",
                           "Pass what NGA_Create has returned, before GA_Destroy.");
}

IndexRange range_along(const Division& division, std::size_t dimension, Index coordinate) {
  IndexRange range = range_from(division, dimension, 0);
  for (Index place = 0; place < coordinate; ++place)
    range = range_from(division, dimension, range.stop);
  return range;
}

Division read_division(int handle) {
  require_handle(handle);
  Division division;
  division.life = life_of(handle);
  if (GA_Is_mirrored(handle) != 0)
    refuse("ga.mirrored", "a mirrored array, which each node has a copy of",
           "an array of which each element is on one process",
           "Copy it (GA_Copy) into an array on all processes.");
  int code = 0;
  int ndim = 0;
  Numbers shape{};
  NGA_Inquire64(handle, &code, &ndim, shape.data());
  division.type = type_of_code(code);
  division.shape.assign(shape.begin(), shape.begin() + ndim);
  division.name = GA_Inquire_name(handle);
  division.read_only = is_read_only(handle);
  division.group = GA_Get_pgroup(handle);
  division.rank = GA_Pgroup_nodeid(division.group);
  division.processes = GA_Pgroup_nnodes(division.group);
  const std::string kind = kind_of(handle);
  if (kind == "regular")
    read_blocks(division);
  else
    read_cyclic(division, kind);
  return division;
}

}  // namespace daptor::ga::detail
