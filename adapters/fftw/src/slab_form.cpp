// SPDX-License-Identifier: BSD-3-Clause
#include "slab_form.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/names.hpp"

namespace daptor::fft::detail {
namespace {

const Terms use_redistribution =
    "Leave " + names::engine + " as it is, or allocate with " + names::allocate_slabs + ".";

}  // namespace

[[noreturn]] void refuse_slabs(const char* rule, const Terms& found, const Terms& expected) {
  throw NotRepresentable(Report({adapter::reason(rule, found, expected, use_redistribution)}));
}

void refuse_engine(const Terms& found, const Terms& expected) {
  throw NotRepresentable(Report({adapter::reason(
      "fft.engine", found, expected,
      "Leave " + names::engine + " as it is: Engine::redistribution has this transform.")}));
}

namespace {

IndexRange block_of(const Section& array, int d) {
  const Dimension& dimension = array.dimension(d);
  if (const auto* block = dimension.as<Block>()) return block->owned;
  if (dimension.grid().size == 1 && dimension.as<Unstructured>() == nullptr)
    return {0, dimension.global_size()};
  refuse_slabs("fft.slab", std::string("dist_type '") + dimension.dist_type() + "'",
               "blocks, or undistributed dimensions");
}

/// Dimensions from the slowest in memory to the fastest.
std::vector<int> memory_order(int ndim, bool transposed) {
  std::vector<int> order(static_cast<std::size_t>(ndim));
  std::iota(order.begin(), order.end(), 0);
  if (transposed) std::swap(order[0], order[1]);
  return order;
}

/// Rows follow each other without gaps. `row` is the pitch of the last dimension in elements.
void require_slab_strides(const Section& array, bool transposed, Index row) {
  if (array.owned_count() == 0) return;
  Index stride = static_cast<Index>(array.type().itemsize());
  const std::vector<int> order = memory_order(array.ndim(), transposed);
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    const auto i = static_cast<std::size_t>(*d);
    if (array.owned_shape()[i] > 1 && array.byte_strides()[i] != stride)
      refuse_slabs("fft.gaps",
                   "a stride of " + std::to_string(array.byte_strides()[i]) +
                       " bytes in dimension " + std::to_string(i),
                   std::to_string(stride) + " bytes, as FFTW-MPI has it");
    stride *= d == order.rbegin() && !transposed ? row : array.owned_shape()[i];
  }
}

/// One dimension is divided as FFTW-MPI does it, in the order of the ranks; the others are whole.
void require_slab(const Section& array, int divided, IndexRange expected, const Comm& comm) {
  for (int d = 0; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    if (dimension.communication_padding().total() > 0)
      refuse_slabs("fft.gaps", "communication padding", "elements without gaps");
    const IndexRange found = block_of(array, d);
    const bool here = d == divided;
    if (!here && dimension.grid().size > 1)
      refuse_slabs("fft.slab", terms::dimension(d) + " divided",
                   "slabs of dimension " + std::to_string(divided));
    if (!here) continue;
    const bool in_order = comm.size() == 1 || dimension.grid().rank == comm.rank();
    if (!in_order || (found != expected && !(found.empty() && expected.empty())))
      refuse_slabs("fft.slab", "the block " + terms::range(found) + " of " + terms::dimension(d),
                   terms::range(expected) + ", as FFTW-MPI divides it in the order of the ranks");
  }
}

}  // namespace

bool is_transposed(const Section& output) {
  if (output.dimension(1).grid().size > 1) return true;
  if (output.dimension(0).grid().size > 1 || output.owned_count() == 0) return false;
  return output.owned_shape()[0] > 1 && output.owned_shape()[1] > 1 &&
         output.byte_strides()[0] < output.byte_strides()[1];
}

void require_room(const Section& input, const Section& output, bool in_place, Index room,
                  Index capacity) {
  const auto from = reinterpret_cast<std::intptr_t>(input.owned_data());
  const auto to = reinterpret_cast<std::intptr_t>(output.owned_data());
  const bool no_memory = from == 0 || to == 0;
  if (no_memory || capacity < room)
    refuse_slabs("fft.capacity",
                 "room for " + std::to_string(no_memory ? 0 : capacity) + " complex numbers",
                 std::to_string(room) + ", as FFTW-MPI writes beyond the elements of a process");
  if (room > std::numeric_limits<int>::max() / 2)
    refuse_slabs("fft.index-range", std::to_string(room) + " complex numbers on a process",
                 "at most " + std::to_string(std::numeric_limits<int>::max() / 2) +
                     ", as FFTW-MPI counts in int");
  const bool apart =
      std::abs(from - to) >= static_cast<std::intptr_t>(output.type().itemsize()) * room;
  if (in_place ? from != to : !apart)
    refuse_slabs("fft.capacity", "input and output whose room overlaps",
                 in_place ? "one address for both on all ranks" : "separate memory");
}

void require_form(const Section& input, const Section& output, const Problem& problem,
                  const SlabSizes& sizes, bool transposed, const Comm& comm, Index capacity) {
  const bool real = problem.stages.real_dimension >= 0;
  const Index last = input.global_shape().back();
  require_slab(input, 0, sizes.rows, comm);
  require_slab(output, transposed ? 1 : 0, transposed ? sizes.columns : sizes.rows, comm);
  require_slab_strides(input, false, real ? 2 * (last / 2 + 1) : last);
  require_slab_strides(output, transposed, output.global_shape().back());
  require_room(input, output, problem.in_place, sizes.room, capacity);
}

void require_engine(const Section& input, const Problem& problem, bool transposed) {
  const StageProblem& stages = problem.stages;
  const int ndim = input.ndim();
  const bool real = stages.real_dimension >= 0;
  if (ndim < 2 || static_cast<int>(stages.transformed.size()) != ndim)
    refuse_engine(std::to_string(stages.transformed.size()) + " transformed dimensions of " +
                      std::to_string(ndim),
                  "two or more dimensions, all transformed");
  if (std::find(stages.shape.begin(), stages.shape.end(), 0) != stages.shape.end())
    refuse_engine("a grid without elements", "sizes of at least 1");
  // FFTW-MPI 3.3.10 computes wrong values for some of these, writes beyond the room that it asks
  // for, or aborts.
  if (stages.shape[1] == 1)
    refuse_engine("a grid of " + adapter::shape_text(stages.shape),
                  "at least two indices in dimension 1");
  if (real && (stages.real_dimension != ndim - 1 || !problem.in_place || transposed))
    refuse_engine(
        "real numbers with their spectrum in other memory, transposed, or halved elsewhere",
        "both in one memory, the last dimension halved");
}

}  // namespace daptor::fft::detail
