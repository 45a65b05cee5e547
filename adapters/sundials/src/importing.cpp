// SPDX-License-Identifier: BSD-3-Clause
#include "importing.hpp"

#include <optional>
#include <utility>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/error.hpp"
#include "daptor/one_to_one.hpp"
#include "nvector_reasons.hpp"

namespace daptor::sundials::detail {

void require_context(SUNContext context) {
  if (context != nullptr) return;
  adapter::refuse_argument("sundials.nvector.context", "a null SUNContext",
                           "the context of the integrator", "Make one by SUNContext_Create.");
}

void require_one_to_one(const DistArray& array) {
  if (!adapter::may_share_indices(array)) return;
  const OneToOne proof = prove_one_to_one(array);
  const std::optional<Finding>& shared = proof.shared();
  if (!shared) return;
  adapter::Reasons reasons = with_overlap(array, {});
  for (Finding& finding : reasons) {
    finding.found = shared->found;
    finding.ranks = shared->ranks;
    finding.rank_count = shared->rank_count;
    finding.dimension = shared->dimension;
  }
  adapter::require_none(std::move(reasons));
}

sunrealtype* owned_elements(const Section& array) {
  return static_cast<sunrealtype*>(const_cast<void*>(array.owned_data()));
}

void require_made(N_Vector vector, const char* function) {
  if (vector == nullptr)
    throw LibraryFailed("sundials", function, "no vector was made, as when memory runs out");
}

}  // namespace daptor::sundials::detail
