// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/found.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <mpi.h>

namespace daptor::adapter {
namespace {

struct Question {
  std::string adapter;
  std::function<FoundLibrary()> ask;
};

std::vector<Question>& questions() {
  // Filled while libraries are loaded, in any order.
  static std::vector<Question> list;
  return list;
}

}  // namespace

void register_found(std::string adapter, std::function<FoundLibrary()> ask) {
  std::vector<Question>& list = questions();
  const auto same = std::find_if(list.begin(), list.end(),
                                 [&](const Question& known) { return known.adapter == adapter; });
  if (same != list.end()) {
    same->ask = std::move(ask);
  } else {
    list.push_back({std::move(adapter), std::move(ask)});
  }
}

std::vector<FoundLibrary> found_libraries() {
  std::vector<FoundLibrary> found;
  found.reserve(questions().size());
  for (const Question& question : questions()) found.push_back(question.ask());
  return found;
}

std::string found_mpi() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return {};
  const std::string all(text, static_cast<std::size_t>(std::max(length, 0)));
  return all.substr(0, all.find('\n'));
}

}  // namespace daptor::adapter
