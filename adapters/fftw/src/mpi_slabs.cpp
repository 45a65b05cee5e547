// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_slabs.hpp"

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/elements.hpp"

#ifdef DAPTOR_FFTW_MPI
#include "fftw_mpi_library.hpp"
#include "slab_form.hpp"
#endif
#include "slab_sizes.hpp"

namespace daptor::fft::detail {

#ifdef DAPTOR_FFTW_MPI

struct FreeFftwMemory {
  void operator()(void* data) const { fftw_free(data); }
};
using FftwMemory = std::unique_ptr<void, FreeFftwMemory>;

/// What FFTW plans on: global sizes, and memory, which it writes.
struct SlabScratch {
  std::vector<std::ptrdiff_t> sizes;
  FftwMemory from;
  FftwMemory to;  ///< null in place
};

/// FFTW-MPI's two plans, of either precision.
struct MpiSlabs::Plans {
  Plans() = default;
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
  virtual ~Plans() = default;
  /// Collective: makes both plans.
  virtual void plan(const SlabScratch& scratch, bool transposed, Planning planning, Call& call) = 0;
  virtual void run(void* from, void* to, bool forward) const = 0;
  virtual bool aligned(const Section& array) const = 0;

  bool unaligned = false;
  bool in_place = false;
  Index room = 0;
};

namespace {

FftwMemory allocated(std::size_t bytes) {
  FftwMemory scratch(fftw_malloc(bytes));
  if (scratch == nullptr) throw std::bad_alloc();
  return scratch;
}

template <class Real>
class SlabPlansOf : public MpiSlabs::Plans {
  using Library = FftwMpi<Real>;
  using Plan = typename Library::Plan;

 public:
  explicit SlabPlansOf(bool real) : real_(real) { Library::start(); }
  ~SlabPlansOf() override {
    // FFTW frees communicators with its plans.
    if (!adapter::mpi_running()) return;
    if (forward_ != nullptr) Library::destroy(forward_);
    if (backward_ != nullptr) Library::destroy(backward_);
  }

  void plan(const SlabScratch& scratch, bool transposed, Planning planning, Call& call) override {
    const auto& n = scratch.sizes;
    void* const from = scratch.from.get();
    void* const to = in_place ? from : scratch.to.get();
    const unsigned flags = planning_flag(planning) | (unaligned ? FFTW_UNALIGNED : 0U);
    const MPI_Comm mpi = call.comm()->mpi();
    call.library("fftw", "fftw_mpi_plan_many_dft", [&] {
      if (real_) {
        forward_ = Library::real_to_complex(n, from, to, mpi, flags);
        backward_ = Library::complex_to_real(n, to, from, mpi, flags);
        return;
      }
      forward_ = Library::complex_to_complex(n, from, to, mpi, FFTW_FORWARD,
                                             flags | (transposed ? FFTW_MPI_TRANSPOSED_OUT : 0U));
      backward_ = Library::complex_to_complex(n, to, from, mpi, FFTW_BACKWARD,
                                              flags | (transposed ? FFTW_MPI_TRANSPOSED_IN : 0U));
    });
    call.check([&] {
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

  bool aligned(const Section& array) const override {
    return Fftw<Real>::alignment(array.owned_data()) == 0;
  }

 private:
  bool real_;
  Plan forward_ = nullptr;
  Plan backward_ = nullptr;
};

std::unique_ptr<MpiSlabs::Plans> make_slab_plans(const Section& output, const Problem& problem) {
  const bool real = problem.stages.real_dimension >= 0;
  if (is_single(output.type())) return std::make_unique<SlabPlansOf<float>>(real);
  return std::make_unique<SlabPlansOf<double>>(real);
}

}  // namespace

MpiSlabs::MpiSlabs(const Section& input, const Section& output, const Problem& problem, Call& call,
                   const TransformOptions& options) {
  Agreed<bool> untransposed, aligned;
  call.check([&] {
    if (input.ndim() < 2) require_engine(input, problem, false);
    plans_ = make_slab_plans(output, problem);
    untransposed = call.all(!is_transposed(output));
  });
  const bool transposed = !untransposed;
  const SlabScratch scratch = call.check([&] {
    require_engine(input, problem, transposed);
    const SlabSizes sizes = slab_sizes(spectrum_shape(problem.stages), call.comm());
    require_form(input, output, problem, sizes, transposed, call.comm(), options.capacity);
    plans_->room = sizes.room;
    aligned = call.all(plans_->aligned(input) && plans_->aligned(output));
    const auto& shape = problem.stages.shape;
    const std::size_t bytes = output.type().itemsize() * static_cast<std::size_t>(sizes.room);
    return SlabScratch{{shape.begin(), shape.end()},
                       allocated(bytes),
                       problem.in_place ? nullptr : allocated(bytes)};
  });
  plans_->unaligned = !aligned;
  plans_->in_place = problem.in_place;
  plans_->plan(scratch, transposed, options.planning, call);
}

void MpiSlabs::run(const Section& input, const Section& output, bool forward) const {
  plans_->run(const_cast<void*>(input.owned_data()), const_cast<void*>(output.owned_data()),
              forward);
}

void MpiSlabs::require_suits(const Section& input, const Section& output, Index capacity) const {
  require_room(input, output, plans_->in_place, plans_->room, capacity);
  if (!plans_->unaligned && !(plans_->aligned(input) && plans_->aligned(output)))
    adapter::refuse_argument("fft.rebind", "memory that is aligned in another way",
                             "memory aligned as before", "Make another Transform.");
}

#else

struct MpiSlabs::Plans {};

MpiSlabs::MpiSlabs(const Section& input, const Section&, const Problem&, Call& call,
                   const TransformOptions&) {
  call.check([&] { slab_sizes(input.global_shape(), call.comm()); });  // which refuses
}
void MpiSlabs::run(const Section&, const Section&, bool) const {}
void MpiSlabs::require_suits(const Section&, const Section&, Index) const {}

#endif

MpiSlabs::MpiSlabs(MpiSlabs&&) noexcept = default;
MpiSlabs::~MpiSlabs() = default;

}  // namespace daptor::fft::detail
