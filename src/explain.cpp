#include "daptor/explain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "daptor/agreement.hpp"

namespace daptor {
namespace {

std::vector<Target>& targets() {
  static std::vector<Target> list;
  return list;
}

}  // namespace

void register_target(Target target) {
  std::vector<Target>& list = targets();
  const auto same = std::find_if(list.begin(), list.end(),
                                 [&](const Target& other) { return other.name == target.name; });
  if (same != list.end()) {
    *same = std::move(target);
  } else {
    list.push_back(std::move(target));
  }
}

const std::vector<Target>& registered_targets() {
  return targets();
}

void require_representable(const Target& target, const DistArray& array, int process_count) {
  LocalAssessment local = target.assess(array, process_count);
  if (!local.reasons.empty()) throw NotRepresentable(Report(std::move(local.reasons)));
}

Assessment assess(const Target& target, const DistArray& array, const Communicator& comm) {
  Assessment assessment;
  assessment.target = target.name;
  assessment.call = target.call;
  LocalAssessment local;
  try {
    agreed(comm, [&] {
      local = target.assess(array, comm.size());
      if (!local.reasons.empty()) throw NotRepresentable(Report(std::move(local.reasons)));
    });
    assessment.representable = true;
  } catch (const NotRepresentable& refusal) {
    assessment.reasons = refusal.report().findings();
    return assessment;
  }
  // Whole bytes: the reduction is over integers.
  auto bytes = static_cast<std::int64_t>(std::ceil(local.bytes_per_index));
  comm.allreduce(&bytes, 1, Reduction::max);
  assessment.bytes_per_index = static_cast<double>(bytes);
  return assessment;
}

Explanation explain(const DistArray& array, const Communicator& comm) {
  Explanation explanation;
  for (const Target& target : registered_targets())
    explanation.push_back(assess(target, array, comm));
  return explanation;
}

Explanation explain(const DistArray& array, MPI_Comm comm) {
  return explain(array, MpiCommunicator(comm));
}

std::ostream& operator<<(std::ostream& out, const Assessment& assessment) {
  constexpr std::size_t column = 24;
  const std::size_t width = assessment.target.size();
  out << assessment.target << std::string(width < column ? column - width : 1, ' ');
  if (assessment.representable) {
    out << "yes, by " << assessment.call;
    if (assessment.bytes_per_index > 0)
      out << " (keeps " << assessment.bytes_per_index << " bytes an index)";
    return out;
  }
  out << "no";
  for (const Finding& reason : assessment.reasons) out << "\n    " << reason;
  return out;
}

std::ostream& operator<<(std::ostream& out, const Explanation& explanation) {
  for (const Assessment& assessment : explanation) out << assessment << '\n';
  return out;
}

}  // namespace daptor
