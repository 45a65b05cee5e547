// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/csr.hpp"
#include "exchange/batch.hpp"
#include "section/owned_line.hpp"

/// \file
/// What is checked of the arrays of a sparse matrix before their elements are read.

namespace daptor::detail {

inline constexpr Wording csr_wording{"csr", "a product", {"CsrProduct"}};

/// Throws Malformed.
[[noreturn]] void refuse_csr(const char* rule, const char* key, Terms found, Terms expected,
                             Terms remedy = {});

/// A number counted from `base`, counted from 0. Wraps around instead of overflowing: a number so
/// low is out of range either way.
template <class T>
Index from_base(T number, Index base) {
  return static_cast<Index>(static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(base));
}

/// Requires that the entries of a row begin at a position from `least`, where the row before
/// begins, to `most` (`csr.monotone`).
void require_row_start(Index row, Index position, Index least, Index most);

/// Refuses a column that the matrix does not have (`csr.column-range`). `where` follows its number.
template <class T>
[[noreturn]] void refuse_column(const CsrArrays& matrix, T column, const std::string& where) {
  refuse_csr("csr.column-range", "columns", "column " + std::to_string(column) + " " + where,
             "from " + std::to_string(matrix.index_base) + " to " +
                 std::to_string(matrix.global_columns - 1 + matrix.index_base));
}

/// Process-local. Requires that the matrix's last offset, which this process has, is the number of
/// entries (`csr.last`).
template <class T>
void require_last_offset(const CsrArrays& matrix, T offset) {
  const Index all = matrix.values.dimension(0).global_size();
  if (from_base(offset, matrix.index_base) == all) return;
  refuse_csr(
      "csr.last", "offsets",
      "a last offset of " + std::to_string(offset) + " for " + std::to_string(all) + " entries",
      std::to_string(all + matrix.index_base));
}

/// Process-local. Requires one dimension, divided in blocks over the ranks of `comm` in rank order,
/// without gaps in memory (`csr.arrays`).
void require_csr_line(const Section& array, const char* key, bool padding_allowed,
                      const Comm& comm);

/// Process-local. Requires integers of 4 or 8 bytes (`csr.index-type`), which this process can read
/// where they are (`csr.alignment`).
void require_indices(const Section& array, const char* key);

/// Collective. The part of `require_consistent` that reads no element: the three arrays by
/// themselves, and what the ranks must agree on. Throws what `require_consistent` throws.
void prove_csr_layout(const CsrArrays& matrix, Call& call);

}  // namespace daptor::detail
