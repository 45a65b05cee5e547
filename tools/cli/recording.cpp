// SPDX-License-Identifier: BSD-3-Clause
#include "cli/recording.hpp"

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "cli/say.hpp"
#include "daptor/adapter/first_failure.hpp"
#include "daptor/call.hpp"
#include "daptor/conformance/plugin.hpp"

namespace daptor::cli {
namespace {

using report::Status;

/// This rank's description, valid or not. Index lists are read before the section is released.
std::string described(const conformance::Candidate& candidate) {
  try {
    const conformance::Export section = candidate.describe();
    return rank_text(recorded_rank(section.submission()));
  } catch (const Error& error) {
    return rank_text(ProducerError{error.finding().found.str()});
  } catch (const std::exception& error) {
    return rank_text(ProducerError{error.what()});
  }
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Collective. The texts of all ranks, which the first rank receives.
std::vector<Message> described_by_all(const SessionOptions& options, const Session& session) {
  conformance::Candidate candidate = made(options, session);
  auto messages = session.ranks->exchange({{0, bytes_of(described(candidate))}});
  if (candidate.destroy) candidate.destroy();
  session.watch.returned();
  return messages;
}

}  // namespace

conformance::Candidate made(const SessionOptions& options, const Session& session) {
  const conformance::Subject subject =
      watched(options.producers.front(), session, options.interpreter());
  conformance::Candidate candidate;
  adapter::FirstFailure failure;
  failure.attempt([&] { candidate = subject.make(session.comm); });
  Call(session.ranks, "daptor").check([&] {
    if (failure) std::rethrow_exception(failure.get());
  });
  session.watch.returned();
  return candidate;
}

int with_recorded(const SessionOptions& options,
                  const std::function<Status(const Recorded&)>& body) {
  return run_session(options, [&](const Session& session) {
    const std::string& producer = options.producers.front();
    std::vector<Message> messages = described_by_all(options, session);
    return Call(session.ranks, "daptor").check([&] {
      std::vector<std::string> texts;
      for (Message& message : messages) texts.push_back(text_of(std::exchange(message.bytes, {})));
      return session.first() ? body(join_ranks(producer, texts)) : Status::done;
    });
  });
}

}  // namespace daptor::cli
