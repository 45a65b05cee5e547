// SPDX-License-Identifier: BSD-3-Clause
#include <petsc/private/sfimpl.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/routed.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/check.hpp"
#include "objects.hpp"

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
  if (detail::is_one_of(detail::object(scatter), {PETSCSFALLGATHER, PETSCSFALLGATHERV,
                                                  PETSCSFGATHER, PETSCSFGATHERV, PETSCSFALLTOALL}))
    return {};
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

/// Whether ranks have the elements that others read of them. It is the rank that has too few which
/// reports them. A fact of an Inspection.
class Reads {
 public:
  void gather(const Graph& graph, const Comm& comm, Findings& findings) {
    std::map<int, Read> greatest;
    std::vector<adapter::Routed<Read>> routed;
    note_greatest(greatest, graph, comm.rank());
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
    sent_ = adapter::sorted_messages(std::move(routed));
    roots_ = graph.roots;
  }
  static bool settled() { return false; }
  void ask(Call& call) { received_ = call.comm()->exchange(sent_); }
  void tell(Findings& findings) const {
    for (const Read& read : adapter::items_of<Read>(received_)) {
      if (read.element < roots_) continue;
      findings.error("check.scatter.range",
                     "destination " + std::to_string(read.leaf) + " of rank " +
                         std::to_string(read.reader) + " is read from element " +
                         std::to_string(read.element) + " of this rank",
                     "an element in " + terms::range({0, roots_}),
                     "Correct the graph, or the sizes of which it was made.");
      return;
    }
  }

 private:
  std::vector<Message> sent_, received_;
  Index roots_ = 0;
};

/// The local sizes of the Vecs against those of which VecScatterCreate has made the scatter,
/// forward or in reverse. PETSc compares them in debug builds only, and otherwise reads and writes
/// behind the ends.
void look_at_vecs(PetscSF scatter, Vec x, Vec y, Findings& findings) {
  const std::pair<PetscInt, PetscInt> made{scatter->vscat.from_n, scatter->vscat.to_n};
  if (made.first < 0 || made.second < 0) return;  // not known behind VecScatterRemap
  const std::pair<PetscInt, PetscInt> used{detail::local_size(x), detail::local_size(y)};
  if (used == made || used == std::pair(made.second, made.first)) return;
  findings.error("check.scatter.vec",
                 "used with " + detail::subject_of(detail::object(x)) + " of " +
                     detail::counted(used.first, "local element", "local elements") + " and " +
                     detail::subject_of(detail::object(y)) + " of " + std::to_string(used.second),
                 "local sizes " + std::to_string(made.first) + " and " +
                     std::to_string(made.second) + ", for which it was made",
                 "Use Vecs like those of which the scatter was made, for a DM its own global and "
                 "local vectors: PETSc would read or write behind their ends.");
}

}  // namespace

Report check(PetscSF scatter, Vec x, Vec y) {
  detail::Inspection look(detail::object(scatter));
  look.gather([&](Findings& findings) { look_at_vecs(scatter, x, y, findings); });
  return look.conclude();
}

Report check(PetscSF scatter) {
  detail::Inspection look(detail::object(scatter));
  Reads reads;
  look.gather([&](Findings& findings) {
    const Graph graph = graph_of(scatter);
    look_at_leaves(graph, findings);
    reads.gather(graph, look.call().comm(), findings);
  });
  return look.conclude(reads);
}

}  // namespace daptor::petsc
