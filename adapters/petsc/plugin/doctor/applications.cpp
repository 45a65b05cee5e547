// SPDX-License-Identifier: BSD-3-Clause
#include "applications.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "object.hpp"
#include "petsc/src/check/findings.hpp"
#include "petsc/src/check/objects.hpp"
#include "petsc/src/check/vec_values.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// What solvers inside of a preconditioner leave of its symmetry that solve nearly exactly.
constexpr double most = 1e-6;

std::int64_t number_of(PC pc) {
  return id_of(detail::object(pc));
}

PC pc_of(KSP ksp) {
  PC pc = nullptr;
  detail::call("KSPGetPC", KSPGetPC, ksp, &pc);
  return pc;
}

double square(PetscScalar value) {
  const auto absolute = static_cast<double>(PetscAbsScalar(value));
  return absolute * absolute;
}

/// Whether sums of all ranks say that a preconditioner is symmetric. A fact of an Inspection.
class SymmetryOfApplications {
 public:
  void gather(const std::array<double, 8>& sums, bool known, Call& call) {
    sums_ = sums;
    known_ = call.all(known);
  }
  bool settled() const { return !known_; }
  void ask(Call& call) {
    if (!known_) return;
    call.library("mpi", "MPI_Allreduce", [&] {
      adapter::check_mpi(MPI_Allreduce(MPI_IN_PLACE, sums_.data(), static_cast<int>(sums_.size()),
                                       MPI_DOUBLE, MPI_SUM, call.comm()->mpi()),
                         "MPI_Allreduce");
    });
  }
  void tell(detail::Findings& findings) const {
    if (!known_) return;
    const double bound = std::sqrt(sums_[4] * sums_[7]) + std::sqrt(sums_[5] * sums_[6]);
    const double difference =
        std::min(std::hypot(sums_[0], sums_[1]), std::hypot(sums_[2], sums_[3]));
    if (!(difference > most * bound)) return;
    findings.warning(
        "check.ksp.preconditioner-not-symmetric",
        "a preconditioner for which (u, M v) and (M u, v) differ by " +
            detail::number_text(difference / bound) +
            " of their bound |u| |M v| + |v| |M u|, where u and v are what it was applied to first",
        "a symmetric preconditioner, which this type of solver relies on",
        "Use GMRES or BiCGStab, or a preconditioner that is symmetric: -pc_asm_type basic, "
        "-pc_sor_symmetric, symmetric smoothers, additive fields.");
  }

 private:
  std::array<double, 8> sums_{};
  Agreed<bool> known_;
};

}  // namespace

bool needs_symmetric_preconditioner(KSP ksp) {
  return detail::is_one_of(detail::object(ksp),
                           {KSPCG, KSPPIPECG, KSPGROPPCG, KSPPIPECGRR, KSPPIPELCG, KSPCR, KSPPIPECR,
                            KSPMINRES, KSPSYMMLQ, KSPNASH, KSPSTCG, KSPGLTR});
}

void Applications::begin(KSP ksp) {
  solves_[number_of(pc_of(ksp))] = {};
}

bool Applications::has_begun(KSP ksp) const {
  return !solves_.empty() && solves_.count(number_of(pc_of(ksp))) > 0;
}

void Applications::applied(PC pc, Vec x, Vec y) {
  const auto found = solves_.empty() ? solves_.end() : solves_.find(number_of(pc));
  if (found == solves_.end()) return;
  Solve& solve = found->second;
  if (++solve.applications > 2) return;
  const detail::VecValues from(x), made(y);
  solve.readable = solve.readable && from.readable() && made.readable();
  if (!solve.readable) return;
  if (solve.applications == 1) {
    solve.x.assign(from.begin(), from.end());
    solve.y.assign(made.begin(), made.end());
    return;
  }
  const std::size_t count = std::min({solve.x.size(), from.count(), made.count()});
  for (std::size_t i = 0; i < count; ++i) {
    const PetscScalar u = solve.x[i], m_u = solve.y[i];
    const PetscScalar v = from.begin()[i], m_v = made.begin()[i];
    const PetscScalar hermitian = PetscConj(v) * m_u - PetscConj(m_v) * u;
    const PetscScalar plain = v * m_u - m_v * u;
    solve.sums[0] += static_cast<double>(PetscRealPart(hermitian));
    solve.sums[1] += static_cast<double>(PetscImaginaryPart(hermitian));
    solve.sums[2] += static_cast<double>(PetscRealPart(plain));
    solve.sums[3] += static_cast<double>(PetscImaginaryPart(plain));
    solve.sums[4] += square(u);
    solve.sums[5] += square(m_u);
    solve.sums[6] += square(v);
    solve.sums[7] += square(m_v);
  }
  solve.x = {};
  solve.y = {};
}

Report Applications::end(KSP ksp) {
  const auto found = solves_.find(number_of(pc_of(ksp)));
  if (found == solves_.end()) return {};
  const Solve solve = std::move(found->second);
  solves_.erase(found);
  if (solve.applications < 2) return {};
  detail::Inspection look(detail::object(ksp));
  SymmetryOfApplications symmetry;
  look.gather([&](detail::Findings&) { symmetry.gather(solve.sums, solve.readable, look.call()); });
  return look.conclude(symmetry);
}

}  // namespace daptor::petsc::plugin::doctor
