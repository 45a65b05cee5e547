// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_slabs.hpp"

#include <array>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/elements.hpp"

#ifdef DAPTOR_FFTW_MPI
#include "fftw_mpi_library.hpp"
#include "slab_form.hpp"
#endif
#include "slab_sizes.hpp"

namespace daptor::fft::detail {

#ifdef DAPTOR_FFTW_MPI

/// FFTW-MPI's two plans, of either precision.
struct MpiSlabs::Plans {
  Plans() = default;
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
  virtual ~Plans() = default;
  /// Collective: makes both plans on scratch memory.
  virtual void plan(const Problem& problem, bool transposed, Planning planning) = 0;
  virtual void run(void* from, void* to, bool forward) const = 0;
  virtual bool aligned(const DistArray& array) const = 0;

  bool unaligned = false;
  bool in_place = false;
  Index room = 0;
};

namespace {

struct FreeScratch {
  void operator()(void* data) const { fftw_free(data); }
};
using SlabScratch = std::unique_ptr<void, FreeScratch>;

SlabScratch slab_scratch(std::size_t bytes) {
  SlabScratch scratch(fftw_malloc(bytes));
  if (scratch == nullptr) throw std::bad_alloc();
  return scratch;
}

template <class Real>
class SlabPlansOf : public MpiSlabs::Plans {
  using Library = FftwMpi<Real>;
  using Plan = typename Library::Plan;

 public:
  SlabPlansOf(const Comm& comm, bool real) : comm_(comm), real_(real) {}
  ~SlabPlansOf() override {
    // FFTW frees communicators with its plans.
    if (!adapter::mpi_running()) return;
    if (forward_ != nullptr) Library::destroy(forward_);
    if (backward_ != nullptr) Library::destroy(backward_);
  }

  void plan(const Problem& problem, bool transposed, Planning planning) override {
    SlabScratch from, to;
    typename Library::Sizes n;
    agreed(comm_, [&] {
      daptor::detail::fault_point("fft.transform.slab-scratch");
      Library::start();
      const std::size_t bytes = 2 * sizeof(Real) * static_cast<std::size_t>(room);
      from = slab_scratch(bytes);
      if (!in_place) to = slab_scratch(bytes);
      n.assign(problem.stages.shape.begin(), problem.stages.shape.end());
    });
    void* const first = from.get();
    void* const second = in_place ? first : to.get();
    const unsigned flags = planning_flag(planning) | (unaligned ? FFTW_UNALIGNED : 0U);
    const MPI_Comm mpi = comm_->mpi();
    adapter::collectively(comm_, "fftw", "fftw_mpi_plan_many_dft", [&] {
      if (real_) {
        forward_ = Library::real_to_complex(n, first, second, mpi, flags);
        backward_ = Library::complex_to_real(n, second, first, mpi, flags);
        return;
      }
      forward_ = Library::complex_to_complex(n, first, second, mpi, FFTW_FORWARD,
                                             flags | (transposed ? FFTW_MPI_TRANSPOSED_OUT : 0U));
      backward_ = Library::complex_to_complex(n, second, first, mpi, FFTW_BACKWARD,
                                              flags | (transposed ? FFTW_MPI_TRANSPOSED_IN : 0U));
    });
    agreed(comm_, [&] {
      if (forward_ == nullptr || backward_ == nullptr)
        refuse_engine("a grid for which FFTW-MPI has no plan", "one for which it has");
    });
  }

  void run(void* from, void* to, bool forward) const override {
    if (real_ && forward)
      Library::execute_real_to_complex(forward_, from, to);
    else if (real_)
      Library::execute_complex_to_real(backward_, to, from);
    else if (forward)
      Library::execute(forward_, from, to);
    else
      Library::execute(backward_, to, from);
  }

  bool aligned(const DistArray& array) const override {
    return Fftw<Real>::alignment(array.owned_data()) == 0;
  }

 private:
  Comm comm_;
  bool real_;
  Plan forward_ = nullptr;
  Plan backward_ = nullptr;
};

std::unique_ptr<MpiSlabs::Plans> make_slab_plans(const DistArray& output, const Problem& problem,
                                                 const Comm& comm) {
  const bool real = problem.stages.real_dimension >= 0;
  if (is_single(output.type())) return std::make_unique<SlabPlansOf<float>>(comm, real);
  return std::make_unique<SlabPlansOf<double>>(comm, real);
}

}  // namespace

MpiSlabs::MpiSlabs(const DistArray& input, const DistArray& output, const Problem& problem,
                   const Comm& comm, const TransformOptions& options) {
  const auto least = agreed_minima<1>(comm, [&]() -> std::array<std::int64_t, 1> {
    daptor::detail::fault_point("fft.transform.slabs");
    if (input.ndim() < 2) require_engine(input, problem, false);
    plans_ = make_slab_plans(output, problem, comm);
    return {is_transposed(output) ? 0 : 1};
  });
  const bool transposed = least[0] == 0;
  const auto flags = agreed_minima<1>(comm, [&]() -> std::array<std::int64_t, 1> {
    daptor::detail::fault_point("fft.transform.slab-sizes");
    require_engine(input, problem, transposed);
    const SlabSizes sizes = slab_sizes(spectrum_shape(problem.stages), comm);
    require_form(input, output, problem, sizes, transposed, comm, options.capacity);
    plans_->room = sizes.room;
    return {plans_->aligned(input) && plans_->aligned(output) ? 1 : 0};
  });
  plans_->unaligned = flags[0] == 0;
  plans_->in_place = problem.in_place;
  plans_->plan(problem, transposed, options.planning);
}

void MpiSlabs::run(const DistArray& input, const DistArray& output, bool forward) const {
  plans_->run(const_cast<void*>(input.owned_data()), const_cast<void*>(output.owned_data()),
              forward);
}

void MpiSlabs::require_suits(const DistArray& input, const DistArray& output,
                             Index capacity) const {
  require_room(input, output, plans_->in_place, plans_->room, capacity);
  if (!plans_->unaligned && !(plans_->aligned(input) && plans_->aligned(output)))
    adapter::refuse_argument("fft.rebind", "memory that is aligned in another way",
                             "memory aligned as before", "Make another Transform.");
}

#else

struct MpiSlabs::Plans {};

MpiSlabs::MpiSlabs(const DistArray& input, const DistArray&, const Problem&, const Comm& comm,
                   const TransformOptions&) {
  agreed(comm, [&] { slab_sizes(input.global_shape(), comm); });  // which refuses
}
void MpiSlabs::run(const DistArray&, const DistArray&, bool) const {}
void MpiSlabs::require_suits(const DistArray&, const DistArray&, Index) const {}

#endif

MpiSlabs::MpiSlabs(MpiSlabs&&) noexcept = default;
MpiSlabs::~MpiSlabs() = default;

}  // namespace daptor::fft::detail
