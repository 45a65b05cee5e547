// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Teuchos_RCP.hpp>

#include "daptor/adapter/inspection.hpp"
#include "daptor/tpetra/adapter/map_record.hpp"

namespace Teuchos {
class LabeledObject;
}

namespace daptor::tpetra {

/// A check of one object of Tpetra.
class Inspection : public adapter::Inspection {
 public:
  /// @param map       the object's, on whose communicator it is
  /// @param findings  about the object
  Inspection(const Map& map, adapter::Findings findings);
};

/// Findings about an object of Tpetra, which is named `CrsMatrix 'stiffness'`.
/// @param part  the part of it that is looked at, such as `domain Map`; may be empty
adapter::Findings findings_about(const char* kind, const Teuchos::LabeledObject& object,
                                 const std::string& part = "");

/// The global index of a local one. Process-local, as are the next two, which leave alone the list
/// that Tpetra would make of a contiguous Map.
Index global_of(const Map& map, Index local);
/// Whether both have the same global indices on this rank, in the same order.
bool same_here(const Map& a, const Map& b);
/// Whether the Map is on the processes of the call.
bool on_processes_of(const Map& map, const Call& call);

/// What is asked of a Map.
enum class MapDemand {
  any,     ///< a rank may have an index several times, and share it
  unique,  ///< each index once on a rank
  owned    ///< each index on one rank, once
};

/// The Maps of one object, the same number on all ranks, those of which more is asked first, as a
/// fact of an Inspection.
class MapChecks {
 public:
  void add(const Teuchos::RCP<const Map>& map, MapDemand demand, adapter::Findings findings,
           const Call& call);
  static bool settled() { return false; }
  /// Compares what the ranks have been told of the Maps with what they have, and proves that no
  /// index of a Map that must be `owned` is on two ranks.
  void ask(Call& call);
  void tell(adapter::Findings& findings) const;

 private:
  /// What a rank says about one Map; the ranks take the least of each.
  struct Said {
    std::int64_t count, base;             ///< global number of indices, index base
    std::int64_t first, minus_last;       ///< of the indices on this rank; complement of the last
    std::int64_t distributed;             ///< 0 or 1, as what follows
    std::int64_t fits;                    ///< on the processes of the call
    std::int64_t unique;                  ///< no index twice on this rank
    std::int64_t earlier, minus_earlier;  ///< place of the first Map that is the same object
  };
  struct One {
    Teuchos::RCP<const Map> map;
    MapDemand demand;
    adapter::Findings findings;
    Said said;
    std::optional<Finding> shared = std::nullopt;  ///< an index, by this rank and another one
  };

  void tell_repeated(One& one) const;
  void compare(const Said& all, const Said& of_rank_0, std::int64_t count, One& one) const;
  bool must_prove(const Said& all, std::size_t place) const;

  std::vector<One> maps_;
};

}  // namespace daptor::tpetra
