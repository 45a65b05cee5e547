// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daptor/conformance/candidate.hpp"
#include "daptor/section.hpp"

namespace daptor::conformance {

/// The bytes of consecutive elements in row-major order of their local indices.
using Bytes = std::vector<std::byte>;

/// Calls `visit(local index, byte offset from data())` for every element of the section, including
/// all padding, in row-major order.
template <class F>
void for_each_element(const Section& array, F&& visit) {
  const auto& shape = array.local_shape();
  const auto& strides = array.byte_strides();
  for (const Index extent : shape)
    if (extent == 0) return;
  MultiIndex local(shape.size(), 0);
  Index offset = 0;
  for (;;) {
    visit(const_cast<const MultiIndex&>(local), offset);
    std::size_t d = shape.size();
    for (; d-- > 0;) {
      offset += strides[d];
      if (++local[d] < shape[d]) break;
      offset -= strides[d] * shape[d];
      local[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

/// A copy of all elements, read under a lease.
Bytes read_elements(const Section& array);
/// Writes all elements under a lease, and notifies all views.
void write_elements(const Section& array, const Bytes& bytes);
/// The elements as the producer's own function returns them. Throws InvalidArgument if their type
/// differs.
Bytes read_by_producer(const Section& array, const ElementReader& read);
void write_by_producer(const Section& array, const ElementWriter& write, const Bytes& bytes);

/// A copy in which every element is different from the original.
Bytes changed(const Section& array, Bytes bytes);

/// Describes how two copies of an array's elements differ, with the first difference: `3 of 12
/// elements, at local (0, 1) 7 instead of 5`. Empty if they are equal.
std::string difference(const Section& array, const Bytes& found, const Bytes& expected);

/// Writes the label of the element whose row-major global number is `number`. Returns false if the
/// kit has no labels for this type.
bool write_label(const DataType& type, Index number, std::byte* element);

/// Changes the element: a number other than zero becomes its negative, zero becomes one, an integer
/// a different integer.
void change_element(const DataType& type, std::byte* element);

/// Whether two elements are equal, except for insignificant bytes of a long double.
bool same_element(const DataType& type, const std::byte* a, const std::byte* b);
std::string element_text(const DataType& type, const std::byte* element);
/// `(0, 1)`
std::string index_text(const MultiIndex& index);

}  // namespace daptor::conformance
