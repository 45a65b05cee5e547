// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/names.hpp"

namespace daptor::adapter {

Terms remedy_for_type(const DataType& found, Terms otherwise) {
  if (found.native()) return otherwise;
  std::string typestr = found.typestr();
  typestr.front() = '=';
  return "Swap the bytes in the producer, which copies the array: in NumPy x.astype('" + typestr +
         "').";
}

Terms remedy_by_converting(const DataType& found) {
  const std::size_t size = found.itemsize();
  const bool numbers = found.kind() == Kind::boolean || found.kind() == Kind::signed_integer ||
                       found.kind() == Kind::unsigned_integer ||
                       (found.kind() == Kind::floating && (size == 4 || size == 8)) ||
                       (found.kind() == Kind::complex && (size == 8 || size == 16));
  return remedy_for_type(
      found, numbers ? "Convert the elements: " + names::convert + ", to an array of such a type."
                     : Terms("Convert the elements in the producer, which copies the "
                             "array: in NumPy x.astype."));
}

}  // namespace daptor::adapter
