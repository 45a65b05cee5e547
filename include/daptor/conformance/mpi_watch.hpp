// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <mpi.h>

/// \file
/// Which calls of MPI a stretch of a program makes.

namespace daptor::conformance {

/// What a function of MPI does, as far as it reaches other processes.
enum class MpiKind {
  point_to_point,  ///< sends, receives, probes
  collective,      ///< barriers, reductions, neighbourhood collectives, blocking or not
  communicator,    ///< makes or frees a communicator: collective too
  one_sided,       ///< windows, and what is done in them
  file,            ///< parallel files
  completion       ///< waits and tests; the communication was begun by another call
};

/// One call.
struct MpiCall {
  MpiKind kind = MpiKind::point_to_point;
  std::string function;  ///< `MPI_Allreduce`
  /// Of the call's communicator, equal on all ranks that made it together: `world`, `self`, or
  /// where it comes from: `world.2` is the second made of world. Empty where the call has none.
  std::string communicator;

  friend bool operator==(const MpiCall& a, const MpiCall& b) {
    return a.kind == b.kind && a.function == b.function && a.communicator == b.communicator;
  }
  friend bool operator!=(const MpiCall& a, const MpiCall& b) { return !(a == b); }
};

/// `MPI_Allreduce on world.1`
std::ostream& operator<<(std::ostream& out, const MpiCall& call);
/// `MPI_Allreduce on world.1, MPI_Barrier on world (3 times)`: for messages.
std::string to_string(const std::vector<MpiCall>& calls);

/// Records this process's calls of MPI, those of all threads and libraries, from its construction
/// until `stop`. Process-local. Watches may overlap.
///
/// Sees something only where the program is linked with the wrappers (the CMake target
/// `daptor::conformance_watch`) and calls MPI by its C names. Calls in Fortran are seen where the
/// MPI library's Fortran interface calls the C one by those names (Open MPI's and MPICH's call the
/// profiling names, and are not). What MPI does for a call is not a call.
class MpiWatch {
 public:
  MpiWatch();
  MpiWatch(const MpiWatch&) = delete;
  MpiWatch& operator=(const MpiWatch&) = delete;
  ~MpiWatch();

  /// Ends the recording; does nothing the second time.
  void stop() noexcept;
  /// The recorded calls, in their order; complete after `stop`.
  const std::vector<MpiCall>& calls() const { return calls_; }
  /// How many recorded calls are of that kind, or of that function (`MPI_Allreduce`).
  int count(MpiKind kind) const;
  int count(std::string_view function) const;

  /// Whether calls are seen in this program; false before MPI_Init and after MPI_Finalize.
  static bool available();

 private:
  friend struct MpiRecorder;
  std::vector<MpiCall> calls_;
  bool watching_ = true;
};

}  // namespace daptor::conformance
