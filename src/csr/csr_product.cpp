// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/csr_product.hpp"
#include "daptor/adapter/byte_order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "csr/local_rows.hpp"
#include "csr/offsets.hpp"
#include "csr/proof.hpp"
#include "csr/row_sums.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/share_memory.hpp"
#include "daptor/adapter/undefined_memory.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/lease.hpp"
#include "daptor/redistribute.hpp"
#include "exchange/open_arrays.hpp"
#include "exchange/redistribution/rebinding.hpp"

namespace daptor {
namespace {

using detail::NeededColumns;

constexpr const char* product_remedy = "Make a CsrProduct for these vectors.";

/// Whether the processor can read the elements as their type.
bool is_aligned(const Section& array, const void* data) {
  return adapter::bytes_past(
             data, std::min(adapter::number_size(array.type()), alignof(std::max_align_t))) == 0;
}

/// The owned indices of a vector whose owned elements are in memory one after another and aligned,
/// so that they can be used where they are; empty for any other vector.
IndexRange range_in_place(const Section& vector) {
  if (!detail::in_blocks(vector.dimension(0)) || !detail::is_gapless_line(vector)) return {};
  return is_aligned(vector, vector.owned_data()) ? detail::owned_line(vector) : IndexRange{};
}

void require_vector(const Section& vector, const char* name, Index size, const char* elements,
                    const DataType& type) {
  const std::string one_for_each =
      "one dimension of " + std::to_string(size) + ", the number of " + elements + " of the matrix";
  if (vector.ndim() != 1)
    adapter::refuse_argument(
        "csr.vector", std::string(name) + " with " + std::to_string(vector.ndim()) + " dimensions",
        one_for_each, "Flatten the array, or pass a section of it.");
  if (vector.dimension(0).global_size() != size)
    adapter::refuse_argument(
        "csr.vector",
        std::string(name) + " of size " + std::to_string(vector.dimension(0).global_size()),
        one_for_each);
  if (vector.type() != type)
    adapter::refuse_argument(
        "csr.type",
        std::string(name) + " of " + vector.type().name() + ", values of " + type.name(),
        "one element type for the values of the matrix, x and y");
}

/// Opens all memory once, and requires that y can be written without changing what is read
/// meanwhile.
void require_separate(const CsrArrays& matrix, const DistArray& x, const DistArray& y) {
  for (const DistArray* read : {&x, &matrix.values, &matrix.columns, &matrix.offsets})
    adapter::require_host("csr.device", *read);
  detail::require_target(y, detail::csr_wording);
  const std::vector<DistArray> opened{matrix.values, matrix.columns, x}, written{y};
  detail::OpenArrays().open(opened, written);
  for (const DistArray* read : {&x, &matrix.values, &matrix.columns, &matrix.offsets})
    if (adapter::share_memory(*read, y))
      adapter::refuse_argument(
          "csr.memory",
          read == &x ? "x and y that overlap in memory" : "y that overlaps the matrix in memory",
          "memory of its own for y");
}

void require_operands(const CsrArrays& matrix, const DistArray& x, const DistArray& y) {
  x.defect().joined(y.defect()).raise();
  const DataType& type = matrix.values.type();
  if (!detail::has_row_sums(type))
    adapter::refuse_argument(
        "csr.type", "values of " + type.name(),
        "floating, complex or integer elements in the byte order of this machine",
        adapter::remedy_for_type(type, ""));
  require_vector(x, "x", matrix.global_columns, "columns", type);
  require_vector(y, "y", matrix.global_rows, "rows", type);
  require_separate(matrix, x, y);
  if (!is_aligned(matrix.values, adapter::first_owned(matrix.values)))
    adapter::refuse_argument("csr.alignment", "values that are not aligned in memory",
                             "values whose addresses are multiples of the size of a number");
}

/// The size of buffers that no rank's gathered elements need to exceed.
RedistributionOptions options_for(Index most_elements, std::size_t itemsize) {
  constexpr Index largest = Index{8} << 20;
  RedistributionOptions options;
  const auto size = static_cast<Index>(itemsize);
  options.buffer_bytes = most_elements > largest / size ? largest : most_elements * size;
  return options;
}

}  // namespace

struct CsrProduct::State {
  /// Reads of x what is in place, and gathers the rest.
  struct Gather {
    DistArray elements;
    Redistribution redistribution;
  };
  /// Takes the sums of the local rows to y, if y is divided otherwise.
  struct Scatter {
    DistArray sums;
    Redistribution redistribution;
  };

