// SPDX-License-Identifier: BSD-3-Clause
#include "program_place.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <petscsys.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

namespace daptor::petsc::plugin::doctor {
namespace {

/// A function of Python's library in this process; null if there is none.
template <class Function>
Function found(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

/// What is called of Python; it is looked for once.
struct Python {
  int (*running)() = found<int (*)()>("Py_IsInitialized");
  int (*locked)() = running == nullptr ? nullptr : found<int (*)()>("PyGILState_Check");
  void* (*frame)() = running == nullptr ? nullptr : found<void* (*)()>("PyEval_GetFrame");
  int (*line)(void*) = running == nullptr ? nullptr
                                          : found<int (*)(void*)>("PyFrame_GetLineNumber");
  void* (*code)(void*) = running == nullptr ? nullptr : found<void* (*)(void*)>("PyFrame_GetCode");
  void* (*attribute)(void*, const char*) =
      running == nullptr ? nullptr : found<void* (*)(void*, const char*)>("PyObject_GetAttrString");
  const char* (*text)(void*) = running == nullptr
                                   ? nullptr
                                   : found<const char* (*)(void*)>("PyUnicode_AsUTF8");
  void (*release)(void*) = running == nullptr ? nullptr : found<void (*)(void*)>("Py_DecRef");
  void (*clear)() = running == nullptr ? nullptr : found<void (*)()>("PyErr_Clear");

  /// Whether this thread runs Python and holds its lock.
  bool runs() const {
    return running != nullptr && locked != nullptr && frame != nullptr && line != nullptr &&
           code != nullptr && attribute != nullptr && text != nullptr && release != nullptr &&
           clear != nullptr && running() != 0 && locked() != 0;
  }
  /// The text of an attribute; empty if there is none.
  std::string text_of(void* object, const char* name) const {
    void* const value = attribute(object, name);
    const char* const characters = value == nullptr ? nullptr : text(value);
    std::string copy = characters == nullptr ? "" : characters;
    if (value != nullptr) release(value);
    if (characters == nullptr) clear();
    return copy;
  }
};

/// The line of the innermost Python frame; empty without one.
std::string python_line() {
  static const Python python;
  void* const frame = python.runs() ? python.frame() : nullptr;
  if (frame == nullptr) return {};
  void* const code = python.code(frame);
  const std::string file = python.text_of(code, "co_filename");
  const std::string function = python.text_of(code, "co_name");
  python.release(code);
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(python.line(frame)) +
         (function == "<module>" ? "" : " in " + function);
}

/// The base address of the module that has the function.
template <class Result, class... Parameters>
const void* base_of(Result (*function)(Parameters...)) {
  Dl_info info{};
  return dladdr(reinterpret_cast<const void*>(function), &info) == 0 ? nullptr : info.dli_fbase;
}

/// Whether addresses in the module's file are those in memory.
bool is_fixed(const void* base) {
  Elf64_Ehdr header;
  std::memcpy(&header, base, sizeof header);
  return header.e_type == ET_EXEC;
}

/// Names that dladdr gives are as the program was started with them.
std::string absolute(const char* path) {
  std::array<char, PATH_MAX> whole{};
  return realpath(path, whole.data()) == nullptr ? path : whole.data();
}

bool begins_with(const char* name, const char* beginning) {
  return std::strncmp(name, beginning, std::strlen(beginning)) == 0;
}

/// Whether the module is a library between PETSc and the program, such as SLEPc, MPI or this one.
bool is_between(const Dl_info& info, const void* petsc, const void* own) {
  if (info.dli_fbase == petsc || info.dli_fbase == own) return true;
  const char* const slash = std::strrchr(info.dli_fname, '/');
  const char* const name = slash == nullptr ? info.dli_fname : slash + 1;
  for (const char* library : {"libpetsc", "libslepc", "libmpi", "libopen-", "libdaptor", "libc."})
    if (begins_with(name, library)) return true;
  return false;
}

ProgramPlace place_of(const char* at, const Dl_info& info) {
  ProgramPlace place;
  place.module = absolute(info.dli_fname);
  place.offset = reinterpret_cast<std::uintptr_t>(at);
  if (!is_fixed(info.dli_fbase)) place.offset -= reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  if (info.dli_sname != nullptr) place.symbol = info.dli_sname;
  return place;
}

/// The place of a call, by where it returns to; of no module if that is no code of the program.
const ProgramPlace& place_of_return(void* address) {
  static std::unordered_map<void*, ProgramPlace> places;
  const auto [entry, is_new] = places.emplace(address, ProgramPlace());
  if (!is_new) return entry->second;
  // A program that PETSc is linked into has no other module; then PETSc's functions are its own.
  static const void* const petsc = base_of(&PetscDataTypeGetSize);
  static const void* const own = base_of(&program_place);
  const auto* const at = static_cast<const char*>(address) - 1;
  Dl_info info{};
  if (dladdr(at, &info) != 0 && info.dli_fname != nullptr && !is_between(info, petsc, own))
    entry->second = place_of(at, info);
  return entry->second;
}

}  // namespace

ProgramPlace program_place() {
  ProgramPlace place;
  place.line = python_line();
  if (!place.line.empty()) return place;
  std::array<void*, 128> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < count; ++i) {
    const ProgramPlace& found_place = place_of_return(frames[static_cast<std::size_t>(i)]);
    if (!found_place.module.empty()) return found_place;
  }
  return place;
}

}  // namespace daptor::petsc::plugin::doctor
