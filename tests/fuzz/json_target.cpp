// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a JSON file are read, validated on as many ranks as it has, written and read again.

#include <algorithm>
#include <sstream>
#include <string>
#include <variant>

#include "compare.hpp"
#include "json/recorded.hpp"
#include "judge.hpp"
#include "target.hpp"

namespace daptor::fuzz {
namespace {

constexpr std::size_t most_bytes = 1 << 14;
constexpr std::size_t most_ranks = 6;

/// The judge reads the versions that descriptions have, and no other texts that PEP 440 allows.
bool plain_version(const RecordedRank& rank) {
  const auto* value = std::get_if<Value>(&rank);
  const auto* map = value != nullptr ? value->as<Dictionary>() : nullptr;
  const Value* version = map != nullptr ? map->find("__version__") : nullptr;
  const auto* text = version != nullptr ? version->as<std::string>() : nullptr;
  return text == nullptr || text->find_first_not_of("0123456789.") == std::string::npos;
}

/// Validates at both levels and judges; returns the verdict at level full.
Verdict verdict_of(const Recorded& recorded) {
  const search::Reports reports = search::validate_everywhere(recorded);
  const Verdict verdict = reports.full.front().verdict();
  require(verdict >= reports.metadata.front().verdict(), "level full finds no less than metadata",
          search::as_json(recorded));
  if (!std::all_of(recorded.ranks.begin(), recorded.ranks.end(), plain_version)) return verdict;
  const std::string differences = search::disagreement(search::judge(recorded), reports);
  require(differences.empty(), "library and judge agree", differences + search::as_json(recorded));
  return verdict;
}

void look_at(const Recorded& recorded) {
  if (recorded.ranks.empty() || recorded.ranks.size() > most_ranks) return;
  const Verdict verdict = verdict_of(recorded);
  const std::string written = search::as_json(recorded);
  std::istringstream in(written);
  require(verdict_of(read_recorded(in)) == verdict, "what was written means what was read",
          written);
}

}  // namespace
}  // namespace daptor::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace daptor;
  if (size > fuzz::most_bytes) return 0;
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  ReadLimits limits;
  limits.values = 4096;
  limits.indices = 4096;
  try {
    fuzz::look_at(read_recorded(in, limits));
  } catch (const Unreadable&) {
    // The only error that any bytes may cause.
  }
  return 0;
}
