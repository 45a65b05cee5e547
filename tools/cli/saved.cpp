// SPDX-License-Identifier: BSD-3-Clause
#include "cli/saved.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/adapters.hpp"
#include "daptor/error.hpp"

namespace daptor::cli {
namespace {

/// A file, and an array in it or nothing.
struct Subject {
  std::string path, name;
};

Subject parts_of(const std::string& subject) {
  std::error_code ignored;
  const std::size_t colon = subject.find(':');
  if (colon == std::string::npos || std::filesystem::exists(subject, ignored)) return {subject, ""};
  return {subject.substr(0, colon), subject.substr(colon + 1)};
}

/// HDF5 files begin with these bytes.
bool is_hdf5(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  constexpr std::string_view signature = "\211HDF\r\n\032\n";
  std::array<char, signature.size()> begin{};
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), begin.size());
  return file && std::string_view(begin.data(), begin.size()) == signature;
}

adapter::SavedArraysIn function_of(const SavedArraysAdapter& adapter) {
  if (adapter.function != nullptr) return adapter.function;
  // Never closed, as other adapters.
  void* const library = dlopen(adapter.file.c_str(), RTLD_LAZY | RTLD_LOCAL);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, adapter.symbol.c_str());
  if (symbol == nullptr)
    throw InvalidArgument("", "the " + adapter.name + " adapter does not load: " + dlerror(),
                          "an adapter that reads the file");
  return reinterpret_cast<adapter::SavedArraysIn>(symbol);
}

adapter::SavedArraysIn function_for(const std::string& path) {
  for (const SavedArraysAdapter& adapter : saved_arrays_adapters())
    if (adapter.name == "hdf5") return function_of(adapter);
  throw InvalidArgument("", "the HDF5 file '" + path + "'",
                        "a daptor that was built with HDF5 (DAPTOR_HDF5)");
}

std::string names_of(const std::vector<adapter::SavedArray>& arrays) {
  std::string names;
  for (const adapter::SavedArray& array : arrays) names += (names.empty() ? "" : ", ") + array.name;
  return names;
}

}  // namespace

bool names_saved(const std::string& subject) {
  return is_hdf5(parts_of(subject).path);
}

std::vector<adapter::SavedArray> saved_arrays(const std::string& subject) {
  const auto [path, name] = parts_of(subject);
  std::vector<adapter::SavedArray> arrays;
  function_for(path)(path.c_str(), &arrays);
  if (arrays.empty())
    throw InvalidArgument("", "no array that Daptor has saved in '" + path + "'",
                          "a file that save or append has written");
  if (name.empty()) return arrays;
  const std::string names = names_of(arrays);
  const auto other = [&, wanted = name](const adapter::SavedArray& array) {
    return array.name != wanted;
  };
  arrays.erase(std::remove_if(arrays.begin(), arrays.end(), other), arrays.end());
  if (arrays.empty())
    throw InvalidArgument("", "no array '" + name + "' in '" + path + "'", "one of " + names);
  return arrays;
}

Recorded read_saved(const std::string& subject) {
  const std::vector<adapter::SavedArray> arrays = saved_arrays(subject);
  if (arrays.size() > 1)
    throw InvalidArgument("", "several arrays in '" + subject + "': " + names_of(arrays),
                          "one of them, as " + subject + ':' + arrays[0].name);
  const adapter::SavedArray& array = arrays[0];
  if (!array.findings) throw InvalidArgument(array.findings);
  if (array.description.empty())
    throw InvalidArgument("", "'" + array.name + "', whose indices were dealt by lists or unevenly",
                          "an array of which the file says which process had what");
  std::istringstream text(array.description);
  return read_recorded(text);
}

}  // namespace daptor::cli
