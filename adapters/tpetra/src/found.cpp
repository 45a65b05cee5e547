// SPDX-License-Identifier: BSD-3-Clause
#include "found.hpp"

#include <cstddef>
#include <string>

#include <Trilinos_version.h>
#include <Tpetra_Version.hpp>

#include "daptor/adapter/found.hpp"
#include "daptor/adapter/reason.hpp"

namespace daptor::tpetra {
namespace {

constexpr const char* built = "Trilinos " TRILINOS_VERSION_STRING;

/// `Trilinos 13.2`, from `Tpetra in Trilinos 13.2`: what the library says, not its headers.
std::string version_of_library() {
  std::string version = ::Tpetra::version();
  const std::size_t start = version.find("Trilinos");
  if (start != std::string::npos) version.erase(0, start);
  return version;
}

/// The first two numbers of a version: `13.2` of `Trilinos 13.2.1`.
std::string release_of(const std::string& version) {
  const char* const digits = "0123456789";
  const std::size_t begin = version.find_first_of(digits);
  if (begin == std::string::npos) return "";
  std::size_t end = version.find_first_not_of(digits, begin);
  if (end != std::string::npos && version[end] == '.')
    end = version.find_first_not_of(digits, end + 1);
  return version.substr(begin, end == std::string::npos ? end : end - begin);
}

/// The headers have compiled much of Tpetra into Daptor, which therefore works with no library of
/// another release.
bool fits(const std::string& version) {
  return release_of(version) == release_of(built);
}

}  // namespace

void require_same_trilinos() {
  static const std::string found = version_of_library();
  static const bool same = fits(found);
  if (same) return;
  adapter::refuse_argument("tpetra.build", "a program that runs " + found,
                           std::string(built) + ", with which Daptor was built",
                           "Build Daptor with the program's Trilinos.");
}

void register_found_trilinos() {
  adapter::register_found("tpetra", [] {
    const std::string version = version_of_library();
    return adapter::FoundLibrary{"tpetra", version, fits(version)};
  });
}

}  // namespace daptor::tpetra
