// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <string>

#include <mpi.h>

#include "daptor/abi.h"
#include "daptor/about.h"
#include "daptor/about.hpp"

namespace daptor {
namespace {

#define DAPTOR_TEXT_OF(number) #number
#define DAPTOR_TEXT(macro) DAPTOR_TEXT_OF(macro)

constexpr const char* built_mpi =
#ifdef OMPI_MAJOR_VERSION
    "Open MPI " DAPTOR_TEXT(OMPI_MAJOR_VERSION) "." DAPTOR_TEXT(OMPI_MINOR_VERSION) "." DAPTOR_TEXT(
        OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
    "MPICH " MPICH_VERSION;
#else
    "MPI " DAPTOR_TEXT(MPI_VERSION) "." DAPTOR_TEXT(MPI_SUBVERSION);
#endif

}  // namespace

const std::vector<ConfigurationEntry>& configuration() {
  static const std::vector<ConfigurationEntry> entries = {
#include "daptor/detail/configuration.inc"
  };
  return entries;
}

}  // namespace daptor

const char* daptor_configuration(const char* name) {
  if (name == nullptr) {
    static const std::string all = [] {
      std::string text;
      for (const daptor::ConfigurationEntry& entry : daptor::configuration())
        text += std::string(entry.name) + ": " + entry.value + '\n';
      return text;
    }();
    return all.c_str();
  }
  for (const daptor::ConfigurationEntry& entry : daptor::configuration())
    if (std::strcmp(entry.name, name) == 0) return entry.value;
  return nullptr;
}
