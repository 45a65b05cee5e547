// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <tuple>

#include "conformance/recorder.hpp"

/// \file
/// Wrappers of MPI's functions, generated from the types in MPI's header. The arguments of a
/// wrapper are named a0, a1, …

namespace daptor::conformance::detail {

template <class Function, std::size_t I>
struct ParameterOf;
template <class... P, std::size_t I>
struct ParameterOf<int(P...), I> {
  using type = std::tuple_element_t<I, std::tuple<P...>>;
};
template <class Function, std::size_t I>
using Parameter = typename ParameterOf<Function, I>::type;

}  // namespace daptor::conformance::detail

#define DAPTOR_ARGUMENTS_1 a0
#define DAPTOR_ARGUMENTS_2 DAPTOR_ARGUMENTS_1, a1
#define DAPTOR_ARGUMENTS_3 DAPTOR_ARGUMENTS_2, a2
#define DAPTOR_ARGUMENTS_4 DAPTOR_ARGUMENTS_3, a3
#define DAPTOR_ARGUMENTS_5 DAPTOR_ARGUMENTS_4, a4
#define DAPTOR_ARGUMENTS_6 DAPTOR_ARGUMENTS_5, a5
#define DAPTOR_ARGUMENTS_7 DAPTOR_ARGUMENTS_6, a6
#define DAPTOR_ARGUMENTS_8 DAPTOR_ARGUMENTS_7, a7
#define DAPTOR_ARGUMENTS_9 DAPTOR_ARGUMENTS_8, a8
#define DAPTOR_ARGUMENTS_10 DAPTOR_ARGUMENTS_9, a9
#define DAPTOR_ARGUMENTS_11 DAPTOR_ARGUMENTS_10, a10
#define DAPTOR_ARGUMENTS_12 DAPTOR_ARGUMENTS_11, a11
#define DAPTOR_ARGUMENTS_13 DAPTOR_ARGUMENTS_12, a12

#define DAPTOR_PARAMETER(f, i) ::daptor::conformance::detail::Parameter<decltype(f), i> a##i
#define DAPTOR_PARAMETERS_1(f) DAPTOR_PARAMETER(f, 0)
#define DAPTOR_PARAMETERS_2(f) DAPTOR_PARAMETERS_1(f), DAPTOR_PARAMETER(f, 1)
#define DAPTOR_PARAMETERS_3(f) DAPTOR_PARAMETERS_2(f), DAPTOR_PARAMETER(f, 2)
#define DAPTOR_PARAMETERS_4(f) DAPTOR_PARAMETERS_3(f), DAPTOR_PARAMETER(f, 3)
#define DAPTOR_PARAMETERS_5(f) DAPTOR_PARAMETERS_4(f), DAPTOR_PARAMETER(f, 4)
#define DAPTOR_PARAMETERS_6(f) DAPTOR_PARAMETERS_5(f), DAPTOR_PARAMETER(f, 5)
#define DAPTOR_PARAMETERS_7(f) DAPTOR_PARAMETERS_6(f), DAPTOR_PARAMETER(f, 6)
#define DAPTOR_PARAMETERS_8(f) DAPTOR_PARAMETERS_7(f), DAPTOR_PARAMETER(f, 7)
#define DAPTOR_PARAMETERS_9(f) DAPTOR_PARAMETERS_8(f), DAPTOR_PARAMETER(f, 8)
#define DAPTOR_PARAMETERS_10(f) DAPTOR_PARAMETERS_9(f), DAPTOR_PARAMETER(f, 9)
#define DAPTOR_PARAMETERS_11(f) DAPTOR_PARAMETERS_10(f), DAPTOR_PARAMETER(f, 10)
#define DAPTOR_PARAMETERS_12(f) DAPTOR_PARAMETERS_11(f), DAPTOR_PARAMETER(f, 11)
#define DAPTOR_PARAMETERS_13(f) DAPTOR_PARAMETERS_12(f), DAPTOR_PARAMETER(f, 12)

/// Defines MPI_`name`, a function of `count` arguments, which tells the recorder and calls
/// PMPI_`name`, the same function in MPI's profiling interface. `comm` is a pointer to the
/// communicator, or null.
#define DAPTOR_WATCH(kind, name, count, comm)                                                     \
  int MPI_##name(DAPTOR_PARAMETERS_##count(PMPI_##name)) {                                        \
    ::daptor::conformance::detail::mpi_called(::daptor::conformance::MpiKind::kind, "MPI_" #name, \
                                              comm);                                              \
    return PMPI_##name(DAPTOR_ARGUMENTS_##count);                                                 \
  }

/// Does the same for a function with which all ranks of `parent` make `*child`.
#define DAPTOR_WATCH_MADE(name, count, parent, child)                                       \
  int MPI_##name(DAPTOR_PARAMETERS_##count(PMPI_##name)) {                                  \
    ::daptor::conformance::detail::mpi_called(::daptor::conformance::MpiKind::communicator, \
                                              "MPI_" #name, &(parent));                     \
    const int daptor_status = PMPI_##name(DAPTOR_ARGUMENTS_##count);                        \
    if (daptor_status == MPI_SUCCESS)                                                       \
      ::daptor::conformance::detail::communicator_made((parent), *(child));                 \
    return daptor_status;                                                                   \
  }
