// SPDX-License-Identifier: BSD-3-Clause
// A user's program that links every component. With the name of a part it runs that part; without
// one it uses no adapter, and looks for the targets that adapters have registered.
#include <daptor/explain.hpp>
#include <iostream>
#include <string>

#define PART(name) int consumer_##name(int, char**);
#define FORTRAN_PART(name) extern "C" void consumer_##name();
#define HAS_TARGETS(adapter)
#include "parts.inc"
#undef PART
#undef FORTRAN_PART
#undef HAS_TARGETS

namespace {

bool has_targets(const std::string& adapter) {
  for (const daptor::Target& target : daptor::registered_targets())
    if (target.name.rfind(adapter + ".", 0) == 0) return true;
  std::cout << "No target of " << adapter << " is registered.\n";
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  bool works = wanted.empty();
#define PART(name) \
  if (wanted == #name) return consumer_##name(argc, argv);
#define FORTRAN_PART(name) \
  if (wanted == #name) {   \
    consumer_##name();     \
    return 0;              \
  }
#define HAS_TARGETS(adapter) works = has_targets(#adapter) && works;
#include "parts.inc"
  if (works) std::cout << "The registration of targets works.\n";
  return works ? 0 : 1;
}
