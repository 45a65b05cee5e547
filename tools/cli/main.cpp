// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  return daptor::cli::CommandLine().run(argc, argv);
}
