// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/copy_remedy.hpp"

#include <algorithm>

#include "daptor/one_to_one.hpp"

namespace daptor::adapter {

bool may_share_indices(const DistArray& array) {
  return std::any_of(array.dimensions().begin(), array.dimensions().end(),
                     [](const Dimension& dimension) {
                       return leaves_open_who_owns(dimension) && dimension.grid().size > 1;
                     });
}

std::string blocks_copy_call(const DistArray& array) {
  return may_share_indices(array) ? "copy = daptor::like(a, daptor::layout::blocks(), comm), then "
                                    "daptor::redistribute(a, copy, comm, {false, true})"
                                  : "daptor::redistributed(a, daptor::layout::blocks(), comm)";
}

std::string slabs_copy_call(const DistArray& array) {
  return may_share_indices(array) ? "copy = daptor::like(a, daptor::layout::slab(0), comm), then "
                                    "daptor::redistribute(a, copy, comm, {false, true})"
                                  : "daptor::redistributed(a, daptor::layout::slab(0), comm)";
}

namespace {

constexpr const char* once_equal =
    "nce all copies of an index are equal (a HaloExchange with HaloOptions::owned gives them the "
    "values of their owners), copy";

}  // namespace

std::string copy_remedy(const DistArray& array, const std::string& call) {
  return (may_share_indices(array) ? std::string("O") + once_equal + " the array: "
                                   : "Copy the array: ") +
         call + '.';
}

std::string or_copy(const DistArray& array, const std::string& call) {
  if (!may_share_indices(array)) return or_copy(call);
  return std::string(" Or, o") + once_equal + ": " + call + '.';
}

std::string or_copy(const std::string& call) {
  return " Or copy: " + call + '.';
}

}  // namespace daptor::adapter