  /// Vectors that have been checked, so that taking them cannot fail.
  struct Vectors {
    DistArray x, y;
    std::vector<DistArray> read, written;
    std::optional<detail::Rebinding> gather{}, scatter{};
  };

  CsrArrays matrix;
  DistArray x, y;
  Comm comm;
  Index gathered_count = 0;
  bool x_in_place = false;  // at least a part of it
  bool y_in_place = false;
  std::unique_ptr<detail::RowSums> row_sums{};
  std::optional<Gather> gather{};
  std::optional<Scatter> scatter{};
  bool running = false;
  bool on_mpi = comm->mpi() != MPI_COMM_NULL;
  std::vector<DistArray> read{}, written{};
  detail::OpenArrays leases{};

  State(const CsrArrays& given, const DistArray& from, const DistArray& to, const Comm& ranks)
      : matrix(given), x(from), y(to), comm(ranks) {}

  /// The memory of y without its producer and views: the product itself holds the lease on y, from
  /// `begin` on, and notifies the views at the end.
  static DistArray only_memory(const DistArray& y) { return y.with_memory(y.mutable_data()); }

  GridPosition grid() const { return {comm.size(), comm.rank()}; }

  /// Collective.
  /// @param columns  those that this process gathers
  /// @param most     the greatest number of them on any process
  void plan_gather(std::vector<Index> columns, Index most, Call& call) {
    const DataType& type = matrix.values.type();
    const DistArray elements = call.check([&] {
      return adapter::allocate_undefined(
                 type, {unstructured(matrix.global_columns, grid(), IndexList(std::move(columns)))})
          .on(comm);
    });
    Redistribution redistribution(x, elements, options_for(most, type.itemsize()));
    gather.emplace(Gather{elements, std::move(redistribution)});
  }
  /// Collective.
  void plan_scatter(IndexRange rows, Call& call) {
    const auto [sums, to] = call.check([&] {
      return std::pair(adapter::allocate_undefined(matrix.values.type(),
                                                   {block(matrix.global_rows, grid(), rows)})
                           .on(comm),
                       only_memory(y));
    });
    Redistribution redistribution(sums, to);
    scatter.emplace(Scatter{sums, std::move(redistribution)});
  }

  /// Process-local.
  Vectors prepared(const DistArray& from, const DistArray& to) const {
    Vectors next{from, to, {matrix.values, from}, {to}};
    // Two descriptions that are equal may have different producers.
    if (gather && (from != x || from.buffer().state() != x.buffer().state()))
      next.gather.emplace(gather->redistribution, std::vector{from}, std::vector{gather->elements});
    if (scatter && to != y)
      next.scatter.emplace(scatter->redistribution, std::vector{scatter->sums},
                           std::vector{only_memory(to)});
    return next;
  }
  void take(Vectors next) noexcept {
    if (next.gather) next.gather->commit();
    if (next.scatter) next.scatter->commit();
    std::swap(x, next.x);
    std::swap(y, next.y);
    read.swap(next.read);
    written.swap(next.written);
  }

  void require_idle(const char* found) const {
    if (running)
      adapter::refuse_argument("csr.begun", found, "one product at a time", "Call end first.");
  }

  /// Process-local.
  void require_alike(const DistArray& from, const DistArray& to) const {
    require_idle("a run before the end of the previous product");
    from.defect().joined(to.defect()).raise();
    if (!from.same_layout(x) || !to.same_layout(y))
      adapter::refuse_argument("csr.layout",
                               std::string(from.same_layout(x) ? "y" : "x") +
                                   " with another layout than that of the plan",
                               "the same layout on this rank as in the constructor",
                               product_remedy);
    require_separate(matrix, from, to);
    if (range_in_place(from) != range_in_place(x) || range_in_place(to) != range_in_place(y))
      adapter::refuse_argument("csr.layout",
                               "a vector that begins at an address with another alignment",
                               "the alignment of the vector in the constructor", product_remedy);
  }

