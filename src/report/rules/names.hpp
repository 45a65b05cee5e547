// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/terms.hpp"

/// \file
/// What is meant where blocks do not follow each other: the protocol counts from 0 and excludes the
/// stop, and in Fortran a block has its first and its last index, counted from 1.

namespace daptor::names {

inline constexpr Name inclusive_stop{
    "The stop is one past the last index, counted from 0: a block of the indices 0 to 4 is start "
    "0, stop 5.",
    "The stop is one past the last index, counted from 0: a block of the indices 0 to 4 is start "
    "0, stop 5.",
    "The upper bound is the last index of the block, and the next block has the one after it as "
    "its lower bound."};
inline constexpr Name adjacent_start{"a start equal to the stop of the process before",
                                     "a start equal to the stop of the process before",
                                     "the index after the last one of the process before"};

}  // namespace daptor::names
