// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// For authors of adapters: what the core's calls and options are called in each language, as
/// messages name them. An adapter's own names stand in a file of this kind in its folder. Each row
/// has C++, Python and Fortran; what is left out is not there.

namespace daptor::names {

/// \name Calls
/// \{
inline constexpr Name align_rows{"daptor::align_rows", "daptor.align_rows"};
inline constexpr Name comm_split{"MPI_Comm_split", "comm.Split()", "MPI_Comm_split"};
inline constexpr Name copy_to_host{"daptor::copy_to_host", "daptor.copy_to_host"};
inline constexpr Name flatten{"daptor::flatten", "numpy.ravel()"};
inline constexpr Name like{"daptor::like", "Array.like"};
inline constexpr Name multiply{"daptor::multiply", "daptor.multiply"};
inline constexpr Name on{"section.on(comm)",
                         "daptor.redistribute(..., comm=comm) copies from another"};
inline constexpr Name owned_part{"Dimension::owned_part", "a.owned_slices"};
inline constexpr Name packed{"daptor::packed", "daptor.packed()"};
inline constexpr Name redistributed_blocks{"daptor::redistributed(a, daptor::layout::blocks())",
                                           "a.redistributed(daptor.layout.blocks())"};
inline constexpr Name without_padding{"daptor::without_padding(a)", "daptor.without_padding(a)",
                                      "call a%without_padding(inside)"};
/// \}

/// \name Calls in which ranks are, as agreements name them
/// \{
inline constexpr Name in_run_back{"Redistribution::run_back", "Redistribution.run_back",
                                  "redistribution%run_back"};
/// \}

/// \name Options
/// \{
inline constexpr Name before{"ScanOptions::before", "before="};
inline constexpr Name convert{"daptor::redistribute with RedistributionOptions::convert",
                              "daptor.redistribute(..., convert=True)",
                              "daptor_redistribute(a, b, convert=.true.)"};
inline constexpr Name halo_owned{"HaloOptions::owned", "owned="};
inline constexpr Name owned_then_ghosts{"owned_then_ghosts", "owned_then_ghosts",
                                        "daptor_unstructured(..., owned=...)"};
inline constexpr Name undistributed{"daptor::undistributed", "None in grid="};
/// \}

/// \name Sentences
/// \{
inline constexpr Name undivided_grid{
    "In grid, give 1 for each dimension that is not divided, such as components, and 0 for the "
    "others.",
    "Pass components= for dimensions that are not divided, or give None for each of them in grid, "
    "and 0 for the others.",
    "In grid, give 1 for each dimension that is not divided, such as components, and 0 for the "
    "others."};
inline constexpr Name equal_copies{
    "a HaloExchange with HaloOptions::owned gives them the values of their owners",
    "a HaloExchange with owned= gives them the values of their owners",
    "daptor_unstructured(..., owned=...) says which values are those of the owners"};
inline constexpr Name say_owners{
    "Describe the dimension with owned_then_ghosts (key 'owned' of the dictionary), or name the "
    "owners in HaloOptions::owned.",
    "Describe the array with daptor.owned_then_ghosts (key 'owned' of the dictionary), or name the "
    "owners in owned=.",
    "Describe the array with daptor_unstructured(..., owned=...)."};
inline constexpr Name update_padding{
    "Call daptor::update_padding(a), or HaloExchange::update, when owned elements have changed and "
    "before copies of them are read.",
    "Call daptor.update_padding(a), or update() of a HaloExchange, when owned elements have "
    "changed and before copies of them are read.",
    "Call daptor_update_ghosts(a), or halo%update(), when owned elements have changed and before "
    "copies of them are read."};
inline constexpr Name register_device{
    "Register a Device for it (daptor::register_device).",
    "Call daptor.register_device on all ranks, or register a Device in C++.",
    "Register a Device for it, in C++ (register_device)."};
inline constexpr Name separate_target{
    "Redistribute to a new array, made by daptor::like, and use that.",
    "Redistribute to a new array, made by Array.like, and use that.",
    "Call daptor_redistribute to another array, and use that."};
inline constexpr Name through_host{"Set the option through_host,", "Pass through_host=True,",
                                   "Pass through_host=.true.,"};
/// \}

}  // namespace daptor::names
