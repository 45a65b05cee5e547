// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/datatype.hpp"
#include "daptor/detail/bytes_past.hpp"
#include "daptor/section.hpp"

/// \file
/// For authors of adapters: checks of the memory on which an import is about to make a native
/// object.

namespace daptor::adapter {

/// Bytes of one number of an element, which is a real or imaginary part if elements are complex:
/// addresses of aligned elements are multiples of it. At least 1. Process-local.
std::size_t number_size(const DataType& type);

using daptor::detail::bytes_past;

/// The address of the first owned element, also where ghosts lie between owned ones
/// (`Section::owned_apart`): for questions about alignment. Null without memory. Process-local.
const void* first_owned(const Section& array);

/// The dimension whose communication padding lies between the owned elements of a section that has
/// no other gaps: the fastest of those that are padded, without the slowest, whose padding lies
/// before and behind them. -1 if there is none, or if there are gaps. Process-local.
int parting_dimension(const Section& array);

/// \name Memory that the host cannot reach
/// Process-local.
/// @param rule  begins with the prefix of the target: `petsc.vec.device`
/// \{

/// Adds a reason if the array has elements in such memory.
void add_device_reason(std::string rule, const Section& array, Reasons& reasons);
/// @throws InvalidArgument with the given rule, if the array has elements in such memory
void require_host(std::string rule, const Section& array);
/// \}

/// Asks the producer once, with `begin_access` and `end_access`, whether it still has the memory
/// that was described. Process-local: call it inside an agreement, before the native object is
/// made.
/// @param array  this process's section, with memory
/// @throws Stale if the memory is a different one, ProducerFailed if the producer cannot open it
void require_same_memory(const Section& array);

/// The same for an array that may have no memory.
/// @throws InvalidArgument for a description without memory; otherwise like `require_same_memory`
void require_memory(const Section& array);

}  // namespace daptor::adapter
