// SPDX-License-Identifier: BSD-3-Clause
#include "cli/version.hpp"

#include <cctype>
#include <cstddef>

#include "cli/adapters.hpp"
#include "daptor/about.h"
#include "daptor/adapter/found.hpp"
#include "daptor/detail/node_text.hpp"

namespace daptor::cli {
namespace {

/// The MPI whose headers were used.
struct BuiltMpi {
  std::string name;
  std::string number;
};

BuiltMpi built_mpi() {
  const std::string text = daptor_configuration("mpi");
  const std::size_t space = text.rfind(' ');
  return {text.substr(0, space), text.substr(space + 1)};
}

/// Why `part` of Daptor does not work with the library that was found.
std::string misfit(const Library& library, const std::string& part) {
  return "this process has loaded " + library.found + ", and " + part + " was built with " +
         library.built + "; build Daptor with the one that programs run";
}

Library mpi() {
  const BuiltMpi built = built_mpi();
  Library library{"mpi", built.name + ' ' + built.number};
  library.found = adapter::found_mpi();
  if (!fits_mpi(library.found, built.name)) library.error = misfit(library, "Daptor");
  if (names_version(library.found, built.name, built.number)) library.found = library.built;
  return library;
}

/// On a line of its own; nothing where all is well.
std::string error_of(const Library& library, const std::string& indent) {
  return library.error.empty() ? "" : '\n' + indent + "error: " + library.error;
}

}  // namespace

bool names_version(const std::string& text, const std::string& name, const std::string& number) {
  if (text.compare(0, name.size(), name) != 0) return false;
  const auto is_part = [&](std::size_t place) {
    return place < text.size() && std::isdigit(static_cast<unsigned char>(text[place])) != 0;
  };
  for (std::size_t at = text.find(number); at != std::string::npos; at = text.find(number, at + 1))
    if (!is_part(at - 1) && !is_part(at + number.size())) return true;
  return false;
}

bool fits_mpi(const std::string& found, const std::string& built_name) {
  const std::string open = "Open MPI";
  return found.empty() || (found.compare(0, open.size(), open) == 0) == (built_name == open);
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
      if (!found.fits) library.error = misfit(library, "the adapter " + library.name);
    }
  return all;
}

std::string version_text() {
  const std::vector<Library> all = libraries();
  const auto built = [](const char* name) { return std::string(daptor_configuration(name)); };
  std::string text = "daptor " + built("version") + "\ncommit: " + built("commit") +
                     "\ncompiler: " + built("compiler") + ", " + built("standard") + ", " +
                     built("build_type") + "\nprotocol: " + built("protocol") +
                     "\nC interface: " + built("c_interface") + "\nMPI: " + all.front().text() +
                     error_of(all.front(), "  ") + "\nwithin a node: " + detail::node_text() +
                     "\nadapters:";
  if (adapters().empty()) text += " none";
  for (const Library& library : all) {
    if (library.name == "mpi") continue;
    text += "\n  " + library.name + ": " + library.text() + error_of(library, "    ");
  }
  return text;
}

}  // namespace daptor::cli
