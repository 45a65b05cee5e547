// SPDX-License-Identifier: BSD-3-Clause
#include "cli/version.hpp"

#include <mpi.h>

#include "cli/adapters.hpp"
#include "daptor/abi.h"
#include "daptor/adapter/found.hpp"
#include "daptor/config.hpp"

namespace daptor::cli {
namespace {

/// The name of the MPI whose headers were used.
std::string mpi_name() {
#ifdef OMPI_MAJOR_VERSION
  return "Open MPI";
#elif defined(MPICH_VERSION)
  return "MPICH";
#else
  return "MPI";
#endif
}

std::string mpi_number() {
#ifdef OMPI_MAJOR_VERSION
  return std::to_string(OMPI_MAJOR_VERSION) + "." + std::to_string(OMPI_MINOR_VERSION) + "." +
         std::to_string(OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
  return MPICH_VERSION;
#else
  return std::to_string(MPI_VERSION) + "." + std::to_string(MPI_SUBVERSION);
#endif
}

Library mpi() {
  Library library{"mpi", mpi_name() + ' ' + mpi_number()};
  library.found = adapter::found_mpi();
  // `Open MPI v4.1.4, package: ...` and `MPICH Version: 4.0.2` name the same in more words.
  if (library.found.find(mpi_name()) == 0 && library.found.find(mpi_number()) != std::string::npos)
    library.found = library.built;
  return library;
}

}  // namespace

std::string Library::text() const {
  return found.empty() || found == built ? built : built + "; found " + found;
}

std::vector<Library> libraries() {
  std::vector<Library> all{mpi()};
  const std::vector<AdapterFailure> failures = load_adapters();
  for (const Adapter& adapter : adapters()) {
    Library library{adapter.name, adapter.library};
    library.has_targets = !adapter.file.empty() || adapter.register_targets != nullptr;
    for (const AdapterFailure& failure : failures)
      if (failure.adapter == adapter.name) library.error = failure.sentence;
    all.push_back(library);
  }
  for (const adapter::FoundLibrary& found : adapter::found_libraries())
    for (Library& library : all) {
      if (library.name != found.adapter) continue;
      library.found = found.version;
      library.error = found.mismatch;
    }
  return all;
}

std::string version_text() {
  const std::vector<Library> all = libraries();
  std::string text = "daptor " DAPTOR_VERSION_STRING "\nprotocol: 0.9, 0.10\nC interface: " +
                     std::to_string(DAPTOR_ABI_VERSION) + "\nMPI: " + all.front().text() +
                     "\nadapters:";
  if (adapters().empty()) text += " none";
  for (const Library& library : all) {
    if (library.name == "mpi") continue;
    text += "\n  " + library.name + ": " + library.text();
    if (!library.error.empty()) text += "\n    error: " + library.error;
  }
  return text;
}

}  // namespace daptor::cli
