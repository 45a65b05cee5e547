#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  return daptor::cli::CommandLine().run(argc, argv);
}
