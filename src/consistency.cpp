#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "daptor/agreement.hpp"
#include "uniform.hpp"

namespace daptor {
namespace {

// Each section's count fits 64 bits; their sum over all ranks need not.
__extension__ using Count = unsigned __int128;

/// The product of the sizes, or nothing beyond what the sum of all sections could be.
std::optional<Count> element_count(const DistArray& array) {
  const auto& dimensions = array.dimensions();
  if (std::any_of(dimensions.begin(), dimensions.end(),
                  [](const Dimension& d) { return d.global_size() == 0; }))
    return Count{0};
  constexpr Count limit = Count{1} << 96;
  Count count = 1;
  for (const Dimension& dimension : dimensions) {
    const auto size = static_cast<Count>(dimension.global_size());
    if (count > limit / size) return std::nullopt;
    count *= size;
  }
  return count;
}

std::string text(std::optional<Count> count) {
  if (!count || *count >> 64 != 0) return "more than 2^64";
  return std::to_string(static_cast<std::uint64_t>(*count));
}

/// Collective. The sections together have as many elements as the array (B13).
void require_every_element(const DistArray& array, const Communicator& comm) {
  const Index owned = array.owned_count();
  Index halves[] = {owned & 0xffffffff, owned >> 32};
  comm.allreduce(halves, 2, Reduction::sum);
  const Count sum = (static_cast<Count>(halves[1]) << 32) + static_cast<Count>(halves[0]);
  const std::optional<Count> expected = element_count(array);
  if (sum == expected) return;
  Finding finding;
  finding.rule = "B13";
  finding.dimension = array.ndim() == 1 ? 0 : -1;
  finding.key = "size";
  finding.found = "sections of " + text(sum) + " elements together";
  finding.expected = text(expected) + " elements, the product of the sizes";
  throw Malformed(std::move(finding));
}

}  // namespace

void require_consistent(const DistArray& array, const Communicator& comm) {
  // A regular array has every element by construction.
  if (detail::require_uniform(array, comm, nullptr)) return;
  const auto& dimensions = array.dimensions();
  const bool counted = std::none_of(dimensions.begin(), dimensions.end(), [](const Dimension& d) {
    return d.as<Unstructured>() != nullptr;
  });
  if (counted) require_every_element(array, comm);
}

}  // namespace daptor
