// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <type_traits>

#include <TpetraCore_config.h>
#include <Tpetra_MultiVector_fwd.hpp>
#include <Tpetra_Vector_fwd.hpp>

#include "daptor/datatype.hpp"
#include "daptor/tpetra/config.hpp"

/// \file
/// Tells for which element types the installed Tpetra has vectors.

namespace daptor::tpetra {

namespace detail {
using GlobalOrdinal = Tpetra::Details::DefaultTypes::global_ordinal_type;

template <class T>
struct HasScalar : std::false_type {};
#ifdef HAVE_TPETRA_INST_DOUBLE
template <>
struct HasScalar<double> : std::true_type {};
#endif
#ifdef HAVE_TPETRA_INST_FLOAT
template <>
struct HasScalar<float> : std::true_type {};
#endif
#ifdef HAVE_TPETRA_INST_COMPLEX_DOUBLE
template <>
struct HasScalar<std::complex<double>> : std::true_type {};
#endif
#ifdef HAVE_TPETRA_INST_COMPLEX_FLOAT
template <>
struct HasScalar<std::complex<float>> : std::true_type {};
#endif
#ifdef DAPTOR_TPETRA_INTEGER_SCALARS
template <>
struct HasScalar<int> : std::true_type {};
template <>
struct HasScalar<GlobalOrdinal> : std::true_type {};
#endif

/// The element type of a native type; const if the native object is const.
template <class Native>
struct ScalarOf;
template <class S, class LO, class GO, class N>
struct ScalarOf<Tpetra::MultiVector<S, LO, GO, N>> {
  using type = S;
};
template <class S, class LO, class GO, class N>
struct ScalarOf<Tpetra::Vector<S, LO, GO, N>> {
  using type = S;
};
template <class Native>
struct ScalarOf<const Native> : ScalarOf<Native> {};
}  // namespace detail

/// True if the installed Tpetra has `MultiVector<Scalar>`. Imports and exports of other element
/// types compile, and throw NotRepresentable (rule `tpetra.scalar`) on every rank.
template <class Scalar>
inline constexpr bool has_scalar = detail::HasScalar<std::remove_const_t<Scalar>>::value;

/// The same for an element type that is known at run time only.
bool scalar_available(const DataType& type);

}  // namespace daptor::tpetra
