// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "daptor/call.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"
#include "proof/proven.hpp"

namespace daptor::detail {

/// What one all-reduce tells about the arrays of all ranks.
struct Survey {
  bool described = true;  ///< every rank has an array
  bool clean = true;      ///< no rank has a finding about its own part
  bool uniform = true;    ///< all arrays agree in the properties that must be the same everywhere
  bool row_major = true;  ///< ranks sit on the grid in row-major order
  /// blocks are even, cyclic dimensions dealt from process 0, no list needs comparing
  bool even = true;
  bool unpadded = true;  ///< no rank has padding; known only if blocks are even
  bool proven = false;   ///< all ranks have kept the same proof from an earlier walk
  bool kept = false;     ///< some rank has kept a proof
  PartSummary part;      ///< what this rank has said; only this member differs between ranks

  /// Whether every rank can compute which rank owns which index.
  bool regular() const { return row_major && even; }
};

/// Process-local. Writes what this rank says in a survey: `survey_words` words, of which the minima
/// over all ranks are the survey. May throw.
/// @param array  null on a rank that has none
/// @param clean  this rank has no finding about its own part
/// @param known  the proof that it has kept, or null
/// @returns what it has said, for `Survey::part`
PartSummary say(const Section* array, bool clean, const Comm& comm, const Proven* known,
                std::int64_t* words);

/// Process-local. Whether all ranks have kept the same proof (`Survey::proven`), from the minima of
/// their words.
bool proven(const std::int64_t* words);
/// Process-local. The survey of all ranks, from the minima of their words.
Survey heard(const std::int64_t* words, const PartSummary& part);

/// Collective. Adds to `report` the properties in which this rank's array differs from that of the
/// lowest rank that has one (T08, T14, T16, D05, D10, D15, D25, P06, C06, U10). Ranks may disagree
/// about anything. If one rank fails, all ranks throw.
void differences(const Section* array, Call& call, Report& report);

/// Process-local. The same for the section of this rank and that of rank `reference`.
void differences(const Section& array, const Section& theirs, int reference, Report& report);

/// Process-local. Checks that the grid has as many positions as the communicator has processes
/// (D14).
Report check_process_count(const Section& array, const Comm& comm);

/// Whether several processes share a grid rank along `dimension`.
bool on_several_lines(const Section& array, int dimension);

/// True on one process of each grid rank along `dimension`: the one with coordinate 0 in all other
/// dimensions. Its index list represents those of the others.
bool speaks(const Section& array, int dimension);

/// The row-major number of this process's grid coordinates, or of those `distance` further along a
/// dimension, which wraps around; -1 if it does not fit in 64 bits.
Index grid_number(const std::vector<Dimension>& dimensions, int along = -1, Index distance = 0);

/// Whether this process's part of the dimension is the one that even blocks, or a cyclic
/// distribution dealt from process 0, would give it.
bool regular_part(const Dimension& dimension);

}  // namespace daptor::detail
