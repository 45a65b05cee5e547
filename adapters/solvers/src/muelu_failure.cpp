// SPDX-License-Identifier: BSD-3-Clause
#include "muelu_failure.hpp"

#include <vector>

#include "daptor/petsc/adapter/names.hpp"

namespace daptor::solvers {
namespace {

struct Known {
  const char* words;  ///< of the failure's own text
  Terms advice;       ///< two sentences: cause and remedy
};

constexpr const char* about_damping = "damping factor needs to be finite";

// The texts of Trilinos 13.2 to 17.
std::vector<Known> known_failures() {
  return {
      {about_damping,
       "The largest eigenvalue of a level's matrix, divided by its diagonal, is not finite: the "
       "matrix has a number that is not finite, or a coarse matrix has zeros on its diagonal, as "
       "where near-null vectors depend on each other. Check both, set 'rap: fix zero diagonals' to "
       "true, or leave the prolongator as it is ('multigrid algorithm' unsmoothed)."},
      {"has a zero column in NS column",
       "A near-null vector is 0 in all rows of an aggregate. Set near-null vectors that differ "
       "from 0 everywhere (" +
           petsc::names::function("MatSetNearNullSpace") +
           "), or leave them out; where they come from coordinates (" +
           petsc::names::function("PCSetCoordinates") +
           "), pass coordinates that differ between nodes."},
      {"KLU2 numeric factorization failed",
       "The matrix of the coarsest level is singular, which KLU2 does not accept. Leave out "
       "'coarse: type', so that PETSc solves the coarsest level: it accepts singular matrices."},
      {"numeric factorization failed",
       "The matrix of the coarsest level is singular, which this direct solver does not accept. "
       "Leave out 'coarse: type', so that PETSc solves the coarsest level: it accepts singular "
       "matrices."},
      {"NumLocalParts",
       "Zoltan2 cannot divide the rows of a coarse level among the processes. Switch "
       "repartitioning off ('repartition: enable'), or set 'repartition: params/algorithm' to "
       "block."},
  };
}

bool has(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

bool is_about_damping(const std::string& text) {
  return has(text, about_damping);
}

Terms advice_on(const std::string& text) {
  for (const Known& known : known_failures())
    if (has(text, known.words)) return known.advice;
  return {};
}

}  // namespace daptor::solvers