  detail::ProductMemory operands() const {
    const void* const sums = y_in_place ? y.owned_data() : scatter->sums.data();
    return {matrix.values.owned_data(), x_in_place ? x.owned_data() : nullptr,
            gather ? gather->elements.data() : nullptr, const_cast<void*>(sums)};
  }

  void begin() {
    // After MPI_Finalize the communicator is null.
    if (on_mpi && comm->mpi() == MPI_COMM_NULL) throw Finalized("MPI");
    leases.open(read, written);
    try {
      if (gather) gather->redistribution.begin();
    } catch (...) {
      leases.close();
      throw;
    }
    running = true;
  }

  void compute() {
    const detail::ProductMemory all = operands();
    row_sums->inner(all);
    if (gather) gather->redistribution.end();
    row_sums->outer(all);
    row_sums->carry(all, comm);
    if (scatter) scatter->redistribution.run();
  }

  void end() {
    running = false;
    try {
      compute();
    } catch (...) {
      leases.close();
      throw;
    }
    leases.close_written();
  }
};

CsrProduct::CsrProduct(const CsrArrays& matrix, const DistArray& x, const DistArray& y) {
  Call call(matrix.comm(), "CsrProduct");
  detail::prove_csr_layout(matrix, call);
  const detail::OwnedOffsets offsets = detail::prove_offsets(matrix, call);
  call.check([&] { require_operands(matrix, x, y); });
  call.prove(x);
  call.prove(y);
  call.check();
  const detail::LocalRows local = detail::find_local_rows(matrix, offsets, call);
  std::unique_ptr<State> state;
  NeededColumns needed;
  Agreed<bool> in_place;
  Agreed<std::int64_t> most;
  call.check([&] {
    state = std::make_unique<State>(matrix, x, y, call.comm());
    const ReadLease columns(matrix.columns);
    const IndexRange of_x = range_in_place(x);
    state->x_in_place = !of_x.empty();
    needed = detail::needed_columns(matrix, of_x);
    state->gathered_count = static_cast<Index>(needed.gathered.size());
    state->row_sums = detail::make_row_sums(matrix, local, needed);
    in_place =
        call.all(local.rows.empty() ? y.owned_count() == 0 : range_in_place(y) == local.rows);
    most = call.greatest(state->gathered_count);
  });
  state->y_in_place = in_place;
  if (most > 0) state->plan_gather(std::move(needed.gathered), most, call);
  if (!state->y_in_place) state->plan_scatter(local.rows, call);
  call.check([&] { state->take(state->prepared(x, y)); });
  state_ = std::move(state);
}

CsrProduct::CsrProduct(CsrProduct&& other) noexcept = default;
CsrProduct& CsrProduct::operator=(CsrProduct&& other) noexcept = default;
CsrProduct::~CsrProduct() = default;

CsrProduct::State& CsrProduct::state() const {
  if (!state_) adapter::refuse_argument("csr.moved", "a moved-from object", "a CsrProduct");
  return *state_;
}

void CsrProduct::run() {
  begin();
  end();
}

void CsrProduct::begin() {
  state().require_idle("begin before the end of the previous product");
  state_->begin();
}

void CsrProduct::end() {
  if (!state().running)
    adapter::refuse_argument("csr.not-begun", "end without begin", "begin before end");
  state_->end();
}

void CsrProduct::run(const DistArray& x, const DistArray& y) {
  State& self = state();
  Call call(self.comm, "CsrProduct::run");
  self.take(call.check([&] {
    call.require_same_processes(x);
    call.require_same_processes(y);
    self.require_alike(x, y);
    return self.prepared(x, y);
  }));
  run();
}

bool CsrProduct::in_flight() const {
  return state().running;
}

const CsrArrays& CsrProduct::matrix() const {
  return state().matrix;
}

const DistArray& CsrProduct::x() const {
  return state().x;
}

const DistArray& CsrProduct::y() const {
  return state().y;
}

Index CsrProduct::gathered_count() const {
  return state().gathered_count;
}

void multiply(const CsrArrays& matrix, const DistArray& x, const DistArray& y) {
  Call call(matrix.comm(), "multiply");
  CsrProduct(matrix, x, y).run();
}

}  // namespace daptor
