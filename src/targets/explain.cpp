// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/explain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/edges.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/detail/widest_padding.hpp"
#include "daptor/one_to_one.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor {
namespace {

std::vector<Target>& targets() {
  static std::vector<Target> list;
  return list;
}

/// Number of planning steps up to which `explain` plans a copy to count its bytes.
constexpr double most_steps = 1e7;

/// Number of pieces into which another layout may divide this dimension.
double pieces_along(const Dimension& dimension) {
  if (const auto* cyclic = dimension.as<Cyclic>())
    return static_cast<double>(dimension.global_size()) / static_cast<double>(cyclic->block_size);
  if (const auto* list = dimension.as<Unstructured>())
    return static_cast<double>(list->indices.size());
  return 1;
}

/// Estimated number of steps for planning on this process: the number of pieces along all
/// dimensions. With `rows`, one side numbers the elements of the other, and the pieces of the last
/// dimension are planned for each row.
double planning_steps(const Section& array, bool rows) {
  double all_rows = 1;
  double steps = 1;
  for (int d = 0; d < array.ndim(); ++d) {
    const double pieces = pieces_along(array.dimension(d));
    if (!rows || d + 1 == array.ndim())
      steps += pieces;
    else
      all_rows *=
          std::max(pieces, static_cast<double>(array.owned_shape()[static_cast<std::size_t>(d)]));
  }
  return rows ? steps * all_rows : steps;
}

bool worth_planning(const Section& source, const Section& target, const Comm& comm) {
  const bool rows = source.global_shape() != target.global_shape();
  double steps = planning_steps(source, rows) + planning_steps(target, rows);
  // Simulated ranks share one process, hence its time and memory.
  if (dynamic_cast<const MpiDuplicate*>(&*comm) == nullptr)
    steps = (steps + comm.size()) * comm.size();
  return steps <= most_steps;
}

/// Process-local. If an error occurs, the copy is not offered.
std::optional<TargetCopy> described_copy(const Target& target, const Section& array,
                                         const CopyRequest& request) {
  try {
    std::optional<TargetCopy> copy = target.copy(array, request);
    if (copy) {
      if (copy->options.read_from_any && !copy->call.has("read_from_any"))
        copy->call.options.emplace_back("read_from_any", "true");
      copy->source.defect().raise();
      copy->target.defect().raise();
    }
    return copy;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::int64_t digest_of(const Suggestion& call) {
  std::string all = call.function + '\n' + call.text.str();
  for (const auto& [name, value] : call.options) all += '\n' + name + '=' + value;
  return static_cast<std::int64_t>(std::hash<std::string>{}(all) >> 1);
}

/// Collective. `nullopt` if redistribution would refuse the copy.
std::optional<std::int64_t> bytes_of(const TargetCopy& copy, const Comm& comm) {
  try {
    return copy.times *
           bytes_to_redistribute(copy.source.on(comm), copy.target.on(comm), copy.options);
  } catch (const InvalidArgument&) {
    return std::nullopt;
  } catch (const Malformed&) {
    return std::nullopt;
  }
}

/// Collective. Adds the copy to a verdict that refuses the array.
void add_copy(const Target& target, const Section& array, const Comm& comm,
              Assessment& assessment) {
  Call call(comm, "explain");
  const auto widest = call.greatest(detail::widest_padding(array));
  call.check();
  const auto copy = described_copy(target, array, {comm.rank(), comm.size(), widest});
  const auto text = copy ? digest_of(copy->call) : 0;
  const auto offered = call.all(copy.has_value());
  const auto least = call.least(text), greatest = call.greatest(text);
  const auto worth =
      call.all([&] { return copy && worth_planning(copy->source, copy->target, comm); });
  call.check();
  if (!offered || least != greatest) return;
  if (worth) {
    assessment.bytes_to_move = bytes_of(*copy, comm);
    if (!assessment.bytes_to_move) return;
  }
  assessment.copy = copy->call;
}

/// Collective.
/// @throws InvalidArgument, Malformed on all ranks, if redistribution refuses one of the moves
UseCost cost_of(const TargetUse& use, const Comm& comm) {
  UseCost cost{use.name, static_cast<std::int64_t>(use.moves.size())};
  Call call(comm, "explain");
  const auto worth = call.all([&] {
    return std::all_of(use.moves.begin(), use.moves.end(), [&](const TargetMove& move) {
      return worth_planning(move.source, move.target, comm);
    });
  });
  call.check();
  if (!worth) return cost;
  std::int64_t bytes = 0;
  for (const TargetMove& move : use.moves)
    bytes = checked_add(bytes, bytes_to_redistribute(move.source.on(comm), move.target.on(comm),
                                                     move.options))
                .value_or(std::numeric_limits<std::int64_t>::max());
  cost.bytes_to_move = bytes;
  return cost;
}

/// Collective.
/// @throws NotRepresentable, Malformed on all ranks, if the target can do nothing with the array
std::vector<UseCost> costs_of_uses(const Target& target, const DistArray& array) {
  try {
    std::vector<UseCost> costs;
    for (const TargetUse& use : target.uses(array)) costs.push_back(cost_of(use, array.comm()));
    return costs;
  } catch (const InvalidArgument& refusal) {
    throw NotRepresentable(refusal.report());
  }
}

/// What the targets are asked about.
struct Asked {
  DistArray array;
  /// Why the sections do not form one array; empty if they do.
  std::vector<Finding> against;
  /// Those of Assessment.
  std::vector<Index> padded_shape = {}, interior_shape = {};
};

/// Collective. The array with what its index lists show stated in its description, since imports
/// prove this too if a description leaves it open. If the array is not described, this throws its
/// defect before a target looks at it: a target's reasons are not errors, so without the throw
/// ranks would take different paths. For the same reason no target is asked about sections that do
/// not form one array: where one rank has a list and another has none, they would communicate
/// differently.
Asked proven(const DistArray& array, Call& call) {
  const auto open = call.all([&] { return adapter::may_share_indices(array); });
  adapter::EdgesOfAll edges;
  edges.say(array, call);
  call.check();
  try {
    require_consistent(array);
  } catch (const Malformed& refusal) {
    return {array, refusal.report().findings()};
  }
  Asked asked{open ? prove_one_to_one(array).array : array, {}};
  if (const auto found = edges.heard(array, call)) {
    asked.padded_shape = array.global_shape();
    asked.interior_shape = adapter::interior_shape(array, *found);
  }
  return asked;
}

Assessment assess_proven(const Target& target, const Asked& asked) {
  const DistArray& array = asked.array;
  const Comm comm = array.comm();
  Assessment assessment;
  assessment.target = target.name;
  assessment.call = target.call;
  assessment.reasons = asked.against;
  if (!asked.against.empty()) return assessment;
  assessment.padded_shape = asked.padded_shape;
  assessment.interior_shape = asked.interior_shape;
  LocalAssessment local;
  try {
    Call call(comm, "explain");
    call.check([&] {
      local = target.assess(array, comm.size());
      if (!local.reasons.empty()) throw NotRepresentable(Report(std::move(local.reasons)));
    });
    if (target.agree) target.agree(array, call);
    if (target.uses) assessment.uses = costs_of_uses(target, array);
    assessment.representable = true;
  } catch (const NotRepresentable& refusal) {
    assessment.reasons = refusal.report().findings();
  } catch (const Malformed& refusal) {
    assessment.reasons = refusal.report().findings();
  }
  if (!assessment.representable) {
    if (target.copy) add_copy(target, array, comm, assessment);
    return assessment;
  }
  // Rounded up to whole bytes, because the reduction is over integers.
  auto bytes = static_cast<std::int64_t>(std::ceil(local.bytes_per_index));
  comm->allreduce(&bytes, 1, Reduction::max);
  assessment.bytes_per_index = static_cast<double>(bytes);
  return assessment;
}

}  // namespace

TargetCopy copy_of(const Section& array, Suggestion call, std::vector<Dimension> dimensions,
                   Order order) {
  TargetCopy copy{std::move(call), array,
                  describe(array.type(), nullptr, std::move(dimensions), order)};
  copy.options.read_from_any = copy.call.has("read_from_any");
  return copy;
}

TargetCopy copy_of(const Section& array, Suggestion call, const CopyRequest& request,
                   const TargetLayout& layout) {
  return copy_of(array, std::move(call),
                 layout.dimensions(array.global_shape(), request.rank, request.process_count),
                 layout.order);
}

TargetCopy padded_copy_of(const Section& array, Suggestion call) {
  Buffer buffer(array.type(), array.local_shape(), array.byte_strides(), nullptr);
  TargetCopy copy{std::move(call), array,
                  Section(array.version(), std::move(buffer), array.dimensions())};
  copy.options.fill_padding = true;
  copy.options.read_from_any = copy.call.has("read_from_any");
  return copy;
}

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

void require_representable(const Target& target, const Section& array, int process_count) {
  LocalAssessment local = target.assess(array, process_count);
  if (!local.reasons.empty()) throw NotRepresentable(Report(std::move(local.reasons)));
}

Assessment assess(const Target& target, const DistArray& array) {
  Call call(array.comm(), "assess");
  return assess_proven(target, proven(array, call));
}

Explanation explain(const DistArray& array) {
  return explain(array, registered_targets());
}

Explanation explain(const DistArray& array, const std::vector<Target>& targets) {
  Call call(array.comm(), "explain");
  const Asked asked = proven(array, call);
  Explanation explanation;
  for (const Target& target : targets) explanation.push_back(assess_proven(target, asked));
  return explanation;
}

Terms Assessment::sizes() const {
  if (padded_shape.empty()) return {};
  return adapter::shape_text(padded_shape) + " elements with boundary padding, " +
         adapter::shape_text(interior_shape) + " without: " + names::without_padding;
}

std::ostream& operator<<(std::ostream& out, const UseCost& cost) {
  out << cost.name;
  if (cost.redistributions == 0) return out << " moves nothing between processes";
  if (cost.bytes_to_move)
    out << " moves " << *cost.bytes_to_move << " bytes between processes in ";
  else
    out << " takes ";
  return out << cost.redistributions << " redistribution" << (cost.redistributions > 1 ? "s" : "");
}

static void write_sizes(std::ostream& out, const Assessment& assessment,
                        const Rendering& rendering) {
  const std::string sizes = assessment.sizes().in(rendering);
  if (!sizes.empty()) out << "\n    Sizes: " << sizes;
}

/// The call that copies, what it moves, and what must be true before it.
static void write_copy(std::ostream& out, const Assessment& assessment,
                       const Rendering& rendering) {
  const std::string copy = assessment.copy.text.in(rendering);
  if (copy.empty()) return;
  out << "\n    A copy: " << copy;
  if (assessment.bytes_to_move)
    out << " moves " << *assessment.bytes_to_move << " bytes between processes";
  const std::string condition = assessment.copy.condition().in(rendering);
  if (!condition.empty()) out << "\n    Condition: " << condition;
}

std::string to_string(const Assessment& assessment, const Rendering& rendering) {
  constexpr std::size_t column = 24;
  const std::size_t width = assessment.target.size();
  std::ostringstream out;
  out << assessment.target << std::string(width < column ? column - width : 1, ' ');
  if (assessment.representable) {
    const std::string call = assessment.call.in(rendering);
    out << "yes" << (call.empty() ? ", in C++" : ", by " + call);
    if (assessment.bytes_per_index > 0)
      out << " (keeps " << assessment.bytes_per_index << " bytes per index)";
    for (const UseCost& use : assessment.uses) out << "\n    In use: " << use;
  } else {
    out << "no";
    for (const Finding& reason : assessment.reasons)
      out << "\n    " << to_string(reason, rendering);
    write_copy(out, assessment, rendering);
  }
  write_sizes(out, assessment, rendering);
  return out.str();
}

std::ostream& operator<<(std::ostream& out, const Assessment& assessment) {
  return out << to_string(assessment);
}

std::string to_string(const Explanation& explanation, const Rendering& rendering) {
  std::string text;
  for (const Assessment& assessment : explanation) text += to_string(assessment, rendering) + '\n';
  return text;
}

std::ostream& operator<<(std::ostream& out, const Explanation& explanation) {
  return out << to_string(explanation);
}

}  // namespace daptor
