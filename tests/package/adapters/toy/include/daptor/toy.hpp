// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

struct toy_list;

namespace daptor::toy {

/// A list of the library Toy on the memory of an array, which it keeps alive.
class List {
 public:
  List(DistArray array, std::shared_ptr<toy_list> list)
      : array_(std::move(array)), list_(std::move(list)) {}
  toy_list* get() const { return list_.get(); }

 private:
  DistArray array_;
  std::shared_ptr<toy_list> list_;
};

/// Collective. Each process's section as a list, on the same memory. Throws NotRepresentable unless
/// the array is one-dimensional and has contiguous doubles, and LibraryFailed if the library was
/// not started.
List import_list(const DistArray& array, const Comm& comm);

/// Adds the target `toy.list` to those that `daptor::explain` asks. The adapter calls this itself
/// when it is loaded. Always returns true.
bool register_targets();

}  // namespace daptor::toy
