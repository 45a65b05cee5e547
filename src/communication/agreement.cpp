// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/agreement.hpp"
#include "daptor/adapter/same.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "communication/hash.hpp"
#include "communication/lowest_rank.hpp"
#include "communication/mixed_calls.hpp"
#include "report/finding_packet.hpp"

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
  packet.seek(count_position);
  packet.write(count);
}

/// The finding for a rank that has no memory left to describe its error.
Finding unspoken() {
  return error_finding("library.c++", -1, "",
                       "an error that could not be described for lack of memory", "");
}

[[noreturn]] void throw_packet(ErrorPacket& packet, int sender) {
  packet.seek(0);
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
  throw_error(kind, report);
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
    packet.seek(0);
    packet.write(static_cast<std::int64_t>(ErrorKind::library_failed));
    packet.write(std::int64_t{0});
  }
}

/// The words of the first all-reduce of a call: the lowest rank with an error, the call's code and
/// how it falls (`adapter::same_on_all`), and the values that the call reduces itself. Their number
/// is the same in every call, so that ranks in different calls meet in the same reduction.
enum OpeningWord : std::size_t { at_fault, code, falling_code, values_start };
using Opening = std::array<std::int64_t, values_start + most_minima>;

/// Name of an agreement that belongs to no named call.
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

/// The first agreement of a call.
std::int64_t open(const Comm& comm, const char* name, std::int64_t first_at_fault,
                  std::int64_t* values, std::size_t count) {
  const std::int64_t own = code_of(name);
  Opening words{};
  words[at_fault] = first_at_fault;
  words[code] = own;
  words[falling_code] = adapter::falling(own);
  std::copy_n(values, count, words.data() + values_start);
  comm->allreduce(words.data(), static_cast<int>(words.size()), Reduction::min);
  if (!adapter::same_on_all(words[code], words[falling_code]))
    detail::refuse_mixed(comm, name, own);
  std::copy_n(words.data() + values_start, count, values);
  return words[at_fault];
}

/// A later agreement of a call.
std::int64_t go_on(const Comm& comm, std::int64_t first_at_fault, std::int64_t* values,
                   std::size_t count) {
  std::array<std::int64_t, 1 + most_minima> words{first_at_fault};
  std::copy_n(values, count, words.data() + 1);
  comm->allreduce(words.data(), static_cast<int>(1 + count), Reduction::min);
  std::copy_n(words.data() + 1, count, values);
  return words[0];
}

}  // namespace

void agree(const Comm& comm, const std::exception_ptr& local, std::int64_t* values,
           std::size_t count) {
  std::int64_t first_at_fault = local ? comm.rank() : detail::nobody;
  detail::OpenCall& call = comm->open_call();
  if (call.agreed) {
    first_at_fault = go_on(comm, first_at_fault, values, count);
  } else {
    const char* const name = call.name != nullptr ? call.name : unnamed;
    first_at_fault = open(comm, name, first_at_fault, values, count);
    call.agreed = call.name != nullptr;
  }
  if (first_at_fault == detail::nobody) return;
  const int sender = static_cast<int>(first_at_fault);
  ErrorPacket packet;
  if (comm.rank() == sender) pack(packet, local);
  comm->broadcast(packet.data(), packet.size(), sender);
  throw_packet(packet, sender);
}

void agree(const Comm& comm, const std::exception_ptr& local) {
  agree(comm, local, nullptr, 0);
}

}  // namespace daptor
