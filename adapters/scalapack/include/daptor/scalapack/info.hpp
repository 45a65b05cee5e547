// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "daptor/comm.hpp"
#include "daptor/error.hpp"
#include "daptor/fields.hpp"

/// \file
/// INFO, by which routines of ScaLAPACK say that they have failed.

namespace daptor::scalapack {

/// What a positive INFO counts as. Some leave useful results: pdgesvx says N + 1 for a matrix that
/// is nearly singular, pdsyevx 2 for eigenvectors that it could not orthogonalise.
enum class PositiveInfo { error, result };
constexpr auto words(PositiveInfo) {
  return word_list(word("error", PositiveInfo::error),
                   word("result", PositiveInfo::result, "returned, for the program to judge"));
}

/// Collective over `comm`. Throws on all ranks if a routine has failed on one of them, so that none
/// goes on and waits for the others. Processes outside of the grid pass 0.
///
/// Example, a system of equations on a grid that leaves processes out:
/// \code
/// int info = 0;
/// if (A.inside()) pdgesv_(&n, &one, A.data(), &one, &one, A.desc(), pivots.data(), B.data(), &one,
///                         &one, B.desc(), &info);
/// daptor::scalapack::check_info("pdgesv", info, grid.comm());
/// daptor::scalapack::copy_from_matrix(B, x);
/// \endcode
/// @param routine   its name in small letters; for those that people use most, the error says what
///                  INFO means
/// @param info      INFO on this process
/// @param comm      the processes that go on together: `grid.comm()`, or those of the grid
///                  (`grid.inside_comm()`) if only they get here
/// @param positive  the same on all ranks
/// @returns 0 or, with PositiveInfo::result, the greatest INFO of all processes
/// @throws LibraryFailed (`library.scalapack`) on all ranks: a negative INFO, of several the least
///   one; else a positive one, of several the greatest. Names the processes that have it
/// @throws InvalidArgument (`collective.different`) if `positive` differs between ranks
int check_info(const std::string& routine, int info, const Comm& comm,
               PositiveInfo positive = PositiveInfo::error);

namespace detail {

/// What Fortran callers of a routine pass, INFO left out: names with the kind of each, separated by
/// blanks.
struct RoutineArguments {
  std::string arguments;
  bool has_info = true;
};
/// `nullopt` for a routine that the table does not have. Process-local.
std::optional<RoutineArguments> arguments_of(const std::string& routine);

}  // namespace detail

/// The error that `check_info` throws for this INFO, which is not 0. Process-local.
LibraryFailed info_error(const std::string& routine, int info);

}  // namespace daptor::scalapack
