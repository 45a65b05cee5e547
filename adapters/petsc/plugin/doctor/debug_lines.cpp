// SPDX-License-Identifier: BSD-3-Clause
#include "debug_lines.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#if DAPTOR_DOCTOR_LINES
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#endif

namespace daptor::petsc::plugin::doctor {
namespace {

/// `flow::Solver::step` for C++'s symbol, and any other symbol as it is.
std::string readable(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free);
  if (text == nullptr) return symbol;
  const std::string function = text.get();
  return function.substr(0, function.find('('));
}

/// What the dynamic linker knows: functions that other libraries may call.
void add_symbol(std::uintptr_t base, const void* address, DebugLines& found) {
  Dl_info info{};
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  found.offset = number - base;
  if (dladdr(address, &info) == 0 || info.dli_sname == nullptr) return;
  found.function = readable(info.dli_sname);
  found.offset = number - reinterpret_cast<std::uintptr_t>(info.dli_saddr);
}

#if DAPTOR_DOCTOR_LINES

/// The functions of libdw, which is loaded when a line is asked for the first time: a program
/// without a finding does not need it, and one without libdw has functions in place of lines.
struct Libdw {
  decltype(::dwfl_begin)* dwfl_begin = nullptr;
  decltype(::dwfl_end)* dwfl_end = nullptr;
  decltype(::dwfl_report_elf)* dwfl_report_elf = nullptr;
  decltype(::dwfl_report_end)* dwfl_report_end = nullptr;
  decltype(::dwfl_build_id_find_elf)* dwfl_build_id_find_elf = nullptr;
  decltype(::dwfl_build_id_find_debuginfo)* dwfl_build_id_find_debuginfo = nullptr;
  decltype(::dwfl_standard_find_debuginfo)* dwfl_standard_find_debuginfo = nullptr;
  decltype(::dwfl_module_addrdie)* dwfl_module_addrdie = nullptr;
  decltype(::dwfl_module_nextcu)* dwfl_module_nextcu = nullptr;
  decltype(::dwfl_module_addrinfo)* dwfl_module_addrinfo = nullptr;
  decltype(::dwarf_haspc)* dwarf_haspc = nullptr;
  decltype(::dwarf_tag)* dwarf_tag = nullptr;
  decltype(::dwarf_diename)* dwarf_diename = nullptr;
  decltype(::dwarf_attr)* dwarf_attr = nullptr;
  decltype(::dwarf_formstring)* dwarf_formstring = nullptr;
  decltype(::dwarf_formudata)* dwarf_formudata = nullptr;
  decltype(::dwarf_getsrc_die)* dwarf_getsrc_die = nullptr;
  decltype(::dwarf_getsrcfiles)* dwarf_getsrcfiles = nullptr;
  decltype(::dwarf_filesrc)* dwarf_filesrc = nullptr;
  decltype(::dwarf_linesrc)* dwarf_linesrc = nullptr;
  decltype(::dwarf_lineno)* dwarf_lineno = nullptr;
  decltype(::dwarf_getscopes)* dwarf_getscopes = nullptr;
  decltype(::dwarf_getscopes_die)* dwarf_getscopes_die = nullptr;
  bool complete = true;

  Libdw() : library_(dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    find(dwfl_begin, "dwfl_begin");
    find(dwfl_end, "dwfl_end");
    find(dwfl_report_elf, "dwfl_report_elf");
    find(dwfl_report_end, "dwfl_report_end");
    find(dwfl_build_id_find_elf, "dwfl_build_id_find_elf");
    find(dwfl_build_id_find_debuginfo, "dwfl_build_id_find_debuginfo");
    find(dwfl_standard_find_debuginfo, "dwfl_standard_find_debuginfo");
    find(dwfl_module_addrdie, "dwfl_module_addrdie");
    find(dwfl_module_nextcu, "dwfl_module_nextcu");
    find(dwfl_module_addrinfo, "dwfl_module_addrinfo");
    find(dwarf_haspc, "dwarf_haspc");
    find(dwarf_tag, "dwarf_tag");
    find(dwarf_diename, "dwarf_diename");
    find(dwarf_attr, "dwarf_attr");
    find(dwarf_formstring, "dwarf_formstring");
    find(dwarf_formudata, "dwarf_formudata");
    find(dwarf_getsrc_die, "dwarf_getsrc_die");
    find(dwarf_getsrcfiles, "dwarf_getsrcfiles");
    find(dwarf_filesrc, "dwarf_filesrc");
    find(dwarf_linesrc, "dwarf_linesrc");
    find(dwarf_lineno, "dwarf_lineno");
    find(dwarf_getscopes, "dwarf_getscopes");
    find(dwarf_getscopes_die, "dwarf_getscopes_die");
  }

 private:
  template <class Function>
  void find(Function*& function, const char* name) {
    if (library_ != nullptr) function = reinterpret_cast<Function*>(dlsym(library_, name));
    complete = complete && function != nullptr;
  }

