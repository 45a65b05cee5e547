// SPDX-License-Identifier: BSD-3-Clause
#include "cli/completion.hpp"

#include <iostream>
#include <memory>

#include "cli/commands.hpp"

namespace daptor::cli {

void add_completion(CLI::App& daptor, Action& action) {
  enum class Shell { bash, zsh };
  auto shell = std::make_shared<Shell>(Shell::bash);
  CLI::App* completion =
      daptor.add_subcommand("completion", "Write a script that makes a shell complete daptor");
  completion->footer("Example:\n  eval \"$(daptor completion bash)\"");
  add_choice(*completion, "shell", *shell, {{"bash", Shell::bash}, {"zsh", Shell::zsh}},
             "The shell")
      ->required();
  completion->callback([shell, &daptor, &action] {
    action = [shell, &daptor] {
      const auto commands = describe(daptor);
      *shell == Shell::zsh ? write_zsh_completion(std::cout, commands)
                           : write_bash_completion(std::cout, commands);
      return 0;
    };
  });
}

}  // namespace daptor::cli
