// SPDX-License-Identifier: BSD-3-Clause
#include "routines.hpp"

namespace daptor::scalapack::detail {
namespace {

constexpr bool no_info = false;

// Parts that many routines have.
#define WORK_SPACE " WORK/E=:LWORK LWORK/i"
#define REAL_WORK " WORK/R=:LWORK LWORK/i"
#define INTEGER_WORK " IWORK/I=:LIWORK LIWORK/i"
#define COMPLEX_WORK " WORK/E=:LWORK LWORK/i RWORK/R=:LRWORK LRWORK/i"
#define SELECTED "A/m VL/r VU/r IL/i IU/i"
#define EXPERT_LU \
  "FACT/c TRANS/c N/i NRHS/i A/m AF/m IPIV/I=P EQUED/c R/R C/R B/m X/m RCOND/R FERR/R BERR/R"
#define EXPERT_CHOLESKY \
  "FACT/c UPLO/c N/i NRHS/i A/m AF/m EQUED/c SR/R SC/R B/m X/m RCOND/R FERR/R BERR/R"
#define PAIR "N/i X/m INCX/i Y/m INCY/i"

constexpr Routine pblas[] = {
    {"sdcz", "swap", PAIR, no_info},
    {"sdcz", "copy", PAIR, no_info},
    {"sdcz", "scal", "N/i ALPHA/e X/m INCX/i", no_info},
    {"c", "sscal", "N/i ALPHA/r X/m INCX/i", no_info},
    {"z", "dscal", "N/i ALPHA/r X/m INCX/i", no_info},
    {"sdcz", "axpy", "N/i ALPHA/e X/m INCX/i Y/m INCY/i", no_info},
    {"sd", "dot", "N/i DOT/E X/m INCX/i Y/m INCY/i", no_info},
    {"cz", "dotu", "N/i DOT/E X/m INCX/i Y/m INCY/i", no_info},
    {"cz", "dotc", "N/i DOT/E X/m INCX/i Y/m INCY/i", no_info},
    {"sd", "nrm2", "N/i NORM2/R X/m INCX/i", no_info},
    {"s", "cnrm2", "N/i NORM2/R X/m INCX/i", no_info},
    {"d", "znrm2", "N/i NORM2/R X/m INCX/i", no_info},
    {"sd", "asum", "N/i ASUM/R X/m INCX/i", no_info},
    {"s", "casum", "N/i ASUM/R X/m INCX/i", no_info},
    {"d", "zasum", "N/i ASUM/R X/m INCX/i", no_info},
    {"sdcz", "amax", "N/i AMAX/E INDX/I X/m INCX/i", no_info},
    {"sdcz", "gemv", "TRANS/c M/i N/i ALPHA/e A/m X/m INCX/i BETA/e Y/m INCY/i", no_info},
    {"sd", "symv", "UPLO/c N/i ALPHA/e A/m X/m INCX/i BETA/e Y/m INCY/i", no_info},
    {"cz", "hemv", "UPLO/c N/i ALPHA/e A/m X/m INCX/i BETA/e Y/m INCY/i", no_info},
    {"sdcz", "trmv", "UPLO/c TRANS/c DIAG/c N/i A/m X/m INCX/i", no_info},
    {"sdcz", "trsv", "UPLO/c TRANS/c DIAG/c N/i A/m X/m INCX/i", no_info},
    {"sd", "ger", "M/i N/i ALPHA/e X/m INCX/i Y/m INCY/i A/m", no_info},
    {"cz", "geru", "M/i N/i ALPHA/e X/m INCX/i Y/m INCY/i A/m", no_info},
    {"cz", "gerc", "M/i N/i ALPHA/e X/m INCX/i Y/m INCY/i A/m", no_info},
    {"sd", "syr", "UPLO/c N/i ALPHA/e X/m INCX/i A/m", no_info},
    {"cz", "her", "UPLO/c N/i ALPHA/r X/m INCX/i A/m", no_info},
    {"sd", "syr2", "UPLO/c N/i ALPHA/e X/m INCX/i Y/m INCY/i A/m", no_info},
    {"cz", "her2", "UPLO/c N/i ALPHA/e X/m INCX/i Y/m INCY/i A/m", no_info},
    {"sdcz", "gemm", "TRANSA/c TRANSB/c M/i N/i K/i ALPHA/e A/m B/m BETA/e C/m", no_info},
    {"sdcz", "symm", "SIDE/c UPLO/c M/i N/i ALPHA/e A/m B/m BETA/e C/m", no_info},
    {"cz", "hemm", "SIDE/c UPLO/c M/i N/i ALPHA/e A/m B/m BETA/e C/m", no_info},
    {"sdcz", "syrk", "UPLO/c TRANS/c N/i K/i ALPHA/e A/m BETA/e C/m", no_info},
    {"cz", "herk", "UPLO/c TRANS/c N/i K/i ALPHA/r A/m BETA/r C/m", no_info},
    {"sdcz", "syr2k", "UPLO/c TRANS/c N/i K/i ALPHA/e A/m B/m BETA/e C/m", no_info},
    {"cz", "her2k", "UPLO/c TRANS/c N/i K/i ALPHA/e A/m B/m BETA/r C/m", no_info},
    {"sdcz", "trmm", "SIDE/c UPLO/c TRANS/c DIAG/c M/i N/i ALPHA/e A/m B/m", no_info},
    {"sdcz", "trsm", "SIDE/c UPLO/c TRANS/c DIAG/c M/i N/i ALPHA/e A/m B/m", no_info},
    {"sdcz", "geadd", "TRANS/c M/i N/i ALPHA/e A/m BETA/e C/m", no_info},
    {"sdcz", "tradd", "UPLO/c TRANS/c M/i N/i ALPHA/e A/m BETA/e C/m", no_info},
    {"sd", "tran", "M/i N/i ALPHA/e A/m BETA/e C/m", no_info},
    {"cz", "tranu", "M/i N/i ALPHA/e A/m BETA/e C/m", no_info},
    {"cz", "tranc", "M/i N/i ALPHA/e A/m BETA/e C/m", no_info},
};

constexpr Routine systems[] = {
    {"sdcz", "gesv", "N/i NRHS/i A/m IPIV/I=P B/m", true, Positive::singular},
    {"sd", "gesvx", EXPERT_LU WORK_SPACE INTEGER_WORK, true, Positive::conditioned},
    {"cz", "gesvx", EXPERT_LU COMPLEX_WORK, true, Positive::conditioned},
    {"sdcz", "getrf", "M/i N/i A/m IPIV/I=P", true, Positive::singular},
    {"sdcz", "getrs", "TRANS/c N/i NRHS/i A/m IPIV/I=P B/m"},
    {"sdcz", "getri", "N/i A/m IPIV/I=P" WORK_SPACE INTEGER_WORK, true, Positive::factor},
    {"sd", "gecon", "NORM/c N/i A/m ANORM/r RCOND/R" WORK_SPACE INTEGER_WORK},
    {"cz", "gecon", "NORM/c N/i A/m ANORM/r RCOND/R" COMPLEX_WORK},
    {"sdcz", "posv", "UPLO/c N/i NRHS/i A/m B/m", true, Positive::indefinite},
    {"sd", "posvx", EXPERT_CHOLESKY WORK_SPACE INTEGER_WORK, true, Positive::minor},
    {"cz", "posvx", EXPERT_CHOLESKY COMPLEX_WORK, true, Positive::minor},
    {"sdcz", "potrf", "UPLO/c N/i A/m", true, Positive::indefinite},
    {"sdcz", "potrs", "UPLO/c N/i NRHS/i A/m B/m"},
    {"sdcz", "potri", "UPLO/c N/i A/m", true, Positive::factor},
    {"sd", "pocon", "UPLO/c N/i A/m ANORM/r RCOND/R" WORK_SPACE INTEGER_WORK},
    {"cz", "pocon", "UPLO/c N/i A/m ANORM/r RCOND/R" COMPLEX_WORK},
    {"sdcz", "trtrs", "UPLO/c TRANS/c DIAG/c N/i NRHS/i A/m B/m", true, Positive::triangular},
    {"sdcz", "trtri", "UPLO/c DIAG/c N/i A/m", true, Positive::triangular},
    {"sdcz", "gels", "TRANS/c M/i N/i NRHS/i A/m B/m" WORK_SPACE},
    {"sdcz", "lacpy", "UPLO/c M/i N/i A/m B/m", no_info},
    {"sdcz", "laset", "UPLO/c M/i N/i ALPHA/e BETA/e A/m", no_info},
    {"sdcz", "lascl", "TYPE/c CFROM/r CTO/r M/i N/i A/m"},
    {"sdcz", "gemr2d", "M/i N/i A/m B/m ICTXT/i", no_info},
    {"sdcz", "trmr2d", "UPLO/c DIAG/c M/i N/i A/m B/m ICTXT/i", no_info},
};

constexpr Routine factors[] = {
    {"sdcz", "geqrf", "M/i N/i A/m TAU/E=c:M,N" WORK_SPACE},
    {"sdcz", "gelqf", "M/i N/i A/m TAU/E=r:M,N" WORK_SPACE},
    {"sdcz", "geqlf", "M/i N/i A/m TAU/E" WORK_SPACE},
    {"sdcz", "gerqf", "M/i N/i A/m TAU/E" WORK_SPACE},
    {"sd", "orgqr", "M/i N/i K/i A/m TAU/E=c:K" WORK_SPACE},
    {"cz", "ungqr", "M/i N/i K/i A/m TAU/E=c:K" WORK_SPACE},
    {"sd", "orglq", "M/i N/i K/i A/m TAU/E=r:K" WORK_SPACE},
    {"cz", "unglq", "M/i N/i K/i A/m TAU/E=r:K" WORK_SPACE},
    {"sd", "ormqr", "SIDE/c TRANS/c M/i N/i K/i A/m TAU/E=c:K C/m" WORK_SPACE},
    {"cz", "unmqr", "SIDE/c TRANS/c M/i N/i K/i A/m TAU/E=c:K C/m" WORK_SPACE},
    {"sd", "ormlq", "SIDE/c TRANS/c M/i N/i K/i A/m TAU/E=r:K C/m" WORK_SPACE},
    {"cz", "unmlq", "SIDE/c TRANS/c M/i N/i K/i A/m TAU/E=r:K C/m" WORK_SPACE},
    {"sdcz", "gehrd", "N/i ILO/i IHI/i A/m TAU/E" WORK_SPACE},
    {"sd", "sytrd", "UPLO/c N/i A/m D/R E/R TAU/E" WORK_SPACE},
    {"cz", "hetrd", "UPLO/c N/i A/m D/R E/R TAU/E" WORK_SPACE},
    {"sdcz", "gebrd", "M/i N/i A/m D/R E/R TAUQ/E TAUP/E" WORK_SPACE},
};

constexpr Routine eigenvalues[] = {
    {"sd", "syev", "JOBZ/c UPLO/c N/i A/m W/R=:N Z/m" WORK_SPACE, true, Positive::eigenvalue},
    {"cz", "heev", "JOBZ/c UPLO/c N/i A/m W/R=:N Z/m" COMPLEX_WORK, true, Positive::eigenvalue},
    {"sd", "syevd", "JOBZ/c UPLO/c N/i A/m W/R=:N Z/m" WORK_SPACE INTEGER_WORK, true,
     Positive::block},
    {"cz", "heevd", "JOBZ/c UPLO/c N/i A/m W/R=:N Z/m" COMPLEX_WORK INTEGER_WORK, true,
     Positive::block},
    {"sd", "syevr",
     "JOBZ/c RANGE/c UPLO/c N/i " SELECTED " M/I NZ/I W/R=:N Z/m" WORK_SPACE INTEGER_WORK, true,
     Positive::unknown},
    {"cz", "heevr",
     "JOBZ/c RANGE/c UPLO/c N/i " SELECTED " M/I NZ/I W/R=:N Z/m" COMPLEX_WORK INTEGER_WORK, true,
     Positive::unknown},
    {"sd", "syevx",
     "JOBZ/c RANGE/c UPLO/c N/i " SELECTED
     " ABSTOL/r M/I NZ/I W/R=:N ORFAC/r Z/m" REAL_WORK INTEGER_WORK " IFAIL/I=:N ICLUSTR/I GAP/R",
     true, Positive::bits},
    {"cz", "heevx",
     "JOBZ/c RANGE/c UPLO/c N/i " SELECTED
     " ABSTOL/r M/I NZ/I W/R=:N ORFAC/r Z/m" COMPLEX_WORK INTEGER_WORK
     " IFAIL/I=:N ICLUSTR/I GAP/R",
     true, Positive::bits},
    {"sd", "sygvx",
     "IBTYPE/i JOBZ/c RANGE/c UPLO/c N/i A/m B/m VL/r VU/r IL/i IU/i ABSTOL/r M/I NZ/I W/R=:N "
     "ORFAC/r Z/m" REAL_WORK INTEGER_WORK " IFAIL/I=:N ICLUSTR/I GAP/R",
     true, Positive::bits},
    {"cz", "hegvx",
     "IBTYPE/i JOBZ/c RANGE/c UPLO/c N/i A/m B/m VL/r VU/r IL/i IU/i ABSTOL/r M/I NZ/I W/R=:N "
     "ORFAC/r Z/m" COMPLEX_WORK INTEGER_WORK " IFAIL/I=:N ICLUSTR/I GAP/R",
     true, Positive::bits},
    {"sd", "sygst", "IBTYPE/i UPLO/c N/i A/m B/m SCALE/R"},
    {"cz", "hegst", "IBTYPE/i UPLO/c N/i A/m B/m SCALE/R"},
    {"sd", "gesvd", "JOBU/c JOBVT/c M/i N/i A/m S/R=:M,N U/m VT/m" WORK_SPACE, true,
     Positive::values},
    {"cz", "gesvd", "JOBU/c JOBVT/c M/i N/i A/m S/R=:M,N U/m VT/m" WORK_SPACE " RWORK/R", true,
     Positive::values},
};

#undef WORK_SPACE
#undef REAL_WORK
#undef INTEGER_WORK
#undef COMPLEX_WORK
#undef SELECTED
#undef EXPERT_LU
#undef EXPERT_CHOLESKY
#undef PAIR

template <std::size_t Count>
const Routine* find_in(const Routine (&table)[Count], char letter, std::string_view name) {
  for (const Routine& routine : table)
    if (routine.name == name && routine.letters.find(letter) != std::string_view::npos)
      return &routine;
  return nullptr;
}

}  // namespace

const Routine* find_routine(const std::string& name) {
  if (name.size() < 3 || name[0] != 'p') return nullptr;
  const std::string_view rest = std::string_view(name).substr(2);
  const Routine* found = find_in(pblas, name[1], rest);
  if (found == nullptr) found = find_in(systems, name[1], rest);
  if (found == nullptr) found = find_in(factors, name[1], rest);
  if (found == nullptr) found = find_in(eigenvalues, name[1], rest);
  return found;
}

std::vector<std::string> fortran_arguments(const Routine& routine) {
  std::vector<std::string> names;
  std::string_view left = routine.arguments;
  while (!left.empty()) {
    const std::size_t slash = left.find('/');
    const std::string name(left.substr(0, slash));
    names.push_back(name);
    if (left[slash + 1] == 'm')
      for (const char* const part : {"I", "J", "DESC"}) names.push_back(part + name);
    const std::size_t space = left.find(' ');
    left = space == std::string_view::npos ? std::string_view() : left.substr(space + 1);
  }
  return names;
}

}  // namespace daptor::scalapack::detail
