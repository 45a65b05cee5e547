// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/validate.hpp"
#include "petsc/src/form/forms.hpp"

namespace daptor::petsc::detail {
namespace {

/// Whether the list says how many of its indices are owned; it has been proven that this is the
/// same on all ranks.
bool names_owned(const Dimension& dimension) {
  const auto* list = dimension.as<Unstructured>();
  return list != nullptr && list->owned;
}

bool names_owned(const Section& array) {
  for (const Dimension& dimension : array.dimensions())
    if (names_owned(dimension)) return true;
  return false;
}

/// Refuses unstructured indices that have no natural number.
void require_numbered(const Section& array) {
  for (int d = 0; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    const auto* list = dimension.as<Unstructured>();
    if (list == nullptr) continue;
    const auto outside = std::find_if(list->indices.begin(), list->indices.end(), [&](Index i) {
      return i < 0 || i >= dimension.global_size();
    });
    if (outside != list->indices.end())
      throw NotRepresentable(
          adapter::reason("petsc.numbering.index-range", d, "index " + terms::index(*outside),
                          "indices in [0, " + std::to_string(dimension.global_size()) +
                              "), the range of natural numbers",
                          "Use Numbering::contiguous."));
  }
}

/// Collective. The order in which all ranks number the elements of their sections.
Order agree_on_numbers(const Section& array, Numbering numbering, Call& call) {
  call.same("numbering", numbering);
  Agreed<bool> c, fortran;
  call.check([&] {
    require_session();
    if (numbering == Numbering::natural) {
      require_numbered(array);
      adapter::require_count(numbering_form(), "a global number",
                             adapter::global_count(array.dimensions()));
    }
    adapter::require_count(numbering_form(), "a global number", array.local_count());
    const adapter::OrderFit orders = adapter::memory_order(array);
    c = call.all(orders.c);
    fortran = call.all(orders.fortran);
  });
  return adapter::common_order(numbering_form(), array, {c, fortran});
}

}  // namespace

std::vector<Index> local_numbers(const DistArray& array, Numbering numbering, Call& call) {
  const Order order = agree_on_numbers(array, numbering, call);
  if (numbering == Numbering::natural)
    return call.check([&] { return LocalIndexMap(array).local_natural(order); });
  return GlobalIndexMap(array, call.proof(0), call).local_contiguous(order, call);
}

std::vector<Index> owned_natural_numbers(const DistArray& array, Call& call) {
  const Order order = agree_on_numbers(array, Numbering::natural, call);
  adapter::require_one_to_one(numbering_form(), array);
  if (names_owned(array)) {
    const GlobalIndexMap map(array);
    for (int d = 0; d < array.ndim(); ++d)
      if (names_owned(array.dimension(d)) && !map.one_to_one(d)) throw Malformed(validate(array));
  }
  return call.check([&] { return LocalIndexMap(array).owned_natural(order); });
}

}  // namespace daptor::petsc::detail
