// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>

#include "assembly.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/check.hpp"
#include "nest.hpp"
#include "object_mappings.hpp"
#include "objects.hpp"
#include "petsc/src/native/local_form.hpp"
#include "petsc/src/native/names.hpp"
#include "vec_values.hpp"

namespace daptor::petsc {
namespace {

using detail::Findings;
using detail::VecValues;

/// @param part  which part of the Vec this is; empty for all of it
void look_for_numbers(Vec vec, const std::string& part, Findings& findings) {
  const std::string text = detail::not_finite_text(vec, VecValues(vec));
  if (!text.empty()) detail::add_not_finite(part.empty() ? text : part + ": " + text, findings);
}

/// Length of the local form against that of the mapping, of which VecCreateGhost makes both.
void look_at_local_form(Vec vec, Findings& findings) {
  const detail::LocalForm local(vec);
  PetscInt size = -1, mapped = -1;
  if (local.get() != nullptr) detail::call("VecGetLocalSize", VecGetLocalSize, local.get(), &size);
  ISLocalToGlobalMapping mapping = nullptr;
  detail::call("VecGetLocalToGlobalMapping", VecGetLocalToGlobalMapping, vec, &mapping);
  if (size < 0 || mapping == nullptr) return;
  detail::call("ISLocalToGlobalMappingGetSize", ISLocalToGlobalMappingGetSize, mapping, &mapped);
  if (mapped != size)
    findings.error("check.ghosts.local-form",
                   "a local form of " + std::to_string(size) + " values, and a mapping of " +
                       std::to_string(mapped) + " local indices",
                   "a mapping of the owned values and the ghosts",
                   "Leave the mapping that " + names::create_ghost +
                       " has set, or number ghosts in the "
                       "order in which they were given.");
}

/// The norm that PETSc has cached on this rank.
struct CachedNorm {
  bool known = false;
  double value = 0;
};

CachedNorm cached_norm(Vec vec) {
  PetscBool known = PETSC_FALSE;
  PetscReal norm = 0;
  if (detail::is_set_up(vec))
    detail::call("VecNormAvailable", VecNormAvailable, vec, NORM_2, &known, &norm);
  return {known == PETSC_TRUE, static_cast<double>(norm)};
}

double local_square_sum(const VecValues& values) {
  double sum = 0;
  for (const PetscScalar& value : values) {
    const auto absolute = static_cast<double>(PetscAbsScalar(value));
    sum += absolute * absolute;
  }
  return sum;
}

/// Whether a norm, computed from the same values in another order, may be the other one.
bool same_norm(double a, double b) {
  const double tolerance = 64 * std::sqrt(static_cast<double>(PETSC_MACHINE_EPSILON));
  // Not true for NaN and Inf, about which there is another finding.
  return !(std::abs(a - b) > tolerance * (a + b)) || !std::isfinite(a + b);
}

/// Whether the norm that PETSc has cached is that of the values. A fact of an Inspection.
class NormCheck {
 public:
  /// @param values  whether the values are to be read
  void gather(Vec vec, bool values, Call& call) {
    cached_ = cached_norm(vec);
    known_everywhere_ = call.all(cached_.known);
    known_nowhere_ = call.all(!cached_.known);
    if (!cached_.known || !values) {
      readable_ = call.all(false);
      return;
    }
    bool readable = true;
    detail::for_each_part(vec, [&](Vec part, const std::string& name) {
      const VecValues memory(part);
      nested_ = nested_ || !name.empty();
      readable = readable && memory.readable();
      square_sum_ += local_square_sum(memory);
    });
    readable_ = call.all(readable);
  }
  bool settled() const { return known_nowhere_ || (known_everywhere_ && !readable_); }
  void ask(Call& call) {
    if (!known_everywhere_ || !readable_) return;
    call.library("mpi", "MPI_Allreduce", [&] {
      adapter::check_mpi(
          MPI_Allreduce(MPI_IN_PLACE, &square_sum_, 1, MPI_DOUBLE, MPI_SUM, call.comm()->mpi()),
          "MPI_Allreduce");
    });
  }
  void tell(Findings& findings) const {
    if (!known_everywhere_ && !known_nowhere_ && !cached_.known)
      findings.error("check.vec.norm-on-some",
                     "PETSc has no cached norm, where it has one on other ranks",
                     "the same on all ranks, since " + names::function("VecNorm") +
                         " communicates on the ranks without one",
                     names::array_on_all_ranks);
    if (!known_everywhere_ || !readable_) return;
    const double norm = std::sqrt(square_sum_);
    if (!same_norm(norm, cached_.value))
      findings.error("check.vec.stale-norm",
                     "values of norm " + detail::number_text(norm, 6) +
                         ", for which PETSc has cached " + detail::number_text(cached_.value, 6),
                     "the norm of the values", nested_ ? names::write_block : names::write_between);
  }

 private:
  CachedNorm cached_;
  double square_sum_ = 0;
  bool nested_ = false;
  Agreed<bool> known_everywhere_, known_nowhere_, readable_;
};

}  // namespace

Report check(Vec vec, const CheckOptions& options) {
  detail::Inspection look(detail::object(vec));
  Call& call = look.call();
  call.same(options);
  detail::Mappings mappings;
  NormCheck norm;
  detail::SetModes modes;
  look.gather([&](Findings& findings) {
    mappings.gather(detail::mappings_of(vec), call);
    norm.gather(vec, options.values, call);
    modes.gather(vec, call);
    if (options.values)
      detail::for_each_part(
          vec, [&](Vec part, const std::string& name) { look_for_numbers(part, name, findings); });
    if (!detail::is_set_up(vec)) return;
    look_at_local_form(vec, findings);
    detail::look_at_unassembled(vec, findings);
  });
  return look.conclude(mappings, norm, modes);
}

}  // namespace daptor::petsc
