#include <memory>
#include <optional>
#include <ostream>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "daptor/agreement.hpp"
#include "daptor/conformance/plugin.hpp"
#include "daptor/parse.hpp"
#include "json/recorded.hpp"

namespace daptor::cli {
namespace {

using report::Status;

struct DumpOptions {
  std::string producer;
  std::string output;
  SessionOptions session;
};

/// This rank's description as it is, right or wrong, in the JSON format: a file of one rank. Index
/// lists are read while the section is there.
std::string record_section(const conformance::Candidate& candidate) {
  Recorded recorded;
  recorded.nranks = 1;
  std::optional<conformance::Export> section;
  try {
    section = candidate.describe();
    const Submission submission = section->submission();
    if (submission.failure()) {
      recorded.ranks.emplace_back(ProducerError{*submission.failure()});
    } else if (submission.array() != nullptr) {
      recorded.ranks.emplace_back(to_value(*submission.array()));
    } else {
      recorded.ranks.emplace_back(submission.description());
    }
  } catch (const Error& error) {
    recorded.ranks.emplace_back(ProducerError{error.finding().found});
  } catch (const std::exception& error) {
    recorded.ranks.emplace_back(ProducerError{error.what()});
  }
  std::ostringstream text;
  write_recorded(text, recorded);
  return text.str();
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// On the first rank, which has everybody's.
Recorded joined(const std::vector<Message>& sections, const DumpOptions& options) {
  Recorded all;
  all.name = options.producer;
  all.nranks = static_cast<int>(sections.size());
  for (const Message& section : sections) {
    std::istringstream text(
        std::string(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()));
    all.ranks.push_back(std::move(read_recorded(text).ranks.front()));
  }
  return all;
}

Status status_of(const Recorded& recorded) {
  for (const RecordedRank& rank : recorded.ranks)
    if (std::holds_alternative<ProducerError>(rank)) return Status::producer_failed;
  return Status::done;
}

/// Collective.
Status dump(const DumpOptions& options, const Session& session) {
  const conformance::Subject subject = conformance::load_producer(options.producer, session.comm);
  std::optional<conformance::Candidate> candidate;
  std::exception_ptr failure;
  try {
    candidate = subject.make(session.comm);
  } catch (...) {
    failure = std::current_exception();
  }
  agree(session.ranks, failure);
  const auto sections = session.ranks.exchange({{0, bytes_of(record_section(*candidate))}});
  if (candidate->destroy) candidate->destroy();
  return agreed(session.ranks, [&] {
    if (!session.first()) return Status::done;
    const Recorded recorded = joined(sections, options);
    deliver(options.output, [&](std::ostream& out) { write_recorded(out, recorded); });
    return status_of(recorded);
  });
}

}  // namespace

void add_dump(CLI::App& daptor, Action& action) {
  auto options = std::make_shared<DumpOptions>();
  CLI::App* command = daptor.add_subcommand(
      "dump", "Write what a producer says on all ranks to one file in Daptor's JSON format");
  command->footer(
      "Example:\n  mpirun -n 4 daptor dump ./libgrid.so:make_array --output array.json");
  command
      ->add_option("producer", options->producer,
                   "A producer in a shared library, LIBRARY:SYMBOL, called on all ranks")
      ->required()
      ->type_name(file_argument);
  add_time_limit(*command, options->session);
  add_output_file(*command, options->output);
  command->callback([options, &action] {
    action = [options] {
      options->session.producers = {options->producer};
      return run_session(options->session,
                         [&](const Session& session) { return dump(*options, session); });
    };
  });
}

}  // namespace daptor::cli
