// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <petscsys.h>

#include <array>

#include "daptor/petsc/adapter/call.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

struct Option {
  const char* name;
  const char* meaning;
};

constexpr std::array listed_options{
    Option{"-daptor_check [values,calls,ghosts]",
           "look at mappings, layouts, matrices, solvers and scatters; values: and at the values "
           "of Vecs; ghosts: and fill stale ghosts with NaN; calls: look at which collective calls "
           "the "
           "ranks make"},
    Option{"-daptor_check_patience <30>",
           "so many seconds without an event of PETSc are nobody going on"},
    Option{"-daptor_check_report <file.json>", "write all findings"},
    Option{"-daptor_check_abort", "end the job at the first error"},
    Option{"-daptor_check_suppress <file>", "leave out what its lines say is meant"},
    Option{"-daptor_check_baseline <old.json>", "leave out what this report has"},
    Option{"-daptor_check_status <n>", "end with this exit status if an error is left"},
    Option{"-daptor_check_severity <error>",
           "what counts for -daptor_check_status and -daptor_check_abort: error, warning or note"},
};

}  // namespace

void print_help_if_asked() {
  PetscBool asked = PETSC_FALSE;
  detail::call("PetscOptionsHasHelp", PetscOptionsHasHelp, PetscOptions{nullptr}, &asked);
  if (asked == PETSC_FALSE) return;
  const MPI_Comm world = PETSC_COMM_WORLD;
  detail::check((*PetscHelpPrintf)(world, "Daptor's doctor for layouts (docs/check.md):\n"),
                "PetscHelpPrintf");
  for (const Option& option : listed_options)
    detail::check((*PetscHelpPrintf)(world, "  %s: %s\n", option.name, option.meaning),
                  "PetscHelpPrintf");
}

}  // namespace daptor::petsc::plugin::doctor
