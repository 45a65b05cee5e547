// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <string>

#include "daptor/call.hpp"

/// \file
/// Settings that every rank passes, and that must be the same on all ranks.

namespace daptor::solvers {

/// Names and values as text.
using Settings = std::map<std::string, std::string>;

/// Process-local. Whether PETSc would take `word` for the name of an option: "-1" is a value.
/// Throws LibraryFailed.
bool is_option_name(const std::string& word);

/// Process-local. The options in PETSc's database whose names begin with `prefix`, without the
/// prefix: a prefix may differ between ranks (as dolfinx's do) as long as the options are the same.
/// Throws LibraryFailed.
Settings options_under(const std::string& prefix);

/// Collective. Throws InvalidArgument with `rule` on all ranks if their settings differ; the error
/// names the setting and both values. If they are the same, this costs one all-reduce.
///
/// Example on two ranks: {levels: 3} and {levels: 4} throw "levels: '4' here, but '3' on rank 0",
/// found on rank 1.
/// @param read  returns the settings of this rank; may throw, and must not communicate
void require_same(Call& call, const char* rule, const std::function<Settings()>& read);

/// Collective. The text of rank 0.
std::string of_first_rank(const std::string& mine, Call& call);

}  // namespace daptor::solvers
