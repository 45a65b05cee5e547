// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/python.hpp"
#include "cli/recording.hpp"

namespace daptor::cli {
namespace {

using report::Status;

struct DumpOptions {
  std::string producer;
  std::string output;
  SessionOptions session;
};

Status dump(const DumpOptions& options, const Recorded& recorded) {
  deliver(options.output, [&](std::ostream& out) { write_recorded(out, recorded); });
  return recorded.failed() ? Status::producer_failed : Status::done;
}

int dump(const DumpOptions& options) {
  if (names_python(options.producer)) hand_over(options.session);
  return with_recorded(options.session,
                       [&](const Recorded& recorded) { return dump(options, recorded); });
}

}  // namespace

void add_dump(CLI::App& daptor, Action& action, const Host& host) {
  auto options = std::make_shared<DumpOptions>();
  CLI::App* command = daptor.add_subcommand(
      "dump", "Write what a producer says on all ranks to one file in Daptor's JSON format");
  command->footer(
      "Example:\n  mpirun -n 4 daptor dump ./libgrid.so:make_array --output array.json");
  command
      ->add_option("producer", options->producer,
                   "A producer, LIBRARY:SYMBOL or, in Python, MODULE:NAME, called on all ranks")
      ->required()
      ->type_name(file_argument);
  add_session_options(*command, options->session, host);
  add_output_file(*command, options->output);
  command->callback([options, &action] {
    action = [options] {
      options->session.producers = {options->producer};
      return dump(*options);
    };
  });
}

}  // namespace daptor::cli