  void* library_;  // stays open as long as the process
};

const Libdw& libdw() {
  static const Libdw functions;
  return functions;
}

/// Debug information in a file of its own. A server of such files (DEBUGINFOD_URLS) is never asked:
/// a program on many ranks would wait for its answers.
int find_debug_file(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base,
                    const char* file, const char* link, GElf_Word sum, char** found) {
  const char* const servers = std::getenv("DEBUGINFOD_URLS");
  const bool asks = servers != nullptr && servers[0] != '\0';
  auto* const find =
      asks ? libdw().dwfl_build_id_find_debuginfo : libdw().dwfl_standard_find_debuginfo;
  return find(module, data, name, base, file, link, sum, found);
}

using Session = std::unique_ptr<Dwfl, decltype(::dwfl_end)*>;

/// One binary, which libdw has opened.
class Binary {
 public:
  Binary(const std::string& path, std::uintptr_t base)
      : session_(libdw().dwfl_begin(&callbacks()), libdw().dwfl_end) {
    if (session_ == nullptr) return;
    module_ = libdw().dwfl_report_elf(session_.get(), path.c_str(), path.c_str(), -1, base, false);
    libdw().dwfl_report_end(session_.get(), nullptr, nullptr);
  }

  void add(std::uintptr_t address, DebugLines& found) {
    if (module_ == nullptr) return;
    unit_ = unit_of(address);
    if (unit_ != nullptr) add_lines(address - bias_, found);
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    const char* const name =
        libdw().dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr);
    if (name == nullptr) return;
    found.function = readable(name);
    found.offset = offset;
  }

 private:
  static const Dwfl_Callbacks& callbacks() {
    static const Dwfl_Callbacks all{libdw().dwfl_build_id_find_elf, find_debug_file, nullptr,
                                    nullptr};
    return all;
  }

  /// The compilation unit. Clang leaves out the table of addresses that would tell it at once.
  Dwarf_Die* unit_of(std::uintptr_t address) {
    if (Dwarf_Die* const unit = libdw().dwfl_module_addrdie(module_, address, &bias_)) return unit;
    Dwarf_Die* unit = nullptr;
    while ((unit = libdw().dwfl_module_nextcu(module_, unit, &bias_)) != nullptr)
      if (libdw().dwarf_haspc(unit, address - bias_) > 0) return unit;
    return nullptr;
  }

  /// Each function that contains the address, from the innermost outward, with the line in it.
  void add_lines(Dwarf_Addr address, DebugLines& found) {
    Dwarf_Line* const row = libdw().dwarf_getsrc_die(unit_, address);
    if (row == nullptr) return;
    SourceLine place;
    place.file = absolute(libdw().dwarf_linesrc(row, nullptr, nullptr));
    libdw().dwarf_lineno(row, &place.line);
    if (place.file.empty() || place.line <= 0) return;
    for (Dwarf_Die& scope : scopes_of(address)) {
      const int tag = libdw().dwarf_tag(&scope);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
      const char* const name = libdw().dwarf_diename(&scope);
      place.function = name == nullptr ? "" : name;
      found.lines.push_back(place);
      if (tag == DW_TAG_subprogram) return;
      place = caller_of(scope);
      if (place.file.empty() || place.line <= 0) return;
    }
    if (found.lines.empty()) found.lines.push_back(place);
  }

  std::vector<Dwarf_Die> scopes_of(Dwarf_Addr address) const {
    // The first call follows an inlined function to where it is defined, the second one to where
    // it is called.
    Dwarf_Die *first = nullptr, *all = nullptr;
    const int levels = libdw().dwarf_getscopes(unit_, address, &first);
    const std::unique_ptr<Dwarf_Die, void (*)(void*)> keep_first(first, std::free);
    if (levels <= 0) return {};
    const int count = libdw().dwarf_getscopes_die(first, &all);
    const std::unique_ptr<Dwarf_Die, void (*)(void*)> keep_all(all, std::free);
    return count <= 0 ? std::vector<Dwarf_Die>{} : std::vector<Dwarf_Die>(all, all + count);
  }

  /// Where an inlined function is called.
  SourceLine caller_of(Dwarf_Die& inlined) const {
    SourceLine place;
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    const Dwarf_Word file = number_of(inlined, DW_AT_call_file);
    if (libdw().dwarf_getsrcfiles(unit_, &files, &count) == 0 && file < count)
      place.file = absolute(libdw().dwarf_filesrc(files, file, nullptr, nullptr));
    place.line = static_cast<int>(number_of(inlined, DW_AT_call_line));
    return place;
  }

  static Dwarf_Word number_of(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute{};
    Dwarf_Word number = 0;
    if (libdw().dwarf_attr(&die, name, &attribute) != nullptr)
      libdw().dwarf_formudata(&attribute, &number);
    return number;
  }

  /// Compilers write paths as they were given them, and the folder beside them.
  std::string absolute(const char* path) const {
    if (path == nullptr) return {};
    Dwarf_Attribute attribute{};
    const char* folder = nullptr;
    if (path[0] != '/' && libdw().dwarf_attr(unit_, DW_AT_comp_dir, &attribute) != nullptr)
      folder = libdw().dwarf_formstring(&attribute);
    const std::filesystem::path in = folder == nullptr ? "" : folder;
    return (in / path).lexically_normal().string();
  }

  Session session_;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Die* unit_ = nullptr;
  Dwarf_Addr bias_ = 0;
};

/// Stays open, as the next finding is likely to be in the same one.
Binary& opened(const std::string& path, std::uintptr_t base) {
  static auto& all = *new std::map<std::pair<std::string, std::uintptr_t>, Binary>;
  return all.try_emplace({path, base}, path, base).first->second;
}

#endif

}  // namespace

DebugLines debug_lines(const std::string& binary, std::uintptr_t base, const void* address) {
  DebugLines found;
  add_symbol(base, address, found);
#if DAPTOR_DOCTOR_LINES
  if (libdw().complete) opened(binary, base).add(reinterpret_cast<std::uintptr_t>(address), found);
#else
  static_cast<void>(binary);
#endif
  return found;
}

}  // namespace daptor::petsc::plugin::doctor
