// SPDX-License-Identifier: BSD-3-Clause
#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>

#include "compare/compare.hpp"

namespace daptor::compare {
namespace {

std::string quoted(const std::string& path) {
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// What a command of the shell prints; empty if it cannot be run.
std::string printed(const std::string& command) {
  std::string text;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 512> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  pclose(pipe);
  return text;
}

std::string last_part(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool is_older(const std::string& path, std::int64_t time) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && facts.st_mtime <= time;
}

/// `assemble` and `/home/me/solve.c:88` as `solve.c:88 in assemble`.
std::string by_debugger(const Place& place) {
  std::ostringstream offset;
  offset << "0x" << std::hex << place.offset;
  std::istringstream lines(
      printed("addr2line -Cfe " + quoted(place.module) + ' ' + offset.str() + " 2>/dev/null"));
  std::string function, line;
  if (!std::getline(lines, function) || !std::getline(lines, line)) return {};
  if (function.rfind("??", 0) == 0) return {};
  if (line.rfind("??", 0) == 0) return function + " in " + last_part(place.module);
  line = last_part(line.substr(0, line.find(" (")));
  if (const std::size_t unknown = line.find(":?"); unknown != std::string::npos)
    line.erase(unknown);
  return line + " in " + function;
}

}  // namespace

std::string source_line(const Place& place, const Trace& run) {
  if (!place.line.empty()) return place.line;
  if (place.module.empty()) return {};
  std::string text;
  if (is_older(place.module, run.time)) text = by_debugger(place);
  if (!text.empty()) return text;
  return (place.symbol.empty() ? "" : place.symbol + " in ") + last_part(place.module);
}

}  // namespace daptor::compare
