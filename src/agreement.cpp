#include "daptor/agreement.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "finding_packet.hpp"

namespace daptor {
namespace {

/// What a rank at fault sends: kind, number of findings, findings.
using ErrorPacket = detail::Packet<16384>;

/// As many findings as fit.
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

/// For a rank that had no memory left to say what is wrong.
Finding unspoken() {
  return error_finding("library.c++", -1, "", "an error that could not be put into words", "");
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
  throw_error(kind, std::move(report));
}

Report runtime_failure(const char* what) {
  return Report({error_finding("library.c++", -1, "", what, "")});
}

/// The sender's side may be out of memory: what it wants to say must not need any.
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

}  // namespace

void agree(const Communicator& comm, std::exception_ptr local) {
  constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
  std::int64_t first_at_fault = local ? comm.rank() : nobody;
  comm.allreduce(&first_at_fault, 1, Reduction::min);
  if (first_at_fault == nobody) return;
  const int sender = static_cast<int>(first_at_fault);
  ErrorPacket packet;
  if (comm.rank() == sender) pack(packet, local);
  comm.broadcast(packet.data(), packet.size(), sender);
  throw_packet(packet, sender);
}

}  // namespace daptor
