// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace daptor::cli {

/// An id of a rule that has another name now.
struct RenamedRule {
  std::string_view old, now;
};

inline constexpr RenamedRule renamed_rules[] = {
    {"csr.scalar-type", "csr.type"},
    {"fft.int", "fft.index-range"},
    {"petsc.dense.scalar-type", "petsc.dense.type"},
    {"petsc.dmda.layout", "petsc.dmda.one-run, or petsc.dmda.order if ranks differ"},
    {"petsc.dmda.scalar-type", "petsc.dmda.type"},
    {"petsc.scalapack.scalar-type", "petsc.scalapack.type"},
    {"petsc.vec.local-run", "petsc.vec.one-run"},
    {"petsc.vec.scalar-type", "petsc.vec.type"},
    {"tpetra.padding", "tpetra.one-run"},
    {"tpetra.strides", "tpetra.one-run"},
};

}  // namespace daptor::cli
