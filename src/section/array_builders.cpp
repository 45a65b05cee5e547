// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/builders.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/undefined_memory.hpp"
#include "daptor/error.hpp"
#include "section/mappable_memory.hpp"
#include "section/section_shape.hpp"

namespace daptor {
namespace {

/// The faults of each dimension by itself; each finding has the number of its dimension.
Defect defect_of(const std::vector<Dimension>& dimensions) {
  Defect defect;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    defect = defect.joined(dimensions[d].defect().in_dimension(static_cast<int>(d)));
  if (defect) return defect;
  Report report = check_dimensions(dimensions, protocol_0_9);
  return report ? Defect() : Defect(ErrorKind::malformed, std::move(report));
}

std::vector<Index> local_extents(const std::vector<Dimension>& dimensions) {
  std::vector<Index> shape;
  shape.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  return shape;
}

/// Asks for huge pages where all of a page belongs to the memory: they are first touched, and
/// walked through against the order of memory, faster. Linux may be set to give none.
void ask_for_huge_pages(void* data, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (void* const begin = std::align(page, page, data, bytes))
    madvise(begin, bytes / page * page, MADV_HUGEPAGE);
#else
  static_cast<void>(data), static_cast<void>(bytes);
#endif
}

struct NewMemory {
  std::shared_ptr<void> data;  // null if there is none
  bool zero;
};

/// Memory of `bytes` bytes, and of one for an empty section.
NewMemory allocate_aligned(std::size_t bytes) {
  if (auto mappable = detail::allocate_mappable(bytes)) return {std::move(mappable), true};
  constexpr std::size_t alignment = 64;
  constexpr std::size_t large = std::size_t{4} * 1024 * 1024;  // as for NumPy
  void* const data = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  if (data == nullptr) return {nullptr, false};
  if (bytes >= large) ask_for_huge_pages(data, bytes);
  return {std::shared_ptr<void>(data, [](void* memory) { std::free(memory); }), false};
}

std::size_t local_bytes(const Section& section) {
  return static_cast<std::size_t>(section.local_count()) * section.buffer().type().itemsize();
}

/// The same with memory of its own; with a defect if there is none.
Section with_new_memory(const Section& form, bool zeros) {
  if (!form.described()) return form;
  const std::size_t bytes = local_bytes(form);
  NewMemory memory = allocate_aligned(bytes);
  void* const data = memory.data.get();
  if (data == nullptr)
    return Section(Defect(LibraryFailed("c++", "aligned_alloc",
                                        "no memory for " + std::to_string(bytes) + " bytes")));
  if (zeros && !memory.zero) std::memset(data, 0, bytes);
  return form.with_memory(data, std::move(memory.data));
}

/// Describes the section along one dimension, for messages: "10 (9 owned, communication padding (0,
/// 1))".
std::string extent_text(const Dimension& dimension) {
  std::string text = std::to_string(dimension.local_extent()) + " (" +
                     std::to_string(dimension.owned_count()) + " owned";
  const auto add = [&](const char* kind, Padding padding) {
    if (padding == Padding{}) return;
    text += std::string(", ") + kind + " padding (" + std::to_string(padding.lower) + ", " +
            std::to_string(padding.upper) + ")";
  };
  const Padding beyond = dimension.communication_padding();
  if (dimension.as<Unstructured>() != nullptr && beyond.upper > 0)
    text += ", " + std::to_string(beyond.upper) + " ghosts";
  else
    add("communication", beyond);
  add("including boundary", dimension.boundary_padding());
  return text + ")";
}

/// The width of ghost cells on all sides, the same in all block dimensions, with which the memory
/// would have `length` elements; 0 if there is none.
Index ghosts_of(Index length, const std::vector<Dimension>& dimensions) {
  constexpr Index widest = 64;
  for (Index width = 1; width <= widest; ++width) {
    std::optional<Index> count = 1;
    bool any = false;
    for (const Dimension& dimension : dimensions) {
      Index extent = dimension.local_extent();
      if (const auto* block = dimension.as<Block>()) {
        any = true;
        if (!(block->asked && block->asked->outside))
          extent = checked_add(block->owned.size(), 2 * width).value_or(0);
      }
      if (count) count = checked_multiply(*count, extent);
    }
    if (any && count && *count == length) return width;
  }
  return 0;
}

[[noreturn]] void refuse_length(Index length, Index needed, const std::string& at_least,
                                const std::vector<Dimension>& dimensions) {
  Terms expected = at_least + std::to_string(needed) + " elements";
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    expected += (d == 0 ? ": " : " x ") + extent_text(dimensions[d]);
  const Index ghosts = ghosts_of(length, dimensions);
  const std::string width = std::to_string(ghosts);
  adapter::refuse_argument(
      "describe.length", "memory of " + std::to_string(length) + " elements", std::move(expected),
      ghosts > 0
          ? terms::sentence("For ghost cells of width " + width +
                            " on all sides of the memory, if it has them, " +
                            terms::call("set BlockOptions::ghosts to {" + width +
                                            "}, or give block the padding BlockPadding::ghosts({" +
                                            width + ", " + width + "})",
                                        "pass ghosts=" + width, "pass ghosts=" + width) +
                            ".")
          : Terms(
                "Check start and stop, allocate local_count(dimensions) elements, or describe the "
                "padding that the memory has."));
}

void require_exact_length(Index length, const std::vector<Dimension>& dimensions) {
  // The strides of a section with more elements than 64 bits count have not been computed.
  const Index needed = element_count(local_extents(dimensions)).value_or(-1);
  if (length != needed) refuse_length(length, needed, "", dimensions);
}

/// Refuses strides that reach outside the memory.
void require_reach(Index length, const Buffer& buffer, const std::vector<Dimension>& dimensions) {
  const IndexRange span = buffer.byte_span();
  const auto item = static_cast<Index>(buffer.type().itemsize());
  if (span.start < 0)
    adapter::refuse_argument(
        "describe.length",
        "strides that reach byte " + std::to_string(span.start) + " of the memory",
        "strides that stay at or above byte 0",
        "Pass a pointer to the element with local index zero, without a length.");
  const Index needed = span.stop / item + (span.stop % item != 0 ? 1 : 0);
  if (needed > length) refuse_length(length, needed, "at least ", dimensions);
}

/// Refuses strides that put neighbours on parts of each other: they count elements. A producer may
/// say such a thing (A17), and what writes to it refuses; here it can only be a slip.
void require_bytes(const DataType& type, const std::vector<Dimension>& dimensions,
                   const std::vector<Index>& byte_strides) {
  const auto item = static_cast<Index>(type.itemsize());
  for (std::size_t d = 0; d < byte_strides.size() && d < dimensions.size(); ++d) {
    const Index stride = byte_strides[d];
    if (dimensions[d].local_extent() > 1 && stride != 0 && -item < stride && stride < item)
      adapter::refuse_argument("describe.strides",
                               "a stride of " + std::to_string(stride) + " bytes in " +
                                   terms::dimension(d) + " for elements of " +
                                   std::to_string(item) + " bytes, which overlap",
                               "strides in bytes, of 0 or of at least the size of an element",
                               "Multiply strides that count elements by the size of an element.");
  }
}

Section described(const DataType& type, const detail::Memory& memory,
                  std::vector<Dimension> dimensions, std::vector<Index> byte_strides,
                  std::shared_ptr<const void> owner) {
  Buffer buffer(type, local_extents(dimensions), std::move(byte_strides), memory.data,
                memory.readonly, plain_memory(std::move(owner)));
  if (memory.length) {
    require_reach(*memory.length, buffer, dimensions);
    if (memory.data == nullptr && *memory.length > 0)
      adapter::refuse_argument("describe.length",
                               "a null pointer to " + std::to_string(*memory.length) + " elements",
                               "a pointer to the first element");
  }
  return Section(protocol_0_9, std::move(buffer), std::move(dimensions));
}

}  // namespace

Section detail::describe_memory(const DataType& type, const Memory& memory,
                                std::vector<Dimension> dimensions, Order order,
                                std::shared_ptr<const void> owner) {
  return deferred(
      [&] {
        defect_of(dimensions).raise();
        std::vector<Index> strides =
            contiguous_strides(local_extents(dimensions), type.itemsize(), order);
        if (memory.length) require_exact_length(*memory.length, dimensions);
        return described(type, memory, std::move(dimensions), std::move(strides), std::move(owner));
      },
      [](Defect defect) { return Section(std::move(defect)); });
}

Section detail::describe_memory(const DataType& type, const Memory& memory,
                                std::vector<Dimension> dimensions, IndexVector byte_strides,
                                std::shared_ptr<const void> owner) {
  return deferred(
      [&] {
        defect_of(dimensions).raise();
        require_bytes(type, dimensions, byte_strides);
        return described(type, memory, std::move(dimensions), std::move(byte_strides),
                         std::move(owner));
      },
      [](Defect defect) { return Section(std::move(defect)); });
}

Section describe(const DataType& type, void* data, Index length, std::vector<Dimension> dimensions,
                 Order order, bool readonly, std::shared_ptr<const void> owner) {
  return detail::describe_memory(type, {data, length, readonly}, std::move(dimensions), order,
                                 std::move(owner));
}

Section describe(const DataType& type, void* data, Index length, std::vector<Dimension> dimensions,
                 IndexVector byte_strides, bool readonly, std::shared_ptr<const void> owner) {
  return detail::describe_memory(type, {data, length, readonly}, std::move(dimensions),
                                 std::move(byte_strides), std::move(owner));
}

Section describe(const DataType& type, void* data, std::vector<Dimension> dimensions, Order order,
                 bool readonly, std::shared_ptr<const void> owner) {
  return detail::describe_memory(type, {data, std::nullopt, readonly}, std::move(dimensions), order,
                                 std::move(owner));
}

Section describe(const DataType& type, void* data, std::vector<Dimension> dimensions,
                 IndexVector byte_strides, bool readonly, std::shared_ptr<const void> owner) {
  return detail::describe_memory(type, {data, std::nullopt, readonly}, std::move(dimensions),
                                 std::move(byte_strides), std::move(owner));
}

Index local_count(const std::vector<Dimension>& dimensions) {
  if (defect_of(dimensions)) return 0;
  return element_count(local_extents(dimensions)).value_or(0);
}

Section adapter::allocate_undefined(const DataType& type, std::vector<Dimension> dimensions,
                                    Order order) {
  return with_new_memory(describe(type, nullptr, std::move(dimensions), order), false);
}

Section allocate(const DataType& type, std::vector<Dimension> dimensions, Order order) {
  return with_new_memory(describe(type, nullptr, std::move(dimensions), order), true);
}

}  // namespace daptor
