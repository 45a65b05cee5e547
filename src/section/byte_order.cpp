// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/byte_order.hpp"

namespace daptor::adapter {

std::string remedy_for_type(const DataType& found, std::string otherwise) {
  if (found.native()) return otherwise;
  std::string typestr = found.typestr();
  typestr.front() = '=';
  return "Swap the bytes in the producer, which copies the array: in NumPy x.astype('" + typestr +
         "').";
}

}  // namespace daptor::adapter
