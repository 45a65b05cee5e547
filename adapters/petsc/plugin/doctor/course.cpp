// SPDX-License-Identifier: BSD-3-Clause
#include "course.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include "object.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// PETSc ends the names of some events with spaces.
bool is_named(const char* event, const char* name) {
  const std::size_t length = std::strlen(name);
  return std::strncmp(event, name, length) == 0 &&
         event[length + std::strspn(event + length, " ")] == '\0';
}

Moment moment_of(const char* name) {
  static constexpr std::array<std::pair<const char*, Moment>, 26> moments{
      {{"KSPSolve", Moment::solve},
       {"KSPSetUp", Moment::set_up},
       {"MatMult", Moment::product},
       {"MatMultAdd", Moment::product},
       {"MatMultTranspose", Moment::product},
       {"VecNorm", Moment::reduction},
       {"VecDot", Moment::reduction},
       {"VecTDot", Moment::reduction},
       {"VecMDot", Moment::reduction},
       {"VecScatterBegin", Moment::scatter},
       {"MatAssemblyEnd", Moment::assembly},
       {"VecAssemblyEnd", Moment::vec_assembly},
       {"DMLocalToGlobal", Moment::grid},
       {"DMGlobalToLocal", Moment::grid},
       {"SNESLineSearch", Moment::trial},
       {"PCSetUp", Moment::preconditioner},
       {"PCApply", Moment::application},
       {"MatAssemblyBegin", Moment::gathering},
       {"VecAssemblyBegin", Moment::gathering},
       {"SFBcastBegin", Moment::graph},
       {"SFReduceBegin", Moment::graph},
       {"SFFetchOpBegin", Moment::graph},
       {"VecSetValues", Moment::values},
       {"SNESSolve", Moment::nonlinear},
       {"TSStep", Moment::step},
       // Of these, only whether all ranks are in them is of interest.
       {"VecNormalize", Moment::collective}}};
  for (const auto& [known, moment] : moments)
    if (is_named(name, known)) return moment;
  return Moment::other;
}

Kind kind_of(const char* name) {
  return {true, moment_of(name), positions_of(name), is_named(name, "VecScatterEnd")};
}

}  // namespace

bool is_solve(Moment moment) {
  return moment == Moment::solve || moment == Moment::nonlinear || moment == Moment::step;
}

Kind Course::ask(int event) const {
  const auto place = static_cast<std::size_t>(event);
  if (place >= kinds_.size()) kinds_.resize(place + 1);
  return kinds_[place] = kind_of(event_name(event));
}

bool Course::ends(int event) {
  std::size_t depth = open_.size();
  while (depth > 0 && open_[depth - 1] != event) --depth;
  if (depth > 0) open_.resize(depth);
  return depth > 0;
}

std::vector<int>::const_iterator Course::innermost() const {
  return open_.empty() ? open_.end() : std::prev(open_.end());
}

bool Course::is_inside(Moment what) const {
  return std::any_of(open_.begin(), innermost(),
                     [&](int event) { return kind(event).moment == what; });
}

bool Course::is_inside_solver() const {
  static constexpr std::array<const char*, 12> solvers{"KSP", "PC",  "SNES", "TS",  "Tao", "EPS",
                                                       "SVD", "PEP", "NEP",  "LME", "MFN", "ST"};
  return std::any_of(open_.begin(), innermost(), [](int event) {
    return std::any_of(solvers.begin(), solvers.end(), [event](const char* solver) {
      return std::strncmp(event_name(event), solver, std::strlen(solver)) == 0;
    });
  });
}

std::ptrdiff_t Course::count(Moment what) const {
  return std::count_if(open_.begin(), open_.end(),
                       [&](int event) { return kind(event).moment == what; });
}

std::string Course::where() const {
  std::string names;
  for (const int event : open_)
    names += (names.empty() ? "" : ", ") + std::string(event_name(event));
  return names;
}

void Course::created(PetscObject object) {
  if (!open_.empty()) makers_[id_of(object)] = open_.back();
}

std::string Course::made_in(PetscObject object) const {
  const auto maker = object->name == nullptr ? makers_.find(id_of(object)) : makers_.end();
  if (maker == makers_.end()) return {};
  return "; the object was made in " + std::string(event_name(maker->second));
}

}  // namespace daptor::petsc::plugin::doctor
