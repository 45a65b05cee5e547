// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/launch.hpp"

namespace daptor::cli {
namespace {

/// The plug-in lies beside this command, in a build as in an installation.
std::filesystem::path plugin_path() {
  std::error_code failure;
  const auto command = std::filesystem::read_symlink("/proc/self/exe", failure);
  return (command.parent_path() / DAPTOR_CLI_LIBRARIES / "libdaptor_pc.so").lexically_normal();
}

int say_path() {
  constexpr int not_here = 1;
  const auto path = plugin_path();
  std::error_code failure;
  if (std::filesystem::exists(path, failure)) {
    std::cout << path.string() << '\n';
    return 0;
  }
  std::fprintf(stderr,
               "daptor: there is no PETSc plug-in at %s: it is built where PETSc is found, "
               "with shared libraries\n",
               path.c_str());
  return not_here;
}

}  // namespace

void add_plugin(CLI::App& daptor, Action& action) {
  CLI::App* plugin = daptor.add_subcommand(
      "plugin",
      "Print the path of the plug-in that checks any PETSc program and brings it Trilinos");
  plugin->footer(
      "Exit status: 0 printed, 1 this installation has none.\n\nExample:\n  mpirun -n 4 "
      "./program -dll_append $(daptor plugin) -daptor_check");
  plugin->callback([&action] { action = [] { return once(By::each, say_path); }; });
}

}  // namespace daptor::cli
