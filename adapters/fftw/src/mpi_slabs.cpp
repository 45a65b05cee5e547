// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_slabs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <utility>

#ifdef DAPTOR_FFTW_MPI
#include <fftw3-mpi.h>
#endif

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/slab.hpp"

namespace daptor::fft::detail {

#ifdef DAPTOR_FFTW_MPI

namespace {

using Sizes = std::vector<std::ptrdiff_t>;

/// Initialises FFTW-MPI. It is never cleaned up, because that would free plans of the program's
/// own.
void start_fftw_mpi() {
  static const bool started = [] {
    fftw_mpi_init();
    return true;
  }();
  static_cast<void>(started);
}

IndexRange our_block(Index size, const Comm& comm) {
  return divided(size, {comm.size(), comm.rank()}, Division::ceiling);
}

/// FFTW says 0 for the start of a process without indices.
IndexRange their_block(std::ptrdiff_t start, std::ptrdiff_t count, Index size) {
  return count == 0 ? IndexRange{size, size} : IndexRange{start, start + count};
}

const char* const use_redistribution =
    "Leave TransformOptions::engine as it is, or allocate with daptor::fft::allocate_slabs.";

[[noreturn]] void refuse_slabs(const char* rule, const std::string& found,
                               const std::string& expected) {
  throw NotRepresentable(Report({adapter::reason(rule, found, expected, use_redistribution)}));
}

IndexRange block_of(const DistArray& array, int d) {
  const Dimension& dimension = array.dimension(d);
  if (const auto* block = dimension.as<Block>()) return block->owned;
  if (dimension.as<Undistributed>() != nullptr) return {0, dimension.global_size()};
  refuse_slabs("fft.slab", std::string("dist_type '") + dimension.dist_type() + "'",
               "blocks, or undistributed dimensions");
}

/// Dimensions from the slowest in memory to the fastest.
Sizes memory_order(int ndim, bool transposed) {
  Sizes order(static_cast<std::size_t>(ndim));
  for (int d = 0; d < ndim; ++d) order[static_cast<std::size_t>(d)] = d;
  if (transposed) std::swap(order[0], order[1]);
  return order;
}

/// Rows follow each other without gaps. `row` is the pitch of the last dimension in elements.
void require_slab_strides(const DistArray& array, bool transposed, Index row) {
  if (array.owned_count() == 0) return;
  Index stride = static_cast<Index>(array.type().itemsize());
  const Sizes order = memory_order(array.ndim(), transposed);
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
void require_slab(const DistArray& array, int divided, IndexRange expected, const Comm& comm) {
  for (int d = 0; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    if (dimension.communication_padding().total() > 0)
      refuse_slabs("fft.gaps", "communication padding", "elements without gaps");
    const IndexRange found = block_of(array, d);
    const bool here = d == divided;
    if (!here && dimension.grid().size > 1)
      refuse_slabs("fft.slab", "dimension " + std::to_string(d) + " divided",
                   "slabs of dimension " + std::to_string(divided));
    if (!here) continue;
    const bool in_order = comm.size() == 1 || dimension.grid().rank == comm.rank();
    if (!in_order || (found != expected && !(found.empty() && expected.empty())))
      refuse_slabs(
          "fft.slab",
          "the block " + adapter::range_text(found) + " of dimension " + std::to_string(d),
          adapter::range_text(expected) + ", as FFTW-MPI divides it in the order of the ranks");
  }
}

bool aligned(const DistArray& array) {
  return fftw_alignment_of(static_cast<double*>(const_cast<void*>(array.owned_data()))) == 0;
}

/// Whether the output is divided along dimension 1. On one process both are, and the memory
/// decides.
bool is_transposed(const DistArray& output) {
  if (output.dimension(1).grid().size > 1) return true;
  if (output.dimension(0).grid().size > 1 || output.owned_count() == 0) return false;
  return output.owned_shape()[0] > 1 && output.owned_shape()[1] > 1 &&
         output.byte_strides()[0] < output.byte_strides()[1];
}

}  // namespace

SlabSizes slab_sizes(const std::vector<Index>& shape, const Comm& comm) {
  start_fftw_mpi();
  const Sizes sizes(shape.begin(), shape.end());
  std::ptrdiff_t rows = 0, first_row = 0, columns = 0, first_column = 0;
  const std::ptrdiff_t room = fftw_mpi_local_size_many_transposed(
      static_cast<int>(sizes.size()), sizes.data(), 1, FFTW_MPI_DEFAULT_BLOCK,
      FFTW_MPI_DEFAULT_BLOCK, comm->mpi(), &rows, &first_row, &columns, &first_column);
  const SlabSizes found{std::max<Index>(room, 1), their_block(first_row, rows, shape[0]),
                        their_block(first_column, columns, shape[1])};
  // Some releases of FFTW report other blocks than they use.
  if (found.rows != our_block(shape[0], comm) || found.columns != our_block(shape[1], comm))
    refuse_slabs("fft.engine",
                 "rows " + adapter::range_text(found.rows) + " and columns " +
                     adapter::range_text(found.columns),
                 "rows " + adapter::range_text(our_block(shape[0], comm)) + " and columns " +
                     adapter::range_text(our_block(shape[1], comm)));
  return found;
}

struct MpiSlabs::Plans {
  Comm comm;
  fftw_plan forward = nullptr;
  fftw_plan backward = nullptr;
  bool real = false;
  bool unaligned = false;
  bool in_place = false;
  Index room = 0;

