// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/scalapack/info.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/call.hpp"
#include "names.hpp"
#include "routines.hpp"
#include "text.hpp"

namespace daptor::scalapack {
namespace {

using detail::Positive;
using detail::Routine;

/// What an INFO means, and what to do about it.
struct Meaning {
  Terms found;
  Terms remedy;
};

constexpr std::array<const char*, 9> entries{"DTYPE_", "CTXT_", "M_",    "N_",  "MB_",
                                             "NB_",    "RSRC_", "CSRC_", "LLD_"};

/// The call that makes square blocks of the elements that the routine's letter stands for.
const char* square_copy_call(const std::string& routine) {
  switch (routine.size() > 1 ? routine[1] : 'd') {
    case 's':
      return "daptor::scalapack::copy_to_matrix<float>(a, grid)";
    case 'c':
      return "daptor::scalapack::copy_to_matrix<std::complex<float>>(a, grid)";
    case 'z':
      return "daptor::scalapack::copy_to_matrix<std::complex<double>>(a, grid)";
    default:
      return "daptor::scalapack::copy_to_matrix<double>(a, grid)";
  }
}

Terms remedy_for_entry(const std::string& routine, int entry) {
  switch (entry) {
    case 2:
      return "Pass matrices on one grid, and call the routine only on its processes.";
    case 3:
    case 4:
      return "Pass numbers of rows and columns that the matrix has.";
    case 5:
    case 6:
      return "Pass square blocks, MB_ = NB_, the same in all matrices, as most routines want "
             "them: " +
             terms::call(square_copy_call(routine), "daptor.scalapack.copy_to_matrix(a, grid)") +
             " has them.";
    case 7:
    case 8:
      return "Pass matrices that begin on the same process.";
    default:
      return "Pass a descriptor of " + names::import_matrix + " or " + names::copy_to_matrix + ".";
  }
}

Terms remedy_for_argument(const std::string& name) {
  if (name.empty()) return "See the routine's manual.";
  if (name == "LWORK" || name == "LRWORK" || name == "LIWORK")
    return "Ask for the length first: with " + name +
           " = -1 the routine writes it to the first element of " + name.substr(1) + ".";
  return "Pass a value of " + name + " that the routine knows and that fits the matrices.";
}

/// An argument that the routine has refused.
Meaning refused_argument(const std::string& routine, const Routine* known, int info) {
  const int code = -info;
  const int entry = code > 100 ? code % 100 : 0;
  const int number = code > 100 ? code / 100 : code;
  const std::vector<std::string> names =
      known == nullptr ? std::vector<std::string>() : detail::fortran_arguments(*known);
  const bool named = number >= 1 && static_cast<std::size_t>(number) <= names.size();
  const std::string name = named ? names[static_cast<std::size_t>(number) - 1] : "";
  std::string what = named ? name + " (argument " + text(number) + ")" : "argument " + text(number);
  if (entry == 0) return {what + " has an illegal value", remedy_for_argument(name)};
  const bool of_desc = entry >= 1 && entry <= static_cast<int>(entries.size());
  what = (of_desc ? std::string(entries[static_cast<std::size_t>(entry) - 1])
                  : "entry " + text(entry)) +
         " of " + what;
  return {what + " has an illegal value", remedy_for_entry(routine, entry)};
}

const Terms use_results =
    " Where the other results suffice, take INFO as one: " + names::positive_result + ".";

/// The sum of powers of 2 of the expert drivers for eigenvalues.
Meaning failed_eigenvectors(int info) {
  constexpr std::array<const char*, 5> parts{
      "eigenvectors did not converge (IFAIL has their numbers)",
      "eigenvectors of clusters were not orthogonalised for lack of work space (ICLUSTR)",
      "not all eigenvectors fit in the work space (NZ)", "eigenvalues were not computed",
      "B is not positive definite (IFAIL has the order of the minor)"};
  Terms found;
  for (std::size_t bit = 0; bit < parts.size(); ++bit)
    if ((info >> bit & 1) != 0) found += (found.empty() ? "" : "; ") + std::string(parts[bit]);
  return {found.empty() ? "see the routine's manual" : found,
          std::string("Pass more work space where it was too small.") + use_results};
}

Meaning meaning_of(Positive positive, const std::string& routine, int info) {
  const std::string i = text(info);
  const std::string at = "(" + i + ", " + i + ")";
  const std::string singular = "U" + at + " is exactly 0, so the matrix is singular";
  const std::string minor = "the leading minor of order " + i + " is not positive definite";
  const std::string nearly = "; or, if " + i +
                             " is N + 1, the solution is computed, and the matrix is singular to "
                             "working precision (RCOND)";
  const std::string general = routine.substr(0, 2) + "gesv";
  switch (positive) {
    case Positive::singular:
      return {singular, "Pass a matrix whose rows do not depend on each other."};
    case Positive::triangular:
      return {"element " + at + " of the triangular matrix is exactly 0",
              "Pass the UPLO of the triangle that is filled, and DIAG = 'U' for ones on the "
              "diagonal that are not stored."};
    case Positive::indefinite:
      return {minor,
              "Fill the triangle that UPLO names, or use " + general + ", which takes any matrix."};
    case Positive::factor:
      return {"element " + at + " of a triangular factor is exactly 0, so there is no inverse",
              "Check INFO of the factorization too."};
    case Positive::conditioned:
      return {singular + nearly,
              std::string("Pass a matrix whose rows do not depend on each other.") + use_results};
    case Positive::minor:
      return {minor + nearly, std::string("Fill the triangle that UPLO names.") + use_results};
    case Positive::eigenvalue:
      return {"eigenvalue " + i + " did not converge; or, if " + i +
                  " is N + 1, processes have computed different eigenvalues",
              std::string("Look for numbers in the matrix that are not finite, and run on "
                          "processors of one kind.") +
                  use_results};
    case Positive::block:
      return {"eigenvalue " + i + " / (N + 1) of the block that begins at row " + i +
                  " % (N + 1) did not converge",
              "Look for numbers in the matrix that are not finite."};
    case Positive::values:
      return {"singular values did not converge; or, if " + i +
                  " is min(M, N) + 1, processes have computed different ones",
              std::string("Look for numbers in the matrix that are not finite, and run on "
                          "processors of one kind.") +
                  use_results};
    case Positive::bits:
      return failed_eigenvectors(info);
    case Positive::never:
    case Positive::unknown:
      break;
  }
  return {"see the routine's manual", std::string("See the routine's manual.") + use_results};
}

}  // namespace

std::optional<detail::RoutineArguments> detail::arguments_of(const std::string& routine) {
  const Routine* const known = find_routine(routine);
  if (known == nullptr) return std::nullopt;
  return RoutineArguments{std::string(known->arguments), known->has_info};
}

LibraryFailed info_error(const std::string& routine, int info) {
  const Routine* const known = detail::find_routine(routine);
  Meaning meaning =
      info < 0 ? refused_argument(routine, known, info)
               : meaning_of(known == nullptr ? Positive::unknown : known->positive, routine, info);
  return LibraryFailed(error_finding("library.scalapack", -1, routine,
                                     "info = " + text(info) + ": " + meaning.found, "info = 0",
                                     std::move(meaning.remedy)));
}

int check_info(const std::string& routine, int info, const Comm& comm, PositiveInfo positive) {
  Call call(comm, "scalapack::check_info");
  call.same("positive", positive);
  const auto least = call.least(info);
  const auto greatest = call.greatest(info);
  call.check();
  if (least >= 0 && (greatest == 0 || positive == PositiveInfo::result))
    return static_cast<int>(greatest);
  const int worst = static_cast<int>(least < 0 ? least : greatest);
  call.check([&] {
    if (info == worst) throw info_error(routine, info);
  });
  return worst;  // not reached: a process has it
}

}  // namespace daptor::scalapack
