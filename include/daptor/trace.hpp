// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "daptor/adapter/json_line.hpp"
#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// A file with the fingerprints of a run, which `daptor compare` compares with those of another.

namespace daptor {

/// Keeps a trace file open. There may be one at a time.
///
/// \code
/// const daptor::Tracing tracing(comm, "three.json");
/// ...
/// daptor::trace(a, "temperature");  // on all ranks, here and wherever the array has changed
/// \endcode
/// `daptor compare one.json three.json` names the first of these calls at which the runs differ.
class Tracing {
 public:
  /// Collective. Rank 0 makes the file, or writes over it.
  /// @param comm  the processes that take part
  /// @param path  the same on all ranks
  /// @throws InvalidArgument on all ranks: `trace.file` if it cannot be written, `trace.open` if
  ///   there is a trace already
  Tracing(const Comm& comm, const std::string& path);
  /// The same with facts about the run, which the comparison tells.
  Tracing(const Comm& comm, const std::string& path, const adapter::JsonLine& facts);
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;
  /// Writes the end of the file and closes it. Process-local.
  ~Tracing();

  /// For adapters: adds a line. Process-local; rank 0 alone writes.
  void write(const adapter::JsonLine& line);
  const Comm& comm() const { return comm_; }

  /// The trace that is open on this process; null if there is none. Process-local.
  static Tracing* current();

 private:
  struct File;
  Comm comm_;
  std::unique_ptr<File> file_;  ///< null on other ranks than 0
};

/// Collective. Writes the fingerprint of an array to the open trace; does nothing if there is none.
/// @param array  on the processes of the trace
/// @param name   what the array is, the same in both runs that are compared
/// @throws what `fingerprint` throws, on all ranks
void trace(const DistArray& array, const std::string& name);

}  // namespace daptor
