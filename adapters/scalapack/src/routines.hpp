// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daptor::scalapack::detail {

/// What a positive INFO of a routine says.
enum class Positive {
  unknown,      ///< see the manual
  never,        ///< the routine has none
  singular,     ///< a factor has a 0 on its diagonal
  triangular,   ///< the matrix is triangular, and has a 0 on its diagonal
  indefinite,   ///< a leading minor is not positive definite
  factor,       ///< a triangular factor has a 0 on its diagonal, so that there is no inverse
  conditioned,  ///< as singular; or the solution is there, and the matrix nearly singular
  minor,        ///< as indefinite; or the solution is there, and the matrix nearly singular
  eigenvalue,   ///< an eigenvalue did not converge, or processes have different ones
  block,        ///< an eigenvalue of a block of the matrix did not converge
  values,       ///< singular values did not converge, or processes have different ones
  bits          ///< a sum of powers of 2, some of which leave useful results
};

/// A routine of ScaLAPACK or the PBLAS: `pdgesv` is letter `d` of `gesv`.
///
/// `arguments` lists what a caller passes, as `NAME/kind`: `c` a letter, `i` an integer, `e` a
/// number of the element type, `r` a real number of its precision, `m` a matrix or vector (four
/// arguments in Fortran: X, IX, JX, DESCX), `E`, `R` and `I` memory of elements, real numbers and
/// integers. `=` and the least length of the memory may follow: `=:M,N` is the smaller of two
/// integers (at least 1), `=c:K` and `=r:K` the columns and rows that this process has of the first
/// K of the first matrix, `=P` the length of pivots.
struct Routine {
  std::string_view letters;  ///< of `sdcz`
  std::string_view name;
  std::string_view arguments;
  bool has_info = true;
  Positive positive = Positive::never;
};

/// Null for a name that the table does not have.
const Routine* find_routine(const std::string& name);

/// Names of Fortran's arguments, INFO left out: `A` of a matrix is followed by `IA JA DESCA`.
std::vector<std::string> fortran_arguments(const Routine& routine);

}  // namespace daptor::scalapack::detail
