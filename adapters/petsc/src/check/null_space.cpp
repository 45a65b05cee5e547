// SPDX-License-Identifier: BSD-3-Clause
#include "null_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "objects.hpp"

namespace daptor::petsc::detail {
namespace {

double root_of_epsilon() {
  return std::sqrt(static_cast<double>(PETSC_MACHINE_EPSILON));
}

/// What a vector of the null space may be multiplied to, and how far it may be from length 1 or
/// from being orthogonal to another.
double allowed() {
  return 100 * root_of_epsilon();
}

std::string name_of(PetscInt vector) {
  return "vector " + std::to_string(vector);
}

/// The least and the greatest part of the rows in which a vector that is no near-null vector is
/// mapped to zero, and constants in the same operator are not.
constexpr double hardly_any = 0.1, most = 0.5;
/// How many more rows a vector may leave than a constant before other readings of it are tried, and
/// what part of the rows that all vectors leave is zero by a better reading.
constexpr double suspicious = 1.2, clearly_more = 0.1;

/// Collective. All readings for the number of unknowns in each point: the block size of the matrix
/// or, if that is 1, two and three. Those over all ranks for a `vec` whose values can be moved.
std::vector<Reading> possible_readings(Mat mat, Vec vec, Call& ranks) {
  Agreed<std::int64_t> block;
  Agreed<bool> movable;
  std::array<Agreed<bool>, 4> divides;
  ranks.check([&] {
    movable = ranks.all(is_one_of(object(vec), {VECMPI}));
    PetscInt size = 1;
    call("MatGetBlockSize", MatGetBlockSize, mat, &size);
    block = ranks.least(std::int64_t{size});
    const PetscInt columns = shape_of(mat).columns;
    for (PetscInt b = 2; b < 4; ++b)
      divides[static_cast<std::size_t>(b)] = ranks.all(columns % b == 0);
  });
  if (block > 1) return readings_of(static_cast<PetscInt>(std::int64_t{block}), movable);
  std::vector<Reading> readings;
  for (PetscInt b = 2; b < 4; ++b)
    if (divides[static_cast<std::size_t>(b)])
      for (Reading& reading : readings_of(b, movable)) readings.push_back(std::move(reading));
  return readings;
}

Probe::VecGuard meant_by(const Probe& probe, Vec vec, const Reading& reading) {
  Probe::VecGuard meant = probe.like(vec);
  if (reading.span() == Reading::Span::all_ranks) {
    PetscInt count = 0;
    call("VecGetSize", VecGetSize, vec, &count);
    probe.gather(vec, meant.get(), [&](PetscInt i) { return reading.source(i, count); });
    return meant;
  }
  probe.make(vec, meant.get(), [&](const PetscScalar* from, PetscScalar* to, PetscInt n) {
    reading.read(from, to, n);
  });
  return meant;
}

}  // namespace

NullVectors vectors_of(MatNullSpace space) {
  NullVectors vectors;
  PetscBool constant = PETSC_FALSE;
  if (space == nullptr) return vectors;
  call("MatNullSpaceGetVecs", MatNullSpaceGetVecs, space, &constant, &vectors.count, &vectors.vecs);
  vectors.constant = constant == PETSC_TRUE;
  return vectors;
}

NullVectors null_vectors(Mat mat) {
  MatNullSpace space = nullptr;
  call("MatGetNullSpace", MatGetNullSpace, mat, &space);
  return vectors_of(space);
}

NullVectors near_null_vectors(Mat mat) {
  MatNullSpace space = nullptr;
  call("MatGetNearNullSpace", MatGetNearNullSpace, mat, &space);
  return vectors_of(space);
}

Gain::Gain(const Probe& probe) : probe_(probe), product_(probe.of_rows()) {
  const auto random = probe.of_columns();
  for (const int seed : {1, 4}) {
    probe.set_random(random.get(), seed);
    const double length = probe.norm(random.get());
    probe.apply(random.get(), product_.get());
    if (length > 0)
      ratio_of_random_ = std::max(ratio_of_random_, probe.norm(product_.get()) / length);
    probe.read(product_.get(), [&](const PetscScalar* values, PetscInt count) {
      of_random_.resize(static_cast<std::size_t>(count));
      for (std::size_t r = 0; r < of_random_.size(); ++r)
        of_random_[r] = std::max(of_random_[r], static_cast<double>(PetscAbsScalar(values[r])));
    });
  }
}

double Gain::ratio(Vec x) const {
  const double length = probe_.norm(x);
  probe_.apply(x, product_.get());
  return length > 0 && ratio_of_random_ > 0
             ? probe_.norm(product_.get()) / length / ratio_of_random_
             : 0;
}

std::vector<bool> Gain::others(Vec x) const {
  PetscInt size = 0;
  call("VecGetSize", VecGetSize, x, &size);
  const double mean = probe_.norm(x) / std::sqrt(std::max<double>(static_cast<double>(size), 1));
  probe_.apply(x, product_.get());
  std::vector<bool> others(of_random_.size());
  probe_.read(product_.get(), [&](const PetscScalar* values, PetscInt) {
    for (std::size_t r = 0; r < others.size(); ++r)
      others[r] = static_cast<double>(PetscAbsScalar(values[r])) > allowed() * of_random_[r] * mean;
  });
  return others;
}

Gain::Rows Gain::count(const std::vector<bool>& others) const {
  std::vector<double> counts(2, 0);
  for (std::size_t r = 0; r < others.size(); ++r)
    if (of_random_[r] > 0) ++counts[others[r] ? 1 : 0];
  counts = probe_.sums(std::move(counts));
  return {counts[0], counts[1]};
}

bool Gain::is_zero(Vec product, double length) const {
  return !(probe_.norm(product) > allowed() * ratio_of_random_ * length);
}

void Orthonormal::gather(const NullVectors& vectors, bool fits, Call& call) {
  vectors_ = vectors;
  given_ = call.all(fits && vectors.count > 0);
}

void Orthonormal::ask(Call&) {
  if (!given_) return;
  const auto note = [&](const std::string& found) {
    if (found_.empty()) found_ = found;
  };
  PetscInt size = 0;
  call("VecGetSize", VecGetSize, vectors_.vecs[0], &size);
  for (PetscInt i = 0; i < vectors_.count; ++i) {
    Vec const vec = vectors_.vecs[i];
    const double length =
        std::sqrt(std::max(0.0, static_cast<double>(PetscRealPart(probe_.dot(vec, vec)))));
    if (std::abs(length - 1) > allowed())
      note(name_of(i) + " of its " + space_ + " has length " + number_text(length, 6));
    const double to_constant = static_cast<double>(PetscAbsScalar(probe_.sum(vec))) /
                               std::sqrt(std::max<double>(static_cast<double>(size), 1));
    if (vectors_.constant && to_constant > allowed() * std::max(length, 1.0))
      note(name_of(i) + " of its " + space_ +
           ", which contains the constant vector, too, is not orthogonal to that: their product "
           "is " +
           number_text(to_constant));
    for (PetscInt j = 0; j < i; ++j) {
      const auto product = static_cast<double>(PetscAbsScalar(probe_.dot(vec, vectors_.vecs[j])));
      if (product > allowed() * std::max(length, 1.0))
        note(name_of(j) + " and " + name_of(i) + " of its " + space_ +
             " are not orthogonal: their product is " + number_text(product));
    }
  }
}

void Orthonormal::tell(Findings& findings) const {
  if (found_.empty()) return;
  findings.error("check.mat.null-vectors", found_, "orthogonal vectors of length 1",
                 "Normalise the vectors, and make them orthogonal, before " +
                     names::function("MatNullSpaceCreate") +
                     ": removing the null space adds a part of it otherwise.");
}

void NullSpaceCheck::gather(const NullVectors& vectors, bool applicable, Call& call) {
  vectors_ = vectors;
  applicable_ = call.all(applicable);
}

void NullSpaceCheck::ask(Call& call) {
  if (!applicable_) return;
  const Gain gain(probe_);
  double greatest = allowed();
  PetscInt worst = -1;
  const auto judge = [&](Vec vec, PetscInt number, const std::string& name) {
    const double ratio = gain.ratio(vec);
    if (!(ratio > greatest)) return;
    greatest = ratio;
    worst = number;
    worst_ = name;
    ratio_ = std::to_string(ratio);
  };
  if (vectors_.constant) {
    const auto constant = probe_.of_columns();
    probe_.set(constant.get(), 1);
    judge(constant.get(), -1, "the constant vector");
  }
  for (PetscInt i = 0; i < vectors_.count; ++i) {
    const auto copy = probe_.like(vectors_.vecs[i]);
    probe_.copy(vectors_.vecs[i], copy.get());
    judge(copy.get(), i, name_of(i));
  }
  if (worst < 0) return;
  for (const Reading& reading : possible_readings(mat_, vectors_.vecs[worst], call)) {
    if (gain.ratio(meant_by(probe_, vectors_.vecs[worst], reading).get()) > allowed()) continue;
    hint_ = reading.text();
    return;
  }
}

void NullSpaceCheck::tell(Findings& findings) const {
  if (worst_.empty()) return;
  const std::string hint = hint_.empty() ? "" : "; it would be multiplied to zero " + hint_;
  findings.error(
      "check.mat.null-space",
      worst_ + " of its null space is multiplied to a vector whose norm is " + ratio_ +
          " of what it is for a vector of random numbers" + hint,
      "zero, but for rounding",
      "Set the null space of this matrix, or none: " + names::function("MatSetNullSpace") +
          " makes the solver remove it from solutions. Boundary conditions change the "
          "null space.");
}

void NearNullCheck::gather(const NullVectors& vectors, bool fits, bool applicable, Call& call) {
  vectors_ = vectors;
  given_ = call.all(fits && vectors.count > 0);
  applicable_ = call.all(applicable);
}

void NearNullCheck::ask(Call& call) {
  if (!given_) return;
  for (PetscInt i = 0; i < vectors_.count && zero_ < 0; ++i)
    if (static_cast<double>(PetscAbsScalar(probe_.dot(vectors_.vecs[i], vectors_.vecs[i]))) == 0)
      zero_ = static_cast<int>(i);
  if (applicable_ && zero_ < 0) measure(call);
}

void NearNullCheck::measure(Call& call) {
  const Gain gain(probe_);
  const auto constant = probe_.of_columns();
  probe_.set(constant.get(), 1);
  const Gain::Rows of_constant = gain.rows(constant.get());
  // Where constants are not mapped to zero, as with a large mass term, other vectors need not be.
  if (of_constant.zero < most * of_constant.all()) return;
  std::vector<std::vector<bool>> left;  // rows that are not zero, for each vector
  double in_total = 0;
  bool more = false;
  for (PetscInt i = 0; i < vectors_.count; ++i) {
    const auto copy = probe_.like(vectors_.vecs[i]);
    probe_.copy(vectors_.vecs[i], copy.get());
    left.push_back(gain.others(copy.get()));
    const Gain::Rows rows = gain.count(left.back());
    if (rows.zero < hardly_any * of_constant.zero && none_ < 0) none_ = static_cast<int>(i);
    more = more || rows.others > suspicious * of_constant.others + 2;
    in_total += rows.others;
  }
  if (!more) return;
  for (const Reading& reading : possible_readings(mat_, vectors_.vecs[0], call)) {
    std::vector<double> changes(2, 0);  // rows that become zero, and that do no more
    for (PetscInt i = 0; i < vectors_.count; ++i) {
      const std::vector<bool>& before = left[static_cast<std::size_t>(i)];
      const std::vector<bool> now = gain.others(meant_by(probe_, vectors_.vecs[i], reading).get());
      for (std::size_t r = 0; r < now.size(); ++r)
        if (now[r] != before[r]) ++changes[now[r] ? 1 : 0];
    }
    changes = probe_.sums(std::move(changes));
    if (changes[0] < clearly_more * in_total || changes[1] > hardly_any * changes[0]) continue;
    hint_ = reading.text();
    return;
  }
}

void NearNullCheck::tell(Findings& findings) const {
  const Terms remedy = "Correct the vectors that " + names::function("MatSetNearNullSpace") +
                       " is given: multigrid makes its coarse spaces of them. Those of an elastic "
                       "body are made by " +
                       names::function("MatNullSpaceCreateRigidBody") + " of coordinates.";
  if (zero_ >= 0)
    findings.error("check.mat.near-null-zero", name_of(zero_) + " of its near-null space is zero",
                   "vectors that are not zero", remedy);
  if (none_ < 0 && hint_.empty()) return;
  const std::string hint =
      hint_.empty() ? "" : "far more rows of the operator would map the vectors to zero " + hint_;
  findings.warning("check.mat.near-null-space",
                   none_ < 0 ? "its near-null space: " + hint
                             : name_of(none_) +
                                   " of its near-null space is mapped to zero in hardly any row of "
                                   "the operator, which maps constants to zero in most rows" +
                                   (hint.empty() ? "" : "; " + hint),
                   "vectors that the operator maps to zero, but for the boundary", remedy);
}

}  // namespace daptor::petsc::detail
