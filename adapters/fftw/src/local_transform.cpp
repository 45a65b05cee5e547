// SPDX-License-Identifier: BSD-3-Clause
#include "local_transform.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "daptor/detail/bytes_past.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "fftw_library.hpp"
#include "owned_span.hpp"

namespace daptor::fft::detail {

/// FFTW's plans, of either precision.
class LocalPlans {
 public:
  virtual ~LocalPlans() = default;
  virtual bool suits(const Section& from, const Section& to) const = 0;
  virtual void rebind(const Section& from, const Section& to) noexcept = 0;
  virtual void forward() const = 0;
  virtual void backward() const = 0;
};

namespace {

std::vector<Index> element_strides(const Section& array) {
  std::vector<Index> strides = array.byte_strides();
  for (Index& stride : strides) stride /= static_cast<Index>(array.type().itemsize());
  return strides;
}

Span larger(Span a, Span b) {
  return {std::max(a.before, b.before), std::max(a.after, b.after)};
}

/// Memory on which a plan is measured, aligned like the memory of a section.
class Scratch {
 public:
  Scratch(Span span, const void* like) {
    constexpr std::size_t line = 64;
    memory_.reset(new std::byte[span.before + span.after + 2 * line]());
    data_ = memory_.get() + span.before;
    data_ += daptor::detail::bytes_before(data_, line) + daptor::detail::bytes_past(like, line);
  }
  void* data() const { return data_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::byte* data_ = nullptr;
};

void* address(const Section& array) {
  // The flag of read-only arrays is respected by the leases around the transform.
  return const_cast<void*>(array.owned_data());
}

template <class Real>
class PlansOf : public LocalPlans {
 public:
  PlansOf(const Section& from, const Section& to, const std::vector<int>& transformed,
          Planning planning, bool keep_to)
      : planning_(planning), keep_to_(keep_to), real_(is_real(from.type())), from_(from), to_(to) {
    const std::vector<Index> from_strides = element_strides(from);
    const std::vector<Index> to_strides = element_strides(to);
    for (int d = 0; d < from.ndim(); ++d) {
      const auto i = static_cast<std::size_t>(d);
      const Index extent = from.owned_shape()[i];
      empty_ = empty_ || extent == 0 || to.owned_shape()[i] == 0;
      const bool here = std::find(transformed.begin(), transformed.end(), d) != transformed.end();
      if (here || extent != 1)
        (here ? loops_ : others_).push_back({extent, from_strides[i], to_strides[i]});
    }
    if (!empty_) plan();
  }

  bool suits(const Section& from, const Section& to) const override {
    return empty_ || alignments(from, to) == planned_;
  }
  void rebind(const Section& from, const Section& to) noexcept override {
    from_ = from;
    to_ = to;
  }
  void forward() const override {
    if (empty_) return;
    if (real_)
      Library::execute_real_to_complex(forward_.get(), address(from_), address(to_));
    else
      Library::execute(forward_.get(), address(from_), address(to_));
  }
  void backward() const override {
    if (empty_) return;
    if (real_)
      Library::execute_complex_to_real(backward_.get(), address(to_), address(from_));
    else
      Library::execute(backward_.get(), address(to_), address(from_));
  }

 private:
  using Library = Fftw<Real>;
  using Loops = typename Library::Loops;

  struct Destroy {
    void operator()(typename Library::Plan plan) const { Library::destroy(plan); }
  };
  using Plan = std::unique_ptr<std::remove_pointer_t<typename Library::Plan>, Destroy>;

  static std::pair<int, int> alignments(const Section& from, const Section& to) {
    return {Library::alignment(from.owned_data()), Library::alignment(to.owned_data())};
  }

  /// FFTW 3.3.10 in single precision may read or write complex numbers at odd strides with
  /// instructions that ask for more alignment than they have, which ends the program. It does not
  /// if it may assume no alignment at all.
  unsigned alignment_flag() const {
    if (real_ || std::is_same_v<Real, double>) return 0;
    for (const Loops* loops : {&loops_, &others_})
      for (const auto& loop : *loops)
        for (const auto stride : {loop.is, loop.os})
          if (loop.n > 1 && stride != 1 && stride % 2 != 0) return FFTW_UNALIGNED;
    return 0;
  }

  static Loops turned(Loops loops) {
    for (auto& loop : loops) std::swap(loop.is, loop.os);
    return loops;
  }

  void plan() {
    const bool in_place = from_.owned_data() == to_.owned_data();
    const Scratch from(in_place ? larger(owned_span(from_), owned_span(to_)) : owned_span(from_),
                       from_.owned_data());
    const Scratch to(in_place ? Span{} : owned_span(to_), to_.owned_data());
    void* const first = from.data();
    void* const second = in_place ? first : to.data();
    const unsigned flags = planning_flag(planning_) | alignment_flag();
    // Nothing may throw between the plans and the members that destroy them.
    const Loops back = turned(loops_), back_others = turned(others_);
    typename Library::Plan forward = nullptr, backward = nullptr;
    {
      const std::lock_guard<std::mutex> lock(planner_mutex());
      if (real_) {
        forward = Library::real_to_complex(loops_, others_, first, second, flags);
        backward =
            Library::complex_to_real(back, back_others, second, first,
                                     flags | (keep_to_ ? FFTW_PRESERVE_INPUT : FFTW_DESTROY_INPUT));
      } else {
        forward = Library::complex_to_complex(loops_, others_, first, second, FFTW_FORWARD, flags);
        backward =
            Library::complex_to_complex(back, back_others, second, first, FFTW_BACKWARD, flags);
      }
    }
    forward_.reset(forward);
    backward_.reset(backward);
    planned_ = alignments(from_, to_);
    if (forward != nullptr && backward != nullptr) return;
    throw LibraryFailed(Report({error_finding("library.fftw", -1, "fftw_plan_guru64",
                                              "no plan for this section", "a plan", "")}));
  }

  Planning planning_;
  bool keep_to_;
  bool real_;
  bool empty_ = false;
  Section from_, to_;
  Loops loops_, others_;
  Plan forward_, backward_;
  std::pair<int, int> planned_;
};

std::unique_ptr<LocalPlans> make_plans(const Section& from, const Section& to,
                                       const std::vector<int>& transformed, Planning planning,
                                       bool keep_to) {
  if (is_single(to.type()))
    return std::make_unique<PlansOf<float>>(from, to, transformed, planning, keep_to);
  return std::make_unique<PlansOf<double>>(from, to, transformed, planning, keep_to);
}

}  // namespace

LocalTransform::LocalTransform(const Section& from, const Section& to,
                               const std::vector<int>& transformed, Planning planning, bool keep_to)
    : plans_(make_plans(from, to, transformed, planning, keep_to)) {}
LocalTransform::LocalTransform(LocalTransform&&) noexcept = default;
LocalTransform& LocalTransform::operator=(LocalTransform&&) noexcept = default;
LocalTransform::~LocalTransform() = default;

bool LocalTransform::suits(const Section& from, const Section& to) const {
  return plans_->suits(from, to);
}
void LocalTransform::rebind(const Section& from, const Section& to) noexcept {
  plans_->rebind(from, to);
}
void LocalTransform::forward() const {
  plans_->forward();
}
void LocalTransform::backward() const {
  plans_->backward();
}

}  // namespace daptor::fft::detail
