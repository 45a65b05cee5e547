// SPDX-License-Identifier: BSD-3-Clause
#include "cli/recording.hpp"

#include <optional>
#include <sstream>
#include <utility>

#include "cli/say.hpp"
#include "daptor/agreement.hpp"
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

}  // namespace

Recorded record_producer(const std::string& producer, const Session& session) {
  const conformance::Subject subject = watched(producer, session.comm);
  const conformance::Candidate candidate =
      detail::relayed(session.ranks, [&] { return subject.make(session.comm); });
  const auto sections = session.ranks->exchange({{0, bytes_of(record_section(candidate))}});
  if (candidate.destroy) candidate.destroy();
  return agreed(session.ranks,
                [&] { return session.first() ? joined(sections, producer) : Recorded(); });
}

int with_recorded(const SessionOptions& options,
                  const std::function<Status(const Recorded&)>& body) {
  return run_session(options, [&](const Session& session) {
    const Recorded recorded = record_producer(options.producers.front(), session);
    return agreed(session.ranks, [&] { return session.first() ? body(recorded) : Status::done; });
  });
}

}  // namespace daptor::cli
