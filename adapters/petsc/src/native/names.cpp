// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/petsc/adapter/names.hpp"

#include <cctype>
#include <cstddef>

namespace daptor::petsc::names {
namespace {

bool is_upper(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}

/// Where the class's name ends: at the second word, `Set` of MatSetUp, KSPSetUp and DMSetUp.
std::size_t end_of_class(const std::string& name) {
  std::size_t end = 1;
  while (end + 1 < name.size() && (!is_upper(name[end]) || is_upper(name[end + 1]))) ++end;
  return end;
}

}  // namespace

Terms function(const std::string& name) {
  const std::size_t end = end_of_class(name);
  std::string method = name.substr(end);
  method[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(method[0])));
  return terms::call(name, name.substr(0, end) + '.' + method, name);
}

}  // namespace daptor::petsc::names
