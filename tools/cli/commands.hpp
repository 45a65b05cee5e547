// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/session.hpp"

/// \file
/// The subcommands in this folder; `daptor show` is a library of its own.

namespace daptor::cli {

void add_check(CLI::App& daptor, Action& action, const Host& host);
void add_dump(CLI::App& daptor, Action& action, const Host& host);
void add_compare(CLI::App& daptor, Action& action);
void add_convert(CLI::App& daptor, Action& action);
void add_describe(CLI::App& daptor, Action& action);
void add_explain(CLI::App& daptor, Action& action, const Host& host);
void add_plugin(CLI::App& daptor, Action& action);
void add_report(CLI::App& daptor, Action& action);
void add_rule(CLI::App& daptor, Action& action);
void add_help(CLI::App& daptor, Action& action);

}  // namespace daptor::cli
