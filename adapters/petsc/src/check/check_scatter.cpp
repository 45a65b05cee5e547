// SPDX-License-Identifier: BSD-3-Clause
#include <petsc/private/sfimpl.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/merged.hpp"
#include "daptor/adapter/routed.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/check.hpp"
#include "findings.hpp"

namespace daptor::petsc {
namespace {

using detail::Findings;

/// The graph of a PetscSF on this rank: each leaf, a place to which is written, has a root on some
/// rank. Empty for graphs that are patterns, which PETSc makes itself and expands only if asked.
struct Graph {
  PetscInt roots = 0, count = 0;
  const PetscInt* leaves = nullptr;  ///< null: 0, 1, 2, …
  const PetscSFNode* sources = nullptr;

  PetscInt leaf(PetscInt i) const { return leaves == nullptr ? i : leaves[i]; }
};

Graph graph_of(PetscSF scatter) {
  for (const char* type :
       {PETSCSFALLGATHER, PETSCSFALLGATHERV, PETSCSFGATHER, PETSCSFGATHERV, PETSCSFALLTOALL}) {
    PetscBool same = PETSC_FALSE;
    detail::call("PetscObjectTypeCompare", PetscObjectTypeCompare, detail::object(scatter), type,
                 &same);
    if (same == PETSC_TRUE) return {};
  }
  Graph graph;
  detail::call("PetscSFGetGraph", PetscSFGetGraph, scatter, &graph.roots, &graph.count,
               &graph.leaves, &graph.sources);
  if (graph.roots < 0 || graph.sources == nullptr) graph.count = 0;
  return graph;
}

std::string node_text(const PetscSFNode& node) {
  return "element " + std::to_string(node.index) + " of rank " + std::to_string(node.rank);
}

/// Leaves that have several roots, of which the last one to arrive would be kept.
void look_at_leaves(const Graph& graph, Findings& findings) {
  if (graph.leaves == nullptr) return;
  std::vector<PetscInt> order(static_cast<std::size_t>(graph.count));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<PetscInt>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](PetscInt a, PetscInt b) { return graph.leaves[a] < graph.leaves[b]; });
  const auto twice = std::adjacent_find(order.begin(), order.end(), [&](PetscInt a, PetscInt b) {
    const PetscSFNode &one = graph.sources[a], &other = graph.sources[b];
    return graph.leaves[a] == graph.leaves[b] &&
           (one.rank != other.rank || one.index != other.index);
  });
  if (twice == order.end()) return;
  findings.warning("check.scatter.twice",
                   "destination " + std::to_string(graph.leaves[*twice]) + " is written from " +
                       node_text(graph.sources[twice[0]]) + " and from " +
                       node_text(graph.sources[twice[1]]),
                   "one source for each destination: with INSERT_VALUES it is left open which one "
                   "remains",
                   "Correct the index sets, or use the scatter with ADD_VALUES only.");
}

/// The largest element that a rank reads from another one.
struct Read {
  Index element;
  Index leaf;  ///< the destination for which it does
  Index reader;
};

void note_greatest(std::map<int, Read>& greatest, const Graph& graph, int rank) {
  for (PetscInt i = 0; i < graph.count; ++i) {
    const Read read{graph.sources[i].index, graph.leaf(i), rank};
    const auto [place, added] = greatest.emplace(static_cast<int>(graph.sources[i].rank), read);
    if (!added && place->second.element < read.element) place->second = read;
  }
}

/// This rank's work before elements that are read are told to their owners.
std::vector<Message> reads_of(const Graph& graph, const Comm& comm, Findings& findings) {
  std::map<int, Read> greatest;
  note_greatest(greatest, graph, comm.rank());
  std::vector<adapter::Routed<Read>> routed;
  for (const auto& [rank, read] : greatest) {
    if (rank >= 0 && rank < comm.size()) {
      routed.push_back({rank, read});
      continue;
    }
    findings.error(
        "check.scatter.range",
        "destination " + std::to_string(read.leaf) + " is read from rank " + std::to_string(rank),
        "a rank of the communicator", "Correct the graph.");
  }
  return adapter::sorted_messages(std::move(routed));
}

/// Ranks that read behind the end of what this rank has. It is this rank that reports them.
void look_at_readers(const std::vector<Message>& received, const Graph& graph, Findings& findings) {
  for (const Read& read : adapter::items_of<Read>(received)) {
    if (read.element < graph.roots) continue;
    findings.error("check.scatter.range",
                   "destination " + std::to_string(read.leaf) + " of rank " +
                       std::to_string(read.reader) + " is read from element " +
                       std::to_string(read.element) + " of this rank",
                   "an element in " + terms::range({0, graph.roots}),
                   "Correct the graph, or the sizes of which it was made.");
    return;
  }
}

PetscInt element_count(Vec vec) {
  PetscInt size = 0;
  detail::call("VecGetLocalSize", VecGetLocalSize, vec, &size);
  return size;
}

/// The local sizes of the Vecs against those of which VecScatterCreate has made the scatter,
/// forward or in reverse. PETSc compares them in debug builds only, and otherwise reads and writes
/// behind the ends.
void look_at_vecs(PetscSF scatter, Vec x, Vec y, Findings& findings) {
  const std::pair<PetscInt, PetscInt> made{scatter->vscat.from_n, scatter->vscat.to_n};
  if (made.first < 0 || made.second < 0) return;  // not known behind VecScatterRemap
  const std::pair<PetscInt, PetscInt> used{element_count(x), element_count(y)};
  if (used == made || used == std::pair(made.second, made.first)) return;
  findings.error("check.scatter.vec",
                 "used with " + Findings(detail::object(x)).subject() + " of " +
                     detail::counted(used.first, "local element", "local elements") + " and " +
                     Findings(detail::object(y)).subject() + " of " + std::to_string(used.second),
                 "local sizes " + std::to_string(made.first) + " and " +
                     std::to_string(made.second) + ", for which it was made",
                 "Use Vecs like those of which the scatter was made, for a DM its own global and "
                 "local vectors: PETSc would read or write behind their ends.");
}

}  // namespace

Report check(PetscSF scatter, Vec x, Vec y) {
  Call call(detail::comm_of(detail::object(scatter)), "petsc::check");
  return adapter::merged(call, [&] {
    detail::require_session();
    Findings findings(detail::object(scatter));
    look_at_vecs(scatter, x, y, findings);
    return findings.report();
  });
}

Report check(PetscSF scatter) {
  Call call(detail::comm_of(detail::object(scatter)), "petsc::check");
  std::optional<Findings> findings;
  Graph graph;
  const std::vector<Message> sent = call.check([&] {
    detail::require_session();
    findings.emplace(detail::object(scatter));
    graph = graph_of(scatter);
    look_at_leaves(graph, *findings);
    return reads_of(graph, call.comm(), *findings);
  });
  const std::vector<Message> received = call.comm()->exchange(sent);
  return adapter::merged(call, [&] {
    look_at_readers(received, graph, *findings);
    return findings->report();
  });
}

}  // namespace daptor::petsc
