#include "daptor/petsc/targets.hpp"

#include "daptor/explain.hpp"
#include "dense_layout.hpp"
#include "dmda_layout.hpp"
#include "vec_reasons.hpp"

namespace daptor::petsc {
namespace {

using detail::Reasons;

/// What a DMDA keeps for each element of the section, as measured: about five integers for its
/// mapping and the scatters between its vectors.
constexpr double dmda_bytes_per_index = 5.0 * sizeof(PetscInt);

LocalAssessment assess_vec(const DistArray& array, int /*process_count*/) {
  return {detail::vec_reasons(array, {}), 0};
}

LocalAssessment assess_local_vec(const DistArray& array, int /*process_count*/) {
  return {detail::local_vec_reasons(array, {}), 0};
}

LocalAssessment assess_dense(const DistArray& array, int /*process_count*/) {
  return {detail::dense_reasons(array), 0};
}

LocalAssessment assess_dmda(const DistArray& array, int /*process_count*/) {
  const Order order = detail::own_dmda_order(array);
  Reasons reasons = detail::dmda_reasons(array, order, {});
  if (reasons.empty() && !detail::owned_run(array).has(order))
    reasons.push_back(detail::global_run_reason());
  return {std::move(reasons), dmda_bytes_per_index};
}

LocalAssessment assess_dmda_local(const DistArray& array, int /*process_count*/) {
  const Order order = detail::own_dmda_order(array);
  Reasons reasons = detail::dmda_reasons(array, order, {});
  if (reasons.empty() && !detail::local_run(array).has(order))
    reasons.push_back(detail::local_gaps_reason());
  return {std::move(reasons), dmda_bytes_per_index};
}

}  // namespace

bool register_targets() {
  register_target({"petsc.vec", "daptor::petsc::import_vec", assess_vec});
  register_target({"petsc.local-vec", "daptor::petsc::import_padded_vec", assess_local_vec});
  register_target({"petsc.dmda", "daptor::petsc::import_dmda, global()", assess_dmda});
  register_target({"petsc.dmda-local", "daptor::petsc::import_dmda, local()", assess_dmda_local});
  register_target({"petsc.dense", "daptor::petsc::import_dense", assess_dense});
  return true;
}

}  // namespace daptor::petsc
