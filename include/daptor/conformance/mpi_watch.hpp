// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <mpi.h>

/// \file
/// Records which MPI calls a part of a program makes.

namespace daptor::conformance {

/// The kind of an MPI function, by its effect on other processes.
enum class MpiKind {
  point_to_point,  ///< sends, receives, probes
  collective,      ///< barriers, reductions, neighbourhood collectives, blocking or not
  communicator,    ///< makes or frees a communicator, which is collective too
  one_sided,       ///< windows and operations on them
  file,            ///< parallel file access
  completion       ///< waits and tests; another call began the communication
};

/// One call.
struct MpiCall {
  MpiKind kind = MpiKind::point_to_point;
  std::string function;  ///< `MPI_Allreduce`
  /// Label of the call's communicator, the same on all ranks that made it together: `world`,
  /// `self`, or its origin, such as `world.2` for the second communicator made from world. Empty if
  /// the call has no communicator.
  std::string communicator;

  friend bool operator==(const MpiCall& a, const MpiCall& b) {
    return a.kind == b.kind && a.function == b.function && a.communicator == b.communicator;
  }
  friend bool operator!=(const MpiCall& a, const MpiCall& b) { return !(a == b); }
};

/// `MPI_Allreduce on world.1`
std::ostream& operator<<(std::ostream& out, const MpiCall& call);
/// `MPI_Allreduce on world.1, MPI_Barrier on world (3 times)`: text for messages.
std::string to_string(const std::vector<MpiCall>& calls);

/// Records this process's MPI calls, on all threads and in all libraries, from its construction
/// until `stop`. Process-local. Several watches may exist at the same time.
///
/// A watch sees calls only if the program is linked with the wrappers (the CMake target
/// `daptor::conformance_watch`) and calls MPI by its C names. Calls in Fortran are seen if the
/// Fortran interface of the MPI library calls the C functions by those names (that of Open MPI and
/// of MPICH calls the profiling names, so its calls are not seen). Calls that MPI makes internally
/// are not recorded.
class MpiWatch {
 public:
  MpiWatch();
  MpiWatch(const MpiWatch&) = delete;
  MpiWatch& operator=(const MpiWatch&) = delete;
  ~MpiWatch();

  /// Ends the recording; a second call has no effect.
  void stop() noexcept;
  /// The recorded calls, in their order; complete after `stop`.
  const std::vector<MpiCall>& calls() const { return calls_; }
  /// Number of recorded calls of that kind, or of that function (`MPI_Allreduce`).
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
