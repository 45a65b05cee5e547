// SPDX-License-Identifier: BSD-3-Clause
#include "cli/recording.hpp"

#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/say.hpp"
#include "daptor/adapter/first_failure.hpp"
#include "daptor/call.hpp"
#include "daptor/conformance/plugin.hpp"
#include "daptor/parse.hpp"

namespace daptor::cli {
namespace {

using report::Status;

/// This rank's description, valid or not, in the JSON format, as a file of one rank. Index lists
/// are read before the section is released.
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

/// On the first rank, which has the descriptions of all ranks.
Recorded joined(const std::vector<Message>& sections, const std::string& producer) {
  Recorded all;
  all.name = producer;
  all.nranks = static_cast<int>(sections.size());
  for (const Message& section : sections) {
    std::istringstream text(
        std::string(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()));
    all.ranks.push_back(std::move(read_recorded(text).ranks.front()));
  }
  return all;
}

/// Collective. The descriptions of all ranks, which the first rank receives. The producer is made
/// outside of our own calls, so that calls of Daptor in which its ranks differ are told apart.
std::vector<Message> recorded_sections(const std::string& producer, const Session& session) {
  const conformance::Subject subject = watched(producer, session.comm);
  conformance::Candidate candidate;
  adapter::FirstFailure failure;
  failure.attempt([&] { candidate = subject.make(session.comm); });
  Call(session.ranks, "daptor").check([&] {
    if (failure) std::rethrow_exception(failure.get());
  });
  auto sections = session.ranks->exchange({{0, bytes_of(record_section(candidate))}});
  if (candidate.destroy) candidate.destroy();
  return sections;
}

}  // namespace

int with_recorded(const SessionOptions& options,
                  const std::function<Status(const Recorded&)>& body) {
  return run_session(options, [&](const Session& session) {
    const std::string& producer = options.producers.front();
    const std::vector<Message> sections = recorded_sections(producer, session);
    return Call(session.ranks, "daptor").check([&] {
      return session.first() ? body(joined(sections, producer)) : Status::done;
    });
  });
}

}  // namespace daptor::cli
