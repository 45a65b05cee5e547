// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/copy_remedy.hpp"

#include "daptor/one_to_one.hpp"

namespace daptor::adapter {

int shared_dimension(const Section& array) {
  for (int d = 0; d < array.ndim(); ++d)
    if (leaves_open_who_owns(array.dimension(d)) && array.dimension(d).grid().size > 1) return d;
  return -1;
}

std::string blocks_copy_call(const Section& array) {
  return may_share_indices(array) ? "copy = daptor::like(a, daptor::layout::blocks()), then "
                                    "daptor::redistribute(a, copy, {false, true})"
                                  : "daptor::redistributed(a, daptor::layout::blocks())";
}

std::string slabs_copy_call(const Section& array) {
  return may_share_indices(array) ? "copy = daptor::like(a, daptor::layout::slab(0)), then "
                                    "daptor::redistribute(a, copy, {false, true})"
                                  : "daptor::redistributed(a, daptor::layout::slab(0))";
}

namespace {

constexpr const char* once_equal =
    "nce all copies of an index are equal (a HaloExchange with HaloOptions::owned gives them the "
    "values of their owners), copy";

}  // namespace

std::string copy_remedy(const Section& array, const std::string& call) {
  return (may_share_indices(array) ? std::string("O") + once_equal + " the array: "
                                   : "Copy the array: ") +
         call + '.';
}

std::string copy_to_blocks(const Section& array) {
  return copy_remedy(array, blocks_copy_call(array));
}

std::string copy_to_slabs(const Section& array) {
  return copy_remedy(array, slabs_copy_call(array));
}

std::string or_copy(const Section& array, const std::string& call) {
  if (!may_share_indices(array)) return or_copy(call);
  return std::string(" Or, o") + once_equal + ": " + call + '.';
}

std::string or_copy(const std::string& call) {
  return " Or copy: " + call + '.';
}

}  // namespace daptor::adapter