  explicit Plans(const Comm& on) : comm(on) {}
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
  ~Plans() {
    // FFTW frees communicators with its plans.
    if (!adapter::mpi_running()) return;
    if (forward != nullptr) fftw_destroy_plan(forward);
    if (backward != nullptr) fftw_destroy_plan(backward);
  }
};

namespace {

unsigned flags_of(const TransformOptions& options, bool unaligned) {
  const unsigned flags = options.planning == Planning::estimate  ? FFTW_ESTIMATE
                         : options.planning == Planning::measure ? FFTW_MEASURE
                                                                 : FFTW_PATIENT;
  return flags | (unaligned ? FFTW_UNALIGNED : 0U);
}

struct SlabScratch {
  explicit SlabScratch(Index room) : data(fftw_alloc_complex(static_cast<std::size_t>(room))) {
    if (data == nullptr) throw std::bad_alloc();
  }
  SlabScratch(const SlabScratch&) = delete;
  SlabScratch& operator=(const SlabScratch&) = delete;
  ~SlabScratch() { fftw_free(data); }
  fftw_complex* data;
};

/// FFTW-MPI also takes part where a process has no elements, and writes there.
void require_room(const DistArray& input, const DistArray& output, bool in_place, Index room,
                  Index capacity) {
  const auto from = reinterpret_cast<std::intptr_t>(input.owned_data());
  const auto to = reinterpret_cast<std::intptr_t>(output.owned_data());
  const bool no_memory = from == 0 || to == 0;
  if (no_memory || capacity < room)
    refuse_slabs("fft.capacity",
                 "room for " + std::to_string(no_memory ? 0 : capacity) + " complex numbers",
                 std::to_string(room) + ", as FFTW-MPI writes beyond the elements of a process");
  if (room > std::numeric_limits<int>::max() / 2)
    refuse_slabs("fft.int", std::to_string(room) + " complex numbers on a process",
                 "at most " + std::to_string(std::numeric_limits<int>::max() / 2) +
                     ", as FFTW-MPI counts in int");
  const bool apart = std::abs(from - to) >= 16 * room;
  if (in_place ? from != to : !apart)
    refuse_slabs("fft.capacity", "input and output whose room overlaps",
                 in_place ? "one address for both on all ranks" : "separate memory");
}

/// What is looked at on one process: whether FFTW-MPI can work in the memory of these arrays.
void require_form(const DistArray& input, const DistArray& output, const Problem& problem,
                  const SlabSizes& sizes, bool transposed, const Comm& comm, Index capacity) {
  const bool real = problem.stages.real_dimension >= 0;
  const Index last = input.global_shape().back();
  require_slab(input, 0, sizes.rows, comm);
  require_slab(output, transposed ? 1 : 0, transposed ? sizes.columns : sizes.rows, comm);
  require_slab_strides(input, false, real ? 2 * (last / 2 + 1) : last);
  require_slab_strides(output, transposed, output.global_shape().back());
  require_room(input, output, problem.in_place, sizes.room, capacity);
}

/// What is the same on all ranks: whether FFTW-MPI has such a transform.
void require_engine(const DistArray& input, const Problem& problem, bool transposed) {
  const StageProblem& stages = problem.stages;
  const int ndim = input.ndim();
  const bool real = stages.real_dimension >= 0;
  if (is_single(input.type()))
    refuse_slabs("fft.engine", "elements of " + input.type().name(), "float64 or complex128");
  if (ndim < 2 || static_cast<int>(stages.transformed.size()) != ndim)
    refuse_slabs("fft.engine",
                 std::to_string(stages.transformed.size()) + " transformed dimensions of " +
                     std::to_string(ndim),
                 "two or more dimensions, all transformed");
  if (std::find(stages.shape.begin(), stages.shape.end(), 0) != stages.shape.end())
    refuse_slabs("fft.engine", "a grid without elements", "sizes of at least 1");
  if (real && (stages.real_dimension != ndim - 1 || !problem.in_place || transposed))
    refuse_slabs(
        "fft.engine",
        "real numbers with their spectrum in other memory, transposed, or halved elsewhere",
        "both in one memory, the last dimension halved");
}

}  // namespace

MpiSlabs::MpiSlabs(const DistArray& input, const DistArray& output, const Problem& problem,
                   const Comm& comm, const TransformOptions& options)
    : plans_(std::make_unique<Plans>(comm)) {
  const auto least = agreed_minima<1>(comm, [&]() -> std::array<std::int64_t, 1> {
    daptor::detail::fault_point("fft.transform.slabs");
    if (input.ndim() < 2) require_engine(input, problem, false);
    return {is_transposed(output) ? 0 : 1};
  });
  const bool transposed = least[0] == 0;
  const std::vector<Index> shape = spectrum_shape(problem.stages);
  SlabSizes sizes;
  const auto flags = agreed_minima<1>(comm, [&]() -> std::array<std::int64_t, 1> {
    daptor::detail::fault_point("fft.transform.slab-sizes");
    require_engine(input, problem, transposed);
    sizes = slab_sizes(shape, comm);
    require_form(input, output, problem, sizes, transposed, comm, options.capacity);
    return {aligned(input) && aligned(output) ? 1 : 0};
  });
  plans_->real = problem.stages.real_dimension >= 0;
  plans_->unaligned = flags[0] == 0;
  plans_->in_place = problem.in_place;
  plans_->room = sizes.room;
  std::unique_ptr<SlabScratch> from, to;
  agreed(comm, [&] {
    daptor::detail::fault_point("fft.transform.slab-scratch");
    from = std::make_unique<SlabScratch>(sizes.room);
    if (!problem.in_place) to = std::make_unique<SlabScratch>(sizes.room);
  });
  Sizes n(problem.stages.shape.begin(), problem.stages.shape.end());
  const int ndim = static_cast<int>(n.size());
  const unsigned all = flags_of(options, plans_->unaligned);
  fftw_complex* const second = to ? to->data : from->data;
  adapter::collectively(comm, "fftw", "fftw_mpi_plan_many_dft", [&] {
    if (plans_->real) {
      auto* const numbers = reinterpret_cast<double*>(from->data);
      plans_->forward =
          fftw_mpi_plan_many_dft_r2c(ndim, n.data(), 1, FFTW_MPI_DEFAULT_BLOCK,
                                     FFTW_MPI_DEFAULT_BLOCK, numbers, second, comm->mpi(), all);
      plans_->backward =
          fftw_mpi_plan_many_dft_c2r(ndim, n.data(), 1, FFTW_MPI_DEFAULT_BLOCK,
                                     FFTW_MPI_DEFAULT_BLOCK, second, numbers, comm->mpi(), all);
      return;
    }
    plans_->forward = fftw_mpi_plan_many_dft(
        ndim, n.data(), 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, from->data, second,
        comm->mpi(), FFTW_FORWARD, all | (transposed ? FFTW_MPI_TRANSPOSED_OUT : 0U));
    plans_->backward = fftw_mpi_plan_many_dft(
        ndim, n.data(), 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, second, from->data,
        comm->mpi(), FFTW_BACKWARD, all | (transposed ? FFTW_MPI_TRANSPOSED_IN : 0U));
  });
  agreed(comm, [&] {
    if (plans_->forward == nullptr || plans_->backward == nullptr)
      refuse_slabs("fft.engine", "no plan of FFTW-MPI", "a plan");
  });
}

void MpiSlabs::run(const DistArray& input, const DistArray& output, bool forward) const {
  void* const from = const_cast<void*>(input.owned_data());
  void* const to = const_cast<void*>(output.owned_data());
  auto* const spectrum = static_cast<fftw_complex*>(to);
  if (plans_->real && forward)
    fftw_mpi_execute_dft_r2c(plans_->forward, static_cast<double*>(from), spectrum);
  else if (plans_->real)
    fftw_mpi_execute_dft_c2r(plans_->backward, spectrum, static_cast<double*>(from));
  else if (forward)
    fftw_mpi_execute_dft(plans_->forward, static_cast<fftw_complex*>(from), spectrum);
  else
    fftw_mpi_execute_dft(plans_->backward, spectrum, static_cast<fftw_complex*>(from));
}

void MpiSlabs::require_suits(const DistArray& input, const DistArray& output,
                             Index capacity) const {
  require_room(input, output, plans_->in_place, plans_->room, capacity);
  if (!plans_->unaligned && !(aligned(input) && aligned(output)))
    adapter::refuse_argument("fft.rebind", "memory that is aligned in another way",
                             "memory aligned as before", "Make another Transform.");
}

#else

namespace {

[[noreturn]] void refuse_engine() {
  adapter::refuse_argument("fft.engine", "Daptor built without FFTW-MPI", "one built with it",
                           "Install FFTW-MPI (on Debian libfftw3-mpi-dev), or leave "
                           "TransformOptions::engine as it is.");
}

}  // namespace

struct MpiSlabs::Plans {};

SlabSizes slab_sizes(const std::vector<Index>&, const Comm&) {
  refuse_engine();
}
MpiSlabs::MpiSlabs(const DistArray&, const DistArray&, const Problem&, const Comm&,
                   const TransformOptions&) {
  refuse_engine();
}
void MpiSlabs::run(const DistArray&, const DistArray&, bool) const {}
void MpiSlabs::require_suits(const DistArray&, const DistArray&, Index) const {}

#endif

MpiSlabs::MpiSlabs(MpiSlabs&&) noexcept = default;
MpiSlabs::~MpiSlabs() = default;

}  // namespace daptor::fft::detail
