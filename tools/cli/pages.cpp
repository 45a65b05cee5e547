// SPDX-License-Identifier: BSD-3-Clause
// Writes the manual pages and the completion scripts that are installed.
//
//   daptor_cli_pages DIRECTORY

#include <fstream>
#include <iostream>
#include <string>

#include "cli/command_line.hpp"
#include "cli/completion.hpp"
#include "cli/man.hpp"

namespace {

using daptor::cli::CommandDescription;

void write_all(const std::string& directory, const std::vector<CommandDescription>& commands) {
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::string name = commands[i].name.empty() ? "daptor" : "daptor-" + commands[i].name;
    std::ofstream page(directory + "/" + name + ".1");
    daptor::cli::write_man_page(page, commands, i);
    page.exceptions(std::ios::failbit);
    page.close();
  }
  std::ofstream bash(directory + "/daptor.bash");
  daptor::cli::write_bash_completion(bash, commands);
  std::ofstream zsh(directory + "/_daptor");
  daptor::cli::write_zsh_completion(zsh, commands);
  for (std::ofstream* script : {&bash, &zsh}) {
    script->exceptions(std::ios::failbit);
    script->close();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: daptor_cli_pages DIRECTORY\n";
    return 2;
  }
  try {
    write_all(argv[1], daptor::cli::describe(daptor::cli::CommandLine().app()));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "daptor_cli_pages: " << argv[1] << ": " << error.what() << '\n';
    return 1;
  }
}
