// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <toy.h>

#include <vector>

#include "daptor/adapter/on_array.hpp"

namespace daptor::toy {

/// A list of the library Toy on the memory of an array, which it keeps alive.
using List = adapter::OnArray<toy_list*, toy_list_free>;

/// Collective. Each process's section as a list, communication padding included, on the same
/// memory.
/// @throws NotRepresentable unless the section is one run of doubles (`toy.list.type`,
///   `toy.list.one-run`) in writable memory (`toy.list.readonly`)
/// @throws LibraryFailed if the library was not started
List import_list(const DistArray& array);

/// Process-local. The values of a list as this process's section of an array, on the same memory.
/// A list of another length than the section makes an undescribed array, whose first use by a
/// collective call throws (`describe.length`).
/// @param list        must live as long as the array
/// @param dimensions  one dimension; its local extent is the length of the list
Section export_list(toy_list* list, std::vector<Dimension> dimensions);

/// Adds the target `toy.list` to those that `daptor::explain` asks. The adapter calls this itself
/// when it is loaded. Always returns true.
bool register_targets();

}  // namespace daptor::toy
