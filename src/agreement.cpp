#include "daptor/agreement.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>

namespace daptor {
namespace {

/// What a rank at fault sends: bounded, so that no receiver needs to know its size beforehand.
constexpr std::size_t message_limit = 16384;
using Packet = std::array<char, message_limit>;

/// Appends to a packet; says no where the packet is full.
class Writer {
 public:
  explicit Writer(Packet& packet) : packet_(packet) {}

  bool integer(std::int64_t value) {
    if (position_ + sizeof(value) > packet_.size()) return false;
    std::memcpy(packet_.data() + position_, &value, sizeof(value));
    position_ += sizeof(value);
    return true;
  }
  /// Texts are cut where they are very long.
  bool text(const std::string& text) {
    constexpr std::size_t text_limit = 1500;
    const std::size_t count = std::min(text.size(), text_limit);
    if (position_ + sizeof(std::int64_t) + count > packet_.size()) return false;
    integer(static_cast<std::int64_t>(count));
    std::memcpy(packet_.data() + position_, text.data(), count);
    position_ += count;
    return true;
  }
  std::size_t position() const { return position_; }
  void rewind(std::size_t position) { position_ = position; }

 private:
  Packet& packet_;
  std::size_t position_ = 0;
};

class Reader {
 public:
  explicit Reader(const Packet& packet) : packet_(packet) {}

  std::int64_t integer() {
    std::int64_t value = 0;
    std::memcpy(&value, packet_.data() + position_, sizeof(value));
    position_ += sizeof(value);
    return value;
  }
  std::string text() {
    const auto count = static_cast<std::size_t>(integer());
    std::string text(packet_.data() + position_, count);
    position_ += count;
    return text;
  }

 private:
  const Packet& packet_;
  std::size_t position_ = 0;
};

bool write_finding(Writer& writer, const Finding& finding) {
  bool fits =
      writer.text(finding.rule) && writer.integer(static_cast<std::int64_t>(finding.severity)) &&
      writer.integer(finding.rank_count) &&
      writer.integer(static_cast<std::int64_t>(std::min<std::size_t>(finding.ranks.size(), 8)));
  for (std::size_t i = 0; fits && i < std::min<std::size_t>(finding.ranks.size(), 8); ++i)
    fits = writer.integer(finding.ranks[i]);
  return fits && writer.integer(finding.dimension) && writer.text(finding.key) &&
         writer.text(finding.found) && writer.text(finding.expected) && writer.text(finding.remedy);
}

Finding read_finding(Reader& reader, int sender) {
  Finding finding;
  finding.rule = reader.text();
  finding.severity = static_cast<Severity>(reader.integer());
  finding.rank_count = reader.integer();
  const std::int64_t ranks = reader.integer();
  for (std::int64_t i = 0; i < ranks; ++i)
    finding.ranks.push_back(static_cast<int>(reader.integer()));
  finding.dimension = static_cast<int>(reader.integer());
  finding.key = reader.text();
  finding.found = reader.text();
  finding.expected = reader.text();
  finding.remedy = reader.text();
  if (finding.ranks.empty()) {
    finding.ranks.push_back(sender);
    finding.rank_count = 1;
  }
  return finding;
}

/// Kind, number of findings, findings: as many as fit.
void write_error(Packet& packet, ErrorKind kind, const Report& report) {
  Writer writer(packet);
  writer.integer(static_cast<std::int64_t>(kind));
  const std::size_t count_position = writer.position();
  writer.integer(0);
  std::int64_t count = 0;
  std::size_t end = writer.position();
  for (const Finding& finding : report.findings()) {
    if (!write_finding(writer, finding)) break;
    ++count;
    end = writer.position();
  }
  writer.rewind(count_position);
  writer.integer(count);
  writer.rewind(end);
}

[[noreturn]] void throw_packet(const Packet& packet, int sender) {
  Reader reader(packet);
  const auto kind = static_cast<ErrorKind>(reader.integer());
  const std::int64_t count = reader.integer();
  Report report;
  for (std::int64_t i = 0; i < count; ++i) report.add(read_finding(reader, sender));
  throw_error(kind, std::move(report));
}

Report runtime_failure(const char* what) {
  Finding finding;
  finding.rule = "library.c++";
  finding.found = what;
  return Report({std::move(finding)});
}

/// The sender's side may be out of memory: what it wants to say must not need any.
void pack(Packet& packet, const std::exception_ptr& failure) {
  packet.fill(0);
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
    const std::int64_t kind_and_no_findings[] = {
        static_cast<std::int64_t>(ErrorKind::library_failed), 0};
    std::memcpy(packet.data(), kind_and_no_findings, sizeof(kind_and_no_findings));
  }
}

}  // namespace

void agree(const Communicator& comm, std::exception_ptr local) {
  constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
  std::int64_t first_at_fault = local ? comm.rank() : nobody;
  comm.allreduce(&first_at_fault, 1, Reduction::min);
  if (first_at_fault == nobody) return;
  const int sender = static_cast<int>(first_at_fault);
  Packet packet;
  if (comm.rank() == sender) pack(packet, local);
  comm.broadcast(packet.data(), packet.size(), sender);
  throw_packet(packet, sender);
}

}  // namespace daptor
