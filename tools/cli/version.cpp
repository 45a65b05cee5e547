// SPDX-License-Identifier: BSD-3-Clause
#include "cli/version.hpp"

#include <mpi.h>

#include "cli/adapters.hpp"
#include "daptor/abi.h"
#include "daptor/config.hpp"

namespace daptor::cli {
namespace {

std::string mpi_text() {
#ifdef OMPI_MAJOR_VERSION
  return "Open MPI " + std::to_string(OMPI_MAJOR_VERSION) + "." +
         std::to_string(OMPI_MINOR_VERSION) + "." + std::to_string(OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
  return "MPICH " MPICH_VERSION;
#else
  return "MPI " + std::to_string(MPI_VERSION) + "." + std::to_string(MPI_SUBVERSION);
#endif
}

}  // namespace

std::string version_text() {
  std::string text = "daptor " DAPTOR_VERSION_STRING "\nprotocol: 0.9, 0.10\nC interface: " +
                     std::to_string(DAPTOR_ABI_VERSION) + "\nMPI: " + mpi_text() + "\nadapters:";
  if (adapters().empty()) text += " none";
  for (const Adapter& adapter : adapters()) text += "\n  " + adapter.name + ": " + adapter.library;
  return text;
}

}  // namespace daptor::cli
