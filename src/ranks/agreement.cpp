// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/agreement.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"
#include "ranks/hash.hpp"
#include "ranks/lowest_rank.hpp"
#include "ranks/mixed_calls.hpp"
#include "ranks/share_packet.hpp"
#include "report/make_error.hpp"

namespace daptor {
namespace {

/// What a rank with an error sends: kind, number of findings, findings.
using ErrorPacket = detail::Packet<16384>;

/// Writes as many findings as fit.
void write_error(ErrorPacket& packet, ErrorKind kind, const Report& report) {
  packet.write(static_cast<std::int64_t>(kind));
  const std::size_t count_position = packet.position();
  packet.write(std::int64_t{0});
  std::int64_t count = 0;
  for (const Finding& finding : report.findings()) {
    if (!packet.write(finding)) break;
    ++count;
  }
  const std::size_t end = packet.position();
  packet.seek(count_position);
  packet.write(count);
  packet.seek(end);
}

/// The finding for a rank that has no memory left to describe its error.
Finding unspoken() {
  return error_finding("library.c++", -1, "",
                       "an error that could not be described for lack of memory", "");
}

std::exception_ptr read_error(ErrorPacket& packet, int sender) {
  packet.rewind();
  const auto kind = static_cast<ErrorKind>(packet.read_integer());
  const std::int64_t count = packet.read_integer();
  Report report;
  for (std::int64_t i = 0; i < std::max<std::int64_t>(count, 1); ++i) {
    Finding finding = count > 0 ? packet.read_finding() : unspoken();
    if (finding.ranks.empty()) {
      finding.ranks.push_back(sender);
      finding.rank_count = 1;
    }
    report.add(std::move(finding));
  }
  return detail::make_error(kind, report);
}

Report runtime_failure(const char* what) {
  return Report({error_finding("library.c++", -1, "", what, "")});
}

/// Must not allocate, because the sender may be out of memory.
void pack(ErrorPacket& packet, const std::exception_ptr& failure) {
  try {
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      write_error(packet, error.kind(), error.report());
    } catch (const std::exception& error) {
      write_error(packet, ErrorKind::library_failed, runtime_failure(error.what()));
    } catch (...) {
      write_error(packet, ErrorKind::library_failed,
                  runtime_failure("an exception of unknown type"));
    }
  } catch (...) {
    packet.rewind();
    packet.write(static_cast<std::int64_t>(ErrorKind::library_failed));
    packet.write(std::int64_t{0});
  }
}

/// Name of an agreement that belongs to no call.
constexpr const char* unnamed = "agree";

/// Hashes eight characters at a time, because every opening hashes a name.
std::int64_t code_of(const char* name) {
  std::uint64_t hash = 0;
  for (std::size_t rest = std::strlen(name); rest > 0;) {
    const std::size_t count = std::min<std::size_t>(rest, 8);
    std::int64_t word = 0;
    std::memcpy(&word, name, count);
    hash = detail::extend(hash, word);
    name += count;
    rest -= count;
  }
  return static_cast<std::int64_t>(hash >> 1);
}

}  // namespace

detail::Agreement::Agreement(const Comm& comm, std::exception_ptr failure,
                             std::size_t array_count) noexcept
    : comm_(comm), failure_(std::move(failure)), name_(comm->open_call().name) {
  if (name_.text() == nullptr) name_ = unnamed;
  words_[rank_at_fault] = failure_ ? comm.rank() : nobody;
  words_[call_code] = code_of(name_.text());
  words_[falling_call_code] = ~words_[call_code];
  words_[unsurveyed] = nobody;
  words_[arrays] = static_cast<std::int64_t>(array_count);
  words_[falling_arrays] = ~words_[arrays];
}

void detail::Agreement::reduce() {
  const std::int64_t own = words_[call_code];
  comm_->allreduce(words_.data(), static_cast<int>(words_.size()), Reduction::min);
  if (words_[call_code] != ~words_[falling_call_code]) refuse_mixed(comm_, name_, own);
  if (words_[arrays] == ~words_[falling_arrays]) return;
  if (const std::exception_ptr failed = error()) std::rethrow_exception(failed);
  throw InvalidArgument(
      Report({error_finding("collective.mixed", -1, "",
                            name_.terms() + " with " + std::to_string(words_[arrays]) + " to " +
                                std::to_string(~words_[falling_arrays]) + " arrays",
                            "the same number of arrays on all ranks")}));
}

std::exception_ptr detail::Agreement::error() const {
  if (words_[rank_at_fault] == nobody) return nullptr;
  return error_from(comm_, static_cast<int>(words_[rank_at_fault]), failure_);
}

std::exception_ptr detail::error_from(const Comm& comm, int sender,
                                      const std::exception_ptr& failure) {
  ErrorPacket packet;
  if (comm.rank() == sender) pack(packet, failure);
  share(packet, comm, sender);
  return read_error(packet, sender);
}

}  // namespace daptor
