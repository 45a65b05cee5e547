// SPDX-License-Identifier: BSD-3-Clause
#include "copy_form.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "division.hpp"
#include "library.hpp"

namespace daptor::ga::detail {
namespace {

using adapter::reason;

void dimension_reasons(const Section& array, std::size_t d, adapter::Reasons& reasons) {
  const Dimension& dimension = array.dimensions()[d];
  const int number = static_cast<int>(d);
  if (dimension.global_size() == 0)
    reasons.push_back(reason("ga.array.extent", number, "a dimension without indices",
                             "at least one index, as GA asks for", ""));
  if (dimension.as<Unstructured>() != nullptr) {
    reasons.push_back(reason("ga.array.unstructured", number, "a list of indices",
                             "blocks, which are all that GA divides into", "",
                             adapter::copy_to_blocks(array)));
    return;
  }
  if (!becomes_cyclic(array)) return;
  const auto form = adapter::as_block_cyclic(dimension);
  if (!form) {
    reasons.push_back(reason("ga.array.mixed", number, "uneven blocks beside a cyclic dimension",
                             "blocks of one size in every dimension", "",
                             adapter::copy_to_blocks(array)));
  } else if (form->source.value_or(0) != 0) {
    reasons.push_back(reason("ga.array.origin", number,
                             "blocks dealt from process " + std::to_string(*form->source) + " on",
                             "blocks dealt from process 0 on, as GA deals them", "",
                             adapter::copy_to_blocks(array)));
  }
}

}  // namespace

bool becomes_cyclic(const Section& array) {
  return std::any_of(array.dimensions().begin(), array.dimensions().end(),
                     [](const Dimension& each) { return each.as<Cyclic>() != nullptr; });
}

adapter::Reasons copy_reasons(const Section& array) {
  adapter::Reasons reasons;
  if (array.ndim() < 1 || array.ndim() > GA_MAX_DIM)
    reasons.push_back(reason("ga.array.dimensions", std::to_string(array.ndim()) + " dimensions",
                             "one to " + std::to_string(GA_MAX_DIM), ""));
  if (!code_of_type(array.type()))
    reasons.push_back(reason("ga.array.type", "elements of " + array.type().name(),
                             "int, long, float, double, or complex of these",
                             adapter::remedy_by_converting(array.type())));
  for (std::size_t d = 0; d < array.dimensions().size(); ++d) dimension_reasons(array, d, reasons);
  return reasons;
}

adapter::BlockCyclicForm cyclic_form(const Section& array, std::size_t dimension) {
  return *adapter::as_block_cyclic(array.dimensions()[dimension]);
}

std::optional<Index> ghost_width(const Section& array, std::size_t dimension) {
  const Dimension& along = array.dimensions()[dimension];
  const Padding padding = along.communication_padding();
  if (padding.lower == 0 && padding.upper == 0) return 0;
  if (padding.lower != padding.upper || !along.periodic() || padding.lower > along.global_size())
    return std::nullopt;
  return padding.lower;
}

}  // namespace daptor::ga::detail
