// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <petscis.h>

#include "daptor/adapter/communicator.hpp"
#include "daptor/call.hpp"
#include "findings.hpp"

namespace daptor::petsc::detail {

/// How a layout of PETSc divides global indices among the ranks.
struct Ranges {
  std::vector<Index> starts;  ///< of each rank, and the global size
  int rank = 0;
  Index block = 1;  ///< block size of the layout

  IndexRange owned() const {
    const auto r = static_cast<std::size_t>(rank);
    return {starts[r], starts[r + 1]};
  }
  Index global_size() const { return starts.back(); }
  int owner(Index index) const;
};
/// Process-local. Those of a layout that is set up.
Ranges ranges_of(PetscObject object, PetscLayout layout);

/// What is asked of a mapping.
enum class MappingKind {
  one_to_one,  ///< each index is reached from one local index of a rank at most
  repeating,   ///< a periodic or mirrored grid reaches an index from several local ones
  subdomain    ///< need not reach what its rank owns, either; only its range is judged
};

/// Compares a local-to-global mapping with the layout that it maps to. For example, with two ranks
/// that own [0, 5) and [5, 10): the mapping {0, 1, 2, 3, 4, 5} of rank 0 and {6, 7, 8, 9, 10, 4} of
/// rank 1 leaves index 5 to no local index of its owner, although rank 0 reaches it, and 10 is out
/// of range. Negative indices are skipped, as PETSc does.
class MappingCheck {
 public:
  /// Process-local.
  /// @param mapping  null if this rank has none
  MappingCheck(ISLocalToGlobalMapping mapping, Ranges ranges, Findings findings, MappingKind kind);

  bool present() const { return present_; }
  Index block() const { return block_; }
  /// Whether an owned index is not reached on this rank.
  bool incomplete() const { return !missing_.empty(); }
  /// Whether nothing is wrong, as far as this rank knows.
  bool clean() const { return findings_.report().findings().empty() && missing_.empty(); }

  /// Other ranks' indices that this rank reaches, each once, in blocks of the mapping.
  const std::vector<Index>& their_indices() const { return their_indices_; }
  int owner(Index index) const { return ranges_.owner(index); }
  /// Another rank reaches this index of this rank.
  void reached_elsewhere(Index index);
  /// Process-local. What was found.
  /// @param least, greatest  block size of the mappings of all ranks
  /// @param on_some          whether there is a mapping on some ranks and not on others
  Report conclude(Index least, Index greatest, bool on_some);

 private:
  void judge(const PetscInt* indices, std::size_t count);
  void note_repeated(Severity severity, const char* rule, const std::string& whose, Index index,
                     std::size_t first, std::size_t second, Index in_total);
  void judge_others(const PetscInt* indices, std::vector<std::size_t> others);
  void tell_missing();
  std::string unit() const;  ///< what the numbers count: `index`, or `block`
  std::string local_text(std::size_t local) const;
  std::string hint() const;

  Ranges ranges_;  ///< in blocks of the mapping
  Findings findings_;
  MappingKind kind_;
  bool present_ = false;
  bool fits_ = true;  ///< in blocks that the layout has too
  Index block_ = 1;
  bool below_blocks_ = true;          ///< all indices are below the object's number of blocks
  std::vector<Index> missing_;        ///< owned indices that this rank does not reach
  std::vector<Index> elsewhere_;      ///< those of them that another rank reaches
  std::vector<Index> their_indices_;  ///< reached here and owned by others, in order
};

/// The mappings of one object, the same number on all ranks, as a fact of an Inspection.
class Mappings {
 public:
  void gather(std::vector<MappingCheck> mappings, Call& call);
  bool settled() const;
  /// Asks which indices are reached on other ranks than their owners, if there may be such.
  void ask(Call& call);
  void tell(Findings& findings);

 private:
  /// What all ranks say about one mapping.
  struct Said {
    Agreed<std::int64_t> least, greatest;
    Agreed<bool> on_all, on_none;

    bool on_some() const { return !on_all && !on_none; }
    bool of_one_size() const { return on_none || least == greatest; }
  };

  std::vector<MappingCheck> mappings_;
  std::vector<Said> said_;
  Agreed<bool> complete_, clean_;
  std::vector<Message> received_;
};

}  // namespace daptor::petsc::detail
