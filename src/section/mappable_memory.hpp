// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "daptor/within_node.hpp"

namespace daptor::detail {

/// \file
/// Memory of this process that the other processes of the node can map. All of it belongs to one
/// file without a name (`memfd_create`), of which each piece of memory is a part that no other
/// piece ever gets. It is in large pages, but for an end that fills none, or else there is none: in
/// small ones everything takes longer than in memory that the process has for itself.
/// Process-local.

/// What the environment variable DAPTOR_NODE says; none if it says nothing that there is.
std::optional<WithinNode> said_within_node();

/// Says that there are other processes, before which nothing is mappable.
void expect_other_processes() noexcept;

/// Zeros, for `bytes` bytes. Null if nobody would map it, if it is too small to be worth it, if the
/// environment says that ranks use messages, and if the system gives no large pages for a file.
std::shared_ptr<void> allocate_mappable(std::size_t bytes);
/// The same for however little, in small pages.
std::shared_ptr<void> allocate_small_mappable(std::size_t bytes);

/// A part of this process' file.
struct MappablePart {
  std::int64_t file = -1;
  std::uint64_t begin = 0;  ///< of the piece of memory in the file
  std::uint64_t bytes = 0;  ///< of the piece of memory; 0 if it is not mappable
  std::uint64_t at = 0;     ///< of the address in the piece
};
/// The piece that has all of `bytes` bytes from `first`.
MappablePart mappable_part(const std::byte* first, std::size_t bytes);

/// Why the system gives no large pages for a file, in its words; empty if it does.
std::string why_not_mappable();

/// The name of files that processes share, in /proc.
inline constexpr char shared_file_name[] = "daptor";
/// Gives a file more room at its end, of zeros. False, with errno, if the system refuses.
bool make_longer(int file, std::uint64_t bytes);
/// Addresses from the beginning of a large page, as a file's pages need to be large; null, with
/// errno, if there are none or, if the system is to count them, not so much memory.
std::byte* reserve_large_pages(std::size_t bytes, bool counted);

}  // namespace daptor::detail
