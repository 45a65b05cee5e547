// SPDX-License-Identifier: BSD-3-Clause
#include "source_line.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>
#include <sstream>
#include <unordered_map>
#include <vector>

#include "debug_lines.hpp"
#include "python_line.hpp"

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif

namespace daptor::petsc::plugin::doctor {
namespace {

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

bool begins(const std::string& text, const char* with) {
  return text.rfind(with, 0) == 0;
}

bool is_of_libraries(const std::string& path) {
  static constexpr std::array libraries{
      "libpetsc",    "libslepc",  "libdaptor", "libmpi",   "libopen-",   "libpmpi",
      "libc.",       "libc-",     "libm.",     "libm-",    "libpthread", "libdl.",
      "ld-",         "libstdc++", "libc++",    "libgcc_s", "libgomp",    "libomp",
      "libgfortran", "libasan",   "libubsan",  "liblsan",  "libtsan",    "libclang_rt"};
  static constexpr std::array packages{"/petsc4py/", "/slepc4py/", "/mpi4py/", "/daptor/_"};
  const std::string file = last_part(path);
  return std::any_of(libraries.begin(), libraries.end(),
                     [&](const char* name) { return begins(file, name); }) ||
         std::any_of(packages.begin(), packages.end(),
                     [&](const char* name) { return path.find(name) != std::string::npos; });
}

/// Whether a line stands in a header of which programs are compiled, and is not their own.
bool is_of_headers(const std::string& path) {
  const std::string file = last_part(path);
  const bool installed = path.find("/include/") != std::string::npos;
  return path.find("/include/c++/") != std::string::npos ||
         path.find("/include/daptor/") != std::string::npos ||
         (installed && (begins(file, "petsc") || begins(file, "slepc")));
}

/// The addresses from which functions were called, the innermost first.
std::vector<void*> calls() {
#if __has_include(<execinfo.h>)
  std::vector<void*> addresses(256);
  const int count = backtrace(addresses.data(), static_cast<int>(addresses.size()));
  addresses.resize(static_cast<std::size_t>(std::max(count, 0)));
  return addresses;
#else
  return {};
#endif
}

/// A call and the binary that makes it.
struct Frame {
  const void* address = nullptr;  ///< in the instruction that calls
  std::uintptr_t base = 0;        ///< of the binary
  std::string binary;
  SourceLine place;  ///< nothing is known of calls of libraries
};

Frame frame_of(void* returns_to) {
  Frame frame;
  frame.address = static_cast<const char*>(returns_to) - 1;
  Dl_info info{};
  void* extra = nullptr;
  if (dladdr1(frame.address, &info, &extra, RTLD_DL_LINKMAP) == 0) return frame;
  frame.base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  const auto* const map = static_cast<const link_map*>(extra);
  // The program itself is known by the word that started it, which need not be its path.
  const bool is_program = map != nullptr && map->l_name[0] == '\0';
  std::error_code failure;
  if (is_program) frame.binary = std::filesystem::read_symlink("/proc/self/exe", failure).string();
  if (frame.binary.empty() && info.dli_fname != nullptr) frame.binary = info.dli_fname;
  return frame;
}

/// Where a frame is: the innermost function that is no one's but the program's, among those that
/// the compiler has put into one another. Empty if all of them are in headers of libraries.
SourceLine place_of(const Frame& frame) {
  DebugLines found = debug_lines(frame.binary, frame.base, frame.address);
  for (SourceLine& each : found.lines) {
    if (is_of_headers(each.file)) continue;
    // With split or link-time information, lines may be known without the functions.
    if (each.function.empty()) each.function = found.function;
    return each;
  }
  if (!found.lines.empty()) return {};
  if (found.function == "_start") return {};
  return {{}, 0, found.function, frame.binary, found.offset};
}

/// The frame of a call that has been seen before is not looked for again.
const Frame& known_frame(void* call, std::uintptr_t interpreter) {
  static auto& all = *new std::unordered_map<void*, Frame>;
  const auto [entry, is_new] = all.try_emplace(call);
  Frame& frame = entry->second;
  if (!is_new) return frame;
  frame = frame_of(call);
  const bool of_program = !frame.binary.empty() && !is_of_libraries(frame.binary) &&
                          (interpreter == 0 || frame.base != interpreter);
  if (of_program) frame.place = place_of(frame);
  return frame;
}

}  // namespace

SourceLine line_of_program() {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const std::uintptr_t interpreter = base_of_python();
  SourceLine without_line;
  for (void* const call : calls()) {
    const Frame& frame = known_frame(call, interpreter);
    if (interpreter != 0 && frame.base == interpreter) {
      if (const auto python = line_of_python()) return *python;
      break;
    }
    if (frame.place.line > 0) return frame.place;
    if (!without_line.known()) without_line = frame.place;
  }
  return without_line;
}

std::string text_of(const SourceLine& place) {
  if (!place.known()) return {};
  if (place.line > 0) {
    const std::string text = "at " + last_part(place.file) + ':' + std::to_string(place.line);
    const bool named = !place.function.empty() && place.function != "<module>";
    return named ? text + " in " + place.function : text;
  }
  std::ostringstream text;
  text << (place.function.empty() ? "at " : "in ") << place.function << "+0x" << std::hex
       << place.offset << " of " << last_part(place.binary);
  return text.str();
}

std::string site_of(const SourceLine& place) {
  if (!place.known()) return {};
  const std::string file = last_part(place.line > 0 ? place.file : place.binary);
  return place.function.empty() ? file : file + ':' + place.function;
}

}  // namespace daptor::petsc::plugin::doctor
