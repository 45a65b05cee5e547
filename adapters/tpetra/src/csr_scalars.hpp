// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>

#include <TpetraCore_config.h>

// Calls MACRO for each element type for which this Tpetra has matrices.
#ifdef HAVE_TPETRA_INST_DOUBLE
#define DAPTOR_TPETRA_CSR_DOUBLE(MACRO) MACRO(double)
#else
#define DAPTOR_TPETRA_CSR_DOUBLE(MACRO)
#endif
#ifdef HAVE_TPETRA_INST_FLOAT
#define DAPTOR_TPETRA_CSR_FLOAT(MACRO) MACRO(float)
#else
#define DAPTOR_TPETRA_CSR_FLOAT(MACRO)
#endif
#ifdef HAVE_TPETRA_INST_COMPLEX_DOUBLE
#define DAPTOR_TPETRA_CSR_COMPLEX_DOUBLE(MACRO) MACRO(std::complex<double>)
#else
#define DAPTOR_TPETRA_CSR_COMPLEX_DOUBLE(MACRO)
#endif
#ifdef HAVE_TPETRA_INST_COMPLEX_FLOAT
#define DAPTOR_TPETRA_CSR_COMPLEX_FLOAT(MACRO) MACRO(std::complex<float>)
#else
#define DAPTOR_TPETRA_CSR_COMPLEX_FLOAT(MACRO)
#endif
#define DAPTOR_TPETRA_CSR_SCALARS(MACRO)  \
  DAPTOR_TPETRA_CSR_DOUBLE(MACRO)         \
  DAPTOR_TPETRA_CSR_FLOAT(MACRO)          \
  DAPTOR_TPETRA_CSR_COMPLEX_DOUBLE(MACRO) \
  DAPTOR_TPETRA_CSR_COMPLEX_FLOAT(MACRO)
