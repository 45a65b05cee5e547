// SPDX-License-Identifier: BSD-3-Clause
#include "trace_events.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>

namespace daptor::petsc::plugin::doctor {
namespace {

constexpr const char* argument = "argument";
constexpr const char* result = "result";

constexpr std::array<TraceEvent, 28> known{
    {{"MatMult", TraceKind::vecs, {1, -1}, 2, argument, result},
     {"MatMultAdd", TraceKind::vecs, {1, 2}, 3, argument, result},
     {"MatMultTranspose", TraceKind::vecs, {1, -1}, 2, argument, result},
     {"MatMultTr", TraceKind::vecs, {1, -1}, 2, argument, result},
     {"MatMultTrAdd", TraceKind::vecs, {1, 2}, 3, argument, result},
     {"MatSolve", TraceKind::vecs, {1, -1}, 2, argument, result},
     {"PCApply", TraceKind::vecs, {1, -1}, 2, argument, result},
     {"SNESFunctionEval", TraceKind::vecs, {1, -1}, 2, "state", "function"},
     {"SNESJacobianEval", TraceKind::vecs, {1, -1}, -1, "state", ""},
     {"TSFunctionEval", TraceKind::vecs, {1, -1}, 2, "state", "function"},
     {"TSJacobianEval", TraceKind::vecs, {1, -1}, -1, "state", ""},
     {"VecAssemblyEnd", TraceKind::vecs, {-1, -1}, 0, "", "assembled"},
     {"VecLoad", TraceKind::vecs, {-1, -1}, 1, "", "loaded"},
     {"VecNorm", TraceKind::vecs, {0, -1}, -1, argument, ""},
     {"VecDot", TraceKind::vecs, {0, 1}, -1, argument, ""},
     {"VecTDot", TraceKind::vecs, {0, 1}, -1, argument, ""},
     {"VecMDot", TraceKind::vecs, {0, 1}, -1, argument, ""},
     {"VecScatterBegin", TraceKind::vecs, {1, -1}, -1, "from", ""},
     {"VecScatterEnd", TraceKind::vecs, {-1, -1}, 2, "", "to"},
     {"MatAssemblyEnd", TraceKind::assembly},
     {"KSPSolve", TraceKind::linear},
     {"SNESSolve", TraceKind::nonlinear},
     {"TSStep", TraceKind::step},
     {"TaoSolve", TraceKind::optimise},
     {"KSPSetUp", TraceKind::together},
     {"PCSetUp", TraceKind::together},
     {"MatAssemblyBegin", TraceKind::together},
     {"VecAssemblyBegin", TraceKind::together}}};

constexpr TraceEvent unknown;

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Whether a name is that of a class and a capital letter: `MatMult`, and not `Matching`.
bool is_of(std::string_view name, std::string_view of_class) {
  return begins_with(name, of_class) && name.size() > of_class.size() &&
         std::isupper(static_cast<unsigned char>(name[of_class.size()])) != 0;
}

}  // namespace

const TraceEvent& trace_event(const char* name) {
  const auto* const found = std::find_if(known.begin(), known.end(), [&](const TraceEvent& event) {
    return std::strcmp(event.name, name) == 0;
  });
  return found == known.end() ? unknown : *found;
}

bool is_solver(const char* name) {
  if (ends_with(name, "Eval")) return false;
  for (const char* solver :
       {"KSP", "PC", "SNES", "TS", "Tao", "EPS", "SVD", "PEP", "NEP", "MFN", "LME", "ST"})
    if (is_of(name, solver)) return true;
  return false;
}

bool has_inside(const char* name) {
  return is_solver(name) || is_of(name, "Mat");
}

}  // namespace daptor::petsc::plugin::doctor
