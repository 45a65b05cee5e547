// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "daptor/comm.hpp"

/// \file
/// Settings that every rank brings, and that have to be the same on all.

namespace daptor::solvers {

/// Names and values, as text.
using Settings = std::map<std::string, std::string>;

/// Process-local. Whether PETSc would take `word` for the name of an option: "-1" is a value.
/// Throws LibraryFailed.
bool is_option_name(const std::string& word);

/// Process-local. The options of PETSc's database whose names begin with `prefix`, without it: a
/// prefix may be another on each rank (as dolfinx's are) where what it stands for is the same.
/// Throws LibraryFailed.
Settings options_under(const std::string& prefix);

/// Collective. Throws InvalidArgument with `rule` on all ranks where their settings differ: which
/// one, and both values. One all-reduce of 16 bytes where they are the same.
///
/// Example, two ranks: {levels: 3} and {levels: 4} throw "levels: 4 here and 3 on rank 0", found on
/// rank 1.
void require_same(const Comm& comm, const char* rule, const Settings& settings);

}  // namespace daptor::solvers
